/* Waits of a warp other than for registers: branches, barriers, fences, register banks, the memory queue, fetch. */
#include "tests/time/clock.h"

#include <criterion/criterion.h>
#include <stdio.h>

static u64 takes(const char *settings, const char *body) {
    return clock_takes(settings, body, 1);
}

/* ---- branches, barriers, fences ---- */

Test(clock_wait, a_branch_holds_its_warp_for_its_latency) {
    for (u32 latency = 1; latency < 12; latency += 5) {
        cr_expect_eq(takes(clock_setting("latency.branch=%u", latency).text, "bra next\nnext:"), 1 + latency);
        cr_expect_eq(takes(clock_setting("latency.branch=%u", latency).text, "@never bra next\nnext:"), 1 + latency);
        cr_expect_eq(takes(clock_setting("latency.branch=%u", latency).text, "nop"), 2);
    }
}

/* Rounded up to whole cycles; the longest of the lanes, and a millisecond at most. */
Test(clock_wait, a_nanosleep_takes_its_time_at_the_clock_of_the_board) {
    static const struct {
        u32 mhz;
        const char *text;
        u64 cycles;
    } rows[] = {{1000, "nanosleep 0", 1},          {1000, "nanosleep 1", 1},
                {1000, "nanosleep 700", 700},      {500, "nanosleep 700", 350},
                {1980, "nanosleep 700", 1386},     {1980, "nanosleep 1", 2},
                {1000, "nanosleep id", 31},        {2000, "@never nanosleep 9", 1},
                {2000, "@!never nanosleep 9", 18}, {1000, "nanosleep 2000000", 1000000}};
    for (u32 i = 0; i < COUNT_OF(rows); i++) {
        CLOCK(c, clock_setting("clock_mhz=%u", rows[i].mhz).text);
        cr_expect_eq(clock_span(&c, rows[i].text, 32), 1 + rows[i].cycles, "%s at %u MHz", rows[i].text, rows[i].mhz);
        cr_expect_eq(c.result.totals.core.stall[STALL_SLEEPING], rows[i].cycles - 1, "%s at %u MHz", rows[i].text,
                     rows[i].mhz);
    }
}

/* As long as one that does not reduce; the result is there at once. */
Test(clock_wait, a_barrier_that_reduces_takes_the_time_of_a_barrier) {
    for (u32 warps = 1; warps <= 8; warps *= 2) {
        CLOCK(c, "sm.sub_cores=4 barrier.cycles=30 barrier.per_warp=3");
        clock_span(&c, "bar.red.popc a, 0, !never", 32 * warps);
        cr_expect_eq(clock_last(&c, 0) - clock_first(&c, 0), 1 + 30 + 3 * warps, "%u warps", warps);
        for (u32 t = 0; t < 32 * warps; t++)
            cr_expect_eq(c.seen[t], 32 * warps, "%u warps, thread %u", warps, t);
        clock_span(&c, "setp.lt.u32 q, id, 70\nbar.red.popc a, 0, q", 32 * warps);
        for (u32 t = 0; t < 32 * warps; t++)
            cr_expect_eq(c.seen[t], 32 * warps < 70 ? 32 * warps : 70, "%u warps, thread %u", warps, t);
    }
}

/* A reading of the timer lies between two of the clock, in nanoseconds. */
Test(clock_wait, the_global_timer_counts_nanoseconds) {
    static const char text[] = ".kernel k\n.param out : u64[]\n.reg a:2, t:2, b:2, at:2\n ld.param.b64 at, [out]\n"
                               " nanosleep 5000\n s2r.b64 a, %clock\n s2r.b64 t, %globaltimer\n s2r.b64 b, %clock\n"
                               " st.global.b64 [at], a\n st.global.b64 [at+8], t\n st.global.b64 [at+16], b\n exit\n";
    for (u32 mhz = 100; mhz < 3000; mhz += 700) {
        u64 out[3] = {0};
        CLOCK(c, clock_setting("clock_mhz=%u", mhz).text);
        clock_buffer(&c, "out", out, sizeof out);
        clock_run(&c, text, 1, 1);
        cr_expect_geq(out[0], (u64)5000 * mhz / 1000);
        cr_expect_geq(out[1], out[0] * 1000 / mhz, "%u MHz", mhz);
        cr_expect_leq(out[1], out[2] * 1000 / mhz, "%u MHz", mhz);
        cr_expect_lt(out[2] - out[0], 20u);
    }
}

Test(clock_wait, both_ways_of_a_branch_run_one_after_the_other) {
    u64 one = takes("latency.branch=5 latency.int=1", "setp.lt.u32 q, id, 32\nmov.b32 e, e\n@q bra to\n"
                                                      "add.u32 a, a, 1\nbra out\nto: add.u32 a, a, 2\nout:");
    u64 two = takes("latency.branch=5 latency.int=1", "setp.lt.u32 q, id, 16\nmov.b32 e, e\n@q bra to\n"
                                                      "add.u32 a, a, 1\nbra out\nto: add.u32 a, a, 2\nout:");
    cr_expect_eq(two, one + 1 + 5);
}

/*
 * Lane l runs the loop l + 1 times: at the end of each turn but the last, one lane leaves and the others continue. At
 * every width it diverges once less than there are lanes. No divergence: a branch to the next instruction, one that all
 * lanes take, and one whose guard holds for none.
 */
Test(clock_wait, a_branch_diverges_when_lanes_go_different_ways) {
    static const char text[] = ".kernel k\n.reg l, n\n.pred p, never\n s2r l, %laneid\n mov.b32 n, 0\n"
                               "top: add.u32 n, n, 1\n setp.le.u32 p, n, l\n@p bra top\n"
                               " setp.lt.u32 p, l, 3\n@p bra next\nnext: setp.lt.u32 never, l, 0\n@never bra top\n"
                               " bra out\nout: exit\n";
    for (u32 width = 8; width <= 64; width *= 2) {
        CLOCK(c, "");
        c.width = width;
        clock_run(&c, text, 3, 2 * width);
        const struct totals *t = &c.result.totals;
        cr_expect_eq(t->core.sm.branches, 6 * (width + 3), "%u lanes: %llu", width,
                     (unsigned long long)t->core.sm.branches);
        cr_expect_eq(t->core.sm.divergent_branches, 6 * (width - 1), "%u lanes: %llu", width,
                     (unsigned long long)t->core.sm.divergent_branches);
        cr_expect_eq(t->line[4].divergent_branches, 6 * (width - 1));
    }
}

Test(clock_wait, a_barrier_costs_its_cycles_and_each_warp) {
    for (u32 warps = 1; warps <= 8; warps *= 2) {
        CLOCK(c, "sm.sub_cores=4 barrier.cycles=30 barrier.per_warp=3");
        clock_span(&c, "bar.sync 0", 32 * warps);
        cr_expect_eq(clock_last(&c, 0) - clock_first(&c, 0), 1 + 30 + 3 * warps, "%u warps", warps);
    }
    for (u32 per = 0; per < 4; per++)
        for (u32 cycles = 1; cycles < 30; cycles += 14) {
            char set[64];
            snprintf(set, sizeof set, "barrier.cycles=%u barrier.per_warp=%u", cycles, per);
            cr_expect_eq(takes(set, "bar.sync 0"), 1 + cycles + per);
        }
}

/* Warp 0 arrives long after the others, and leaves last: each warp of the block costs it the unit's time. */
Test(clock_wait, a_barrier_lets_warps_go_on_one_by_one_after_the_last_arrival) {
    u64 alone = 0;
    for (u32 warps = 1; warps <= 8; warps++) {
        CLOCK(c, "sm.sub_cores=4 barrier.cycles=30 barrier.per_warp=3 latency.sfu=200");
        clock_span(&c, "setp.lt.u32 q, id, 32\n@q rsqrt.f32 e, b\n@q mov.b32 e, e\nbar.sync 0", 32 * warps);
        u64 took = clock_last(&c, 0) - clock_first(&c, 0);
        alone = warps == 1 ? took : alone;
        cr_expect_gt(alone, 200 + 30 + 3);
        cr_expect_eq(took, alone + 3 * (warps - 1), "%u warps: %llu, one %llu", warps, (unsigned long long)took,
                     (unsigned long long)alone);
        for (u32 w = 1; w < warps; w++)
            cr_expect_eq(clock_last(&c, w) + 3 * w, clock_last(&c, 0), "warp %u of %u", w, warps);
    }
}

Test(clock_wait, a_barrier_waits_for_stores_to_shared_memory) {
    cr_expect_eq(takes("shared.store_latency=50 barrier.cycles=10 barrier.per_warp=1",
                       "st.shared.b32 [ps], b\nbar.sync 0"),
                 1 + 50 + 11);
    cr_expect_eq(takes("shared.store_latency=50 latency.bar.warp=5", "st.shared.b32 [ps], b\nbar.warp"), 1 + 50 + 5);
    /* Lanes at every other word take two passes. */
    cr_expect_eq(takes("shared.store_latency=50 shared.pass_latency=7 latency.bar.warp=5",
                       "add.u32 g, ps, ps\nadd.u32 g, g, 0\nadd.u32 f, g, 0\nst.shared.b32 [g], b\nbar.warp"),
                 takes("", "add.u32 g, ps, ps\nadd.u32 g, g, 0\nadd.u32 f, g, 0") + 50 + 7 + 5);
}

Test(clock_wait, a_barrier_waits_for_reductions_in_shared_memory) {
    u64 empty = takes("shared.store_latency=50 barrier.cycles=10 barrier.per_warp=1", "bar.sync 0");
    u64 with =
        takes("shared.store_latency=50 barrier.cycles=10 barrier.per_warp=1", "red.shared.add.u32 [ps], b\nbar.sync 0");
    cr_expect_geq(with, empty + 50);
}

Test(clock_wait, nothing_issues_twice_in_a_cycle_when_everything_is_free) {
    static const char *const bodies[] = {"fence.block", "fence.gpu", "bar.sync 0"};
    for (u32 i = 0; i < COUNT_OF(bodies); i++)
        for (u32 warps = 1; warps <= 8; warps += 7) {
            CLOCK(c, "sm.sub_cores=4 sm.issue_width=2 barrier.cycles=0 barrier.per_warp=0 barrier.fence_block=0 "
                     "barrier.fence_gpu=0");
            clock_repeat(&c, bodies[i], 4, 32 * warps);
            for (u32 w = 0; w < warps; w++)
                cr_expect_geq(clock_last(&c, w) - clock_first(&c, w), 5, "%s, warp %u of %u", bodies[i], w, warps);
        }
}

Test(clock_wait, a_fence_costs_its_least) {
    for (u32 least = 1; least < 300; least += 99) {
        cr_expect_eq(takes(clock_setting("barrier.fence_block=%u", least).text, "fence.block"), 1 + least);
        cr_expect_eq(takes(clock_setting("barrier.fence_gpu=%u", least).text, "fence.gpu"), 1 + least);
        cr_expect_eq(takes(clock_setting("barrier.fence_sys=%u", least).text, "fence.sys"), 1 + least);
    }
}

/* A store's answer: half of L1, port, network, slice, network, port. */
static u64 store_answer(const struct board *b) {
    u32 h = b->noc.header_bytes, bytes = h + 128;
    return b->l1.latency / 2 + (bytes + b->noc.request_bytes - 1) / b->noc.request_bytes + 2 * b->noc.latency +
           b->l2.latency + (h + b->noc.reply_bytes - 1) / b->noc.reply_bytes;
}

Test(clock_wait, fences_releases_and_acquires_wait_for_memory) {
    CLOCK(c, "barrier.fence_gpu=1 l1.latency=31");
    u64 answer = store_answer(&c.board);
    cr_expect_eq(clock_span(&c,
                            "add.s64 wide, pd, 0\nmad.wide.u32 wide, id, 4, wide\n"
                            "st.global.b32 [wide], b\nfence.gpu",
                            32),
                 clock_span(&c, "add.s64 wide, pd, 0\nmad.wide.u32 wide, id, 4, wide\nst.global.b32 [wide], b", 32) -
                     1 + answer);
    cr_expect_eq(clock_span(&c,
                            "add.s64 wide, pd, 0\nmad.wide.u32 wide, id, 4, wide\n"
                            "st.global.b32 [wide], b\nst.global.b32.release [pd], b",
                            32),
                 clock_span(&c, "add.s64 wide, pd, 0\nmad.wide.u32 wide, id, 4, wide\nst.global.b32 [wide], b", 32) -
                     1 + answer + 1);
    /* An acquire holds even warps that do not need its value; a plain load does not. */
    u64 load = clock_span(&c, "ld.global.b32.cg e, [pd]\nadd.u32 f, e, 1", 32);
    clock_set(&c, "");
    cr_expect_eq(clock_span(&c, "ld.global.b32.acquire e, [pd]\nadd.u32 f, b, 1", 32), load);
    clock_set(&c, "");
    cr_expect_eq(clock_span(&c, "ld.global.b32.cg e, [pd]\nadd.u32 f, b, 1", 32), 3);
}

/* A fence, and a store that releases, wait for the answer, which L1 hands on later; a reduction has none. */
Test(clock_wait, fences_and_releases_wait_for_strong_reads) {
    static const char *const reads[] = {"ld.global.b32.volatile e, [pd]", "ld.global.b32.cv e, [pd]",
                                        "atom.global.add.u32 e, [pd], b", "atom.global.exch.b32 e, [pd], b"};
    static const char *const fences[] = {"fence.block", "fence.gpu", "fence.sys", "st.global.b32.release [pd], b"};
    static const char settings[] = "barrier.fence_block=1 barrier.fence_gpu=1 barrier.fence_sys=1 l1.latency=31";
    for (u32 i = 0; i < COUNT_OF(reads); i++)
        for (u32 k = 0; k < COUNT_OF(fences); k++) {
            char used[128], fenced[128];
            bool release = k == 3;
            snprintf(used, sizeof used, "%s\nadd.u32 f, e, 1", reads[i]);
            snprintf(fenced, sizeof fenced, "%s\n%s%s", reads[i], fences[k], release ? "" : "\nadd.u32 f, b, 1");
            CLOCK(c, settings);
            u64 use = clock_span(&c, used, 32);
            clock_set(&c, "");
            cr_expect_eq(clock_span(&c, fenced, 32), use - 16, "%s", fenced);
        }
    CLOCK(c, settings);
    cr_expect_eq(clock_span(&c, "red.global.add.u32 [pd], b\nfence.block\nadd.u32 f, b, 1", 32), 4);
}

Test(clock_wait, a_block_answers_for_its_own_writes_only) {
    /* One block after another in the same place; each leaves stores in flight, the next fences. */
    static const char text[] = ".kernel k\n.param out : u32[]\n.reg id, n, at:2\n"
                               "  s2r id, %tid.x\n  s2r n, %ctaid.x\n  ld.param.b64 at, [out]\n"
                               "  mad.wide.u32 at, n, 4, at\n"
                               "  fence.gpu\n"
                               "  st.global.b32 [at], n\n"
                               "  exit\n";
    u32 out[16] = {0};
    CLOCK(c, "sm.max_blocks=1 launch.block_cycles=1 noc.latency=900 l1.latency=2 l2.latency=1 "
             "barrier.fence_gpu=5");
    clock_buffer(&c, "out", out, sizeof out);
    clock_run(&c, text, 16, 32);
    for (u32 i = 0; i < 16; i++)
        cr_expect_eq(out[i], i);
    cr_expect_eq(c.result.totals.core.stall[STALL_MEMBAR], 16 * 4, "%llu",
                 (unsigned long long)c.result.totals.core.stall[STALL_MEMBAR]);
}

/* ---- registers ---- */

Test(clock_wait, operands_in_one_bank_are_read_one_after_the_other) {
    static const struct {
        const char *body;
        u32 bubbles;
    } cases[] = {{"mad.lo.u32 r46, r40, r42, r44", 2},
                 {"mad.lo.u32 r46, r40, r41, r44", 1},
                 {"add.u32 r46, r40, r42", 1},
                 {"add.u32 r46, r40, r41", 0},
                 {"mov.b32 r46, r40", 0},
                 {"mov.b32 r46, 7", 0}};
    for (u32 i = 0; i < COUNT_OF(cases); i++) {
        cr_expect_eq(takes("sm.register_banks=2 sm.register_reuse=0", cases[i].body), 2 + cases[i].bubbles, "%s",
                     cases[i].body);
        cr_expect_eq(takes("sm.register_banks=0", cases[i].body), 2, "%s", cases[i].body);
    }
    cr_expect_eq(takes("sm.register_banks=4 sm.register_reuse=0", "mad.lo.u32 r46, r40, r42, r44"), 3);
}

Test(clock_wait, an_operand_read_again_in_the_same_place_is_free) {
    const char *same = "mad.lo.u32 r46, r40, r42, r44\nmad.lo.u32 r48, r40, r42, r44";
    const char *moved = "mad.lo.u32 r46, r40, r42, r44\nmad.lo.u32 r48, r42, r44, r40";
    const char *between = "mad.lo.u32 r46, r40, r42, r44\nmov.b32 r50, 1\nmad.lo.u32 r48, r40, r42, r44";
    cr_expect_eq(takes("sm.register_banks=2 sm.register_reuse=1", same), 1 + 3 + 1);
    cr_expect_eq(takes("sm.register_banks=2 sm.register_reuse=0", same), 1 + 3 + 3);
    cr_expect_eq(takes("sm.register_banks=2 sm.register_reuse=1", moved), 1 + 3 + 3);
    cr_expect_eq(takes("sm.register_banks=2 sm.register_reuse=1", between), 1 + 3 + 1 + 3);
}

Test(clock_wait, banks_without_conflicts_cost_an_issue_width_of_two_nothing) {
    CLOCK(c, "sm.issue_width=2 latency.int=1 latency.fp32=1 passes.int=1");
    clock_repeat(&c, "add.u32 r46, r40, r41\nadd.f32 r48, r42, r43", 20, 64);
    u64 without = c.result.totals.cycles;
    clock_set(&c, "sm.register_banks=8 sm.register_reuse=0");
    clock_repeat(&c, "add.u32 r46, r40, r41\nadd.f32 r48, r42, r43", 20, 64);
    cr_expect_leq(c.result.totals.cycles, without + 8); /* the frame of clock_span may have conflicts */
}

/* ---- the queue of memory instructions ---- */

/* Returns when the n-th of independent conflict-free loads from shared memory issues, after the first. */
static u64 queued(u32 n, u32 queue, u32 address) {
    u64 issue = 0, start[128], free = 0;
    for (u32 i = 0;; i++) {
        if (i >= queue && start[i - queue] > issue)
            issue = start[i - queue];
        start[i] = issue > free ? issue : free;
        free = start[i] + address;
        if (i + 1 == n)
            return issue;
        issue++;
    }
}

Test(clock_wait, the_memory_queue_refuses_until_an_entry_has_left) {
    for (u32 queue = 1; queue <= 5; queue += 2)
        for (u32 address = 1; address <= 7; address += 3)
            for (u32 n = 1; n <= 20; n++) {
                char set[64];
                snprintf(set, sizeof set, "lsu.queue=%u lsu.address_cycles=%u", queue, address);
                cr_expect_eq(clock_takes(set, "ld.shared.b32 e, [ps]\nadd.u32 f, b, c", 0), 1);
                CLOCK(c, set);
                SCOPED(buf_free) struct buf body = {0};
                for (u32 i = 0; i < n; i++)
                    buf_printf(&body, "ld.shared.b32 r%u, [ps]\n", 40 + i);
                u64 got = clock_span(&c, body.data, 32);
                cr_expect_eq(got, queued(n, queue, address) + 2, "%u loads, %s: %llu", n, set, (unsigned long long)got);
                u64 throttled = 0;
                for (u32 i = 0; i < n; i++)
                    throttled += c.result.totals.line[CLOCK_BODY + i].stall[STALL_MIO_THROTTLE];
                cr_expect_eq(throttled, got - 1 - n, "%u loads, %s", n, set);
            }
}

/* ---- instruction fetch ---- */

/* Straight code of `n` instructions that issue one a cycle, on one warp. */
static u64 straight(const char *settings, u32 n, u64 *misses) {
    SCOPED(buf_free) struct buf text = {0};
    CLOCK(c, settings);
    buf_printf(&text, ".kernel k\n");
    for (u32 i = 0; i + 1 < n; i++)
        buf_printf(&text, "mov.b32 r%u, 1\n", i % 32);
    buf_printf(&text, "exit\n");
    clock_run(&c, text.data, 1, 32);
    u64 cycles = c.result.totals.cycles;
    *misses = c.result.totals.core.sm.fetch_misses;
    return cycles;
}

Test(clock_wait, cold_code_misses_once_a_line) {
    u64 misses, perfect = straight("latency.mov=1", 64, &misses);
    cr_expect_eq(perfect, 64);
    cr_expect_eq(misses, 0);
    u64 cold = straight("latency.mov=1 fetch.mode=cached fetch.prefetch=0 fetch.l1_latency=30 fetch.l2_latency=200", 64,
                        &misses);
    cr_expect_eq(misses, 64 / 8);
    cr_expect_eq(cold, 64 + 8 * 230);
}

Test(clock_wait, prefetched_lines_come_one_a_cycle_behind_the_miss) {
    u64 misses;
    /* The first miss brings lines 0 to 7: each arrives long before it is needed. */
    u64 all = straight("latency.mov=1 fetch.mode=cached fetch.prefetch=7 fetch.l1_latency=30 fetch.l2_latency=200", 64,
                       &misses);
    cr_expect_eq(all, 64 + 230);
    cr_expect_eq(misses, 1);
    u64 half = straight("latency.mov=1 fetch.mode=cached fetch.prefetch=3 fetch.l1_latency=30 fetch.l2_latency=200", 64,
                        &misses);
    cr_expect_eq(half, 64 + 2 * 230);
    cr_expect_eq(misses, 2);
}

Test(clock_wait, a_loop_that_fits_is_fetched_once) {
    static const char loop[] = ".kernel k\n.reg i\n.pred p\nmov.b32 i, 0\ntop: add.u32 i, i, 1\n"
                               "setp.lt.u32 p, i, 50\n@p bra top\nexit\n";
    CLOCK(c, "");
    clock_run(&c, loop, 1, 32);
    u64 perfect = c.result.totals.cycles;
    clock_set(&c, "fetch.mode=cached fetch.prefetch=0 fetch.l1_latency=30 fetch.l2_latency=200");
    clock_run(&c, loop, 1, 32);
    cr_expect_eq(c.result.totals.cycles, perfect + 230);
    cr_expect_eq(c.result.totals.core.stall[STALL_NO_INSTRUCTION], 230);
}
