/* Are constants, special registers and matrix products followed whole, and nothing beside them? */
#include <criterion/criterion.h>
#include <string.h>

#include "sim/base/buf.h"
#include "tests/lib/scoped.h"
#include "tests/prove/prove_kernel.h"
#include "tests/prove/prove_lines.h"
#include "tests/prove/prove_rig.h"

/* What is read from constants is all four bytes; a special register is one register, or two. */
Test(prove, constants_and_special_registers_are_whole) {
    expect(".const table : u32 = 0x12345678, 0x9abcdef0\n" KERNEL(" and.b32 t, i, 1\n shl.b32 t, t, 2\n"
                                                                  " ld.const.b32 t, [table+t]\n xor.b32 v, v, t\n"),
           KERNEL(" and.b32 t, i, 1\n setp.eq.u32 p, t, 0\n xor.b32 s, v, 0x12345678\n xor.b32 t, v, 0x9abcdef0\n"
                  " sel.b32 v, s, t, p\n"),
           HEDDLE_EQUAL);
    expect(KERNEL(" mov.b64 wide, 5\n pack.b64 wide, v, w\n s2r wide, %laneid\n xor.b32 v, wide, wide+1\n"),
           KERNEL(" and.b32 t, i, 31\n xor.b32 v, w, t\n"), HEDDLE_EQUAL);
    expect(KERNEL(" pack.b64 wide, v, w\n mov.b64 pair, wide\n s2r.b64 pair, %lanemask_lt\n xor.b32 v, wide, w\n"),
           KERNEL(" xor.b32 v, v, w\n"), HEDDLE_EQUAL);
}

/* Each element of D is a chain of fused multiply-adds: rows of A in a lane, columns of B over lanes. */
Test(prove, a_matrix_product_is_its_chains) {
    for (u32 column = 0; column < 4; column++) {
        SCOPED(buf_free) struct buf product = {0}, chain = {0};
        const char *const begin = HEAD " .regs 64\n xor.b32 r40, v, w\n add.u32 r41, v, w\n and.b32 r42, v, w\n"
                                       " or.b32 r43, v, w\n xor.b32 r44, v, i\n add.u32 r45, w, i\n"
                                       " mov.b32 r48, v\n mov.b32 r49, w\n sub.u32 r50, v, w\n sub.u32 r51, w, v\n";
        buf_printf(&product, "%s mma.m8n4k8.f32.f16 r48, r40, r44, r48\n mov.b32 v, r%u\n%s", begin, 48 + column, TAIL);
        buf_printf(&chain, "%s and.b32 s, i, 0x18\n", begin);
        for (u32 k = 0; k < 8; k++)
            buf_printf(&chain,
                       " add.u32 t, s, %u\n shfl.idx.b32 t, r%u, t\n %s\n %s r56, r%u, %s\n cvt.f32.f16 t, t\n"
                       " cvt.f32.f16 r56, r56\n fma.f32 r%u, r56, t, r%u\n",
                       k, 44 + column / 2, column % 2 ? "shr.u32 t, t, 16" : "and.b32 t, t, 0xffff",
                       k % 2 ? "shr.u32" : "and.b32", 40 + k / 2, k % 2 ? "16" : "0xffff", 48 + column, 48 + column);
        buf_printf(&chain, " mov.b32 v, r%u\n%s", 48 + column, TAIL);
        expect(product.data, chain.data, HEDDLE_EQUAL);
    }
}

/* Reports on both sides what differs deep below a bit that decides. */
Test(prove, a_difference_below_a_bit_is_told) {
#define DEEP(of) \
    KERNEL(" mov.b32 t, " of "\n rcp.f32 t, t\n sqrt.f32 t, t\n rcp.f32 t, t\n sqrt.f32 t, t\n rcp.f32 t, t\n" \
           " sqrt.f32 t, t\n setp.lt.f32 p, t, 2.0\n setp.lt.f32 q, v, 0.5\n and.pred p, p, q\n sel.b32 w, w, v, p\n" \
           " rcp.f32 v, w\n")
    struct pair r = pair_load(DEEP("v"), DEEP("w"));
    pair_go(&r);
    cr_expect_eq(r.proof.verdict, HEDDLE_DIFFERENT, "%s", r.proof.text);
    cr_expect(strstr(r.proof.text, "A k: ... bits(..., setp.lt.f32(bit 0:"), "%s", r.proof.text);
    cr_expect(strstr(r.proof.text, "B k: ... bits(..., setp.lt.f32(bit 0:"), "%s", r.proof.text);
    pair_done(&r);
}

Test(prove, a_choice_of_a_complement_is_written_as_one) {
#define CHOICE " setp.lt.s32 p, v, w\n not.b32 t, w\n sel.b32 v, t, v, p\n"
    struct pair r = prove(KERNEL(CHOICE), KERNEL(CHOICE " add.u32 v, v, 1\n"));
    cr_expect(strstr(r.proof.text, "setp.lt.s32(x[0], x[64]) ? ~x[64] : x[0], which"), "%s", r.proof.text);
    pair_done(&r);
}
