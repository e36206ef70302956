/* What of a write moves, and when: into a slice of the L2, from there to the DRAM, and by atomics? */
#include "tests/time/partition_rig.h"
#include "sim/base/bits.h"
#include "tests/lib/random.h"

#include <criterion/criterion.h>
#include <string.h>

/*
 * Four atomics of a line, the first of them at its slice: a pass of each sector and one for each lane more on a word of
 * it, of 1.5 cycles; 0.5 more for each sector of the first; longer between sums on one word and for words of f64.
 */
Test(l2, atomics_take_passes) {
    static const struct {
        u8 sectors, lanes, passes, longest;
        enum request_adds adds;
        double first, other; /* cycles */
    } cases[] = {{1, 1, 1, 1, ADDS_INTEGER, 2, 1.5}, {1, 32, 32, 32, ADDS_INTEGER, 48.5, 48},
                 {4, 32, 4, 1, ADDS_INTEGER, 8, 6},  {4, 32, 8, 8, ADDS_INTEGER, 14, 12},
                 {1, 1, 1, 1, ADDS_F32, 2, 3},       {1, 32, 32, 32, ADDS_F32, 93, 96},
                 {4, 32, 4, 1, ADDS_F32, 8, 6},      {1, 1, 1, 1, ADDS_F64, 6, 6},
                 {4, 16, 4, 1, ADDS_F64, 24, 24},    {1, 8, 8, 8, ADDS_F64, 21, 24}};
    for (u32 i = 0; i < COUNT_OF(cases); i++) {
        u32 delay = i % 2 ? 29 : 0; /* the next one does not wait for it */
        RIG(r, "l2.clock_ratio=1.5", "l2.scatter_passes=0.33333334", "l2.float_passes=2", "l2.f64_passes=1",
            delay ? "l2.atomic_cycles=29" : "l2.atomic_cycles=0");
        for (u32 n = 0; n < 4; n++) {
            struct request *q = rig_add(&r, n ? 1000 : 0, REQUEST_ATOMIC, 0, 0, cases[i].sectors);
            q->atomic.lanes = cases[i].lanes;
            q->atomic.passes = cases[i].passes;
            q->atomic.longest = cases[i].longest;
            q->adds = (u8)cases[i].adds;
        }
        rig_serve(&r);
        u64 own = (u64)cases[i].other;
        cr_expect_eq(rig_took(&r, 1), 140 + delay + own - 1, "case %u", i);
        for (u32 n = 2; n < 4; n++) /* no part of a cycle is lost */
            cr_expect_eq(rig_took(&r, n) - rig_took(&r, 1), (u64)((n - 1) * cases[i].other), "case %u", i);
        cr_expect_eq(r.n.l2.busy_cycles, (u64)cases[i].first + (u64)(3 * cases[i].other), "case %u", i);
        cr_expect_eq(r.n.l2.atomic_sectors, 4 * cases[i].sectors);
        cr_expect_eq(r.n.l2.atomics, 4 * cases[i].lanes);
        cr_expect_eq(r.n.l2.hits + r.n.l2.misses, 4 * cases[i].sectors);
        cr_expect_eq(partition_dirty_bytes(r.p), 32 * cases[i].sectors);
    }
}

/* Two lines in turn take longer than one after the other: each sector of a line that was not the last by 2 passes. */
Test(l2, atomics_on_other_lines_take_longer) {
    for (u32 apart = 0; apart < 2; apart++) {
        RIG(r, "l2.scatter_passes=2");
        for (u32 n = 0; n < 8; n++)
            rig_add(&r, n, REQUEST_ATOMIC, (apart ? n % 2 : n / 4) * 128, 0, 2)->atomic.passes = 2;
        rig_serve(&r);
        cr_expect_eq(r.n.l2.busy_cycles, 8 * 2 + 2 * 2 * (apart ? 8 : 2));
    }
}

/* A store that fills a sector in part: a pass for each such sector, and those of the request, in place of its bytes. */
Test(l2, stores_of_parts_take_passes) {
    static const struct {
        u64 first, second; /* bytes of the line */
        u32 cycles;
    } cases[] = {{UINT32_MAX, 0, 1},
                 {15, 0, 5},
                 {15, 15, 7},
                 {UINT64_MAX, UINT64_MAX, 2},
                 {UINT64_MAX, 15, 5},
                 {0, 15, 5},
                 {1ull << 32 | 1, 1ull << 32 | 1, 11},
                 {UINT64_MAX >> 1, 0, 5}};
    for (u32 i = 0; i < COUNT_OF(cases); i++) {
        RIG(r, "l2.clock_ratio=2", "l2.partial_passes=1.5", "l2.bytes_per_cycle=64");
        struct request *q = rig_add(&r, 0, REQUEST_STORE, 0, 0, 4);
        q->bytes[0] = cases[i].first;
        q->bytes[1] = cases[i].second;
        q->sectors = 0;
        for (u32 s = 0; s < 4; s++)
            q->sectors |= (u8)(!!(u32)(q->bytes[s / 2] >> s % 2 * 32) << s);
        rig_serve(&r);
        cr_expect_eq(r.n.l2.busy_cycles, cases[i].cycles, "case %u: %llu", i, (unsigned long long)r.n.l2.busy_cycles);
        cr_expect_eq(rig_took(&r, 0), 140);
    }
}

/* A whole line is stored, and a sector of it loaded later. */
Test(l2, write_policies) {
    static const struct {
        const char *policy;
        u32 writes, reads, dirty;
    } cases[] = {{"l2.write=back", 0, 0, 128}, {"l2.write=through", 4, 0, 0}, {"l2.write=around", 4, 1, 0}};
    for (u32 i = 0; i < COUNT_OF(cases); i++) {
        RIG(r, cases[i].policy);
        rig_add(&r, 0, REQUEST_STORE, 0, 0, 4);
        rig_add(&r, 1000, REQUEST_LOAD, 0, 0, 1);
        rig_serve(&r);
        cr_expect_eq(r.n.dram.writes, cases[i].writes, "case %u", i);
        cr_expect_eq(r.n.dram.reads, cases[i].reads, "case %u", i);
        cr_expect_eq(r.n.l2.hits, !cases[i].reads, "case %u", i);
        cr_expect_eq(partition_dirty_bytes(r.p), cases[i].dirty, "case %u", i);
    }
}

/* Random stores, whole and in part, among loads of the same lines: every byte goes to memory once, and none is kept. */
Test(l2, bytes_written_through_or_around_are_conserved) {
    for (u32 around = 0; around < 2; around++) {
        RIG(r, around ? "l2.write=around" : "l2.write=through", "dram.partial_write=masked");
        u64 random = 5, stored = 0;
        for (u32 i = 0; i < 300; i++) {
            u32 first = random_below(&random, 4), store = random_below(&random, 2), part = random_below(&random, 2);
            struct request *q =
                rig_add(&r, 20 * i, store ? REQUEST_STORE : REQUEST_LOAD, (u64)random_below(&random, 40) * 128, first,
                        1 + random_below(&random, 4 - first));
            q->allocation = !store;
            if (!store)
                continue;
            q->bytes[first / 2] &= part ? ~(0xffull << first % 2 * 32) : UINT64_MAX;
            stored += ones_of(q->bytes[0]) + ones_of(q->bytes[1]);
        }
        rig_serve(&r);
        cr_expect_eq(r.traffic[0].dram_useful_bytes, stored, "%llu", (unsigned long long)stored);
        cr_expect_eq(r.traffic[1].dram_write_bytes + partition_dirty_bytes(r.p), 0);
    }
}

/* Written through, a part of a sector is read first with ECC, unless L2 has the rest of it; it is not kept. */
Test(l2, parts_are_written_through) {
    for (u32 loaded = 0; loaded < 2; loaded++) {
        RIG(r, "l2.write=through", "dram.ecc=beside");
        if (loaded)
            rig_add(&r, 0, REQUEST_LOAD, 0, 0, 1);
        rig_add(&r, 1000, REQUEST_STORE, 0, 0, 1)->bytes[0] = 15;
        rig_add(&r, 2000, REQUEST_LOAD, 0, 0, 1);
        rig_serve(&r);
        cr_expect_eq(r.n.dram.writes, 1);
        cr_expect_eq(r.n.dram.reads, loaded ? 1 : 2);
        cr_expect_eq(r.n.l2.joined_sectors, !loaded);
    }
}

Test(l2, what_an_atomic_still_waits_for_is_not_there) {
    RIG(r, NULL);
    rig_add(&r, 0, REQUEST_ATOMIC, 0, 0, 1);
    rig_add(&r, 1, REQUEST_STORE, 0, 0, 1)->bytes[0] = 1;
    rig_add(&r, 2, REQUEST_LOAD, 0, 0, 1);
    rig_serve(&r);
    cr_assert_eq(rig_took(&r, 1), 140);
    cr_assert_eq(rig_answered(&r, 2), rig_answered(&r, 0));
    cr_assert_eq(partition_dirty_bytes(r.p), 32);
}

Test(l2, what_is_written_whole_is_never_fetched) {
    RIG(r, NULL);
    rig_add(&r, 0, REQUEST_STORE, 0, 0, 2);
    struct request *q = rig_add(&r, 10, REQUEST_STORE, 0, 2, 1);
    q->bytes[1] = 0x0000ffffu;
    q = rig_add(&r, 20, REQUEST_STORE, 0, 2, 1);
    q->bytes[1] = 0xffff0000u; /* the other half */
    rig_add(&r, 30, REQUEST_LOAD, 0, 0, 3);
    rig_serve(&r);
    for (u32 t = 0; t < 4; t++)
        cr_assert_eq(rig_took(&r, t), 140);
    cr_assert_eq(r.n.dram.reads, 0);
    cr_assert_eq(r.n.l2.hits, 3);
    cr_assert_eq(r.n.l2.write_sectors, 4);
    cr_assert_eq(partition_dirty_bytes(r.p), 96);
}

Test(l2, what_is_written_in_part_is_fetched_when_read) {
    RIG(r, NULL);
    rig_add(&r, 0, REQUEST_STORE, 0, 1, 1)->bytes[0] = (u64)0x7fffffff << 32;
    rig_add(&r, 100, REQUEST_LOAD, 0, 1, 1);
    rig_add(&r, 1000, REQUEST_LOAD, 0, 1, 1);
    rig_serve(&r);
    cr_assert_eq(rig_took(&r, 0), 140);
    cr_assert_eq(rig_took(&r, 1), 140 + rig_channel(&r, 100, 32, 1, false) - 100);
    cr_assert_eq(rig_took(&r, 2), 140);
    cr_assert_eq(r.n.dram.reads, 1);
    cr_assert_eq(r.n.l2.misses, 1);
    cr_assert_eq(r.n.l2.hits, 1);
    cr_assert_eq(partition_dirty_bytes(r.p), 31);
}

Test(l2, writes_back_the_bytes_that_were_written) {
    RIG(r, "l2.bytes=256", "l2.ways=2");
    struct request *q = rig_add(&r, 0, REQUEST_STORE, 0, 0, 4);
    q->bytes[0] = 0xffull << 60; /* 4 bytes of sector 1 */
    q->bytes[1] = 1;             /* a byte of sector 2 */
    q->sectors = 6;
    q->allocation = 1;
    rig_add(&r, 100, REQUEST_LOAD, 128, 0, 4)->allocation = 2;
    rig_add(&r, 1000, REQUEST_LOAD, 0, 1, 1)->allocation = 1; /* used last */
    rig_add(&r, 2000, REQUEST_LOAD, 256, 0, 1)->allocation = 3;
    rig_serve(&r);
    cr_assert_eq(r.n.dram.writes, 0); /* 128 was evicted, which is clean */
    cr_assert_eq(r.n.l2.evictions, 1);
    cr_assert_eq(partition_dirty_bytes(r.p), 5);
    u64 useful = r.n.dram.useful_bytes;
    rig_add(&r, 3000, REQUEST_STORE, 128, 0, 1)->allocation = 2;
    rig_serve(&r);
    cr_assert_eq(r.n.dram.writes, 2);
    cr_assert_eq(r.n.l2.writebacks, 2);
    cr_assert_eq(r.n.dram.useful_bytes - useful, 5);
    cr_assert_eq(r.traffic[1].dram_write_bytes, 64);
    cr_assert_eq(r.traffic[2].dram_write_bytes + r.traffic[3].dram_write_bytes, 0);
    cr_assert_eq(partition_dirty_bytes(r.p), 32);
}

/*
 * A line whose sectors are: dirty in part; dirty in part, and read; dirty whole; clean. Cost of its replacement: a read
 * of the first, which memory must join, and three writes; with bursts of two sectors, one read and two writes.
 */
Test(l2, joins_what_is_dirty_in_part_and_was_not_read) {
    static const struct {
        const char *how, *burst;
        u32 reads, writes, joined;
    } cases[] = {{"dram.partial_write=masked", "dram.burst_bytes=32", 0, 3, 0},
                 {"dram.partial_write=read_first", "dram.burst_bytes=32", 1, 3, 1},
                 {"dram.partial_write=masked", "dram.burst_bytes=64", 0, 2, 0},
                 {"dram.partial_write=read_first", "dram.burst_bytes=64", 1, 2, 1}};
    for (u32 i = 0; i < COUNT_OF(cases); i++) {
        RIG(r, "l2.bytes=128", "l2.ways=1", cases[i].how, cases[i].burst);
        rig_add(&r, 0, REQUEST_LOAD, 0, 1, 1);
        rig_add(&r, 1000, REQUEST_STORE, 0, 0, 1)->bytes[0] = 0xff;
        rig_add(&r, 2000, REQUEST_STORE, 0, 1, 1)->bytes[0] = 0xffull << 40;
        rig_add(&r, 3000, REQUEST_STORE, 0, 2, 1);
        rig_serve(&r);
        /* A burst of two sectors has brought the first one, before it was written. */
        bool there = cases[i].burst[strlen(cases[i].burst) - 2] == '6';
        struct dram_counters before = r.n.dram;
        rig_add(&r, 9000, REQUEST_STORE, 128, 0, 4)->allocation = 1;
        rig_serve(&r);
        cr_expect_eq(r.n.dram.reads - before.reads, there ? 0 : cases[i].reads, "case %u", i);
        cr_expect_eq(r.n.dram.writes - before.writes, cases[i].writes, "case %u", i);
        cr_expect_eq(r.n.l2.joined_sectors, there ? 0 : cases[i].joined, "case %u", i);
        cr_expect_eq(r.n.l2.writebacks, 3);
        cr_expect_eq(r.n.dram.useful_bytes - before.useful_bytes, 8 + 8 + 32, "case %u", i);
        cr_expect_eq(r.traffic[1].dram_read_bytes, 0);
        cr_expect_eq(rig_took(&r, 4), 140, "nobody waits for it");
    }
}

/*
 * A set of four lines; the first is dirty in part. With room for `ways` such lines it is read as soon as as many have
 * come after it, or when it leaves; once in any case. A load of it finds what was read.
 */
Test(l2, reads_older_lines_that_are_dirty_in_part) {
    for (u32 ways = 1; ways < 6; ways++) {
        char setting[] = "l2.partial_ways=0";
        setting[sizeof setting - 2] += (char)ways;
        RIG(r, "l2.bytes=512", "l2.ways=4", "dram.partial_write=read_first", setting);
        rig_add(&r, 0, REQUEST_STORE, 0, 1, 1)->bytes[0] = 0xffull << 40;
        for (u32 n = 1; n < 4; n++) {
            rig_add(&r, 1000 * n, REQUEST_STORE, 128 * n, 0, 4);
            rig_serve(&r);
            cr_expect_eq(r.n.l2.joined_sectors, n >= ways, "%u of %u ways", n, ways);
            cr_expect_eq(r.n.dram.reads, n >= ways);
        }
        rig_add(&r, 9000, REQUEST_STORE, 512, 0, 4);
        rig_serve(&r);
        cr_expect_eq(r.n.l2.joined_sectors, 1, "%u ways", ways);
        cr_expect(r.n.dram.reads == 1 && r.n.dram.writes == 1 && r.n.l2.writebacks == 1);
        cr_expect_eq(r.n.dram.useful_bytes, 8);
    }
    RIG(r, "l2.bytes=512", "l2.ways=4", "dram.partial_write=read_first", "l2.partial_ways=1");
    rig_add(&r, 0, REQUEST_STORE, 0, 1, 1)->bytes[0] = 0xffull << 40;
    rig_add(&r, 1000, REQUEST_STORE, 128, 0, 4);
    rig_add(&r, 1001, REQUEST_LOAD, 0, 1, 1); /* in flight */
    rig_add(&r, 9000, REQUEST_LOAD, 0, 1, 1);
    rig_serve(&r);
    cr_expect_eq(rig_answered(&r, 2), 1000 + 140 + rig_channel(&r, 1000, 32, 1, false) - 1000);
    cr_expect_eq(rig_took(&r, 3), 140);
    cr_expect(r.n.l2.pending_hits == 1 && r.n.l2.hits == 1 && r.n.dram.reads == 1);
}

/* A wide burst's two sectors are joined by one read, and written by one burst. */
Test(l2, joins_wide_bursts) {
    RIG(r, "l2.bytes=128", "l2.ways=1", "dram.partial_write=read_first", "dram.burst_bytes=64");
    struct request *q = rig_add(&r, 0, REQUEST_STORE, 0, 0, 4);
    q->bytes[0] = 1 | 1ull << 32;
    q->bytes[1] = 0xffffffff;
    q->sectors = 7;
    rig_add(&r, 1000, REQUEST_STORE, 128, 0, 4);
    rig_serve(&r);
    cr_expect_eq(r.n.dram.reads, 1);
    cr_expect_eq(r.n.dram.writes, 2);
    cr_expect_eq(r.n.l2.joined_sectors, 2);
    cr_expect_eq(r.n.dram.useful_bytes, 2 + 32);
}

Test(l2, joins_each_store_without_a_cache) {
    RIG(r, "l2.bytes=0", "dram.partial_write=read_first");
    for (u64 n = 0; n < 100; n++) /* more than there is room for at first */
        rig_add(&r, n, REQUEST_STORE, 128 * n, 0, 1)->bytes[0] = 15;
    rig_add(&r, 5000, REQUEST_STORE, 0, 0, 2);
    rig_add(&r, 6000, REQUEST_ATOMIC, 0, 3, 1)->bytes[1] = 15ull << 36; /* has read what it changes */
    rig_serve(&r);
    cr_expect_eq(r.n.dram.reads, 100 + 1);
    cr_expect_eq(r.n.dram.writes, 100 + 2 + 1);
    cr_expect_eq(r.n.l2.joined_sectors, 100);
    cr_expect_eq(rig_replies(&r), 102);
}

Test(l2, a_copy_costs_its_bytes_once_each_way) {
    enum { LINES = 1000 };
    RIG(r, NULL);
    for (u64 i = 0; i < LINES; i++) {
        rig_add(&r, i * 50, REQUEST_LOAD, i * 128, 0, 4);
        rig_add(&r, i * 50 + 25, REQUEST_STORE, (LINES + i) * 128, 0, 4)->allocation = 1;
    }
    rig_serve(&r);
    u64 dirty = partition_dirty_bytes(r.p);
    cr_assert_eq(r.n.dram.reads, LINES * 4);
    cr_assert_eq(r.n.dram.write_bytes + dirty, LINES * 128);
    cr_assert(dirty > 0 && dirty <= 2048);
    cr_assert_eq(r.n.dram.useful_bytes, r.n.dram.read_bytes + r.n.dram.write_bytes);
    cr_assert_eq(r.traffic[0].dram_read_bytes, LINES * 128);
    cr_assert_eq(r.traffic[1].dram_write_bytes, LINES * 128 - dirty);
    cr_assert_eq(r.traffic[1].dram_read_bytes + r.traffic[0].dram_write_bytes, 0);
}

Test(l2, without_a_cache_everything_goes_to_the_channel) {
    RIG(r, "l2.bytes=0");
    rig_add(&r, 0, REQUEST_LOAD, 0, 0, 4);
    rig_add(&r, 0, REQUEST_LOAD, 0, 0, 4);
    rig_add(&r, 1000, REQUEST_STORE, 0, 1, 2)->bytes[0] = 1ull << 40;
    rig_add(&r, 2000, REQUEST_ATOMIC, 0, 3, 1)->bytes[1] = 15ull << 36;
    rig_serve(&r);
    cr_assert_eq(r.n.dram.reads, 9);
    cr_assert_eq(r.n.dram.writes, 3);
    cr_assert_eq(r.n.dram.useful_bytes, 8 * 32 + 1 + 32 + 4 + 4);
    cr_assert_eq(r.n.l2.misses, 9);
    cr_assert_eq(r.n.l2.hits + r.n.l2.pending_hits, 0);
    cr_assert_eq(r.n.l2.writebacks, 3);
    cr_assert_eq(rig_took(&r, 2), 140);
    cr_assert_eq(partition_dirty_bytes(r.p), 0);
}

Test(l2, wide_bursts_bring_and_write_neighbours) {
    RIG(r, "dram.burst_bytes=64", "l2.bytes=128", "l2.ways=1");
    rig_add(&r, 0, REQUEST_LOAD, 0, 1, 2); /* sectors 1, 2: two bursts, all four */
    rig_add(&r, 1000, REQUEST_LOAD, 0, 0, 4);
    rig_add(&r, 2000, REQUEST_STORE, 128, 0, 4); /* two bursts */
    rig_add(&r, 3000, REQUEST_LOAD, 256, 3, 1);
    rig_add(&r, 3001, REQUEST_LOAD, 256, 2, 1); /* in flight */
    rig_serve(&r);
    cr_assert_eq(rig_took(&r, 1), 140);
    cr_assert_eq(rig_answered(&r, 3), rig_answered(&r, 4));
    cr_assert_eq(r.n.dram.reads, 3);
    cr_assert_eq(r.n.dram.writes, 2);
    cr_assert_eq(r.n.l2.writebacks, 4);
    cr_assert_eq(r.n.l2.misses, 3);
    cr_assert_eq(r.n.dram.useful_bytes, 64 + 128 + 32);
}

Test(l2, a_wide_burst_is_useful_for_what_is_missing) {
    RIG(r, "dram.burst_bytes=64");
    rig_add(&r, 0, REQUEST_STORE, 0, 0, 1);   /* whole: no read */
    rig_add(&r, 1000, REQUEST_LOAD, 0, 0, 2); /* one burst brings both sectors, for the second */
    rig_serve(&r);
    cr_assert_eq(r.n.l2.hits, 1);
    cr_assert_eq(r.n.dram.read_bytes, 64);
    cr_assert_eq(r.n.dram.useful_bytes, 32);
}

/* Passes are those of stores to parts of sectors, and of a board that gives them. */
Test(l2, whole_sectors_and_loads_take_no_passes) {
    static const struct {
        const char *passes;
        enum request_kind kind;
        u32 cycles;
    } cases[] = {{"l2.partial_passes=0", REQUEST_STORE, 1},
                 {"l2.partial_passes=1.5", REQUEST_STORE, 5},
                 {"l2.partial_passes=1.5", REQUEST_LOAD, 1}};
    for (u32 i = 0; i < COUNT_OF(cases); i++) {
        RIG(r, cases[i].passes, "l2.bytes_per_cycle=1024");
        struct request *q = rig_add(&r, 0, cases[i].kind, 0, 0, 4);
        q->bytes[0] = q->bytes[1] = 15ull << 32 | 15;
        rig_serve(&r);
        cr_expect_eq(r.n.l2.busy_cycles, cases[i].cycles, "case %u: %llu", i, (unsigned long long)r.n.l2.busy_cycles);
    }
}

/* A load that finds its line takes no way, so that it reads no older line, and needs no room for that. */
Test(l2, a_hit_reads_no_older_line) {
    RIG(r, "l2.bytes=512", "l2.ways=4", "dram.partial_write=read_first", "l2.partial_ways=2", "l2.sectors=4");
    rig_add(&r, 0, REQUEST_STORE, 0, 0, 1);
    rig_add(&r, 500, REQUEST_STORE, 0, 1, 1)->bytes[0] = 0xffull << 40;
    rig_add(&r, 1000, REQUEST_LOAD, 128, 0, 4);
    rig_add(&r, 1010, REQUEST_LOAD, 0, 0, 1);
    rig_serve(&r);
    cr_expect_eq(rig_took(&r, 3), 140);
    cr_expect(r.n.l2.hits == 1 && r.n.l2.full_cycles == 0 && r.n.l2.joined_sectors == 0);
}
