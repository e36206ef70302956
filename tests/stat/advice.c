/* Does advice deliver the gain of its formula? Each gain is computed from the counts of a constructed launch. */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "tests/stat/totals_fixture.h"

/* Returns the gain that a rule promises; 1 if it does not apply. */
static double gain_of(const struct totals *t, const char *rule, struct advice *found) {
    SCOPED(buf_free) struct buf all = {0};
    double gain = 1;
    advice_list(t, &all);
    const struct advice *a = (const struct advice *)(const void *)all.data;
    for (size_t i = 0; i < all.len / sizeof *a; i++) {
        cr_expect(i == 0 || a[i].gain <= a[i - 1].gain, "%s is out of order", a[i].rule);
        if (strcmp(a[i].rule, rule) == 0) {
            gain = a[i].gain;
            *found = a[i];
        }
    }
    return gain;
}

static void promises(const struct totals *t, const char *rule, double gain) {
    struct advice a;
    double got = gain_of(t, rule, &a);
    cr_expect(fabs(got - gain) < 1e-12, "%s: %.17g, not %.17g", rule, got, gain);
}

/*
 * Of 150 cycles of warps 90 wait for global memory, 30 for arithmetic, 10 for a turn; the busiest SM is active to the
 * end. The busiest resource is DRAM at 24 %.
 */
Test(advice, gains_follow_amdahl) {
    struct made m;
    totals_fixture(&m);
    promises(&m.t, "uncoalesced", 1 / (1 - 8 / 16.0 * 100 / 150));  /* 2 accesses of 4 sectors would do */
    promises(&m.t, "bank_conflicts", 1 / (1 - 6 / 8.0 * 12 / 150)); /* the pipe is busy longer than warps wait for it */
    promises(&m.t, "loads", 1 / (1 - 0.5 * 90 / 150));
    promises(&m.t, "chains", 1 / (1 - 0.5 * 30 / 150));
    promises(&m.t, "imbalance", 200 / 150.0);
    promises(&m.t, "occupancy", 3 / 2.0); /* registers allow 2 blocks, shared memory 3 */
    /* 15 instructions of 400 lanes take 145 cycles, 5 of 80 take 5; all lanes would be 32 for each. */
    promises(&m.t, "divergence", 1 / (1 - (5 * (1 - 80 / 160.0) + 15 * (1 - 400 / 480.0)) / 20));
    promises(&m.t, "barriers", 1);
    promises(&m.t, "idle_sms", 1);
}

Test(advice, no_more_than_until_another_resource_is_at_its_peak) {
    struct made m;
    totals_fixture(&m);
    m.t.mem.dram.read_bytes = 608; /* 76 % of the peak */
    promises(&m.t, "loads", 1 / 0.76);
    promises(&m.t, "imbalance", 1 / 0.76);
    promises(&m.t, "uncoalesced", 1 / (1 - 0.5 * 100 / 150)); /* which leaves half of the bytes */
    m.t.mem.dram.read_bytes = 640;                            /* from 80 % on, nothing gains by hiding latency */
    promises(&m.t, "loads", 1);
    promises(&m.t, "chains", 1);
    promises(&m.t, "occupancy", 1);
    promises(&m.t, "imbalance", 1 / 0.8);
    m.t.mem.dram.read_bytes = 796;
    promises(&m.t, "imbalance", 1); /* 0.5 % */
}

Test(advice, what_moves_behind_the_last_warp_counts_as_memory) {
    struct made m;
    totals_fixture(&m);
    m.t.cycles = 200; /* the busiest SM is active for half of them */
    promises(&m.t, "loads", 1 / (1 - 0.5 * 0.5 * 90 / 150));
    promises(&m.t, "uncoalesced", 1 / (1 - 8 / 16.0 * (0.5 + 0.5 * 100 / 150)));
}

Test(advice, idle_sms_and_waves) {
    struct made m;
    totals_fixture(&m);
    m.board.sms = 8;
    promises(&m.t, "idle_sms", 4);
    m.board.sms = 2;
    m.t.blocks = m.t.warps = 5; /* waves of 4: the second has one; warps are resident a quarter of the time */
    m.t.core.sm.warp_cycles = 100;
    promises(&m.t, "tail", 2 / 1.25);
    m.t.core.sm.warp_cycles = 360; /* 90 % of the time: there is little to gain */
    promises(&m.t, "tail", 1 / 0.9);
}

Test(advice, the_line_is_the_one_with_most_of_it) {
    struct made m;
    struct advice a;
    totals_fixture(&m);
    cr_assert(gain_of(&m.t, "uncoalesced", &a) > 1);
    cr_expect_eq(a.pc, 0);
    cr_expect_str_eq(a.text, "coalesce accesses, up to 1.5x faster: one touches 8.0 sectors where 4.0 would do");
    cr_assert(gain_of(&m.t, "bank_conflicts", &a) > 1);
    cr_expect_eq(a.pc, 1);
    cr_expect_str_eq(a.text, "avoid bank conflicts, up to 1.06x faster: they are 75 % of the passes of shared memory");
    cr_assert(gain_of(&m.t, "imbalance", &a) > 1);
    cr_expect_eq(a.pc, ADVICE_NOWHERE);
}

Test(advice, silence_has_its_words) {
    struct made m;
    SCOPED(buf_free) struct buf out = {0};
    totals_fixture(&m);
    advice_none(&m.t, &out);
    cr_expect_str_eq(out.data, "nothing stands out");
    out.len = 0;
    m.t.mem.dram.read_bytes = 720;
    advice_none(&m.t, &out);
    cr_expect_str_eq(out.data, "nothing but fewer bytes: DRAM is at 90 % of its peak");
    out.len = 0;
    m.t = (struct totals){.board = &m.board, .width = 32};
    advice_list(&m.t, &out);
    cr_expect_eq(out.len, 0, "nothing ran");
}

/* For any counts, a gain is a number of at least 1, and its words fit. */
Test(advice, holds_for_odd_counts) {
    struct made m;
    u64 seed = 7;
    for (u32 round = 0; round < 2000; round++) {
        totals_fixture(&m);
        u64 *core = (u64 *)(void *)&m.t.core, *line = (u64 *)(void *)m.line;
        for (u32 i = 0; i < 6; i++) {
            seed = seed * 6364136223846793005u + 1442695040888963407u;
            u64 value = seed >> 33 & 1 ? 0 : seed >> 40;
            if (i % 2)
                core[(seed >> 20) % (offsetof(struct core_counters, traffic) / sizeof(u64))] = value;
            else
                line[(seed >> 20) % (LINES * sizeof m.line[0] / sizeof(u64))] = value;
        }
        SCOPED(buf_free) struct buf all = {0};
        advice_list(&m.t, &all);
        const struct advice *a = (const struct advice *)(const void *)all.data;
        for (size_t i = 0; i < all.len / sizeof *a; i++) {
            cr_assert(isfinite(a[i].gain) && a[i].gain >= 1, "%s: %g", a[i].rule, a[i].gain);
            cr_assert(strlen(a[i].text) + 1 < sizeof a[i].text, "%s", a[i].text);
        }
    }
}
