/* Is a proof "equal" only where the order of warps cannot matter? */
#include <criterion/criterion.h>

#include "tests/prove/prove_kernel.h"
#include "tests/prove/prove_rig.h"

/* Two kernels over two warps: equal for all inputs only if the order of the warps cannot matter. */
static void order(const char *a, const char *b, enum heddle_verdict verdict, u32 line, const char *class) {
    struct pair r = pair_load(a, b);
    for (u32 side = 0; side < 2; side++)
        r.asked.kernel[side].block[0] = 64;
    pair_go(&r);
    cr_expect_eq(r.status, HEDDLE_OK, "%s", heddle_error(r.h));
    cr_expect_eq(r.proof.verdict, verdict, "%s", r.proof.text);
    cr_expect_eq(r.proof.findings[0].count, 0, "%s", r.proof.text);
    cr_expect_eq(r.proof.findings[1].count > 0, verdict == HEDDLE_ORDER, "%s", r.proof.text);
    if (r.proof.findings[1].count) {
        cr_expect_str_eq(r.proof.findings[1].list[0].class_, class);
        cr_expect_eq(r.proof.findings[1].list[0].places[0].line, line, "%s", r.proof.text);
    }
    pair_done(&r);
}

#define EXCHANGE(between) \
    KERNEL(" shl.b32 t, i, 2\n st.shared.b32 [tile+t], v\n" between " xor.b32 t, t, 128\n ld.shared.b32 v, " \
           "[tile+t]\n")

Test(prove, a_race_is_never_equal_for_all_inputs) {
    order(EXCHANGE(" bar.sync 0\n"), EXCHANGE(" bar.sync 0\n bar.sync 0\n"), HEDDLE_EQUAL, 0, NULL);
    /* Without the barrier the first warp reads unwritten memory, so the forms differ; with a value written before, only
     * the race shows it. */
    static const char twice[] = KERNEL(" shl.b32 t, i, 2\n st.shared.b32 [tile+t], w\n bar.sync 0\n"
                                       " ld.shared.b32 s, [tile+t]\n st.shared.b32 [tile+t], s\n"
                                       " xor.b32 t, t, 128\n bar.sync 0\n ld.shared.b32 v, [tile+t]\n");
    static const char racy[] = KERNEL(" shl.b32 t, i, 2\n st.shared.b32 [tile+t], w\n bar.sync 0\n"
                                      " ld.shared.b32 s, [tile+t]\n st.shared.b32 [tile+t], s\n"
                                      " xor.b32 t, t, 128\n nop\n ld.shared.b32 v, [tile+t]\n");
    order(twice, twice, HEDDLE_EQUAL, 0, NULL);
    order(twice, racy, HEDDLE_ORDER, 19, "read-write");
}

Test(prove, a_store_that_data_decides_races_for_some_data) {
    static const char never[] = KERNEL(" setp.eq.u32 p, v, 0x12345678\n mov.b32 t, 0\n");
    static const char some[] = KERNEL(" setp.eq.u32 p, v, 0x12345678\n mov.b32 t, 0\n@p st.shared.b32 [tile], v\n");
    order(never, some, HEDDLE_ORDER, 17, "write-write");
}

Test(prove, atomics_that_commute_have_no_order) {
    static const char sum[] = KERNEL(" mov.b32 s, 1\n setp.eq.u32 p, i, 0\n@p st.shared.b32 [tile], rz\n bar.sync 0\n"
                                     " red.add.u32.shared [tile], s\n bar.sync 0\n ld.shared.b32 v, [tile]\n");
    static const char slot[] = KERNEL(" mov.b32 s, 1\n setp.eq.u32 p, i, 0\n@p st.shared.b32 [tile], rz\n bar.sync 0\n"
                                      " atom.add.u32.shared t, [tile], s\n bar.sync 0\n ld.shared.b32 v, [tile]\n");
    order(sum, sum, HEDDLE_EQUAL, 0, NULL);
    order(sum, slot, HEDDLE_ORDER, 19, "order");
}

/* Ten warps read a word, and the last one writes it after a barrier: `who` arrives there. */
#define LAST_WRITES(who) \
    ".kernel k\n.param x : u32[128]\n.param y : u32[64]\n.reg i, w, v, py:2\n.pred p, q\n.shared tile : u32[1]\n" \
    " s2r i, %tid.x\n shr.b32 w, i, 5\n setp.eq.u32 p, i, 0\n@p st.shared.b32 [tile], i\n bar.sync 0\n" \
    " ld.shared.b32 v, [tile]\n ld.param.b64 py, [y]\n mad.wide.u32 py, w, 4, py\n and.b32 v, i, 31\n" \
    " setp.eq.u32 q, v, 0\n@q st.global.b32 [py], w\n" who \
    " setp.eq.u32 p, i, 319\n@p st.shared.b32 [tile], i\n exit\n"

Test(prove, a_reader_that_is_not_kept_may_be_a_race) {
    static const char all[] = LAST_WRITES(" bar.sync 1\n");
    static const char most[] = LAST_WRITES(" setp.eq.u32 q, w, 7\n@q exit\n bar.sync 1, 288\n");
    for (u32 racy = 0; racy < 2; racy++) {
        struct pair r = pair_load(racy ? most : all, all);
        r.asked.kernel[0].block[0] = r.asked.kernel[1].block[0] = 320;
        pair_go(&r);
        cr_expect_eq(r.status, HEDDLE_OK, "%s", heddle_error(r.h));
        cr_expect_eq(r.proof.verdict, racy ? HEDDLE_ORDER : HEDDLE_EQUAL, "%s", r.proof.text);
        cr_expect_eq(r.proof.findings[0].count + r.proof.findings[0].forgotten > 0, racy, "%s", r.proof.text);
        pair_done(&r);
    }
}
