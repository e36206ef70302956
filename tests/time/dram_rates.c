/* How many bytes does a memory channel move in how long, and do clocks and addresses map as they should? */
#include "tests/time/dram_rig.h"

#include <math.h>
#include <string.h>

__extension__ typedef unsigned __int128 wide;

/* Keeps `depth` reads waiting, addresses a multiple of `stride` apart, and returns the end of the last of `n`. */
static u64 stream(struct rig *r, u32 n, u32 depth, u64 stride) {
    u64 now = 0, end = 0;
    for (u32 i = 0; i < n || dram_waiting(r->d);) {
        for (; i < n && dram_waiting(r->d) < depth; i++)
            rig_push_address(r, now, i * stride, false);
        now = dram_next(r->d);
        end = rig_next(r).time;
        cr_assert(r->n.busy_cycles <= end);
    }
    return end;
}

static double share(const struct rig *r, u64 cycles) {
    return (double)r->n.busy_cycles / (double)cycles;
}

/* Reads in sequence reach the pins' rate with groups, and banks to open rows in between. */
Test(dram_rates, a_sequential_stream_fills_the_bus) {
    for (u32 groups = 2; groups <= 8; groups *= 2)
        for (u32 banks = 4; banks <= 16; banks *= 2)
            for (u32 row = 512; row <= 4096; row *= 2) {
                SCOPED(rig_close) struct rig r = {.c = rig_default()};
                r.c.bank_groups = groups;
                r.c.banks = banks;
                r.c.row_bytes = row;
                rig_open(&r);
                u64 end = stream(&r, 20000, 64, 32);
                cr_assert(share(&r, end) >= 0.95, "%u groups, %u banks, rows of %u: %.3f", groups, banks, row,
                          share(&r, end));
                cr_assert(r.n.activates <= 20000 * 32 / row + groups); /* each row once */
            }
}

/* With refresh, less the time that refreshes take. */
Test(dram_rates, refresh_takes_its_share) {
    SCOPED(rig_close) struct rig r = {.c = rig_default()};
    r.c.refi = 3900;
    rig_open(&r);
    u64 end = stream(&r, 100000, 64, 32);
    double most = 1 - (double)r.c.rfc / r.c.refi;
    cr_assert(share(&r, end) <= most && share(&r, end) >= 0.95 * most, "%.3f of %.3f", share(&r, end), most);
    cr_assert_eq(r.n.refreshes, end / 3900);
}

/* One group: the longer distance between column commands is the limit. */
Test(dram_rates, within_a_group_ccd_l_is_the_limit) {
    SCOPED(rig_close) struct rig r = {.c = rig_default()};
    r.c.bank_groups = 1;
    r.c.banks = 16;
    rig_open(&r);
    u64 end = stream(&r, 20000, 64, 32);
    double most = (double)r.c.burst_cycles / r.c.ccd_l;
    cr_assert(share(&r, end) <= most && share(&r, end) >= 0.95 * most, "%.3f of %.3f", share(&r, end), most);
}

/* A new row for each burst: four in a window of activates, one for a precharge, one in the cycle of the only bank. */
Test(dram_rates, random_rows_are_limited_by_activates) {
    const struct {
        u32 groups, banks, faw, ppd, rc;
    } cases[] = {
        {4, 4, 16, 0, 0}, {4, 4, 30, 0, 0}, {4, 8, 20, 0, 0}, {1, 1, 16, 0, 0}, {4, 8, 16, 9, 0}, {1, 1, 16, 0, 70},
    };
    for (u32 i = 0; i < COUNT_OF(cases); i++) {
        SCOPED(rig_close) struct rig r = {.c = rig_default()};
        r.c.bank_groups = cases[i].groups;
        r.c.banks = cases[i].banks;
        r.c.faw = cases[i].faw;
        r.c.ppd = cases[i].ppd;
        r.c.rc = cases[i].rc;
        rig_open(&r);
        u64 random = 5, now = 0, end = 0;
        for (u32 k = 0, n = 8000; k < n || dram_waiting(r.d);) {
            for (; k < n && dram_waiting(r.d) < 64; k++)
                rig_push_address(&r, now, (u64)random_below(&random, 1 << 30) * 32, false);
            now = dram_next(r.d);
            end = rig_next(&r).time;
        }
        double per = fmax(r.c.rc, r.c.ras + r.c.rp);
        if (cases[i].groups > 1)
            per = fmax(cases[i].faw / 4.0, cases[i].ppd);
        double most = r.c.burst_cycles / per;
        cr_assert(share(&r, end) <= most * 1.005 && share(&r, end) >= 0.98 * most, "%u: %.4f of %.4f", i,
                  share(&r, end), most);
    }
}

/*
 * Random lines: a line that is in one row costs an activate for all of its bursts, and one that is spread over rows an
 * activate for each. Lines are read whole, `line` is what the board keeps together.
 */
Test(dram_rates, random_lines_cost_an_activate_each) {
    for (u32 line = 32; line <= 512; line *= 2) {
        SCOPED(rig_close) struct rig r = {.c = rig_default()};
        r.c.line_bytes = line;
        r.c.rrd_s = r.c.rrd_l = 3;
        r.c.faw = 12;
        rig_open(&r);
        u64 random = 5, now = 0, end = 0;
        u32 n = 2000, each = line < 128 ? 4 : line / 32, more = n * each;
        for (u32 k = 0; k < more || dram_waiting(r.d);) {
            for (; k < more && dram_waiting(r.d) < 64; k += each) {
                u64 at = (u64)random_below(&random, 1 << 28) * each * 32;
                for (u32 b = 0; b < each; b++)
                    rig_push_address(&r, now, at + b * 32, false);
            }
            now = dram_next(r.d);
            end = rig_next(&r).time;
        }
        double bursts = line / 32.0, bus = bursts * r.c.burst_cycles, row = r.c.faw / 4.0;
        double most = bus < row ? bus / row : 1;
        cr_assert(share(&r, end) <= most * 1.005 && share(&r, end) >= 0.88 * most, "lines of %u: %.3f of %.3f", line,
                  share(&r, end), most);
        cr_assert_float_eq((double)r.n.activates, more / bursts, 0.01 * more);
    }
}

/* Bursts of 16 lines, one of each, then the next of each: groups in turn, four rows, which stay open. */
static u64 in_turn(u32 i) {
    return i % 16 * 128 + i / 16 % 4 * 32;
}

/* Little's law: a number of reads in flight, each replaced when it is answered, until the bus is saturated. */
Test(dram_rates, reads_on_their_way_make_the_bandwidth) {
    for (u32 depth = 1; depth <= 64; depth *= 2) {
        SCOPED(rig_close) struct rig r = {.c = rig_default()};
        r.c.latency = 100;
        rig_open(&r);
        u32 n = 20000;
        u64 end = 0;
        for (u32 i = 0; i < depth; i++)
            rig_push_address(&r, 0, in_turn(i), false);
        for (u32 i = 0; i < n; i++) {
            end = rig_next(&r).time;
            rig_push_address(&r, end, in_turn(r.pushed), false);
        }
        double latency = r.c.cl + r.c.burst_cycles + r.c.latency, wire = 1.0 / r.c.burst_cycles;
        double want = depth / latency < wire ? depth / latency : wire, got = n / (double)end;
        cr_assert(got <= want && got >= 0.97 * want, "%u: %.4f of %.4f bursts a cycle", depth, got, want);
    }
}

/* A copy is slowed only by the turns of the bus, one for every drain. */
Test(dram_rates, a_copy_pays_for_turning_the_bus) {
    SCOPED(rig_close) struct rig r = {.c = rig_default()};
    const struct board_dram *c = &r.c;
    rig_open(&r);
    u64 now = 0, end = 0;
    u32 n = 40000;
    for (u32 i = 0; i < n || dram_waiting(r.d);) {
        for (; i < n && dram_waiting(r.d) < 128; i++) {
            u32 line = i / 8;
            rig_push_address(&r, now, (line / 2 * 8 + i % 8) * 32 + (line % 2 ? 1 << 27 : 0), line % 2);
        }
        now = dram_next(r.d);
        end = rig_next(&r).time;
    }
    u32 to_write = c->rtw + c->wl - c->cl - c->burst_cycles, to_read = c->wtr + c->cl;
    double drain = c->write_high - c->write_low, most = 2 * drain * c->burst_cycles; /* and as many reads */
    most /= most + to_write + to_read;
    cr_assert(share(&r, end) >= 0.96 * most && share(&r, end) <= 1.01 * most, "%.3f of %.3f", share(&r, end), most);
    cr_assert_float_eq((double)r.n.turnarounds, n / drain, 0.02 * n / drain);
}

/* Each place of the channel has one address, with rows and columns as in the picture. */
Test(dram_rates, every_place_has_one_address) {
    static u8 taken[1 << 16];
    for (u32 groups = 1; groups <= 8; groups *= 2)
        for (u32 banks = 1; banks <= 8; banks *= 2) {
            SCOPED(rig_close) struct rig r = {.c = rig_default()};
            r.c.bank_groups = groups;
            r.c.banks = banks;
            r.c.row_bytes = 256;
            rig_open(&r);
            u32 n = 1 << 14, columns = 256 / 32;
            for (u32 i = 0; i < n; i++)
                taken[i] = 0;
            for (u32 i = 0; i < n; i++) {
                struct dram_place p = dram_place_of(r.d, (u64)i * 32 + i % 32);
                cr_assert_eq(p.row, i / (columns * groups * banks));
                cr_assert(p.bank < groups * banks);
                cr_assert(++taken[p.row * groups * banks + p.bank] <= columns);
            }
        }
}

/* Every order of fields and every spread gives each place one address; the first two rows are those of dram.c. */
Test(dram_rates, every_mapping_has_one_address_for_a_place) {
    static u8 taken[1 << 12];
    for (u32 map = 0; map < 6; map++)
        for (u32 spread = 0; spread < 3; spread++) {
            SCOPED(rig_close) struct rig r = {.c = rig_default()};
            r.c.map = (enum map)map;
            r.c.spread = (enum spread)spread;
            r.c.stack_ids = 2;
            rig_open(&r);
            memset(taken, 0, sizeof taken);
            for (u32 i = 0; i < 1 << 14; i++) { /* 16 rows of 32 banks with 8 lines of 4 bursts */
                struct dram_place p = dram_place_of(r.d, (u64)i * 32), same = dram_map_line(r.d, i / 4);
                cr_assert(p.row < 16 && p.bank < 32 && p.row == same.row && p.bank == same.bank);
                cr_assert(++taken[p.row * 32 + p.bank] <= 32, "map %u, spread %u", map, spread);
            }
        }
}

/* Lines of a row lie where the name of the order puts them. */
Test(dram_rates, an_order_of_fields_is_its_name) {
    static const struct {
        enum map map;
        u32 bank[3];
    } orders[] = {
        /* of the second line, the 8th and the 32nd */
        {map_ROBACOBG, {1, 0, 4}}, {map_ROBABGCO, {0, 1, 4}}, {map_ROBGBACO, {0, 4, 1}},
        {map_ROCOBABG, {1, 8, 0}}, {map_ROCOBGBA, {4, 2, 0}}, {map_ROBGCOBA, {4, 0, 1}},
    };
    for (u32 i = 0; i < COUNT_OF(orders); i++) {
        SCOPED(rig_close) struct rig r = {.c = rig_default()};
        r.c.map = orders[i].map;
        r.c.spread = spread_NONE;
        rig_open(&r);
        const u32 line[] = {1, 8, 32};
        for (u32 k = 0; k < 3; k++)
            cr_assert_eq(dram_place_of(r.d, (u64)line[k] * 128).bank, orders[i].bank[k], "%u: line %u", i, line[k]);
    }
}

/* Strides of powers of two: all groups are used; from a row's size on, all banks. */
Test(dram_rates, strides_are_spread) {
    SCOPED(rig_close) struct rig r = {.c = rig_default()};
    rig_open(&r);
    for (u32 shift = 5; shift <= 24; shift++) {
        u32 groups = 0, banks = 0;
        for (u64 i = 0; i < 256; i++) {
            u32 bank = dram_place_of(r.d, i << shift).bank;
            groups |= 1U << bank % 4;
            banks |= 1U << bank;
        }
        cr_assert_eq(groups, 15, "stride 2^%u", shift);
        cr_assert(shift < 10 || banks == 0xffff, "stride 2^%u: %x", shift, banks);
    }
}

Test(dram_rates, clocks_are_converted_exactly) {
    u64 random = 99;
    for (u32 i = 0; i < 200000; i++) {
        u32 sm = 1 + random_below(&random, 10000), memory = 1 + random_below(&random, 20000);
        struct dram_clock c = dram_clock_of(sm, memory);
        cr_assert((u64)c.sm * memory == (u64)c.memory * sm);
        u64 time =
            ((u64)random_below(&random, 1 << 30) << 14 | random_below(&random, 1 << 14)) >> random_below(&random, 44);
        wide there = ((wide)time * memory + sm - 1) / sm, back = ((wide)time * sm + memory - 1) / memory;
        cr_assert(dram_clock_memory(c, time) == (u64)there && dram_clock_sm(c, time) == (u64)back);
        /* An edge that both clocks have, or the first after: never early, late by less than a cycle. */
        u64 memory_time = dram_clock_memory(c, time);
        cr_assert((wide)memory_time * sm >= (wide)time * memory &&
                  (wide)(memory_time - (time > 0)) * sm <= (wide)time * memory);
        cr_assert(dram_clock_memory(c, time + 1) >= memory_time);
    }
}
