/* Is a launch that reaches a limit stopped there, and its accounts closed, wherever it was? */
#include "tests/time/clock.h"

#include <criterion/criterion.h>

static const char forever[] = ".kernel k\n.param x : u32[]\n.reg i\ntop: add.u32 i, i, 1\n bra top\n exit\n";

static u32 x[4096];

static void open_with_buffer(struct clock *c, const char *settings) {
    clock_open(c, settings);
    clock_buffer(c, "x", x, sizeof x);
}

Test(clock_limit, a_limit_of_cycles_stops_in_its_cycle) {
    for (u64 limit = 1; limit < 5000; limit = limit * 3 + 1) {
        SCOPED(clock_close) struct clock c;
        open_with_buffer(&c, "");
        c.max_cycles = limit;
        cr_expect_eq(clock_try(&c, forever, 1, 32), RUN_FAULT);
        cr_expect_eq(c.fault.kind, FAULT_LIMIT);
        cr_expect_eq(c.fault.cycle, limit, "%llu", (unsigned long long)c.fault.cycle);
        cr_expect_eq(c.fault.limit_cycles, limit);
    }
}

/* At any limit, a launch ends or is stopped; with one cycle less than it takes it is stopped. */
static void any_limit(const char *settings, u32 blocks) {
    /* Nobody waits for the load: from early on the block has no warps, and only a load in flight. */
    static const char leave[] = ".kernel k\n.param x : u32[]\n.reg i, at:2\n ld.param.b64 at, [x]\n"
                                " ld.global.b32 i, [at]\n exit\n";
    SCOPED(clock_close) struct clock c;
    open_with_buffer(&c, settings);
    clock_run(&c, leave, blocks, 32);
    u64 takes = c.result.totals.cycles;
    for (u64 limit = 1, step = 1; limit < takes + 3; limit += step) {
        step = limit > 8 && limit + 4 < takes ? 3 : 1;
        c.max_cycles = limit;
        enum outcome o = clock_try(&c, leave, blocks, 32);
        cr_expect(o == RUN_OK || (o == RUN_FAULT && c.fault.kind == FAULT_LIMIT), "%s: limit %llu", settings,
                  (unsigned long long)limit);
        cr_expect(o == RUN_OK || c.fault.cycle >= limit);
        cr_expect(limit < takes || o == RUN_OK, "%s: limit %llu of %llu", settings, (unsigned long long)limit,
                  (unsigned long long)takes);
        cr_expect_leq(c.result.totals.core.sm.blocks, blocks);
    }
}

/* With caches of instructions the warps of a block wait for theirs before the first window has begun. */
Test(clock_limit, any_limit_of_cycles_is_told) {
    any_limit("", 3);
    any_limit("fetch.mode=cached", 3);
    any_limit("fetch.mode=cached fetch.l2_latency=1 fetch.l1_latency=1", 40);
    any_limit("fetch.mode=cached sms=3 sm.max_blocks=2 launch.dispatch=fill launch.block_cycles=1", 9);
    any_limit("fetch.mode=cached sms=8", 3);
}

Test(clock_limit, any_limit_of_instructions_is_told) {
    SCOPED(clock_close) struct clock c;
    open_with_buffer(&c, "fetch.mode=cached sms=2");
    for (u64 limit = 1; limit < 40; limit++) {
        c.max_instructions = limit;
        cr_expect_eq(clock_try(&c, forever, 5, 64), RUN_FAULT);
        cr_expect_eq(c.fault.kind, FAULT_LIMIT);
        cr_expect_geq(c.result.totals.core.sm.slots_issued, limit);
    }
}
