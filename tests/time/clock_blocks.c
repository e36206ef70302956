/* Which SM does each block run on, and when does it start? */
#include "tests/time/clock.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static void open_with_buffer(struct clock *c, const char *settings) {
    static u32 x[64];
    clock_open(c, settings);
    clock_buffer(c, "x", x, sizeof x);
}

/* Each block writes down its SM: of three SMs with room for two blocks each, five blocks start at once. */
Test(clock_blocks, blocks_go_where_the_dispatch_sends_them) {
    static const char where[] = ".kernel k\n.param out : u32[]\n.reg n, v, to:2\n s2r n, %ctaid.x\n s2r v, %smid\n"
                                " ld.param.b64 to, [out]\n mad.wide.u32 to, n, 4, to\n st.global.b32 [to], v\n exit\n";
    static const struct {
        const char *dispatch;
        u32 sm[5];
    } rows[] = {{"spread", {0, 1, 2, 0, 1}}, {"fill", {0, 0, 1, 1, 2}}};
    for (u32 i = 0; i < COUNT_OF(rows); i++) {
        u32 out[5];
        char settings[80];
        snprintf(settings, sizeof settings, "sms=3 sm.max_blocks=2 launch.dispatch=%s", rows[i].dispatch);
        memset(out, 0xff, sizeof out);
        CLOCK(c, settings);
        clock_buffer(&c, "out", out, sizeof out);
        clock_run(&c, where, 5, 1);
        cr_expect_arr_eq(out, rows[i].sm, sizeof out, "%s: %u %u %u %u %u", rows[i].dispatch, out[0], out[1], out[2],
                         out[3], out[4]);
    }
}

Test(clock_blocks, a_block_starts_so_many_cycles_after_the_last) {
    static const char wait[] = ".kernel k\n.param x : u32[]\n.reg i\n mov.b32 i, 3\n div.u32 i, i, i\n exit\n";
    for (u32 gap = 1; gap < 500; gap += 83) {
        SCOPED(clock_close) struct clock c;
        open_with_buffer(&c, clock_setting("sm.max_blocks=1 passes.idiv=1 launch.block_cycles=%u", gap).text);
        clock_run(&c, wait, 1, 32);
        u64 one = c.result.totals.cycles;
        clock_run(&c, wait, 5, 32);
        cr_expect_eq(c.result.totals.cycles, 5 * one + 4 * gap, "%u: %llu", gap,
                     (unsigned long long)c.result.totals.cycles);
    }
}

/* The first block begins after the ramp, each other an interval after the last, on any SM. */
Test(clock_blocks, the_board_starts_one_block_after_the_other) {
    static const char wait[] = ".kernel k\n.param x : u32[]\n.reg i\n mov.b32 i, 3\n div.u32 i, i, i\n exit\n";
    static const struct {
        u32 ramp;
        double interval;
        u32 blocks;
    } rows[] = {{0, 0, 8}, {700, 0, 8}, {0, 50, 8}, {700, 333, 5}, {0, 50.25, 8}, {10, 64.125, 7}};
    struct clock c;
    open_with_buffer(&c, "passes.idiv=1");
    clock_run(&c, wait, 1, 32);
    u64 one = c.result.totals.cycles;
    clock_close(&c);
    for (u32 i = 0; i < COUNT_OF(rows); i++) {
        char set[160];
        snprintf(set, sizeof set, "sms=8 passes.idiv=1 launch.ramp_cycles=%u launch.interval_cycles=%g", rows[i].ramp,
                 rows[i].interval);
        open_with_buffer(&c, set);
        clock_run(&c, wait, rows[i].blocks, 32);
        u64 last = rows[i].ramp + (u64)ceil((rows[i].blocks - 1) * rows[i].interval);
        cr_expect_eq(c.result.totals.cycles - last, one, "%s: %llu", set, (unsigned long long)c.result.totals.cycles);
        clock_close(&c);
    }
}
