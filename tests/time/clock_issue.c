/* When do instructions issue, and what do they wait for? Each answer is a closed form of the board. */
#include "tests/time/clock.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

static u64 takes(const char *settings, const char *body) {
    return clock_takes(settings, body, 1);
}

Test(clock_issue, nothing_takes_the_cycle_of_the_reading) {
    cr_expect_eq(takes("", ""), 1);
}

/* ---- the scoreboard ---- */

Test(clock_issue, a_chain_of_dependent_instructions_takes_their_latencies) {
    for (u32 latency = 1; latency <= 9; latency += 4)
        for (u32 n = 1; n <= 40; n += 13)
            cr_expect_eq(clock_takes(clock_setting("latency.int=%u", latency).text, "add.u32 a, a, 1", n),
                         (n - 1) * latency + 2, "%u instructions of %u cycles", n, latency);
}

/* A producer of each class, and a reader of what it wrote. */
static const struct {
    const char *class, *producer;
} producers[] = {
    {"mov", "mov.b32 a, 5"},
    {"int", "add.u32 a, b, c"},
    {"imul", "mul.lo.u32 a, b, c"},
    {"idiv", "div.u32 a, b, c"},
    {"logic", "and.b32 a, b, c"},
    {"shift", "shl.b32 a, b, 2"},
    {"bits", "popc.b32 a, b"},
    {"sel", "sel.b32 a, b, c, p"},
    {"fp32", "add.f32 a, b, c"},
    {"fp32cmp", "min.f32 a, b, c"},
    {"half", "add.f16x2 a, b, c"},
    {"bf16", "add.bf16x2 a, b, c"},
    {"sfu", "rsqrt.f32 a, b"},
    {"fdiv", "div.f32 a, b, c"},
    {"cvt", "cvt.f32.u32 a, b"},
    {"sreg", "s2r a, %laneid"},
    {"shfl", "shfl.bfly.b32 a, b, 1"},
    {"redux", "redux.add.u32 a, b"},
    {"int64", "add.s64 wide, wide, wide\nmov.b32 a, wide"},
    {"cmp", "setp.eq.u32 q, a, b\n@q mov.b32 a, 1"},
    {"vote", "vote.any q, p\n@q mov.b32 a, 1"},
    {"match", "match.any.b32 wide, b\nmov.b32 a, wide"},
};

Test(clock_issue, a_result_is_refused_the_cycle_before_it_is_ready) {
    for (u32 i = 0; i < COUNT_OF(producers); i++) {
        char body[160], set[64];
        /* Two instructions where the producer line already has its reader. */
        bool pair = strchr(producers[i].producer, '\n') != NULL;
        snprintf(body, sizeof body, "%s%s", producers[i].producer, pair ? "" : "\nadd.u32 e, a, 1");
        for (u32 latency = 30; latency < 33; latency++) {
            snprintf(set, sizeof set, "latency.%s=%u passes.%s=1", producers[i].class, latency, producers[i].class);
            cr_expect_eq(takes(set, body), latency + 2, "%s: %llu cycles", producers[i].class,
                         (unsigned long long)takes(set, body));
        }
    }
}

Test(clock_issue, a_destination_waits_for_its_last_result) {
    cr_expect_eq(takes("latency.sfu=21", "rsqrt.f32 a, b\nmov.b32 a, 1"), 23);
    cr_expect_eq(takes("latency.sfu=21", "rsqrt.f32 a, b\nmov.b32 e, 1"), 3);
}

Test(clock_issue, the_reason_is_that_of_the_greatest_constraint) {
    CLOCK(c, "latency.int=10 latency.sfu=30");
    clock_span(&c, "rsqrt.f32 e, b\nadd.u32 a, b, c\nadd.u32 f, a, e", 32);
    u32 pc = 0;
    while (c.issues[pc] && c.result.totals.line[pc].stall[STALL_SHORT_SCOREBOARD] != 29 - 1)
        pc++;
    cr_assert_lt(pc, c.program->ninst);
    cr_expect_eq(c.result.totals.line[pc].stall[STALL_WAIT], 0);
    cr_expect_eq(c.result.totals.line[pc].stall[STALL_SELECTED], 1);
}

Test(clock_issue, what_a_guard_switches_off_takes_its_slot_and_no_memory) {
    CLOCK(c, "");
    cr_expect_eq(clock_span(&c, "@never ld.global.b32 e, [pd]\nadd.u32 f, e, 1", 32), 3);
    cr_expect_eq(c.result.totals.traffic[1].requests, 0);
    cr_expect_eq(clock_span(&c, "@never st.global.b32 [pd], b", 32), 2);
    cr_expect_eq(c.data[0], 0);
    cr_expect_eq(clock_span(&c, "@never ld.shared.b32 e, [ps]\nadd.u32 f, e, 1", 32), 3);
    cr_expect_eq(c.result.totals.core.sm.shared_requests, 0);
}

/* ---- units ---- */

Test(clock_issue, a_unit_takes_an_instruction_each_width_over_lanes_cycles) {
    for (u32 lanes = 4; lanes <= 64; lanes *= 2) {
        u32 interval = lanes < 32 ? 32 / lanes : 1;
        cr_expect_eq(clock_takes(clock_setting("lanes.alu=%u latency.int=1", lanes).text, "add.u32 e, b, c", 16),
                     15 * interval + 2, "%u lanes", lanes);
    }
}

Test(clock_issue, passes_take_the_unit_once_more_each) {
    cr_expect_eq(clock_takes("lanes.alu=16 passes.int=3 latency.int=1", "add.u32 e, b, c", 5), 4 * 6 + 2);
}

Test(clock_issue, units_do_not_wait_for_each_other) {
    cr_expect_eq(clock_takes("lanes.alu=16 lanes.fma=16 latency.int=1 latency.fp32=1",
                             "add.u32 e, b, c\nadd.f32 f, b, c", 6),
                 12 + 1);
}

Test(clock_issue, packed_fp16_has_the_lanes_of_its_own_unit_or_those_of_fma) {
    const char *half = "fma.f16x2 e, b, c, c", *both = "fma.f16x2 e, b, c, c\nadd.f32 f, b, c",
               *brain = "fma.bf16x2 e, b, c, c\nadd.f32 f, b, c";
    const char *own = "lanes.fma=16 lanes.fp16=32 latency.half=1 latency.bf16=1 latency.fp32=1",
               *shared = "lanes.fma=16 lanes.fp16=0 latency.half=1 latency.fp32=1";
    cr_expect_eq(clock_takes(own, half, 16), 15 + 2);
    cr_expect_eq(clock_takes(shared, half, 16), 15 * 2 + 2);
    cr_expect_eq(clock_takes("lanes.fma=16 lanes.fp16=8 latency.half=1", half, 16), 15 * 4 + 2);
    cr_expect_eq(clock_takes(own, both, 6), 6 * 2 + 1); /* beside fp32 */
    cr_expect_eq(clock_takes(shared, both, 6), 11 * 2 + 2);
    cr_expect_eq(clock_takes(own, brain, 6), 11 * 2 + 2); /* bf16 shares the unit everywhere */
}

static double energy_of_fma(const struct clock *c) {
    SCOPED(buf_free) struct buf list = {0};
    double joules = -1;
    metrics_list(&c->result.totals, &list);
    cr_expect(metric_value((const struct metric *)(const void *)list.data, "energy.fma", &joules));
    return joules;
}

/* Two instructions of the frame around them are the FMA unit's. */
Test(clock_issue, lanes_of_packed_fp16_are_counted_where_they_ran_and_cost_the_same) {
    for (u32 lanes = 0; lanes <= 16; lanes += 16) {
        enum unit ran = lanes ? UNIT_FP16 : UNIT_FMA;
        CLOCK(c, clock_setting("energy.fma=3 lanes.fp16=%u", lanes).text);
        clock_repeat(&c, "fma.f16x2 e, b, c, c", 10, 32);
        const struct core_counters *core = &c.result.totals.core;
        cr_expect_eq(core->unit_lanes[ran], lanes ? 320 : 384, "%u lanes", lanes);
        cr_expect_eq(core->unit_busy[ran], lanes ? 20 : 12, "%u lanes", lanes);
        cr_expect_eq(core->unit_lanes[UNIT_FMA] + core->unit_lanes[UNIT_FP16], 384, "%u lanes", lanes);
        cr_expect_float_eq(energy_of_fma(&c), 384 * 3e-12, 1e-18, "%u lanes", lanes);
    }
}

Test(clock_issue, a_free_unit_is_refused_the_cycle_before) {
    for (u32 passes = 2; passes < 6; passes++)
        cr_expect_eq(takes(clock_setting("passes.sfu=%u latency.sfu=1", passes).text, "rsqrt.f32 e, b\nrsqrt.f32 f, b"),
                     passes + 2);
}

/* A routine keeps its sub-core from issuing: S slots, or its unit's time where that is more. */
static void expect_slots(const char *class, const char *body, u32 width, u32 slots, u32 passes) {
    char set[160];
    const u32 n = 7, held = 1 + (slots - 1 + width - 1) / width, each = held > passes ? held : passes;
    bool queued = strcmp(class, "fdiv64") != 0;
    snprintf(set, sizeof set, "sm.issue_width=%u lanes.xu=32 lanes.fp64=32 latency.%s=1 slots.%s=%u passes.%s=%u",
             width, class, class, slots, class, passes);
    CLOCK(c, set);
    cr_expect_eq(clock_repeat(&c, body, n, 32), (n - 1) * each + held + 1, "%s", set);
    cr_expect_eq(c.result.totals.core.sm.slots_routine, n * (slots - 1), "%s", set);
    clock_set(&c, "sm.unit_queue=8"); /* which takes all of them */
    cr_expect_eq(clock_repeat(&c, body, n, 32), (n - 1) * (queued ? held : each) + held + 1, "%s and a queue", set);
}

Test(clock_issue, a_routine_takes_its_issue_slots) {
    static const struct {
        const char *class, *body;
    } rows[] = {{"idiv", "rem.u32 rz, b, c"},
                {"idiv64", "div.s64 rz, wide, wide"},
                {"fdiv", "sqrt.f32 rz, b"},
                {"fdiv64", "rcp.f64 rz, wide"}};
    for (u32 i = 0; i < COUNT_OF(rows); i++)
        for (u32 width = 1; width <= 2; width++)
            for (u32 slots = 1; slots <= 31; slots += 6)
                for (u32 passes = 1; passes <= 16; passes += 15)
                    expect_slots(rows[i].class, rows[i].body, width, slots, passes);
}

Test(clock_issue, other_warps_wait_for_the_slots_of_a_routine) {
    CLOCK(c, "lanes.xu=32 latency.idiv=1 slots.idiv=18 passes.idiv=1");
    clock_repeat(&c, "div.u32 e, b, c", 10, 64);
    u64 last = clock_last(&c, 0) > clock_last(&c, 1) ? clock_last(&c, 0) : clock_last(&c, 1);
    cr_expect_eq(last - clock_first(&c, 0), 2 * 10 * 18 + 3);
    cr_expect_eq(c.result.totals.core.sm.slots_routine, 2 * 10 * 17);
}

/* Instruction j may issue when the unit has begun with j - depth, and it begins with one in each five cycles. */
Test(clock_issue, a_queue_lets_as_many_in_as_it_has_places) {
    for (u32 depth = 1; depth <= 9; depth += 4)
        for (u32 n = 1; n <= 12; n++) {
            u32 last = n - 1, held = last > depth ? (last - depth) * 5 : 0;
            cr_expect_eq(clock_takes(clock_setting("passes.sfu=5 sm.unit_queue=%u", depth).text, "rsqrt.f32 rz, b", n),
                         (last > held ? last : held) + 2, "%u before a queue of %u", n, depth);
        }
}

/*
 * Dependent shuffles of eight warps that keep a unit busy: with a queue all end together. Without, the oldest ones
 * begin when the others are done: of eight chains, a unit that takes six is left with two at the end.
 */
Test(clock_issue, a_queue_keeps_the_order_of_issue) {
    for (u32 queue = 0; queue <= 5; queue += 5)
        for (u32 passes = 4; passes <= 8; passes += 4) {
            u64 ends[2];
            CLOCK(c, "sm.policy=cggty latency.shfl=24 latency.int=1");
            clock_set(&c, clock_setting("passes.shfl=%u", passes).text);
            clock_set(&c, clock_setting("sm.unit_queue=%u", queue).text);
            for (u32 i = 0; i < 2; i++) {
                clock_repeat(&c, "shfl.bfly.b32 a, a, 1", 20 + 20 * i, 256);
                ends[i] = 0;
                for (u32 w = 0; w < 8; w++)
                    ends[i] = clock_last(&c, w) > ends[i] ? clock_last(&c, w) : ends[i];
            }
            u64 each = (ends[1] - ends[0] + 10) / 20, rounds = (8 + 24 / passes - 1) / (24 / passes);
            cr_expect_eq(each, queue ? 8 * passes : rounds * 24, "%u passes, queue %u: %llu cycles", passes, queue,
                         (unsigned long long)each);
        }
}

/* ---- warps of a sub-core ---- */

Test(clock_issue, two_warps_share_a_sub_core) {
    CLOCK(c, "latency.int=1");
    clock_repeat(&c, "add.u32 e, b, c", 50, 64);
    u64 last = clock_last(&c, 0) > clock_last(&c, 1) ? clock_last(&c, 0) : clock_last(&c, 1);
    cr_expect_eq(last, 2 * 52 - 1);
    clock_set(&c, "sm.sub_cores=2");
    clock_repeat(&c, "add.u32 e, b, c", 50, 64);
    cr_expect_eq(clock_last(&c, 0) - clock_first(&c, 0), 51);
    cr_expect_eq(clock_last(&c, 1) - clock_first(&c, 1), 51);
    cr_expect_eq(clock_first(&c, 0), clock_first(&c, 1));
}

Test(clock_issue, two_chains_hide_each_others_latency) {
    CLOCK(c, "latency.int=4");
    clock_repeat(&c, "add.u32 a, a, 1", 20, 128);
    for (u32 w = 0; w < 4; w++)
        cr_expect_eq(clock_last(&c, w) - clock_first(&c, w), 4 + 19 * 4 + 4, "warp %u", w);
}

Test(clock_issue, an_issue_width_of_two_serves_two_warps_and_not_one_twice) {
    CLOCK(c, "latency.int=1 latency.fp32=1 sm.issue_width=2");
    cr_expect_eq(clock_repeat(&c, "add.u32 e, b, c", 10, 32), 11);
    clock_repeat(&c, "add.u32 e, b, c\nadd.f32 f, b, c", 10, 64);
    u64 last = clock_last(&c, 0) > clock_last(&c, 1) ? clock_last(&c, 0) : clock_last(&c, 1);
    cr_expect_leq(last, 23, "%llu", (unsigned long long)last);
}

/* ---- policies ---- */

/* Three readings of %clock by each of four warps: before the barrier, and two in a row after it. */
static const char turns[] = ".kernel turns\n"
                            ".param out : u64[]\n"
                            ".reg id, at:2, x:2, y:2, z:2\n"
                            "  s2r id, %tid.x\n"
                            "  ld.param.b64 at, [out]\n"
                            "  mad.wide.u32 at, id, 24, at\n"
                            "  s2r.b64 x, %clock\n"
                            "  bar.sync 0\n"
                            "  s2r.b64 y, %clock\n"
                            "  s2r.b64 z, %clock\n"
                            "  st.global.b64 [at+8], y\n" /* waits for y, so nothing else takes a turn */
                            "  st.global.b64 [at], x\n"
                            "  st.global.b64 [at+16], z\n"
                            "  exit\n";

struct turns {
    u32 last;     /* warp that reached the barrier last */
    u32 warp[16]; /* that issued, in order, of the first 8 after it */
    u64 at[16];
};

static struct turns turns_of(const char *settings) {
    enum { WARPS = 4 };
    static u64 out[3 * 32 * WARPS];
    struct turns t = {0};
    CLOCK(c, settings);
    clock_buffer(&c, "out", out, sizeof out);
    clock_run(&c, turns, 1, 32 * WARPS);
    u32 n = 0;
    for (u32 w = 0; w < WARPS; w++)
        if (out[3 * 32 * w] > out[3 * 32 * t.last])
            t.last = w;
    for (u32 w = 0; w < WARPS; w++)
        for (u32 k = 1; k < 3; k++) {
            u32 i = n++;
            for (; i && t.at[i - 1] > out[3 * 32 * w + k]; i--) {
                t.at[i] = t.at[i - 1];
                t.warp[i] = t.warp[i - 1];
            }
            t.at[i] = out[3 * 32 * w + k];
            t.warp[i] = w;
        }
    return t;
}

static void expect_turns(const struct turns *t, const u32 warps[8]) {
    for (u32 i = 0; i < 8; i++) {
        cr_expect_eq(t->warp[i], warps[i], "turn %u: warp %u, expected %u (%u came last)", i, t->warp[i], warps[i],
                     t->last);
        cr_expect_eq(t->at[i], t->at[0] + i, "turn %u", i);
    }
}

Test(clock_issue, lrr_takes_the_warp_behind_the_last) {
    struct turns t = turns_of("sm.policy=lrr");
    u32 order[8];
    for (u32 i = 0; i < 8; i++)
        order[i] = (t.last + 1 + i) % 4;
    expect_turns(&t, order);
}

Test(clock_issue, gto_stays_and_then_takes_the_oldest) {
    struct turns t = turns_of("sm.policy=gto");
    u32 order[8] = {t.last, t.last}, n = 2;
    for (u32 w = 0; w < 4; w++)
        if (w != t.last)
            order[n] = order[n + 1] = w, n += 2;
    expect_turns(&t, order);
}

Test(clock_issue, cggty_stays_and_then_takes_the_youngest) {
    struct turns t = turns_of("sm.policy=cggty");
    u32 order[8] = {t.last, t.last}, n = 2;
    for (u32 w = 4; w-- > 0;)
        if (w != t.last)
            order[n] = order[n + 1] = w, n += 2;
    expect_turns(&t, order);
}

/* The first issue in a launch has no predecessor, so the rest of the rule decides. */
Test(clock_issue, the_first_turn_goes_by_the_rule_too) {
    static const char first[] = ".kernel first\n.param out : u64[]\n.reg id, at:2, x:2\n"
                                "  s2r.b64 x, %clock\n  s2r id, %tid.x\n  ld.param.b64 at, [out]\n"
                                "  mad.wide.u32 at, id, 8, at\n  st.global.b64 [at], x\n  exit\n";
    static const struct {
        const char *settings;
        u32 warp;
    } rule[] = {{"sm.policy=lrr", 0}, {"sm.policy=gto", 0}, {"sm.policy=cggty", 3}};
    for (u32 i = 0; i < COUNT_OF(rule); i++) {
        u64 out[128];
        CLOCK(c, rule[i].settings);
        clock_buffer(&c, "out", out, sizeof out);
        clock_run(&c, first, 1, 128);
        for (u32 w = 0; w < 4; w++)
            cr_expect_eq(out[32 * w] == 0, w == rule[i].warp, "%s: warp %u at %llu", rule[i].settings, w,
                         (unsigned long long)out[32 * w]);
    }
}
