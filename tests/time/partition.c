/* Is every address in one place, and does a partition do the same however its time is cut into pieces? */
#include "tests/time/partition_rig.h"
#include "sim/arch/deferred.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct board board_of(u32 slices, u32 channels, u32 interleave, u32 hash) {
    struct board b;
    board_default(&b);
    b.l2.slices = slices;
    b.dram.channels = channels;
    b.l2.interleave = interleave;
    b.l2.hash = hash;
    return b;
}

static const u32 shapes[][3] = {{1, 1, 256},   {4, 2, 128},   {6, 3, 256},     {80, 40, 4096},
                                {96, 12, 256}, {64, 64, 512}, {1023, 11, 256}, {1024, 256, 65536}};

Test(partition, every_place_belongs_to_one_address) {
    for (u32 i = 0; i < COUNT_OF(shapes) * 4; i++) {
        const u32 *shape = shapes[i / 4];
        struct board b = board_of(shape[0], shape[1], shape[2], i % 2 ? hash_XOR : hash_MODULO);
        b.l2.far_cycles = i / 2 % 2 && shape[1] % 2 == 0; /* two halves */
        struct placer p = placer_of(&b);
        enum { RUNS = 300 };
        u32 units = shape[0] * RUNS;
        u8 *seen = calloc(units, 1);
        for (u32 unit = 0; unit < units; unit++) {
            u64 address = (u64)unit * shape[2], offset = unit % 2 ? shape[2] - 1 : 0;
            struct place place = place_of(&p, address + offset);
            u64 inside = place_in_channel(&p, place.slice, place.local);
            u32 channel = place.partition + place_second(&p, place.slice) * p.partitions;
            cr_assert(place.partition < p.partitions && channel < shape[1]);
            cr_assert(place.slice < shape[0] / p.partitions);
            cr_assert_eq(place.local / shape[2], unit / shape[0]);
            cr_assert(place.local % shape[2] == offset && inside % shape[2] == offset);
            u64 at = channel * (u64)(units / shape[1]) + inside / shape[2]; /* channels are dense */
            cr_assert(inside / shape[2] < units / shape[1] && !seen[at]++);
        }
        free(seen);
    }
}

Test(partition, sms_are_shared_out_to_the_halves) {
    static const struct {
        double share;
        u32 sms, first;
    } cases[] = {{0.5, 132, 66}, {0.574, 108, 62}, {0, 9, 0}, {1, 9, 9}, {0.5, 1, 1}};
    for (u32 i = 0; i < COUNT_OF(cases); i++) {
        struct board b = board_of(4, 2, 256, hash_XOR);
        b.l2.far_cycles = 10;
        b.l2.near_share = cases[i].share;
        struct placer p = placer_of(&b);
        u32 first = 0;
        for (u32 sm = 0; sm < cases[i].sms; sm++) {
            first += !place_far(&p, sm, 0);
            cr_assert_neq(place_far(&p, sm, 1), place_far(&p, sm, 3));
        }
        cr_assert_eq(first, cases[i].first, "%g of %u", cases[i].share, cases[i].sms);
    }
}

Test(partition, far_addresses_have_places_too) {
    struct board b = board_of(80, 40, 256, hash_XOR);
    struct placer p = placer_of(&b);
    for (u64 unit = 1ull << 31; unit < 1ull << 40; unit = unit * 3 + 1) {
        struct place place = place_of(&p, unit * 256 + 200);
        cr_assert_eq(place.local, unit / 80 * 256 + 200);
        u64 fold = 0;
        for (u64 run = unit / 80; run; run /= 128)
            fold ^= run % 128;
        cr_assert_eq(place.slice * 40 + place.partition, (unit % 80 + fold) % 80);
    }
}

Test(partition, neighbours_are_in_different_channels) {
    for (u32 i = 0; i < COUNT_OF(shapes) * 2; i++) {
        const u32 *shape = shapes[i / 2];
        struct board b = board_of(shape[0], shape[1], shape[2], i % 2 ? hash_XOR : hash_MODULO);
        struct placer p = placer_of(&b);
        for (u32 unit = 0; unit + 1 < shape[0] && shape[1] > 1; unit++)
            cr_assert_eq((place_of(&p, (u64)unit * shape[2]).partition + 1) % shape[1],
                         place_of(&p, (u64)(unit + 1) * shape[2]).partition);
    }
}

Test(partition, strides_of_powers_of_two_spread_with_xor) {
    struct board b = board_of(64, 32, 256, hash_XOR);
    struct placer p = placer_of(&b);
    for (u64 stride = 256; stride <= 256ull << 12; stride *= 2) {
        u8 seen[32][2] = {0};
        for (u64 i = 0; i < 64; i++) {
            struct place place = place_of(&p, i * stride);
            cr_assert(!seen[place.partition][place.slice]++, "stride %d", (int)stride);
        }
    }
}

/* ---- random traffic ---- */

static const char *const machines[][8] = {
    {"l2.slices=1"},
    {"l2.slices=3", "l2.bytes=6144", "l2.sectors=9", "dram.latency=0"},
    {"l2.slices=4", "l2.bytes=0", "l2.sectors=4"},
    {"l2.slices=2", "l2.bytes=1024", "l2.ways=1", "l2.sectors=4", "l2.bytes_per_cycle=8",
     "dram.partial_write=read_first"},
    {"l2.slices=2", "l2.bytes=8192", "l2.ways=4", "l2.sectors=6", "dram.partial_write=read_first", "l2.partial_ways=1"},
    {"l2.slices=2", "l2.bytes=4096", "dram.burst_bytes=64", "dram.partial_write=read_first", "l2.partial_ways=2"},
    {"l2.slices=2", "l2.bytes=8192", "dram.pseudo_channels=2", "dram.stack_ids=2", "dram.ccd_r=9", "dram.act_cycles=2"},
    {"l2.slices=2", "l2.bytes=65536", "dram.burst_bytes=64", "l2.clock_ratio=1.3", "dram.refi=500", "dram.rfc=50",
     "dram.partial_write=read_first"},
    {"l2.slices=2", "dram.channels=2", "l2.bytes=8192", "l2.far_cycles=51"},
    {"l2.slices=4", "dram.channels=2", "l2.bytes=1024", "l2.ways=2", "l2.far_cycles=300", "l2.sectors=4"},
    {"l2.slices=2", "dram.channels=2", "l2.bytes=0", "l2.far_cycles=1"},
    {"l2.slices=1", "l2.bytes=4096", "dram.clock_mhz=1777", "clock_mhz=1111", "l2.latency=1", "noc.latency=1"},
};

static u64 random_bytes(void) {
    return rand() % 2 ? ~(u64)0 : (u64)rand() << 40 ^ (u64)rand() << 20 ^ (u64)rand();
}

static void random_traffic(struct rig *r, u32 count, u32 gap, u32 lines) {
    u64 time = 0;
    for (u32 i = 0; i < count; i++) {
        time += (u64)rand() % (2 * gap + 1);
        r->sm = (u32)rand() % 3;
        struct request *q = rig_add(r, time, (enum request_kind)(rand() % 4), (u64)(rand() % (int)lines) * 128, 0, 4);
        q->bytes[0] = random_bytes();
        q->bytes[1] = random_bytes();
        if (rand() % 2)
            q->bytes[rand() % 2] = 0;
        if (!(q->bytes[0] | q->bytes[1]))
            q->bytes[0] = 1;
        q->sectors = 0;
        for (u32 s = 0; s < 4; s++)
            q->sectors |= (u8)((u32)((u32)(q->bytes[s / 2] >> s % 2 * 32) != 0) << s);
        q->atomic.lanes = (u8)(1 + rand() % 32);
        q->atomic.longest = (u8)(1 + rand() % q->atomic.lanes);
        q->atomic.passes = (u8)(q->atomic.longest + rand() % 4);
        q->adds = (u8)(rand() % 3);
        q->allocation = (u32)(q->local / 256 % RIG_ALLOCATIONS);
    }
}

static u64 sum(const struct rig *r, size_t offset) {
    u64 total = 0;
    for (u32 a = 0; a < RIG_ALLOCATIONS; a++)
        total += *(const u64 *)(const void *)((const char *)&r->traffic[a] + offset);
    return total;
}
#define SUM(rig, member) sum(rig, offsetof(struct traffic, member))

static void conserves(const struct rig *r, u32 machine) {
    const struct l2_counters *c = &r->n.l2;
    const struct dram_counters *d = &r->n.dram;
    const struct request *q = (const struct request *)(const void *)r->in.data;
    u64 sectors[4] = {0}, written = 0, wanted = 0;
    for (u32 i = 0; i < c->requests; i++) {
        u64 count = (u64)__builtin_popcount(q[i].sectors);
        u64 bytes = (u64)(__builtin_popcountll(q[i].bytes[0]) + __builtin_popcountll(q[i].bytes[1]));
        sectors[q[i].kind] += count;
        *(q[i].kind == REQUEST_STORE ? &written : &wanted) += bytes;
        written += q[i].kind == REQUEST_ATOMIC ? bytes : 0;
    }
    cr_assert_eq(c->requests, r->in.len / sizeof *q);
    cr_assert_eq(c->read_sectors, sectors[REQUEST_LOAD] + sectors[REQUEST_SYNC]);
    cr_assert_eq(c->write_sectors, sectors[REQUEST_STORE]);
    cr_assert_eq(c->atomic_sectors, sectors[REQUEST_ATOMIC]);
    cr_assert_eq(c->read_sectors + c->atomic_sectors, c->hits + c->pending_hits + c->misses);
    if (r->board.dram.burst_bytes == 32) { /* bytes in equal bytes out: a burst is a sector */
        cr_assert_eq(d->reads, c->misses + c->joined_sectors, "machine %u", machine);
        cr_assert_eq(d->writes, c->writebacks);
    } else {
        cr_assert(d->reads <= c->misses + c->joined_sectors && d->writes <= c->writebacks &&
                  d->writes * 2 >= c->writebacks);
    }
    cr_assert(c->joined_sectors <= (r->board.dram.partial_write == partial_write_READ ? c->write_sectors : 0));
    cr_assert(d->useful_bytes <= written + wanted);
    cr_assert(d->useful_bytes + partition_dirty_bytes(r->p) <= written + wanted);
    cr_assert_eq(SUM(r, l2_read_sectors), c->read_sectors + c->atomic_sectors);
    cr_assert_eq(SUM(r, l2_write_sectors), c->write_sectors + c->atomic_sectors);
    cr_assert_eq(SUM(r, l2_hits), c->hits + c->pending_hits);
    cr_assert_eq(SUM(r, l2_useful_bytes), c->useful_bytes);
    cr_assert_eq(c->useful_bytes, written + wanted); /* an atomic's are both */
    cr_assert_eq(SUM(r, dram_read_bytes), d->read_bytes);
    cr_assert_eq(SUM(r, dram_write_bytes), d->write_bytes);
    cr_assert_eq(SUM(r, dram_useful_bytes), d->useful_bytes);
}

static void answers_in_order_of_nature(const struct rig *r) {
    const struct reply *reply = (const struct reply *)(const void *)r->out.data;
    u64 end = 0;
    for (u32 i = 0; i < rig_replies(r); i++) {
        cr_assert_eq(reply[i].seq, i);
        cr_assert(rig_took(r, reply[i].ticket) >= partition_shortest(&r->board));
        end = reply[i].time > end ? reply[i].time : end;
    }
    cr_assert(r->n.l2.busy_cycles <= end * r->board.l2.slices);
}

Test(partition, conserves_sectors_and_bytes) {
    for (u32 m = 0; m < COUNT_OF(machines); m++)
        for (u32 seed = 0; seed < 4; seed++) {
            srand(seed);
            SCOPED(rig_close) struct rig r;
            rig_open(&r, machines[m]);
            random_traffic(&r, 1500, seed * 8, 40 + seed * 100);
            rig_serve(&r);
            conserves(&r, m);
            answers_in_order_of_nature(&r);
        }
}

Test(partition, does_the_same_whatever_the_horizons) {
    for (u32 m = 0; m < COUNT_OF(machines); m++) {
        SCOPED(rig_close) struct rig whole, cut;
        rig_open(&whole, machines[m]);
        rig_open(&cut, machines[m]);
        for (u32 seed = 0; seed < 6; seed++) {
            srand(seed);
            rig_reset(&whole, seed % 2);
            rig_reset(&cut, seed % 2);
            random_traffic(&whole, 600, seed * 6, 100);
            buf_append(&cut.in, whole.in.data, whole.in.len);
            rig_serve(&whole);
            for (u64 horizon = 0; rig_replies(&cut) < 600;) {
                u64 before = horizon;
                u32 replies = rig_replies(&cut);
                horizon += 1 + (u64)rand() % (seed % 3 ? 400 : 3);
                rig_until(&cut, horizon);
                cr_assert(partition_next(cut.p) >= horizon);
                const struct reply *reply = (const struct reply *)(const void *)cut.out.data;
                for (; replies < rig_replies(&cut); replies++) /* nothing that should have been known before */
                    cr_assert(reply[replies].time >= before + partition_shortest(&cut.board));
            }
            rig_serve(&cut);
            cr_assert_eq(whole.out.len, cut.out.len);
            cr_assert_arr_eq(whole.out.data, cut.out.data, whole.out.len);
            cr_assert_arr_eq(whole.traffic, cut.traffic, sizeof whole.traffic);
            cr_assert_arr_eq(&whole.n.l2, &cut.n.l2, sizeof whole.n.l2);
            cr_assert_arr_eq(&whole.n.dram, &cut.n.dram, sizeof whole.n.dram);
            cr_assert_eq(partition_dirty_bytes(whole.p), partition_dirty_bytes(cut.p));
        }
    }
}

Test(partition, slices_serve_at_once_and_share_the_channel) {
    RIG(r, "l2.slices=2", "l2.bytes=4096", "l2.bytes_per_cycle=32");
    rig_add(&r, 0, REQUEST_LOAD, 0, 0, 4);
    rig_add(&r, 0, REQUEST_LOAD, 256, 0, 4); /* the other slice */
    for (u32 i = 0; i < 8; i++)
        rig_add(&r, 1000, REQUEST_LOAD, i % 2 * 256, 0, 4);
    rig_serve(&r);
    u64 alone = 140 + rig_channel(&r, 0, 0, 4, false);
    cr_assert(rig_took(&r, 0) > alone || rig_took(&r, 1) > alone);
    for (u32 i = 0; i < 8; i++)
        cr_assert_eq(rig_took(&r, 2 + i), 140 + i / 2 * 4);
}

/* ---- effects ---- */

static u64 add(u64 old, u64 b, u64 c) {
    (void)c;
    return old + b;
}

Test(partition, effects_are_in_the_order_of_service) {
    u8 memory[128] = {0};
    struct deferred_lane lane[2] = {{.b = 5, .offset = 8}, {.offset = 8}};
    struct deferred store = {.host = memory, .bytes = {0xffull << 8, 0}};
    struct deferred atomic = {.host = memory, .fn = add, .lanes = 1, .size = 4, .lane = &lane[0]};
    struct deferred load = {.host = memory, .lanes = 1, .size = 4, .lane = &lane[1]};
    memset(store.data, 1, sizeof store.data);
    RIG(r, NULL);
    rig_add(&r, 10, REQUEST_STORE, 0, 0, 1)->deferred = &store;
    rig_add(&r, 10, REQUEST_ATOMIC, 0, 0, 1)->deferred = &atomic; /* misses, and is served all the same */
    rig_add(&r, 11, REQUEST_SYNC, 0, 0, 1)->deferred = &load;
    rig_until(&r, 10);
    cr_assert_eq(memory[8], 0);
    rig_until(&r, 11); /* the store had its turn at 10, the atomic has to wait for the data path */
    cr_assert_eq(memory[8], 1);
    rig_until(&r, 12);
    cr_assert_eq(memory[8], 6);
    cr_assert_eq(lane[0].old[0], 0x01010101);
    cr_assert_eq(lane[1].old[0], 0);
    rig_serve(&r);
    cr_assert_eq(lane[1].old[0], 0x01010106);
}

Test(partition, the_shortest_time_is_a_hit) {
    RIG(r, NULL);
    cr_assert_eq(partition_shortest(&r.board), 140);
}
