/* Does a slice of L2 answer when its latencies, its data path and its channel let it, and move no byte too many? */
#include "tests/time/partition_rig.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

Test(l2, a_hit_takes_both_latencies) {
    RIG(r, NULL);
    for (u32 s = 0; s < 4; s++)
        rig_add(&r, s, REQUEST_LOAD, 0, s, 1);
    u32 kinds[] = {REQUEST_LOAD, REQUEST_STORE, REQUEST_ATOMIC, REQUEST_SYNC};
    for (u32 k = 0; k < 4; k++)
        for (u32 count = 1; count <= 4; count++)
            rig_add(&r, 1000 + k * 100 + count * 10, kinds[k], 0, 4 - count, count);
    rig_serve(&r);
    for (u32 t = 4; t < rig_replies(&r); t++)
        cr_assert_eq(rig_took(&r, t), 140, "request %u", t);
    cr_assert_eq(r.n.dram.reads, 4);
}

Test(l2, a_miss_adds_what_its_bursts_take) {
    static const char *const latencies[] = {"dram.latency=0", "dram.latency=77"};
    for (u32 l = 0; l < 2; l++)
        for (u32 count = 1; count <= 4; count++) {
            RIG(r, latencies[l]);
            rig_add(&r, 1003, REQUEST_LOAD, 512, 4 - count, count);
            rig_serve(&r);
            u64 channel = rig_channel(&r, 1003, 512 + (4 - count) * 32, count, false) - 1003;
            cr_assert_eq(rig_took(&r, 0), 140 + channel, "%u sectors", count);
            cr_assert_eq(r.n.l2.misses, count);
        }
}

Test(l2, replies_carry_a_header_and_sectors) {
    RIG(r, "noc.header_bytes=8");
    rig_add(&r, 0, REQUEST_LOAD, 0, 0, 4);
    rig_add(&r, 1000, REQUEST_STORE, 0, 0, 4);
    rig_add(&r, 2000, REQUEST_ATOMIC, 0, 2, 2);
    rig_add(&r, 3000, REQUEST_SYNC, 0, 3, 1);
    rig_serve(&r);
    const struct reply *reply = (const struct reply *)(const void *)r.out.data;
    static const u32 bytes[] = {8 + 128, 8, 8 + 64, 8 + 32};
    for (u32 i = 0; i < 4; i++) {
        cr_assert_eq(reply[i].bytes, bytes[i]);
        cr_assert_eq(reply[i].seq, i);
        cr_assert_eq(reply[i].ticket, i);
    }
}

Test(l2, loads_of_what_is_on_its_way_wait_for_it) {
    RIG(r, NULL);
    rig_add(&r, 0, REQUEST_LOAD, 0, 1, 1);
    for (u32 i = 0; i < 9; i++)
        rig_add(&r, 1 + i, REQUEST_LOAD, 0, 1, 1);
    rig_add(&r, 10, REQUEST_LOAD, 0, 1, 2); /* one merges, one is missing */
    rig_serve(&r);
    for (u32 t = 1; t < 10; t++)
        cr_assert_eq(rig_answered(&r, t), rig_answered(&r, 0));
    cr_assert_gt(rig_answered(&r, 10), rig_answered(&r, 0));
    cr_assert_eq(r.n.l2.pending_hits, 10);
    cr_assert_eq(r.n.l2.misses, 2);
    cr_assert_eq(r.n.l2.hits, 0);
    cr_assert_eq(r.n.dram.reads, 2);
    cr_assert_eq(r.traffic[0].l2_hits, 10);
}

Test(l2, the_data_path_sets_the_pace) {
    static const char *const settings[] = {"l2.bytes_per_cycle=4", "l2.bytes_per_cycle=32", "l2.bytes_per_cycle=64",
                                           "l2.bytes_per_cycle=1024"};
    static const u32 cycles[][4] = {{8, 16, 24, 32}, {1, 2, 3, 4}, {1, 1, 2, 2}, {1, 1, 1, 1}};
    for (u32 i = 0; i < COUNT_OF(settings); i++)
        for (u32 count = 1; count <= 4; count++) {
            RIG(r, settings[i]);
            rig_add(&r, 0, REQUEST_LOAD, 0, 0, 4);
            for (u32 n = 0; n < 500; n++)
                rig_add(&r, 1000, n % 2 ? REQUEST_LOAD : REQUEST_STORE, 0, 0, count);
            rig_serve(&r);
            for (u32 n = 0; n < 500; n++)
                cr_assert_eq(rig_took(&r, 1 + n), 140 + n * cycles[i][count - 1], "%s, %u", settings[i], count);
            cr_assert_eq(r.n.l2.busy_cycles, cycles[i][3] + 500 * cycles[i][count - 1]);
            cr_assert_eq(r.n.l2.full_cycles, 0);
        }
}

/* A width that is no power of two: one after another, requests take the time of their bytes, at least a cycle. */
Test(l2, a_ratio_of_clocks_loses_no_part_of_a_cycle) {
    static const u32 widths[] = {5, 20, 33, 48, 63, 96, 1000};
    for (u32 i = 0; i < COUNT_OF(widths); i++)
        for (u32 count = 1; count <= 4; count++) {
            char setting[40];
            snprintf(setting, sizeof setting, "l2.bytes_per_cycle=%u", widths[i]);
            RIG(r, setting);
            rig_add(&r, 0, REQUEST_LOAD, 0, 0, 4);
            for (u32 n = 0; n < 500; n++)
                rig_add(&r, 1000, n % 2 ? REQUEST_LOAD : REQUEST_STORE, 0, 0, count);
            rig_serve(&r);
            for (u32 n = 0; n < 500; n++) {
                u32 bytes = n * count * 32 / widths[i];
                cr_assert_eq(rig_took(&r, 1 + n), 140 + (bytes > n ? bytes : n), "%u, %u", widths[i], count);
            }
        }
}

/* Cycles between the ends of loads of a sector each, all arriving at time 0, several in flight at once. */
static double pace(const char *room, u32 *wire) {
    RIG(r, room, "dram.latency=2000", "l2.bytes=1048576", "l2.ways=16", "clock_mhz=1000", "dram.clock_mhz=1000",
        "dram.ccd_l=2");
    for (u64 n = 0; n < 8192; n++)
        rig_add(&r, 0, REQUEST_LOAD, n / 4 * 128, n % 4, 1);
    rig_serve(&r);
    double cycles = (double)(rig_answered(&r, 8191) - rig_answered(&r, 4095)) / 4096;
    *wire = r.board.dram.burst_cycles;
    return cycles;
}

Test(l2, few_sectors_on_their_way_limit_bandwidth) {
    static const struct {
        const char *setting;
        u32 room;
    } rooms[] = {{"l2.sectors=4", 4}, {"l2.sectors=8", 8}, {"l2.sectors=64", 64}, {"l2.sectors=512", 512}};
    u32 wire;
    for (u32 i = 0; i < COUNT_OF(rooms); i++) {
        double cycles = pace(rooms[i].setting, &wire) * rooms[i].room; /* bandwidth = room x 32 / latency */
        cr_assert(cycles >= 2000 && cycles < 2000 * 1.05, "%s: %g", rooms[i].setting, cycles);
    }
    double free = pace("l2.sectors=8192", &wire);
    cr_assert(free >= wire && free < wire * 1.05, "%g cycles a sector", free);
}

Test(l2, room_is_free_when_a_burst_ends_and_not_before) {
    for (u32 late = 0; late < 2; late++) {
        RIG(r, "l2.sectors=4");
        u64 end = rig_channel(&r, 0, 0, 1, false);
        rig_add(&r, 0, REQUEST_LOAD, 0, 0, 4);
        rig_add(&r, end - 1 + late, REQUEST_LOAD, 128, 0, 1);
        rig_serve(&r);
        cr_assert_eq(r.n.l2.full_cycles, 1 - late);
    }
}

Test(l2, a_full_slice_is_no_obstacle_before_it_is_full) {
    RIG(r, "l2.sectors=5");
    rig_add(&r, 0, REQUEST_LOAD, 0, 0, 4);
    rig_add(&r, 10, REQUEST_LOAD, 128, 0, 1);  /* the fifth */
    rig_add(&r, 11, REQUEST_LOAD, 256, 0, 1);  /* waits */
    rig_add(&r, 12, REQUEST_STORE, 384, 0, 4); /* needs no room, but its turn */
    rig_serve(&r);
    u64 end = rig_channel(&r, 0, 0, 1, false);
    cr_assert_eq(r.n.l2.full_cycles, end - 11);
    cr_assert_eq(rig_answered(&r, 3), end + 1 + r.latency);
}

Test(l2, a_request_too_big_for_the_room_goes_alone) {
    RIG(r, "l2.sectors=4", "l2.bytes=128", "l2.ways=1");
    rig_add(&r, 0, REQUEST_STORE, 0, 0, 4);
    rig_add(&r, 1000, REQUEST_LOAD, 128, 0, 4); /* four reads and four write-backs */
    rig_add(&r, 1001, REQUEST_STORE, 256, 0, 1);
    rig_serve(&r);
    cr_assert_eq(r.n.dram.reads, 4);
    cr_assert_eq(r.n.dram.writes, 4);
}

Test(l2, bytes_written_back_need_room_as_well) {
    for (u32 dirty = 1; dirty <= 4; dirty++) {
        RIG(r, "l2.sectors=4", "l2.bytes=256", "l2.ways=2");
        rig_add(&r, 0, REQUEST_STORE, 0, 0, dirty);
        rig_add(&r, 1000, REQUEST_LOAD, 128, 0, 1);
        rig_add(&r, 1001, REQUEST_STORE, 256, 0, 4); /* replaces line 0 */
        rig_serve(&r);
        u64 end = rig_channel(&r, 1000, 128, 1, false);
        cr_assert_eq(r.n.l2.full_cycles, dirty < 4 ? 0 : end - 1001);
        cr_assert_eq(r.n.dram.writes, dirty);
    }
}

Test(l2, a_set_without_a_free_way_waits_for_one) {
    for (u32 late = 0; late < 2; late++) {
        RIG(r, "l2.bytes=256", "l2.ways=2");
        u64 end = rig_channel(&r, 0, 0, 1, false);
        rig_add(&r, 0, REQUEST_LOAD, 0, 0, 1);
        rig_add(&r, 1, REQUEST_LOAD, 128, 0, 1);
        rig_add(&r, end - 1 + late, REQUEST_STORE, 256, 0, 4);
        rig_serve(&r);
        cr_assert_eq(r.n.l2.full_cycles, 1 - late);
        cr_assert_eq(rig_answered(&r, 2), end + r.latency);
        cr_assert_eq(r.n.l2.evictions, 1);
    }
}

Test(l2, stays_warm_when_told_to) {
    for (u32 warm = 0; warm < 2; warm++) {
        RIG(r, NULL);
        rig_add(&r, 0, REQUEST_LOAD, 0, 0, 4);
        rig_add(&r, 0, REQUEST_STORE, 128, 0, 4);
        rig_serve(&r);
        rig_reset(&r, warm);
        cr_assert_eq(partition_dirty_bytes(r.p), warm ? 128 : 0);
        rig_add(&r, 5, REQUEST_LOAD, 0, 0, 4);
        rig_add(&r, 6, REQUEST_LOAD, 128, 0, 4);
        rig_serve(&r);
        cr_assert_eq(r.n.l2.hits, warm ? 8 : 0);
    }
}

Test(l2, forgets_what_was_on_its_way_at_a_reset) {
    RIG(r, "l2.bytes=256", "l2.ways=2", "l2.sectors=4");
    rig_add(&r, 0, REQUEST_LOAD, 0, 0, 4);
    rig_add(&r, 0, REQUEST_LOAD, 0, 0, 2);
    rig_add(&r, 1, REQUEST_LOAD, 128, 0, 4);
    rig_until(&r, rig_channel(&r, 0, 0, 1, false) + 1); /* sector 0 has arrived, the others have not */
    cr_assert_neq(partition_next(r.p), TIME_NEVER);
    rig_reset(&r, true);
    cr_assert_eq(partition_next(r.p), TIME_NEVER);
    rig_add(&r, 0, REQUEST_LOAD, 0, 0, 1);
    rig_add(&r, 10, REQUEST_LOAD, 0, 1, 1);
    rig_serve(&r);
    cr_assert_eq(r.n.l2.hits, 1);
    cr_assert_eq(r.n.l2.misses, 1);
    cr_assert_eq(r.n.l2.full_cycles, 0);
}

/* Lines of all slices of a channel lie side by side in its rows. */
Test(l2, slices_of_a_channel_share_its_rows) {
    for (u32 slices = 1; slices <= 4; slices *= 2) {
        char setting[] = "l2.slices=1";
        setting[sizeof setting - 2] = (char)('0' + slices);
        RIG(r, setting, "l2.bytes=1048576", "l2.ways=16");
        const struct board_dram *c = &r.board.dram;
        u32 bytes = 4 * c->row_bytes * board_banks(c);
        for (u32 at = 0; at < bytes; at += 128)
            rig_add(&r, at, REQUEST_LOAD, at, 0, 4);
        rig_serve(&r);
        cr_expect_eq(r.n.dram.activates, bytes / c->row_bytes, "%u slices", slices);
    }
}

/* Runs a rig's requests anew, in a partition with a bound of its memory. */
static bool serves_within(struct rig *r, struct budget *budget) {
    partition_free(r->p);
    r->p = partition_new(&r->board, 0, budget);
    cr_assert(r->p);
    r->n = (struct partition_counters){.traffic = r->traffic};
    r->out.len = 0;
    partition_reset(r->p, &r->n, false);
    return partition_run(r->p, (const struct request *)(const void *)r->in.data,
                         (u32)(r->in.len / sizeof(struct request)), TIME_NEVER, &r->out);
}

/* A launch fails where there is no memory for what waits, at any size. */
Test(l2, memory_that_runs_out_ends_a_run) {
    enum { BOUNDS = 40 };
    RIG(r, "l2.sectors=65536", "l2.bytes=0");
    struct budget none = {0}, all = {0};
    cr_assert(serves_within(&r, &none));
    for (u32 i = 0; i < 20000; i++)
        rig_add(&r, 0, i % 2 ? REQUEST_LOAD : REQUEST_STORE, i * 128, 0, 4);
    cr_assert(serves_within(&r, &all));
    for (u32 i = 0; i < BOUNDS; i++) {
        struct budget some = {.limit = none.peak + (all.peak - none.peak) * i / BOUNDS};
        cr_expect(!serves_within(&r, &some), "%llu of %llu bytes", (unsigned long long)some.limit,
                  (unsigned long long)all.peak);
        partition_free(r.p);
        r.p = NULL;
    }
}
