/* What do launches that share a board get of it? */
#include "tests/time/clock.h"

#include <criterion/criterion.h>
#include <string.h>

#include "sim/base/bits.h"

enum { WORDS = 1 << 18 };

/* Adds up `count` blocks of 128 words each, so far apart that every warp reads lines of its own. */
#define STREAM(x) \
    ".kernel k\n.param " x " : u32[]\n.reg n, v, s, i, at:2\n.pred more\n s2r n, %ctaid.x\n s2r v, %tid.x\n" \
    " mad.lo.u32 n, n, 4096, v\n ld.param.b64 at, [" x "]\n mad.wide.u32 at, n, 4, at\n mov.b32 i, 0\n mov.b32 s, 0\n" \
    "again: ld.global.b32 v, [at]\n add.u32 s, s, v\n add.u64 at, at, 512\n add.u32 i, i, 1\n" \
    " setp.lt.u32 more, i, 32\n @more bra again\n exit\n"
static const char stream_x[] = STREAM("x"), stream_y[] = STREAM("y");

static const char divide[] = ".kernel k\n.reg i, j\n.pred more\n mov.b32 i, 3\n mov.b32 j, 0\n"
                             "again: div.u32 i, i, i\n add.u32 j, j, 1\n setp.lt.u32 more, j, 40\n"
                             " @more bra again\n exit\n";

static u32 x[WORDS], y[WORDS];

static void open_streams(struct clock *c, const char *settings) {
    clock_open(c, settings);
    clock_buffer(c, "x", x, sizeof x);
    clock_buffer(c, "y", y, sizeof y);
}

static u64 alone(struct clock *c, const struct clock_part *part) {
    struct clock_part one = *part;
    clock_share(c, &one, 1);
    return one.is.result.totals.cycles;
}

/* Compares sums over the launches with what the board counted. */
static void check_sums(const struct clock *c, const struct clock_part *part, u32 n) {
    const struct totals *board = &c->result.totals;
    struct core_counters sum = {0};
    u64 blocks = 0, last = 0, sm_cycles = 0;
    for (u32 i = 0; i < n; i++) {
        const struct totals *t = &part[i].is.result.totals;
        COUNTERS_ADD(&sum.sm, &t->core.sm);
        COUNTERS_ADD(&sum.l1, &t->core.l1);
        COUNTERS_ADD(&sum.noc, &t->core.noc);
        blocks += t->blocks;
        sm_cycles += part[i].is.sm_cycles;
        last = max_u64(t->cycles, last);
    }
    cr_expect_eq(blocks, board->blocks);
    cr_expect_leq(last, board->cycles);
    cr_expect_leq(sm_cycles, board->cycles * board->board->sms);
    cr_expect_eq(sum.sm.slots_issued, board->core.sm.slots_issued);
    cr_expect_eq(sum.sm.warp_cycles, board->core.sm.warp_cycles);
    cr_expect_eq(sum.sm.active_cycles, board->core.sm.active_cycles);
    cr_expect(memcmp(&sum.l1, &board->core.l1, sizeof sum.l1) == 0);
    cr_expect(memcmp(&sum.noc, &board->core.noc, sizeof sum.noc) == 0);
}

/* As many SMs as blocks, and one launch without memory: nothing is shared. */
Test(clock_beside, launches_without_anything_in_common_take_their_time) {
    struct clock_part part[] = {{stream_x, 3, 128, 0, {0}}, {divide, 2, 64, 0, {0}}};
    SCOPED(clock_close) struct clock c;
    open_streams(&c, "sms=8 sm.max_blocks=1");
    clock_share(&c, part, 2);
    check_sums(&c, part, 2);
    for (u32 i = 0; i < 2; i++) {
        cr_expect_eq(part[i].is.result.totals.sms_used, part[i].grid);
        cr_expect_eq(part[i].is.begin, 0);
        cr_expect_eq(part[i].is.result.totals.cycles, alone(&c, &part[i]), "launch %u", i);
    }
}

Test(clock_beside, equal_streams_share_the_memory) {
    struct clock_part part[] = {{stream_x, 32, 128, 0, {0}}, {stream_y, 32, 128, 0, {0}}};
    SCOPED(clock_close) struct clock c;
    open_streams(&c, "sms=4 sm.max_blocks=8 l1.unified_bytes=0 l1.own_bytes=16KiB");
    clock_share(&c, part, 2);
    check_sums(&c, part, 2);
    const struct totals *t = &c.result.totals;
    u64 one = part[0].is.result.totals.cycles, two = part[1].is.result.totals.cycles, all = t->cycles;
    cr_expect_eq(t->mem.dram.read_bytes, 2 * sizeof(u32) * 32 * 4096);
    cr_expect_eq(part[0].is.result.totals.core.noc.load_bytes, part[1].is.result.totals.core.noc.load_bytes);
    u64 most = max_u64(one, two), least = min_u64(one, two);
    cr_expect(20 * (most - least) < most, "%llu and %llu cycles", (unsigned long long)one, (unsigned long long)two);
    u64 first = alone(&c, &part[0]), second = alone(&c, &part[1]);
    cr_expect(all >= max_u64(first, second) && all <= first + second, "%llu of %llu and %llu", (unsigned long long)all,
              (unsigned long long)first, (unsigned long long)second);
    cr_expect(2 * all > 3 * first, "%llu is not bound by bandwidth: alone %llu", (unsigned long long)all,
              (unsigned long long)first);
}

/* The other's blocks start when the last of the first has started and an SM is empty. */
Test(clock_beside, the_higher_priority_starts_first) {
    struct clock_part part[] = {{stream_x, 16, 128, 1, {0}}, {stream_y, 16, 128, 5, {0}}};
    SCOPED(clock_close) struct clock c;
    open_streams(&c, "sms=4 sm.max_blocks=2");
    clock_share(&c, part, 2);
    check_sums(&c, part, 2);
    cr_expect_eq(part[1].is.begin, 0);
    cr_expect_gt(part[0].is.begin, 0);
    cr_expect_eq(part[1].is.result.totals.sms_used, 4);
    cr_expect_eq(part[0].is.result.totals.sms_used, 4);
    u64 low = part[0].is.result.totals.cycles * 100 / alone(&c, &part[0]);
    u64 high = part[1].is.result.totals.cycles * 100 / alone(&c, &part[1]);
    cr_expect_lt(high, 115);
    cr_expect_gt(low, 150);
}

/* One launch leaves its SMs to the other, whose blocks are of another size. */
Test(clock_beside, an_emptied_sm_takes_the_other_launch) {
    struct clock_part part[] = {{divide, 6, 32, 0, {0}}, {stream_x, 40, 256, 0, {0}}};
    SCOPED(clock_close) struct clock c;
    open_streams(&c, "sms=4 sm.max_blocks=3 sm.max_warps=16");
    clock_share(&c, part, 2);
    check_sums(&c, part, 2);
    cr_expect_eq(part[0].is.result.totals.sms_used, 2);
    cr_expect_eq(part[1].is.result.totals.sms_used, 4);
    cr_expect_lt(part[1].is.sm_cycles, 4 * c.result.totals.cycles);
    cr_expect_eq(part[0].is.sm_cycles + part[1].is.sm_cycles, 4 * c.result.totals.cycles);
}

/* Neither threads of this computer nor the ends of windows matter. */
Test(clock_beside, threads_and_windows_change_nothing) {
    static const u32 threads[] = {1, 2, 3, 8};
    struct clock_part part[] = {{stream_x, 30, 128, 0, {0}}, {divide, 9, 64, 2, {0}}, {stream_y, 17, 64, 0, {0}}};
    u64 cycles[4] = {0};
    for (u32 i = 0; i < 2 * COUNT_OF(threads); i++) {
        SCOPED(clock_close) struct clock c;
        open_streams(&c, "sms=5 sm.max_blocks=3 launch.interval_cycles=3.3 launch.block_cycles=70");
        c.threads = threads[i / 2];
        c.window = i % 2 ? 7 : 0;
        clock_share(&c, part, 3);
        check_sums(&c, part, 3);
        for (u32 k = 0; k < 3; k++) {
            cr_expect(!i || cycles[k] == part[k].is.result.totals.cycles);
            cycles[k] = part[k].is.result.totals.cycles;
        }
        cr_expect(!i || cycles[3] == c.result.totals.cycles);
        cycles[3] = c.result.totals.cycles;
    }
}
