/*
 * Are shapes that come near those with a form of their own never taken for them? Numbers whose upper bits are copies of
 * another bit than their highest one, and lanes that end on a part of a side, each on data that no trial has.
 */
#include <criterion/criterion.h>
#include <string.h>

#include "tests/prove/prove_kernel.h"
#include "tests/prove/prove_lines.h"

static void expect_apart(const char *a, const char *b) {
    struct text one = kernel(a, ""), other = kernel(b, "");
    struct pair r = prove(one.kernel, other.kernel);
    cr_expect_neq(r.proof.verdict, HEDDLE_EQUAL, "%s\n%s---\n%s", r.proof.text, a, b);
    pair_done(&r);
}

/* t: the lowest four bits of v with their sign; s: the same bits below copies of a bit of w, or of v. */
#define SIGNED " shl.b32 t, v, 28\n shr.s32 t, t, 28\n"
#define COPIES(of, bit) \
    " and.b32 s, v, 15\n shl.b32 w, " of ", " bit "\n shr.s32 w, w, 27\n and.b32 w, w, -16\n or.b32 s, s, w\n"

Test(prove_edges, copies_of_another_bit_are_no_sign) {
    static const char *const copies[] = {COPIES("w", "31"), COPIES("w", "28"), COPIES("v", "29"), COPIES("v", "31"),
                                         COPIES("v", "27")};
    static const char *const use[][2] = {{" sub.u32 v, s, t\n", " mov.b32 v, 0\n"},
                                         {" add.u32 v, s, t\n", " shl.b32 v, t, 1\n"},
                                         {" mul.lo.u32 v, s, 5\n", " mul.lo.u32 v, t, 5\n"},
                                         {" sub.u32 v, t, s\n setp.eq.u32 p, v, 0\n sel.b32 v, v, i, p\n",
                                          " mov.b32 v, 0\n"}};
    for (u32 i = 0; i < COUNT_OF(copies); i++)
        for (u32 k = 0; k < COUNT_OF(use); k++) {
            char one[2048], other[2048];
            snprintf(one, sizeof one, "%s%s%s", SIGNED, copies[i], use[k][0]);
            snprintf(other, sizeof other, "%s%s%s", SIGNED, copies[i], use[k][1]);
            expect_apart(one, other);
        }
    struct text a = kernel(SIGNED COPIES("v", "28"), " sub.u32 v, s, t\n"), b = kernel("", " mov.b32 v, 0\n");
    expect(a.kernel, b.kernel, HEDDLE_EQUAL);
}

/* A lane in four billion ends on one side of a branch; the rest store where the sides meet. */
Test(prove_edges, lanes_that_end_on_a_part_of_a_side_do_not_store) {
#define RARE \
    " mul.lo.u32 t, w, 0x9e3779b1\n shr.u32 s, t, 15\n xor.b32 t, t, s\n mul.lo.u32 t, t, 0x85ebca6b\n" \
    " shr.u32 s, t, 13\n xor.b32 t, t, s\n setp.eq.u32 q, t, 12345\n"
#define BOTH(no, yes) " setp.lt.u32 p, v, 100\n@p bra yes\n" no " bra on\nyes:\n" yes "on:\n"
    static const char *const sides[][2] = {
        {BOTH(RARE "@q exit\n mov.b32 v, 5\n", " mov.b32 v, 3\n"), BOTH(" mov.b32 v, 5\n", " mov.b32 v, 3\n")},
        {BOTH(" mov.b32 v, 5\n", RARE "@q exit\n mov.b32 v, 3\n"), BOTH(" mov.b32 v, 5\n", " mov.b32 v, 3\n")},
        {BOTH(RARE "@q exit\n", ""), ""},
        {BOTH("", RARE "@q exit\n"), ""},
        {BOTH(RARE "@q exit\n", RARE "@q exit\n"), BOTH(RARE "@q exit\n", "")},
        {BOTH(RARE "@q exit\n", RARE "@q exit\n"), BOTH("", RARE "@q exit\n")},
    };
    for (u32 i = 0; i < COUNT_OF(sides); i++) {
        expect_apart(sides[i][0], sides[i][1]);
        expect_apart(sides[i][1], sides[i][0]);
    }
    expect(KERNEL(BOTH(RARE "@q exit\n", RARE "@q exit\n")), KERNEL(RARE "@q exit\n"), HEDDLE_EQUAL);
}

/* A member mask of 64 bits names the lanes of a warp by its low half, after sides that data decide. */
Test(prove_edges, a_member_mask_is_that_of_the_lanes) {
#define MASKED(mask) \
    " movi.b64 wide, " mask "\n setp.lt.u32 p, v, w\n@p bra on\n mov.b32 v, 5\non:\n shfl.bfly.b32 v, v, 1, wide\n"
    static const char choice[] = KERNEL(" setp.lt.u32 p, v, w\n sel.b32 v, v, 5, p\n shfl.bfly.b32 v, v, 1\n");
    expect(KERNEL(MASKED("0xffffffff")), choice, HEDDLE_EQUAL);
    expect(KERNEL(MASKED("0x7ffffffff")), choice, HEDDLE_EQUAL);
}
