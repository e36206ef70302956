/* Two halves of the L2: is a line at home in one of them, copied into the other, and written in one place? */
#include "tests/time/partition_rig.h"

#include <criterion/criterion.h>

#define SETTINGS(...) ((const char *const[]){__VA_ARGS__, NULL})

/* Line 0 is at home in the first half, SM 0's; lines 256 and 512 in the second, SM 1's. */
static void open_halves(struct rig *r, const char *bytes, const char *ways) {
    rig_open(r, SETTINGS("l2.slices=2", "dram.channels=2", "l2.far_cycles=51", bytes, ways));
}

static u32 ask(struct rig *r, u64 time, u32 sm, enum request_kind kind, u64 line) {
    r->sm = sm;
    return rig_add(r, time, kind, line, 0, 4)->ticket;
}

Test(l2, a_far_line_is_copied) {
    SCOPED(rig_close) struct rig r;
    open_halves(&r, "l2.bytes=4096", "l2.ways=4");
    u64 channel = rig_channel(&r, 0, 0, 4, false);
    static const struct {
        u32 sm;
        u64 line;
        u32 more;
        bool miss;
    } loads[] = {
        {0, 0, 0, true},    /* at home */
        {1, 0, 51, false},  /* a far hit */
        {1, 0, 0, false},   /* its copy */
        {0, 0, 0, false},   /* still at home */
        {0, 256, 51, true}, /* a far miss */
        {1, 256, 0, false}, /* has filled the line at home too */
        {0, 256, 0, false}, /* and the copy */
        {1, 512, 0, true},  /* neither */
    };
    for (u32 i = 0; i < COUNT_OF(loads); i++)
        ask(&r, i * 5000, loads[i].sm, REQUEST_LOAD, loads[i].line);
    rig_serve(&r);
    for (u32 i = 0; i < COUNT_OF(loads); i++)
        cr_expect_eq(rig_took(&r, i), 140 + loads[i].more + (loads[i].miss ? channel : 0), "load %u", i);
    cr_expect_eq(r.n.l2.far_sectors, 2 * 4);
    cr_expect_eq(r.n.l2.misses, 3 * 4);
    cr_expect_eq(r.n.l2.hits, 5 * 4);
}

Test(l2, what_is_written_is_at_home_and_in_no_copy) {
    enum request_kind kinds[] = {REQUEST_STORE, REQUEST_ATOMIC};
    for (u32 k = 0; k < 2; k++)
        for (u32 sm = 0; sm < 2; sm++) {
            SCOPED(rig_close) struct rig r;
            open_halves(&r, "l2.bytes=4096", "l2.ways=4");
            ask(&r, 0, 0, REQUEST_LOAD, 256);
            u32 copied = ask(&r, 5000, 0, REQUEST_LOAD, 256), written = ask(&r, 6000, sm, kinds[k], 256);
            u32 again = ask(&r, 7000, 0, REQUEST_LOAD, 256), copied_again = ask(&r, 8000, 0, REQUEST_LOAD, 256);
            u32 sync = ask(&r, 9000, 0, REQUEST_SYNC, 256);
            rig_serve(&r);
            cr_expect_eq(rig_took(&r, copied), 140);
            cr_expect_eq(rig_took(&r, written), 140 + (sm ? 0 : 26)); /* the way back */
            cr_expect_eq(rig_took(&r, again), 140 + 51);
            cr_expect_eq(rig_took(&r, copied_again), 140);
            cr_expect_eq(rig_took(&r, sync), 140 + 26);
            cr_expect_eq(r.n.l2.far_sectors, (3 + !sm) * 4);
        }
}

Test(l2, loads_of_a_copy_on_its_way_wait_for_it) {
    SCOPED(rig_close) struct rig r;
    open_halves(&r, "l2.bytes=4096", "l2.ways=4");
    u32 first = ask(&r, 0, 0, REQUEST_LOAD, 256), second = ask(&r, 9, 0, REQUEST_LOAD, 256);
    rig_serve(&r);
    cr_expect_eq(rig_answered(&r, first), 140 + 51 + rig_channel(&r, 0, 0, 4, false));
    cr_expect_eq(rig_answered(&r, second), rig_answered(&r, first));
    cr_expect_eq(r.n.l2.pending_hits, 4);
}

/* Copies of whole lines at `rate` bytes a cycle: each is later than the one before by the time that its bytes take. */
Test(l2, copies_take_turns_on_the_way_between_the_halves) {
    static const struct {
        const char *set;
        u32 each;
    } rates[] = {{"l2.far_bytes=0", 0}, {"l2.far_bytes=128", 1}, {"l2.far_bytes=16", 8}, {"l2.far_bytes=5", 26}};
    static const u64 line[] = {256, 1792, 2816, 3328}; /* all in the second half */
    const u32 path = 128 / 64;                         /* cycles of a slice's data path for a line */
    for (u32 i = 0; i < COUNT_OF(rates); i++) {
        SCOPED(rig_close) struct rig r;
        u32 got[COUNT_OF(line)];
        rig_open(&r, SETTINGS("l2.slices=2", "dram.channels=2", "l2.far_cycles=51", "l2.bytes=65536", "l2.ways=16",
                              rates[i].set));
        for (u32 far = 0; far < 2; far++)
            for (u32 n = 0; n < COUNT_OF(line); n++)
                got[n] = ask(&r, far * 50000, !far, REQUEST_LOAD, line[n]);
        rig_serve(&r);
        for (u32 n = 0; n < COUNT_OF(line); n++)
            cr_expect_eq(rig_answered(&r, got[n]) - rig_answered(&r, got[0]),
                         n * (rates[i].each > path ? rates[i].each : path), "%s, line %u", rates[i].set, n);
    }
}

Test(l2, a_set_keeps_a_way_that_waits_for_no_copy) {
    SCOPED(rig_close) struct rig r;
    open_halves(&r, "l2.bytes=512", "l2.ways=2");
    for (u32 i = 0; i < 2; i++)
        ask(&r, 0, 0, REQUEST_LOAD, 256 + i * 256);
    u32 copied = ask(&r, 5000, 0, REQUEST_LOAD, 256), crossed = ask(&r, 6000, 0, REQUEST_LOAD, 512);
    rig_serve(&r);
    cr_expect_eq(rig_took(&r, copied), 140);
    cr_expect_eq(rig_took(&r, crossed), 140 + 51);
    cr_expect_eq(r.n.l2.misses, 2 * 4);
}

/* A copy that has all is read even if the only other way of its set waits for sectors. */
Test(l2, a_whole_copy_is_read_beside_a_way_that_waits) {
    SCOPED(rig_close) struct rig r;
    open_halves(&r, "l2.bytes=512", "l2.ways=2");
    ask(&r, 0, 0, REQUEST_LOAD, 256);
    ask(&r, 5000, 0, REQUEST_LOAD, 0);
    u32 copied = ask(&r, 5010, 0, REQUEST_LOAD, 256);
    rig_serve(&r);
    cr_expect_eq(rig_took(&r, copied), 140);
    cr_expect_eq(r.n.l2.far_sectors, 4);
}

/* A line of home waits for a way: the copy's, which arrives before what the other way waits for. */
Test(l2, a_copy_that_arrives_makes_room) {
    SCOPED(rig_close) struct rig r;
    open_halves(&r, "l2.bytes=512", "l2.ways=2");
    ask(&r, 0, 1, REQUEST_LOAD, 256);
    ask(&r, 5000, 0, REQUEST_LOAD, 256);
    ask(&r, 5010, 0, REQUEST_LOAD, 0);
    u32 waits = ask(&r, 5020, 0, REQUEST_LOAD, 768);
    rig_serve(&r);
    cr_expect_eq(r.n.l2.full_cycles, 5000 + 51 - 5020);
    cr_expect(rig_took(&r, waits) > 5000 + 51 - 5020 + 140);
}

Test(l2, each_half_has_its_channel) {
    SCOPED(rig_close) struct rig r;
    open_halves(&r, "l2.bytes=4096", "l2.ways=4");
    u64 channel = rig_channel(&r, 0, 0, 4, false);
    for (u32 sm = 0; sm < 2; sm++)
        ask(&r, 0, sm, REQUEST_LOAD, sm * 256);
    rig_serve(&r);
    for (u32 sm = 0; sm < 2; sm++)
        cr_expect_eq(rig_took(&r, sm), 140 + channel);
    cr_expect_eq(r.channel[0].busy_cycles, r.n.dram.busy_cycles / 2);
}

/* Copies out of two slices in one cycle: side by side where the way has no limit, or else one after the other. */
Test(l2, copies_of_two_slices_share_the_way) {
    static const struct {
        const char *rate;
        u32 apart;
    } rates[] = {{"l2.far_bytes=0", 0}, {"l2.far_bytes=16", 128 / (2 * 16)}};
    for (u32 i = 0; i < COUNT_OF(rates); i++) {
        SCOPED(rig_close) struct rig r;
        rig_open(&r, SETTINGS("l2.slices=4", "dram.channels=2", "l2.far_cycles=51", "l2.bytes=65536", "l2.ways=16",
                              rates[i].rate));
        struct placer placer = placer_of(&r.board);
        u64 line[2] = {0};
        for (u32 n = 0; n < 2; n++)
            while (place_of(&placer, line[n]).slice != placer.each + n)
                line[n] += 128;
        u32 got[2];
        for (u32 far = 0; far < 2; far++)
            for (u32 n = 0; n < 2; n++)
                got[n] = ask(&r, far * 50000, !far, REQUEST_LOAD, line[n]);
        rig_serve(&r);
        u64 a = rig_answered(&r, got[0]), b = rig_answered(&r, got[1]);
        cr_expect_eq(a > b ? a - b : b - a, rates[i].apart, "%s", rates[i].rate);
    }
}
