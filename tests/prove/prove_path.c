/*
 * Is control flow that depends on data followed for all data? Pairs that are equal have a twin that is wrong for some
 * data, which is never called equal; and what cannot be followed is named.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "sim/base/buf.h"
#include "tests/lib/scoped.h"
#include "tests/prove/prove_rig.h"

/* One block of two warps: v = x[i], w = x[i + 64], first = x[0], then the lines of the test, then y[i] = v. */
#define HEAD \
    ".kernel k\n.param x : u32[128]\n.param y : u32[64]\n.shared tile : b32[128]\n.local mine : b32[4]\n" \
    ".reg i, v, w, t, s, n, first, at, px:2, py:2, pz:2\n.pred p, q\n" \
    " s2r i, %tid.x\n ld.param.b64 px, [x]\n ld.param.b64 py, [y]\n ld.global.b32 first, [px]\n" \
    " mad.wide.u32 px, i, 4, px\n mad.wide.u32 py, i, 4, py\n shl.b32 at, i, 2\n" \
    " ld.global.b32 v, [px]\n ld.global.b32 w, [px+256]\n"
#define TAIL " st.global.b32 [py], v\n exit\n"
#define KERNEL(lines) HEAD lines TAIL

static struct pair prove(const char *a, const char *b, s32 bound) {
    struct pair r = pair_load(a, b);
    for (u32 i = 0; i < 2; i++) {
        r.asked.kernel[i].block[0] = N;
        r.asked.kernel[i].block[1] = r.asked.kernel[i].block[2] = 1;
    }
    r.asked.bound = bound;
    pair_go(&r);
    cr_assert_eq(r.status, HEDDLE_OK, "%s", heddle_error(r.h));
    return r;
}

/* The kernel is followed, and equal to the other; its wrong twin is not. */
static void expect_followed(const char *a, const char *b, const char *wrong) {
    struct pair r = prove(a, b, 0);
    cr_expect_eq(r.proof.verdict, HEDDLE_EQUAL, "%s%s", r.proof.text, a);
    cr_expect(r.proof.paths > 0, "%s", r.proof.text);
    cr_expect(strstr(r.proof.text, "both sides were followed"), "%s", r.proof.text);
    pair_done(&r);
    r = prove(wrong, b, 0);
    cr_expect_neq(r.proof.verdict, HEDDLE_EQUAL, "%s%s", r.proof.text, wrong);
    pair_done(&r);
    r = prove(a, b, -1);
    cr_expect_eq(r.proof.verdict, HEDDLE_DEPENDS, "not followed: %s", r.proof.text);
    cr_expect_eq(r.proof.paths, 0);
    pair_done(&r);
}

/* The first kernel cannot be followed: in this way, at this instruction. */
static void expect_open(const char *a, const char *how, const char *text, s32 bound) {
    struct pair r = prove(a, a, bound);
    const struct heddle_proof_depends *d = &r.proof.depends[0];
    cr_expect_eq(r.proof.verdict, HEDDLE_DEPENDS, "%s%s", r.proof.text, a);
    cr_assert(d->how, "%s", r.proof.text);
    cr_expect_str_eq(d->how, how);
    cr_expect_str_eq(d->text, text);
    cr_expect_eq(r.proof.paths, 0);
    pair_done(&r);
}

/* ---- sides that reconverge ---- */

Test(prove_path, a_branch_is_a_choice) {
    expect_followed(KERNEL(" setp.lt.u32 p, v, w\n@p bra on\n mov.b32 v, w\non:\n"),
                    KERNEL(" setp.lt.u32 p, v, w\n sel.b32 v, v, w, p\n"),
                    KERNEL(" setp.lt.u32 p, v, w\n@!p bra on\n mov.b32 v, w\non:\n"));
    expect_followed(KERNEL(
                        " setp.lt.u32 p, v, w\n@p bra yes\n add.s32 v, v, 1\n bra on\nyes:\n sub.s32 v, v, w\non:\n"),
                    KERNEL(" setp.lt.u32 p, v, w\n add.s32 t, v, 1\n sub.s32 s, v, w\n sel.b32 v, s, t, p\n"),
                    KERNEL(" setp.lt.u32 p, v, w\n@p bra yes\n add.s32 v, v, 1\nyes:\n sub.s32 v, v, w\n"));
}

Test(prove_path, branches_within_branches_are_choices_within_choices) {
    expect_followed(
        KERNEL(" setp.lt.u32 p, v, w\n setp.eq.s32 q, w, 7\n@p bra on\n@q bra in\n mov.b32 v, 1\n bra on\n"
               "in:\n mov.b32 v, 2\non:\n"),
        KERNEL(" setp.lt.u32 p, v, w\n setp.eq.s32 q, w, 7\n mov.b32 t, 1\n sel.b32 t, 2, t, q\n sel.b32 v, v, t, p\n"),
        KERNEL(" setp.lt.u32 p, v, w\n setp.eq.s32 q, w, 7\n@p bra on\n@q bra in\n mov.b32 v, 1\n"
               "in:\n mov.b32 v, 2\non:\n"));
    /* A condition again: the other side is unreachable. */
    expect_followed(KERNEL(
                        " setp.lt.u32 p, v, w\n@p bra on\n mov.b32 v, 1\n@p mov.b32 v, 2\n@p bra on\n add.s32 v, v, w\n"
                        "on:\n"),
                    KERNEL(" setp.lt.u32 p, v, w\n add.s32 t, w, 1\n sel.b32 v, v, t, p\n"),
                    KERNEL(" setp.lt.u32 p, v, w\n@p bra on\n mov.b32 v, 1\n@!p mov.b32 v, 2\n@p bra on\n"
                           " add.s32 v, v, w\non:\n"));
}

Test(prove_path, predicates_that_differ_where_sides_reconverge_are_choices) {
    expect_followed(KERNEL(" setp.lt.u32 p, v, w\n setp.eq.s32 q, v, 5\n@p bra on\n setp.eq.s32 q, w, 6\non:\n"
                           " sel.b32 v, 1, w, q\n"),
                    KERNEL(
                        " setp.lt.u32 p, v, w\n setp.eq.s32 q, v, 5\n@!p setp.eq.s32 q, w, 6\n sel.b32 v, 1, w, q\n"),
                    KERNEL(" setp.lt.u32 p, v, w\n setp.eq.s32 q, v, 5\n@p bra on\n setp.eq.s32 q, w, 7\non:\n"
                           " sel.b32 v, 1, w, q\n"));
}

Test(prove_path, what_a_side_writes_it_writes_on_its_condition) {
    static const char by_guard[] = KERNEL(" st.shared.b32 [tile+at], w\n setp.lt.u32 p, v, w\n"
                                          "@p st.shared.b32 [tile+at], v\n ld.shared.b32 v, [tile+at]\n");
    expect_followed(
        KERNEL(" st.shared.b32 [tile+at], w\n setp.lt.u32 p, v, w\n@!p bra on\n st.shared.b32 [tile+at], v\n"
               "on:\n ld.shared.b32 v, [tile+at]\n"),
        by_guard,
        KERNEL(" st.shared.b32 [tile+at], w\n setp.lt.u32 p, v, w\n@!p bra on\n st.shared.b32 [tile+at], i\n"
               "on:\n ld.shared.b32 v, [tile+at]\n"));
    expect_followed(KERNEL(" st.local.b32 [mine], w\n setp.lt.u32 p, v, w\n@!p bra on\n st.local.b32 [mine], v\non:\n"
                           " ld.local.b32 v, [mine]\n"),
                    by_guard,
                    KERNEL(" st.local.b32 [mine], w\n setp.lt.u32 p, v, w\n@!p bra on\n st.local.u8 [mine], v\non:\n"
                           " ld.local.b32 v, [mine]\n"));
    /* Global memory, an atomic, and both sides in turn. */
    expect_followed(KERNEL(
                        " st.global.b32 [py], v\n setp.lt.u32 p, v, w\n@!p bra on\n red.add.u32.global [py], w\non:\n"
                        " ld.global.b32 v, [py]\n"),
                    KERNEL(" setp.lt.u32 p, v, w\n@p add.u32 v, v, w\n"),
                    KERNEL(" st.global.b32 [py], v\n setp.lt.u32 p, v, w\n@p bra on\n red.add.u32.global [py], w\non:\n"
                           " ld.global.b32 v, [py]\n"));
    expect_followed(
        KERNEL(" st.shared.b32 [tile+at], v\n setp.eq.s32 p, v, w\n@p bra yes\n"
               " atom.exch.b32.shared t, [tile+at], w\n bra on\nyes:\n atom.exch.b32.shared t, [tile+at], i\n"
               "on:\n ld.shared.b32 s, [tile+at]\n xor.b32 v, t, s\n"),
        KERNEL(" setp.eq.s32 p, v, w\n sel.b32 s, i, w, p\n xor.b32 v, v, s\n"),
        KERNEL(" st.shared.b32 [tile+at], v\n setp.eq.s32 p, v, w\n@p bra yes\n"
               " atom.exch.b32.shared t, [tile+at], w\n bra on\nyes:\n atom.exch.b32.shared t, [tile+at], w\n"
               "on:\n ld.shared.b32 s, [tile+at]\n xor.b32 v, t, s\n"));
    /* A pair: its high word is what the second register gets. */
#define PAIR " shl.b32 at, i, 3\n pack.b64 px, v, w\n setp.lt.u32 p, v, w\n"
    expect_followed(KERNEL(PAIR "@!p bra on\n st.shared.b64 [tile+at], px\n pack.b64 px, i, i\n"
                                " atom.exch.b64.shared px, [tile+at], px\non:\n mov.b32 v, px+1\n"),
                    KERNEL(" mov.b32 v, w\n"),
                    KERNEL(PAIR "@!p bra on\n st.shared.b64 [tile+at], px\n pack.b64 px, i, i\n"
                                " atom.exch.b64.shared px, [tile+at], px\non:\n mov.b32 v, px\n"));
#undef PAIR
}

/* Two lanes store to one place, each in its branch: the lanes that fall through are first. */
#define STORES " st.shared.b32 [tile], v\n mov.b32 s, 1\n mov.b32 t, 2\n setp.lt.u32 p, v, 8\n"

static void expect_verdict(const char *a, const char *b, enum heddle_verdict verdict) {
    struct pair r = prove(a, b, 0);
    cr_expect_eq(r.proof.verdict, verdict, "%s%s", r.proof.text, a);
    pair_done(&r);
}

/* In that order the stores are those of the guards; but lanes of a warp that write to one place are in a race. */
Test(prove_path, sides_are_taken_in_the_machines_order) {
    static const char guarded[] =
        KERNEL(STORES "@!p st.shared.b32 [tile], s\n@p st.shared.b32 [tile], t\n ld.shared.b32 v, [tile]\n");
    expect_verdict(KERNEL(STORES "@p bra yes\n st.shared.b32 [tile], s\n bra on\nyes:\n st.shared.b32 [tile], t\non:\n"
                                 " ld.shared.b32 v, [tile]\n"),
                   guarded, HEDDLE_ORDER);
    expect_verdict(KERNEL(STORES "@p st.shared.b32 [tile], t\n@!p st.shared.b32 [tile], s\n ld.shared.b32 v, [tile]\n"),
                   guarded, HEDDLE_DIFFERENT);
}

#define RARELY " mul.lo.u32 s, first, 0x9e3779b1\n setp.ne.u32 p, s, 0x5ca1ab1e\n@p bra on\n"
#define EXCHANGE(between) \
    KERNEL(RARELY " st.shared.b32 [tile+at], v\n" between " xor.b32 t, at, 4\n ld.shared.b32 v, [tile+t]\non:\n")

/* A race on a side that no data tried takes. */
Test(prove_path, races_are_found_on_every_side) {
    expect_verdict(EXCHANGE(" bar.warp\n"), EXCHANGE(" bar.warp\n"), HEDDLE_EQUAL);
    expect_verdict(EXCHANGE(" bar.sync 0\n"), EXCHANGE(" bar.warp\n"), HEDDLE_EQUAL);
    expect_verdict(EXCHANGE(""), EXCHANGE(" bar.warp\n"), HEDDLE_ORDER);
    expect_verdict(EXCHANGE(" bar.warp\n"), EXCHANGE(""), HEDDLE_ORDER);
    /* A barrier that only some data execute orders nothing for the others. */
    expect_verdict(KERNEL(" st.shared.b32 [tile+at], v\n" RARELY " bar.warp\non:\n xor.b32 t, at, 4\n"
                          " ld.shared.b32 v, [tile+t]\n"),
                   KERNEL(" st.shared.b32 [tile+at], v\n bar.warp\n xor.b32 t, at, 4\n ld.shared.b32 v, [tile+t]\n"),
                   HEDDLE_ORDER);
}

/* ---- ends ---- */

Test(prove_path, lanes_may_end_on_a_side) {
    static const char by_guard[] = KERNEL(" setp.lt.u32 p, v, w\n@p st.global.b32 [py], w\n@p exit\n");
    static const char by_choice[] = HEAD " setp.lt.u32 p, v, w\n sel.b32 v, w, v, p\n st.global.b32 [py], v\n exit\n";
    expect_followed(by_guard, by_choice, KERNEL(" setp.lt.u32 p, v, w\n@p exit\n"));
    expect_followed(KERNEL(" setp.lt.u32 p, v, w\n@!p bra on\n st.global.b32 [py], w\n exit\non:\n"), by_choice,
                    KERNEL(" setp.lt.u32 p, v, w\n@p bra on\n st.global.b32 [py], w\n exit\non:\n"));
    /* Two ends on different sides, and what is left. */
    expect_followed(
        KERNEL(" setp.lt.u32 p, v, w\n setp.eq.s32 q, w, 3\n@p bra yes\n@q exit\n mov.b32 v, 1\n bra on\nyes:\n"
               "@!q exit\n mov.b32 v, 2\non:\n"),
        HEAD " setp.lt.u32 p, v, w\n setp.eq.s32 q, w, 3\n mov.b32 t, 1\n sel.b32 t, 2, t, p\n ld.global.b32 s, [py]\n"
             " xor.pred p, p, q\n sel.b32 v, s, t, p\n st.global.b32 [py], v\n exit\n",
        KERNEL(" setp.lt.u32 p, v, w\n setp.eq.s32 q, w, 3\n@p bra yes\n@q exit\n mov.b32 v, 1\n bra on\nyes:\n"
               "@q exit\n mov.b32 v, 2\non:\n"));
}

/* ---- loops ---- */

#define COUNTED(limit) \
    KERNEL(" and.b32 n, w, 3\n mov.b32 t, 0\nloop:\n setp.ge.u32 p, t, n\n@p bra on\n xor.b32 v, v, t\n shl.b32 v, " \
           "v, 1\n" \
           " add.u32 t, t, " limit "\n bra loop\non:\n")

Test(prove_path, loops_are_followed_as_often_as_data_can_take_them) {
    expect_followed(COUNTED("1"),
                    KERNEL(" and.b32 n, w, 3\n setp.ge.u32 p, 0, n\n@p bra on\n shl.b32 v, v, 1\n setp.ge.u32 p, 1, n\n"
                           "@p bra on\n xor.b32 v, v, 1\n shl.b32 v, v, 1\n setp.ge.u32 p, 2, n\n@p bra on\n"
                           " xor.b32 v, v, 2\n shl.b32 v, v, 1\non:\n"),
                    COUNTED("2"));
    /* The test at the end: once in any case. */
    expect_followed(KERNEL(" and.b32 n, w, 3\n mov.b32 t, 0\nloop:\n shl.b32 v, v, 1\n add.u32 t, t, 1\n"
                           " setp.lt.u32 p, t, n\n@p bra loop\n"),
                    KERNEL(" and.b32 n, w, 3\n shl.b32 v, v, 1\n setp.lt.u32 p, 1, n\n@!p bra on\n shl.b32 v, v, 1\n"
                           " setp.lt.u32 p, 2, n\n@p shl.b32 v, v, 1\non:\n"),
                    KERNEL(" and.b32 n, w, 3\n mov.b32 t, 0\nloop:\n shl.b32 v, v, 1\n add.u32 t, t, 1\n"
                           " setp.le.u32 p, t, n\n@p bra loop\n"));
}

Test(prove_path, a_loop_beyond_the_bound_is_not_followed) {
    static const char deep[] =
        KERNEL(" and.b32 n, w, 15\n mov.b32 t, 0\nloop:\n setp.ge.u32 p, t, n\n@p bra on\n xor.b32 v, v, t\n"
               " add.u32 t, t, 1\n bra loop\non:\n");
    struct pair r = prove(deep, deep, 15);
    cr_expect_eq(r.proof.verdict, HEDDLE_EQUAL, "%s", r.proof.text);
    pair_done(&r);
    expect_open(deep, "is repeated more often than the bound, depending on", "@p bra on", 14);
    expect_open(KERNEL("loop:\n shr.u32 v, v, 1\n setp.ne.s32 p, v, 0\n@p bra loop\n"),
                "is repeated more often than the bound, depending on", "@p bra loop", 8);
}

/* ---- what needs its lanes ---- */

Test(prove_path, lanes_that_decide_alike_stay_together) {
    expect_followed(KERNEL(" setp.lt.u32 p, first, 9\n@p bra on\n shfl.bfly.b32 v, v, 1\non:\n"),
                    KERNEL(" setp.lt.u32 p, first, 9\n shfl.bfly.b32 t, v, 1\n sel.b32 v, v, t, p\n"),
                    KERNEL(" setp.lt.u32 p, first, 9\n@p bra on\n shfl.bfly.b32 v, v, 2\non:\n"));
    expect_followed(
        KERNEL(" setp.lt.u32 p, first, 9\n@p bra on\n xpush x1, v\n xpush x1, w\n xpush x1, v\n xpush x1, w\n"
               " xext v, x1, 1\non:\n"),
        KERNEL(" setp.lt.u32 p, first, 9\n xpush x1, v\n xpush x1, w\n xpush x1, v\n xpush x1, w\n"
               " xext t, x1, 1\n sel.b32 v, v, t, p\n"),
        KERNEL(" setp.lt.u32 p, first, 9\n@p bra on\n xpush x1, v\n xpush x1, w\n xpush x1, v\n xpush x1, w\n"
               " xext v, x1, 2\non:\n"));
}

/* All warps reach the barrier for the same data: one run for each value of the condition. */
Test(prove_path, a_barrier_divides_the_run) {
    static const char by_choice[] =
        KERNEL(" setp.lt.u32 p, first, 9\n st.shared.b32 [tile+at], v\n bar.sync 0\n xor.b32 t, at, 128\n"
               " ld.shared.b32 t, [tile+t]\n sel.b32 v, v, t, p\n");
    static const char by_branch[] =
        KERNEL(" setp.lt.u32 p, first, 9\n@p bra on\n st.shared.b32 [tile+at], v\n bar.sync 0\n xor.b32 t, at, 128\n"
               " ld.shared.b32 v, [tile+t]\non:\n");
    expect_followed(by_branch, by_choice,
                    KERNEL(" setp.lt.u32 p, first, 9\n@p bra on\n st.shared.b32 [tile+at], v\n bar.sync 0\n"
                           " xor.b32 t, at, 64\n ld.shared.b32 v, [tile+t]\non:\n"));
    struct pair r = prove(by_branch, by_branch, 0);
    cr_expect_eq(r.proof.verdict, HEDDLE_EQUAL, "%s", r.proof.text);
    cr_expect_eq(r.proof.paths, 2);
    pair_done(&r);
    /* One warp waits and the other does not, for some data. */
    expect_open(KERNEL(" setp.lt.u32 p, v, 9\n vote.all q, p\n@q bra on\n bar.sync 0\non:\n"),
                "may fault, depending on", "bar.sync 0", 0);
}

Test(prove_path, lanes_that_decide_each_for_itself_are_not_known) {
    expect_open(
        KERNEL(" mul.lo.u32 t, v, 0x9e3779b1\n setp.eq.s32 p, t, 0x5ca1ab1e\n@p bra on\n shfl.bfly.b32 v, v, 1\non:\n"),
        "may fault, depending on", "shfl.bfly.b32 v, v, 1", 0);
    expect_open(KERNEL(" setp.lt.u32 p, v, 9\n@p bra on\n redux.add.u32 v, v\non:\n"),
                "is reached on more paths than the bound, depending on", "redux.add.u32 v, v", 0);
}

/* ---- what may fault ---- */

/* p holds for one value of a word of x, which is no data that is tried. */
#define FOR_ONE(of) " mul.lo.u32 t, " of ", 0x9e3779b1\n setp.eq.s32 p, t, 0x1234567\n"

Test(prove_path, a_fault_on_a_side_is_named) {
    expect_open(KERNEL(" mul.lo.u32 s, v, 0x9e3779b1\n setp.ne.u32 p, s, 0x5ca1ab1e\n@p bra on\n st.global.b32 "
                       "[py+4096], v\non:\n"),
                "may fault, depending on", "st.global.b32 [py+4096], v", 0);
    expect_open(KERNEL(" mul.lo.u32 s, v, 0x9e3779b1\n setp.ne.u32 p, s, 0x5ca1ab1e\n@p bra on\n trap\non:\n"),
                "may fault, depending on", "trap", 0);
    expect_open(
        KERNEL(" mul.lo.u32 s, first, 0x9e3779b1\n setp.ne.u32 p, s, 0x5ca1ab1e\n@p bra on\n bar.sync 1, 1024\non:\n"),
        "may fault, depending on", "bar.sync 1, 1024", 0);
    /* Lanes name different numbers of threads. */
    expect_open(KERNEL(" shl.b32 n, i, 5\n and.b32 n, n, 32\n add.u32 n, n, 32\n mul.lo.u32 s, first, 0x9e3779b1\n"
                       " setp.ne.u32 p, s, 0x5ca1ab1e\n@p bra on\n bar.sync 1, n\non:\n"),
                "may fault, depending on", "bar.sync 1, n", 0);
    expect_open(KERNEL(" mul.lo.u32 s, v, 0x9e3779b1\n setp.ne.u32 p, s, 0x5ca1ab1e\n@p bra on\n and.b32 t, w, 4\n "
                       "ld.shared.b32 v, [t]\non:\n"),
                "computes an address from", "ld.shared.b32 v, [t]", 0);
    static const char *const whole[] = {"xext v, x0, 0", "xpush x0, v", "mma.m8n4k8.f32.f16 r40, r44, r48, r40"};
    for (u32 i = 0; i < sizeof whole / sizeof *whole; i++) {
        SCOPED(buf_free) struct buf text = {0};
        buf_puts(&text, HEAD " .regs 52\n" FOR_ONE("v") "@!p bra on\n ");
        buf_printf(&text, "%s\n%s", whole[i], "on:\n" TAIL);
        expect_open(text.data, "may fault, depending on", whole[i], 0);
    }
}

/* ---- calls ---- */

#define FUNCTION(lines) \
    HEAD " setp.lt.u32 p, v, w\n mov.b32 r40, v\n" lines " mov.b32 v, r40\n" TAIL \
         ".func twice\n add.u32 r40, r40, r40\n ret\n"

Test(prove_path, functions_are_followed_into) {
    expect_followed(FUNCTION("@p bra on\n call twice\non:\n"),
                    KERNEL(" setp.lt.u32 p, v, w\n add.u32 t, v, v\n sel.b32 v, v, t, p\n"),
                    FUNCTION("@!p bra on\n call twice\non:\n"));
    expect_open(FUNCTION("@p call twice\n"), "branches on", "@p call twice", 0);
    /* one that has no end, for a value that no data have */
    expect_open(HEAD FOR_ONE("first") "@!p bra on\n call deeper\non:\n" TAIL ".func deeper\n call deeper\n ret\n",
                "may fault, depending on", "call deeper", 0);
}

/* More branches within branches than are kept at a time. */
Test(prove_path, branches_are_followed_to_a_depth) {
    for (u32 deep = 40; deep <= 60; deep += 20) {
        SCOPED(buf_free) struct buf text = {0};
        buf_puts(&text, HEAD);
        for (u32 i = 0; i < deep; i++)
            buf_printf(&text, " setp.lt.u32 q, v, %u\n@q bra else%u\n", 1000 * (i + 1), i);
        for (u32 i = deep; i-- > 0;)
            buf_printf(&text, " add.u32 w, w, 1\nelse%u:\n", i);
        buf_puts(&text, " mov.b32 v, w\n" TAIL);
        if (deep > 48) {
            expect_open(text.data, "is repeated more often than the bound, depending on", "@q bra else48", 8);
            continue;
        }
        struct pair r = prove(text.data, text.data, 8);
        cr_expect_eq(r.proof.verdict, HEDDLE_EQUAL, "%s", r.proof.text);
        pair_done(&r);
    }
}

Test(prove_path, a_return_of_the_kernel_is_its_end) {
    expect_followed(KERNEL(" setp.lt.u32 p, v, w\n@!p ret\n"), KERNEL(" setp.lt.u32 p, v, w\n@!p exit\n"),
                    KERNEL(" setp.lt.u32 p, v, w\n@p ret\n"));
}

/* Accesses that order others take place for all lanes, in a run for each value of the condition. */
Test(prove_path, accesses_that_order_memory_divide_the_run) {
    expect_followed(KERNEL(" setp.lt.u32 p, first, 9\n@p bra on\n ld.global.b32.cv v, [px+256]\non:\n"),
                    KERNEL(" setp.lt.u32 p, first, 9\n sel.b32 v, v, w, p\n"),
                    KERNEL(" setp.lt.u32 p, first, 9\n@p bra on\n ld.global.b32.cv v, [px]\non:\n"));
    expect_followed(KERNEL(" st.global.b32 [py], v\n setp.lt.u32 p, first, 9\n@p bra on\n"
                           " red.add.u32.global [py], w\n fence.gpu\non:\n ld.global.b32 v, [py]\n"),
                    KERNEL(" setp.lt.u32 p, first, 9\n@!p add.u32 v, v, w\n"),
                    KERNEL(" st.global.b32 [py], v\n setp.lt.u32 p, first, 9\n@!p bra on\n"
                           " red.add.u32.global [py], w\n fence.gpu\non:\n ld.global.b32 v, [py]\n"));
}

/* ---- participating lanes ---- */

static void expect_not_equal(const char *a, const char *b) {
    for (s32 bound = -1; bound < 2; bound++) {
        struct pair r = prove(a, b, bound * 300);
        cr_expect_neq(r.proof.verdict, HEDDLE_EQUAL, "%s%s", r.proof.text, a);
        pair_done(&r);
    }
}

Test(prove_path, a_push_takes_place_where_its_guard_holds) {
#define PUSH4(guard) guard " xpush x0, w\n" guard " xpush x0, w\n" guard " xpush x0, w\n" guard " xpush x0, w\n"
    static const char pushed[] = KERNEL(FOR_ONE("first") PUSH4("") " mov.b32 w, 77\n" PUSH4("@!p") " xext v, x0, 0\n");
    static const char branched[] =
        KERNEL(FOR_ONE("first") PUSH4("") " mov.b32 w, 77\n@p bra on\n" PUSH4("") "on:\n xext v, x0, 0\n");
    expect_not_equal(pushed, KERNEL(" mov.b32 v, 77\n"));
    struct pair r = prove(pushed, branched, 0);
    cr_expect_eq(r.proof.verdict, HEDDLE_EQUAL, "%s", r.proof.text);
    pair_done(&r);
}

Test(prove_path, the_active_lanes_are_those_that_take_part) {
    static const char all[] = KERNEL(FOR_ONE("v") " mov.b32 v, 0\n@!p mov.b32 v, -1\n");
    expect_not_equal(KERNEL(FOR_ONE("v") " mov.b32 v, 0\n@!p s2r v, %activemask\n"), all);
    expect_not_equal(KERNEL(FOR_ONE("v") " mov.b32 v, 0\n@p bra on\n s2r v, %activemask\non:\n"), all);
}

/* Zero is among the data, but not in the first set; the value that differs is in the first. */
Test(prove_path, a_difference_is_shown_on_the_data_that_show_it) {
    static const char zero[] = KERNEL(" mul.lo.u32 s, v, 0x9e3779b1\n mov.b32 t, 0\n setp.ne.u32 p, v, 0\n"
                                      "@p bra on\n mov.b32 t, 1\non: mov.b32 v, t\n");
    static const char never[] = KERNEL(" mov.b32 v, 0\n");
    for (s32 bound = -1; bound < 1; bound++) {
        struct pair r = prove(zero, never, bound);
        const struct heddle_proof_difference *d = &r.proof.difference;
        cr_expect_eq(r.proof.verdict, HEDDLE_DIFFERENT, "%s", r.proof.text);
        cr_expect(strstr(r.proof.text, "which is 0x00000001"), "%s", r.proof.text);
        cr_expect(d->buffer && r.proof.ndata == 2, "%s", r.proof.text);
        pair_done(&r);
    }
}

/* ---- an assumption ---- */

static const char clamped[] = " setp.lt.u32 p, v, w\n@p bra on\n";

static void expect_assumed(const char *a, const char *b, enum heddle_verdict verdict, u32 assumed) {
    char text[2][4096];
    const char *lines[] = {a, b};
    for (u32 i = 0; i < 2; i++)
        snprintf(text[i], sizeof text[i], "%s%s%son:\n%s", HEAD, clamped, lines[i], TAIL);
    struct pair r = pair_load(text[0], text[1]);
    r.asked.assume = HEDDLE_ASSUME_REASSOCIATION;
    pair_go(&r);
    cr_assert_eq(r.status, HEDDLE_OK, "%s", heddle_error(r.h));
    cr_expect_eq(r.proof.verdict, verdict, "%s", r.proof.text);
    cr_expect_eq(r.proof.assumed, assumed, "%s", r.proof.text);
    pair_done(&r);
}

Test(prove_path, sums_on_a_side_may_be_reassociated) {
    static const char left[] = " add.f32 t, v, w\n add.f32 v, t, first\n";
    static const char right[] = " add.f32 t, w, first\n add.f32 v, v, t\n";
    static const char wrong[] = " add.f32 t, w, first\n add.f32 v, w, t\n";
    expect_assumed(left, right, HEDDLE_EQUAL, HEDDLE_ASSUME_REASSOCIATION);
    expect_assumed(left, left, HEDDLE_EQUAL, 0);
    expect_assumed(left, wrong, HEDDLE_DIFFERENT, 0);
    static const char once[] = " add.f32 t, w, first\n add.f32 v, v, t\n" UNSEEN;
    expect_assumed(left, once, HEDDLE_UNPROVED, HEDDLE_ASSUME_REASSOCIATION);
    expect_assumed(" add.s32 v, v, 1\n",
                   " mul.lo.u32 t, v, 0x9e3779b1\n setp.eq.s32 q, t, 0x5ca1ab1e\n add.s32 v, v, 1\n"
                   "@q add.s32 v, v, 1\n",
                   HEDDLE_UNPROVED, 0);
}
