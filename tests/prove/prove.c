/*
 * Is a proof true: equal only if it holds for every input, different only with data that shows it, and otherwise with a
 * statement of what is missing?
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "isa/isa.h"
#include "sim/base/buf.h"
#include "tests/prove/prove_lines.h"

/* The first kernel's control flow is data-dependent: in this way, at this instruction, on this element. */
static void expect_depends(const char *a, const char *how, const char *text, const char *what) {
    struct pair r = pair_load(a, a);
    const struct heddle_proof_depends *d = &r.proof.depends[0];
    r.asked.bound = -1;
    pair_go(&r);
    cr_expect_eq(r.proof.verdict, HEDDLE_DEPENDS, "%s", r.proof.text);
    cr_assert(d->how, "%s", r.proof.text);
    cr_expect_str_eq(d->how, how);
    cr_expect_str_eq(d->text, text);
    cr_expect_str_eq(d->what, what);
    pair_done(&r);
}

/* Also where nothing uses it, in either kernel; a difference is found all the same. */
Test(prove, results_of_barriers_are_not_followed) {
    static const struct {
        const char *text;
        bool same;
    } rows[] = {{KERNEL(" bar.red.popc t, 0, pt\n"), true},
                {KERNEL(" setp.ge.u32 p, v, 0\n bar.red.and p, 0, p\n@!p mov.b32 v, 0\n"), true},
                {KERNEL(" bar.red.or p, 0, !pt\n@!p mov.b32 v, 0\n"), false}};
    for (u32 i = 0; i < 2 * COUNT_OF(rows); i++) {
        const char *reduces = rows[i / 2].text, *waits = KERNEL(" bar.sync 0\n");
        struct pair r = pair_load(i % 2 ? reduces : waits, i % 2 ? waits : reduces);
        pair_go(&r);
        cr_expect_eq(r.proof.verdict, rows[i / 2].same ? HEDDLE_DEPENDS : HEDDLE_DIFFERENT, "%u: %s", i, r.proof.text);
        cr_expect_eq(strstr(r.proof.text, "because results of barriers are not followed") != NULL, rows[i / 2].same,
                     "%u: %s", i, r.proof.text);
        pair_done(&r);
    }
}

/* ---- equal ---- */

Test(prove, a_kernel_equals_itself) {
    expect(KERNEL(""), KERNEL(""), HEDDLE_EQUAL);
    expect(KERNEL(" fma.f32.ftz v, v, w, v\n"), KERNEL(" fma.f32.ftz v, w, v, v\n"), HEDDLE_EQUAL);
}

Test(prove, ways_to_move_a_value_are_equal) {
    static const char *const ways[] = {
        KERNEL(" st.local.b32 [mine], v\n shl.b32 t, i, 2\n st.shared.b32 [tile+t], v\n ld.shared.b32 v, [tile+t]\n"),
        KERNEL(" st.local.b32 [mine+4], v\n mov.b32 v, 0\n ld.local.b32 v, [mine+4]\n"),
        KERNEL(" shfl.bfly.b32 v, v, 5\n shfl.bfly.b32 v, v, 5\n"),
        KERNEL(" shfl.bfly.b32.w8 t, v, 3\n xor.b32 s, i, 3\n shfl.idx.b32 v, t, s\n"),
        KERNEL(" brev.b32 v, v\n brev.b32 v, v\n"),
        KERNEL(" not.b32 v, v\n xor.b32 v, v, 0xffffffff\n"),
        KERNEL(" xor.b32 t, v, w\n xor.b32 v, t, w\n"),
        KERNEL(" shl.b32 t, v, 9\n shr.u32 s, v, 23\n or.b32 t, t, s\n shf.r.wrap.b32 v, t, t, 9\n"),
        KERNEL(" pack.b64 wide, v, w\n shr.u64 wide, wide, 8\n bfi.b32 v, wide, rz, 8, 24\n"
               " ld.global.u8 t, [px]\n or.b32 v, v, t\n"),
        KERNEL(" ld.global.u16 v, [px]\n ld.global.s16 t, [px+2]\n shl.b32 t, t, 16\n or.b32 v, t, v\n"),
        KERNEL(" shl.b32 t, i, 2\n st.shared.b32 [tile+t], w\n st.shared.u8 [tile+t], v\n shr.u32 v, v, 8\n"
               " st.shared.u8 [tile+t+1], v\n shr.u32 v, v, 8\n st.shared.u16 [tile+t+2], v\n"
               " ld.shared.b32 v, [tile+t]\n"),
        KERNEL(" setp.eq.s32 p, v, w\n sel.b32 v, v, v, p\n"),
        KERNEL(" setp.lt.s32 p, v, w\n mov.pred q, !p\n@p mov.b32 t, v\n@q mov.b32 t, v\n mov.b32 v, t\n"),
        KERNEL(" cvt.u64.u32 wide, v\n shl.b64 wide, wide, 20\n shr.u64 wide, wide, 20\n cvt.u32.u64 v, wide\n"),
    };
    for (u32 i = 0; i < COUNT_OF(ways); i++)
        expect(KERNEL(""), ways[i], HEDDLE_EQUAL);
}

Test(prove, arithmetic_is_equal_where_its_steps_are) {
    expect(KERNEL(" mov.b32 t, 1\n mad.lo.u32 v, v, 2, t\n"), KERNEL(" mul.lo.u32 v, v, 2\n add.u32 v, 1, v\n"),
           HEDDLE_EQUAL);
    expect(KERNEL(" add.f32 v, v, w\n"), KERNEL(" add.f32 v, w, v\n"), HEDDLE_EQUAL);
    expect(KERNEL(" sub.f32 v, v, w\n"), KERNEL(" sub.f32 v, w, v\n"), HEDDLE_DIFFERENT);
    expect(KERNEL(" mul.f32 v, v, w\n"), KERNEL(" mul.f32.ftz v, v, w\n"), HEDDLE_DIFFERENT);
    expect(KERNEL(" cvt.s32.f32 v, v\n"), KERNEL(" cvt.rm.s32.f32 v, v\n"), HEDDLE_DIFFERENT);
}

static const char *const normal_pairs[][2] = {
    /* sums and products */
    {" add.u32 v, v, v\n", " mul.lo.u32 v, v, 2\n"},
    {" add.u32 t, v, v\n add.u32 v, t, v\n", " mul.lo.u32 v, v, 3\n"},
    {" add.u32 v, v, w\n add.u32 v, v, 1\n", " add.u32 t, w, 1\n add.u32 v, v, t\n"},
    {" sub.u32 v, v, w\n", " not.b32 t, w\n add.u32 v, v, t\n add.u32 v, v, 1\n"},
    {" not.b32 t, v\n add.u32 v, t, 1\n", " neg.s32 v, v\n"},
    {" add.u32 t, v, w\n sub.u32 v, t, v\n", " mov.b32 v, w\n"},
    {" add.u32 t, v, i\n mul.lo.u32 v, t, w\n", " mul.lo.u32 t, i, w\n mad.lo.u32 v, w, v, t\n"},
    {" mul.lo.u32 t, v, w\n mul.lo.u32 v, t, v\n", " mul.lo.u32 t, v, v\n mul.lo.u32 v, w, t\n"},
    {" add.u32 t, v, w\n mul.lo.u32 v, t, t\n",
     " mul.lo.u32 t, v, v\n mul.lo.u32 s, v, w\n shl.b32 s, s, 1\n add.u32 t, t, s\n mad.lo.u32 v, w, w, t\n"},
    {" and.b32 t, v, 31\n sub.u32 v, v, t\n", " and.b32 v, v, 0xffffffe0\n"},
    {" shl.b32 t, v, 4\n and.b32 s, w, 15\n add.u32 v, t, s\n", " bfi.b32 v, v, w, 4, 28\n"},
    {" add.u32 v, v, 0x80000000\n", " xor.b32 v, v, 0x80000000\n"},
    {" mul.wide.u32 wide, v, w\n cvt.u32.u64 v, wide\n", " mul.lo.u32 v, w, v\n"},
    {" mul.wide.u32 wide, v, w\n cvt.hi.u32.u64 v, wide\n", " mul.hi.u32 v, w, v\n"},
    {" mul.hi.u32 v, v, 8\n", " shr.u32 v, v, 29\n"},
    {" pack.b64 wide, v, w\n pack.b64 pair, w, v\n add.s64 wide, wide, pair\n sub.s64 wide, wide, pair\n"
     " cvt.hi.u32.u64 v, wide\n",
     " mov.b32 v, w\n"},
    /* divisions by powers of two */
    {" div.u32 v, v, 16\n", " shr.u32 v, v, 4\n"},
    {" rem.u32 v, v, 16\n", " and.b32 v, v, 15\n"},
    {" div.u32 t, v, 32\n mul.lo.u32 t, t, 32\n sub.u32 v, v, t\n", " rem.u32 v, v, 32\n"},
    {" div.s32 v, v, 8\n", " shr.s32 t, v, 31\n shr.u32 t, t, 29\n add.u32 t, v, t\n shr.s32 v, t, 3\n"},
    {" rem.s32 v, v, 8\n", " div.s32 t, v, 8\n shl.b32 t, t, 3\n sub.u32 v, v, t\n"},
    {" div.s32 v, v, -4\n", " div.s32 v, v, 4\n neg.s32 v, v\n"},
    /* minima, maxima, choices */
    {" min.s32 v, v, w\n", " min.s32 v, w, v\n"},
    {" min.u32 t, v, w\n min.u32 t, t, v\n min.u32 v, t, 9\n", " min.u32 t, v, 9\n min.u32 v, t, w\n"},
    {" max.s32 v, v, w\n", " setp.gt.s32 p, v, w\n sel.b32 v, v, w, p\n"},
    {" max.s32 v, v, w\n", " setp.ge.s32 p, w, v\n@p mov.b32 v, w\n"},
    {" min.u32 v, v, 100\n", " setp.lt.u32 p, v, 100\n sel.b32 v, v, 100, p\n"},
    {" min.u32 v, v, 99\n", " setp.lt.u32 p, v, 100\n sel.b32 v, v, 99, p\n"},
    {" max.s32 v, v, 0\n", " setp.lt.s32 p, v, 0\n@p mov.b32 v, 0\n"},
    {" abs.s32 v, v\n", " neg.s32 t, v\n setp.lt.s32 p, v, 0\n sel.b32 v, t, v, p\n"},
    {" setp.lt.u32 p, v, w\n sel.b32 t, v, w, p\n sel.b32 s, i, t, p\n sel.b32 v, s, w, p\n",
     " setp.lt.u32 p, v, w\n sel.b32 v, i, w, p\n"},
    {" setp.eq.s32 p, v, 7\n sel.b32 v, 7, v, p\n", ""},
    {" setp.eq.s32 p, v, w\n sel.b32 v, v, w, p\n", " mov.b32 v, w\n"},
    /* comparisons */
    {" setp.lt.u32 p, v, w\n sel.b32 v, 1, i, p\n", " setp.le.u32 p, w, v\n sel.b32 v, i, 1, p\n"},
    {" setp.lt.u32 p, v, w\n sel.b32 v, 1, i, p\n", " setp.gt.u32 p, w, v\n sel.b32 v, 1, i, p\n"},
    {" setp.lt.u32 p, v, 1\n sel.b32 v, 1, w, p\n", " setp.eq.s32 p, v, 0\n sel.b32 v, 1, w, p\n"},
    {" setp.le.s32 p, v, 4\n sel.b32 v, 1, w, p\n", " setp.lt.s32 p, v, 5\n sel.b32 v, 1, w, p\n"},
    {" setp.gt.u32 p, v, 255\n sel.b32 v, 1, w, p\n", " shr.u32 t, v, 8\n setp.ne.s32 p, t, 0\n sel.b32 v, 1, w, p\n"},
    {" setp.lt.s32 p, v, 0\n sel.b32 v, 1, w, p\n", " sel.msb.b32 v, v, 1, w\n"},
    {" add.u32 t, v, 3\n add.u32 s, w, 3\n setp.eq.s32 p, t, s\n sel.b32 v, 1, i, p\n",
     " setp.eq.s32 p, w, v\n sel.b32 v, 1, i, p\n"},
    {" and.b32 t, v, 1\n setp.ne.s32 p, t, 0\n sel.b32 v, 1, rz, p\n", " and.b32 v, v, 1\n"},
    {" and.b32 t, v, 255\n setp.lt.u32 p, t, 256\n sel.b32 v, 1, w, p\n", " mov.b32 v, 1\n"},
    /* values of all lanes */
    {" redux.add.u32 v, v\n", " shfl.bfly.b32 t, v, 16\n add.u32 v, v, t\n shfl.bfly.b32 t, v, 8\n add.u32 v, v, t\n"
                              " shfl.bfly.b32 t, v, 4\n add.u32 v, v, t\n shfl.bfly.b32 t, v, 2\n add.u32 v, v, t\n"
                              " shfl.bfly.b32 t, v, 1\n add.u32 v, v, t\n"},
    {" redux.min.s32 v, v\n", " shfl.bfly.b32 t, v, 1\n min.s32 v, v, t\n shfl.bfly.b32 t, v, 2\n min.s32 v, v, t\n"
                              " shfl.bfly.b32 t, v, 4\n min.s32 v, v, t\n shfl.bfly.b32 t, v, 8\n min.s32 v, v, t\n"
                              " shfl.bfly.b32 t, v, 16\n min.s32 v, v, t\n"},
};

/* One or a few lines against others that are the same for all inputs. */
Test(prove, normal_forms_are_one) {
    for (u32 i = 0; i < COUNT_OF(normal_pairs); i++) {
        struct text a = kernel(normal_pairs[i][0], ""), b = kernel(normal_pairs[i][1], "");
        expect(a.kernel, b.kernel, HEDDLE_EQUAL);
    }
}

/* Almost the same as one of these. */
Test(prove, what_is_almost_equal_is_not_one) {
    static const char *const pairs[][2] = {
        {" add.u32 v, v, v\n", " mul.lo.u32 v, v, 3\n"},
        {" div.s32 v, v, 8\n", " shr.s32 v, v, 3\n"},
        {" rem.s32 v, v, 8\n", " and.b32 v, v, 7\n"},
        {" div.s32 v, v, 16\n", " shr.u32 v, v, 4\n"},
        {" min.s32 v, v, w\n", " min.u32 v, v, w\n"},
        {" max.s32 v, v, 0\n", " max.u32 v, v, 0\n"},
        {" setp.lt.s32 p, v, w\n sel.b32 v, 1, i, p\n", " setp.lt.u32 p, v, w\n sel.b32 v, 1, i, p\n"},
        {" setp.lt.u32 p, v, w\n sel.b32 v, 1, i, p\n", " setp.le.u32 p, v, w\n sel.b32 v, 1, i, p\n"},
        {" abs.s32 v, v\n", " and.b32 v, v, 0x7fffffff\n"},
        {" mul.hi.s32 v, v, w\n", " mul.hi.u32 v, v, w\n"},
        {" mul.hi.s32 v, v, 8\n", " shr.u32 v, v, 29\n"},
        {" mul.wide.s32 wide, v, 4\n cvt.hi.u32.u64 v, wide\n", " mul.wide.u32 wide, v, 4\n cvt.hi.u32.u64 v, wide\n"},
        {" sub.u32 v, v, w\n", " sub.u32 v, w, v\n"},
        {" redux.min.s32 v, v\n", " redux.min.u32 v, v\n"},
    };
    for (u32 i = 0; i < COUNT_OF(pairs); i++) {
        struct text a = kernel(pairs[i][0], ""), b = kernel(pairs[i][1], "");
        expect(a.kernel, b.kernel, HEDDLE_DIFFERENT);
    }
}

Test(prove, a_guard_is_a_choice) {
    expect(KERNEL(" setp.lt.u32 p, v, w\n@p mov.b32 v, w\n"), KERNEL(" setp.lt.u32 p, v, w\n sel.b32 v, w, v, p\n"),
           HEDDLE_EQUAL);
    expect(KERNEL(" setp.lt.u32 p, v, w\n@p st.global.b32 [py], v\n@!p st.global.b32 [py], w\n sel.b32 v, v, w, p\n"),
           KERNEL(" setp.lt.u32 p, v, w\n sel.b32 v, v, w, p\n"), HEDDLE_EQUAL);
    expect(KERNEL(" setp.lt.u32 p, v, w\n@p ld.global.b32 v, [px+4]\n"),
           KERNEL(" setp.lt.u32 p, v, w\n ld.global.b32 t, [px+4]\n sel.b32 v, t, v, p\n"), HEDDLE_EQUAL);
    expect(KERNEL(" setp.lt.u32 p, v, w\n@p setp.lt.u32 p, w, 9\n sel.b32 v, 1, i, p\n"),
           KERNEL(" setp.lt.u32 p, v, w\n setp.lt.u32 q, w, 9\n and.pred p, p, q\n sel.b32 v, 1, i, p\n"),
           HEDDLE_EQUAL);
}

Test(prove, values_of_all_lanes_are_compared) {
    static const char *const all[] = {
        " redux.add.u32 v, v\n",
        " redux.min.s32 v, v\n",
        " setp.lt.s32 p, v, 0\n vote.any q, p\n sel.b32 v, 1, w, q\n",
        " setp.lt.s32 p, v, 0\n vote.all q, p\n sel.b32 v, 1, w, q\n",
        " setp.lt.s32 p, v, 0\n vote.uni q, p\n sel.b32 v, 1, w, q\n",
        " setp.lt.s32 p, v, 0\n ballot.b32 v, p\n",
        " and.b32 v, v, 3\n match.any.b32 wide, v\n cvt.u32.u64 v, wide\n",
        " match.all.b32 wide|p, w\n sel.b32 v, 1, rz, p\n",
        " pack.b64 pair, v, w\n match.any.b64 wide, pair\n cvt.u32.u64 v, wide\n",
        " pack.b64 pair, v, w\n match.all.b64 wide|p, pair\n sel.b32 v, 1, wide, p\n",
    };
    for (u32 i = 0; i < COUNT_OF(all); i++) {
        /* Twice the same; and with the values of lanes 2n and 2n + 1 exchanged, which only sums do not see. */
        struct text one = kernel(all[i], "");
        struct text other = kernel(" shfl.bfly.b32 v, v, 1\n shfl.bfly.b32 w, w, 1\n", all[i]);
        expect(one.kernel, one.kernel, HEDDLE_EQUAL);
        struct pair r = prove(one.kernel, other.kernel);
        cr_expect_eq(r.proof.verdict == HEDDLE_EQUAL, i < 2, "%s%s", all[i], r.proof.text);
        pair_done(&r);
    }
}

Test(prove, atomics_are_their_operation) {
    expect(KERNEL(" st.global.b32 [py], v\n red.add.u32.global [py], w\n ld.global.b32 v, [py]\n"),
           KERNEL(" add.u32 v, w, v\n"), HEDDLE_EQUAL);
    expect(KERNEL(
               " shl.b32 t, i, 2\n st.shared.b32 [tile+t], v\n atom.exch.b32.shared s, [tile+t], w\n mov.b32 v, s\n"),
           KERNEL(""), HEDDLE_EQUAL);
    expect(KERNEL(" st.global.b32 [py], v\n atom.cas.b32.global t, [py], w, i\n ld.global.b32 v, [py]\n"),
           KERNEL(" st.global.b32 [py], v\n atom.cas.b32.global t, [py], w, i\n ld.global.b32 v, [py]\n"),
           HEDDLE_EQUAL);
    expect(KERNEL(" pack.b64 pair, w, v\n mov.b64 wide, pair\n shl.b32 t, i, 3\n st.shared.b64 [tile+t], pair\n"
                  " pack.b64 wide, i, i\n atom.exch.b64.shared wide, [tile+t], wide\n xor.b32 v, wide+1, wide\n"),
           KERNEL(" xor.b32 v, v, w\n"), HEDDLE_EQUAL);
    /* The old contents are known if the buffer begins as zeros. */
    struct pair r = pair_load(KERNEL(" red.or.b32.global [py], v\n ld.global.b32 v, [py]\n"), KERNEL(""));
    const struct heddle_prove_buffer out = {"y", HEDDLE_ROLE_OUT};
    pair_go(&r);
    cr_expect_eq(r.proof.verdict, HEDDLE_DIFFERENT, "%s", r.proof.text);
    r.asked.buffers = &out;
    r.asked.nbuffers = 1;
    pair_go(&r);
    cr_expect_eq(r.proof.verdict, HEDDLE_EQUAL, "%s", r.proof.text);
    pair_done(&r);
}

/* ---- every instruction ---- */

/* Writes a kernel that applies an instruction of one lane to v, w and values made of them, guarded if requested. */
static void instruction_text(const struct isa_row *row, bool guarded, struct buf *out) {
    static const char *const words[] = {"v", "w", "t"}, *const pairs[] = {"wide", "pair", "wide"};
    static const char *const preds[] = {"p", "!q", "p"};
    SCOPED(buf_free) struct buf line = {0};
    for (u32 k = 0; k < OPERANDS_MAX; k++) {
        const struct operand *o = &row->operand[k];
        bool result = k == 0;
        if (o->kind == K_NONE)
            continue;
        buf_puts(&line, line.len ? ", " : " ");
        buf_puts(&line, o->kind == K_REG    ? result ? "v" : words[k - 1]
                           : o->kind == K_REG2 ? result ? "wide" : pairs[k - 1]
                           : o->kind == K_PRED ? result ? "p" : preds[k - 1]
                           : row->wide ? "0x123456789abcdef"
                                            : "13");
    }
    const char *last = row->operand[0].kind == K_PRED   ? " sel.b32 v, v, w, p\n"
                       : row->operand[0].kind == K_REG2 ? " cvt.hi.u32.u64 t, wide\n xor.b32 v, wide, t\n"
                                                        : "";
    buf_printf(out, "%s pack.b64 wide, v, w\n pack.b64 pair, w, i\n xor.b32 t, v, 0x55\n setp.lt.s32 p, v, w\n", HEAD);
    buf_printf(out, " setp.lt.s32 q, v, 0\n%s %s%s\n%s%s", guarded ? "@p" : "", row->name, line.data, last, TAIL);
}

/* heddle_prove itself makes sure that what it derives gives the bytes that the machine leaves, on two sets of data. */
Test(prove, every_instruction_of_one_lane_is_followed) {
    u32 rows = 0;
    for (u32 op = 0; op < OP_COUNT; op++) {
        const struct isa_row *row = &isa_rows[op];
        if (row->kind != ROW_LANE && row->kind != ROW_LANEI)
            continue;
        for (u32 guarded = 0; guarded < 2; guarded++) {
            SCOPED(buf_free) struct buf text = {0};
            instruction_text(row, guarded, &text);
            expect(text.data, text.data, HEDDLE_EQUAL);
        }
        rows++;
    }
    cr_expect_gt(rows, 250);
}

Test(prove, transit_registers_are_followed_at_every_width) {
    for (u32 width = 8; width <= 64; width *= 2) {
        struct pair r = pair_load(KERNEL(" xpush x1, v\n xpush x1, w\n xpush x1, v\n xpush x1, w\n xext v, x1, 0\n"),
                                  KERNEL(" xpush x1, v\n xpush x1, w\n xpush x1, v\n xpush x1, w\n xext t, x1, 0\n"
                                         " shfl.bfly.b32 v, t, 0\n"));
        r.asked.warp = width;
        pair_go(&r);
        cr_expect_eq(r.proof.verdict, HEDDLE_EQUAL, "%s", r.proof.text);
        cr_expect_str_eq(r.proof.elements[1].from, "x");
        cr_expect_eq(r.proof.elements[1].from_element, 2 % (width / 4) + 2 / (width / 4) * N);
        pair_done(&r);
    }
}

/* ---- different ---- */

Test(prove, a_difference_names_lane_register_and_line) {
    struct pair r = prove(KERNEL(""), KERNEL(" setp.eq.u32 p, i, 5\n@p shfl.idx.b32 v, v, 5\n@p mov.b32 v, w\n"));
    const struct heddle_proof_difference *d = &r.proof.difference;
    cr_assert_eq(r.proof.verdict, HEDDLE_DIFFERENT);
    cr_expect_str_eq(d->buffer, "y");
    cr_expect_eq(d->element, 5);
    cr_expect_eq(d->elements, 1);
    cr_expect_str_eq(d->sides[0].value, "x[5]");
    cr_expect_str_eq(d->sides[1].value, "x[69]");
    cr_expect_neq(d->sides[0].bits, d->sides[1].bits);
    for (u32 i = 0; i < 2; i++) {
        const struct heddle_proof_side *s = &d->sides[i];
        cr_expect(s->written);
        cr_expect_eq(s->lane, 5);
        cr_expect_eq(s->warp, 0);
        cr_expect_str_eq(s->register_, "r1");
        cr_expect_str_eq(s->name, "v");
        cr_expect_eq(s->line, i ? 18 : 15);
    }
    pair_done(&r);
}

Test(prove, an_element_that_one_leaves_out_is_different) {
    struct pair r = prove(KERNEL(""), KERNEL(" setp.eq.u32 p, i, 3\n@p exit\n"));
    const struct heddle_proof_difference *d = &r.proof.difference;
    cr_assert_eq(r.proof.verdict, HEDDLE_DIFFERENT);
    cr_expect_eq(d->element, 3);
    cr_expect_str_eq(d->sides[1].value, "y[3]");
    cr_expect(!d->sides[1].written);
    pair_done(&r);
}

/* Differences that random bits alone would not show. */
Test(prove, trial_data_have_what_arithmetic_is_special_for) {
    static const char *const pairs[][2] = {
        {" add.f32 v, v, 0.0\n", " add.f32 v, v, -0.0\n"},
        {" add.f32 v, v, 0.0\n", ""},
        {" add.f32 t, v, w\n add.f32 v, t, 1.0\n", " add.f32 t, w, 1.0\n add.f32 v, v, t\n"},
        {" setp.eq.u32 p, v, 0x12345678\n sel.b32 v, w, v, p\n", ""},
        {" setp.le.s32 p, v, 0x12345678\n sel.b32 v, 1, i, p\n",
         " setp.lt.s32 p, v, 0x12345678\n sel.b32 v, 1, i, p\n"},
        {" mul.f32 v, v, 1.0\n", ""},
        {" add.f32 v, v, w\n", " add.f32.ftz v, v, w\n"},
        {" min.f32 v, v, v\n", ""},
        {" setp.lt.f32 p, v, w\n sel.b32 v, v, w, p\n", " min.f32 v, v, w\n"},
        {" abs.s32 v, v\n max.s32 v, v, 0\n", " abs.s32 v, v\n"},
        {" setp.eq.u32 p, v, w\n sel.b32 v, 1, i, p\n", " mov.b32 v, i\n"},
        {" add.f16x2 v, v, w\n", " add.f16x2 v, v, v\n"},
    };
    for (u32 i = 0; i < COUNT_OF(pairs); i++) {
        struct text a = kernel(pairs[i][0], ""), b = kernel(pairs[i][1], "");
        expect(a.kernel, b.kernel, HEDDLE_DIFFERENT);
    }
}

/* ---- not proved ---- */

Test(prove, what_happens_for_one_value_in_four_billion_is_not_overlooked) {
    expect(KERNEL(""), KERNEL(" mul.lo.u32 s, v, 0x9e3779b1\n setp.eq.u32 p, s, 0x5ca1ab1e\n sel.b32 v, 7, v, p\n"),
           HEDDLE_UNPROVED);
    expect(KERNEL(""),
           KERNEL(" mul.lo.u32 s, v, 0x9e3779b1\n setp.ne.u32 p, s, 0x5ca1ab1e\n@p bra on\n mov.b32 v, 7\non:\n"),
           HEDDLE_UNPROVED);
    expect(KERNEL(""), KERNEL(" mul.lo.u32 s, v, 0x9e3779b1\n setp.eq.u32 p, s, 0x5ca1ab1e\n@p trap\n"),
           HEDDLE_DEPENDS);
    expect(KERNEL(""),
           KERNEL(
               " mul.lo.u32 s, v, 0x9e3779b1\n setp.eq.u32 p, s, 0x5ca1ab1e\n sel.b32 t, 1, rz, p\n shl.b32 t, t, 10\n"
               " ld.shared.b32 t, [t]\n"),
           HEDDLE_DEPENDS);
}

Test(prove, what_control_flow_depends_on_is_named) {
    expect_depends(KERNEL(" mul.lo.u32 s, v, 0x9e3779b1\n setp.eq.u32 p, s, 0x5ca1ab1e\n@p bra on\n nop\non:\n"),
                   "branches on", "@p bra on", "x[0]");
    expect_depends(KERNEL(" and.b32 t, v, 4\n ld.shared.b32 t, [t]\n"), "computes an address from",
                   "ld.shared.b32 t, [t]", "x[0]");
    expect_depends(KERNEL(" and.b32 t, w, 7\n shfl.idx.b32 v, v, t\n"), "chooses a lane by", "shfl.idx.b32 v, v, t",
                   "x[64]");
    expect_depends(KERNEL(
                       " mul.lo.u32 s, v, 0x9e3779b1\n setp.eq.u32 p, s, 0x5ca1ab1e\n@p red.add.u32.global [py], w\n"),
                   "takes part or not depending on", "@p red.add.u32.global [py], w", "x[0]");
}

Test(prove, an_access_beyond_the_end_under_a_guard_is_data_dependent) {
    struct pair r =
        prove(KERNEL(" mul.lo.u32 s, v, 0x9e3779b1\n setp.eq.u32 p, s, 0x5ca1ab1e\n@p st.global.b32 [py+4096], v\n"),
              KERNEL(""));
    cr_expect_eq(r.proof.verdict, HEDDLE_DEPENDS, "%s", r.proof.text);
    cr_expect_str_eq(r.proof.depends[0].how, "may fault, depending on");
    pair_done(&r);
}

Test(prove, what_nobody_wrote_is_equal_to_nothing) {
    static const char *const ways[] = {
        " add.u32 v, v, t\n",        " ld.shared.b32 v, [tile+8]\n",
        " ld.local.b32 v, [mine]\n", " sel.b32 v, v, w, q\n",
        " xext v, x2, 1\n",          " s2r v, %clock\n",
        " s2r v, %smid\n",
    };
    for (u32 i = 0; i < COUNT_OF(ways); i++) {
        struct text t = kernel(ways[i], "");
        expect(t.kernel, t.kernel, HEDDLE_UNPROVED);
    }
    /* Independent results are known. */
    expect(KERNEL(" xor.b32 t, t, t\n add.u32 v, v, t\n"), KERNEL(" add.u32 v, v, 0\n"), HEDDLE_EQUAL);
}

/* Values that the board sets are the same for both kernels, and known if a board is given. */
Test(prove, the_number_of_sms_is_the_boards) {
    static const char *const boards[] = {NULL, "sms=1", "sms=2"};
    static const enum heddle_verdict verdicts[] = {HEDDLE_UNPROVED, HEDDLE_EQUAL, HEDDLE_DIFFERENT};
    for (u32 i = 0; i < COUNT_OF(boards); i++) {
        struct pair r = pair_load(KERNEL(" s2r v, %nsmid\n"), KERNEL(" mov.b32 v, 1\n"));
        cr_assert(!i || heddle_board_load(r.h, NULL, &boards[i], 1));
        pair_go(&r);
        cr_expect_eq(r.proof.verdict, verdicts[i], "%s", r.proof.text);
        cr_expect(strstr(r.proof.text, i ? ", on board default" : ", on a board of 1 SM"), "%s", r.proof.text);
        pair_done(&r);
    }
    static const char *const others[] = {KERNEL(" s2r t, %nsmid\n mov.b32 v, t\n"), KERNEL(" mov.b32 v, 80\n")};
    for (u32 i = 0; i < COUNT_OF(others); i++) {
        struct pair r = prove(KERNEL(" s2r v, %nsmid\n"), others[i]);
        cr_expect_eq(r.proof.verdict, i ? HEDDLE_DIFFERENT : HEDDLE_EQUAL, "%s", r.proof.text);
        cr_expect(strstr(r.proof.text, i ? ", on a board of 1 SM" : ", on any board"), "%s", r.proof.text);
        pair_done(&r);
    }
}

/* ---- buffers ---- */

Test(prove, buffers_keep_what_they_hold) {
    struct pair r = pair_load(KERNEL(""), KERNEL(" add.u32 v, v, 1\n"));
    struct heddle_tensor t;
    cr_assert(heddle_buffer_get(r.h, "y", &t));
    memset(t.data, 0x5a, t.bytes);
    pair_go(&r);
    cr_expect_eq(r.proof.verdict, HEDDLE_DIFFERENT);
    cr_assert(heddle_buffer_get(r.h, "y", &t));
    for (u64 i = 0; i < t.bytes; i++)
        cr_assert_eq(t.data[i], 0x5a);
    pair_done(&r);
}

Test(prove, scratch_is_not_compared) {
    struct pair r = pair_load(KERNEL(""), KERNEL(" add.u32 v, v, 1\n"));
    const struct heddle_prove_buffer scratch = {"y", HEDDLE_ROLE_SCRATCH};
    r.asked.buffers = &scratch;
    r.asked.nbuffers = 1;
    pair_go(&r);
    cr_expect_eq(r.proof.verdict, HEDDLE_EQUAL, "%s", r.proof.text);
    cr_expect_eq(r.proof.nelements, 0);
    pair_done(&r);
}

static void refused(struct pair *r, enum heddle_status status, const char *text) {
    pair_go(r);
    cr_expect_eq(r->status, status);
    cr_expect(strstr(heddle_error(r->h), text), "%s", heddle_error(r->h));
    pair_done(r);
}

Test(prove, mistakes_are_named) {
    const struct heddle_prove_buffer in = {"y", HEDDLE_ROLE_IN}, none = {"z", HEDDLE_ROLE_OUT};
    const struct heddle_arg more[] = {pair_args[0], pair_args[1], {.name = "yy", .buffer = "y"}};
    struct pair r = pair_load(KERNEL(""), KERNEL(""));
    r.asked.buffers = &in;
    r.asked.nbuffers = 1;
    refused(&r, HEDDLE_INPUT, "a.hd: error: kernel 'k' writes to buffer 'y', which is given as an input only");
    r = pair_load(KERNEL(""), KERNEL(""));
    r.asked.buffers = &none;
    r.asked.nbuffers = 1;
    refused(&r, HEDDLE_INPUT, "there is no buffer 'z'");
    r = pair_load(KERNEL(""), KERNEL(""));
    r.asked.args = more;
    r.asked.nargs = 3;
    refused(&r, HEDDLE_INPUT, "there is no parameter 'yy'; did you mean 'y'?");
    r = pair_load(KERNEL(""), KERNEL(""));
    r.asked.nargs = 1;
    refused(&r, HEDDLE_INPUT, "parameter 'y : u32[64]' is not given");
    r = pair_load(KERNEL(""), KERNEL(""));
    r.asked.kernel[1].entry = "kk";
    refused(&r, HEDDLE_INPUT, "there is no kernel 'kk'");
    r = pair_load(KERNEL(""), KERNEL(" st.global.b32 [py+4096], v\n"));
    refused(&r, HEDDLE_FAULT, "out_of_bounds");
    r = pair_load(KERNEL(""), KERNEL("on: bra on\n"));
    r.asked.max_instructions = 1000;
    refused(&r, HEDDLE_FAULT, "instruction_limit");
}

Test(prove, a_parameter_may_be_of_one_kernel_only) {
    static const char with_z[] = ".kernel other\n.param z : u32[64]\n.param x : u32[128]\n.param y : u32[64]\n exit\n";
    const struct heddle_arg more[] = {pair_args[0], pair_args[1], {.name = "z", .buffer = "z"}};
    const uint64_t shape[] = {N};
    struct pair r = pair_load(with_z, KERNEL(""));
    cr_assert(heddle_buffer(r.h, "z", "u32", 1, shape));
    r.asked.args = more;
    r.asked.nargs = 3;
    pair_go(&r);
    cr_expect_eq(r.status, HEDDLE_OK, "%s", heddle_error(r.h));
    cr_expect_eq(r.proof.verdict, HEDDLE_DIFFERENT);
    pair_done(&r);
}
