/* What do accesses to shared memory, constants and parameters take? Each answer is a closed form of the board. */
#include "tests/time/clock.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "sim/time/geometry.h"

static u64 takes(const char *settings, const char *body) {
    return clock_takes(settings, body, 1);
}

/* ---- shared memory ---- */

/* Lane i at word i * stride: gcd(stride, 32) lanes to a bank. */
static u32 ways_of(u32 stride) {
    u32 gcd = 32;
    while (stride % gcd)
        gcd /= 2;
    return gcd;
}

/* A pass is a cycle; a row of all banks takes the way to the registers for `cycles`. */
Test(clock_shared, passes_and_the_way_back_go_side_by_side) {
    for (u32 latency = 0; latency <= 5; latency += 5)
        for (u32 cycles = 1; cycles <= 3; cycles += 2)
            for (u32 stride = 1; stride <= 32; stride++) {
                char set[160], load[96], many[512];
                u32 n = ways_of(stride);
                snprintf(set, sizeof set,
                         "shared.latency=40 shared.pass_latency=%u shared.pass_cycles=%u lsu.address_cycles=1 "
                         "lsu.queue=64 latency.imul=4",
                         latency, cycles);
                snprintf(load, sizeof load, "mul.lo.u32 g, ps, %u\nadd.u32 g, g, 0", stride);
                u64 empty = takes(set, load);
                snprintf(many, sizeof many, "%s\nld.shared.b32 e, [g]\nadd.u32 f, e, 1", load);
                /* The load waits 4 cycles for g, then its reader for the load. */
                cr_expect_eq(takes(set, many), empty + 3 + 40 + (n - 1) * latency + 1, "stride %u", stride);
                snprintf(
                    many, sizeof many,
                    "%s\nld.shared.b32 r40, [g]\nld.shared.b32 r41, [g]\nld.shared.b32 r42, [g]\nadd.u32 f, r42, 1",
                    load);
                u64 three = 2 * (n > cycles ? n : cycles);
                cr_expect_eq(takes(set, many), empty + 3 + three + 40 + (n - 1) * latency + 1, "stride %u", stride);
            }
}

#define ALL 0xffffffffu

static void line_up(u64 addr[WARP_MAX], u32 step) {
    for (u32 l = 0; l < WARP_MAX; l++)
        addr[l] = 1024 + (u64)step * l;
}

static u32 cycles(struct banks b, const u64 *addr, u64 mask, u32 bytes) {
    return bank_passes(b, addr, mask, bytes, 32).cycles;
}

/* 32 banks and a way back of 64 bytes: strides as gpu-strides (GPU-benches) prints them on an A40. */
Test(clock_shared, cycles_behind_half_a_way_back) {
    const struct board_l1 l1 = {.banks = 32, .bytes_per_cycle = 64}, narrow = {.banks = 16, .bytes_per_cycle = 64};
    const struct board_shared s = {.banks = 32, .bank_bytes = 4, .pass_cycles = 2};
    struct banks half = banks_of_l1(&l1), load = banks_of_shared(&s, true);
    u64 addr[WARP_MAX];
    for (u32 stride = 0; stride <= 64; stride++) {
        u32 ways = stride ? ways_of(stride) : 1;
        line_up(addr, 4 * stride);
        cr_expect(cycles(half, addr, ALL, 4) == (ways > 2 ? ways : 2), "stride %u", stride);
        cr_expect(cycles(banks_of_l1(&narrow), addr, ALL, 4) ==
                  (stride ? 2 * (ways_of(stride) < 16 ? ways_of(stride) : 16) : 2));
    }
    line_up(addr, 16); /* side by side: 512 bytes by 64 */
    cr_expect(cycles(load, addr, ALL, 16) == 8 && cycles(load, addr, 1, 16) == 2 && cycles(load, addr, 0, 16) == 0);
    line_up(addr, 0); /* one address: a phase of 16 lanes is a pass, and its word is moved once */
    cr_expect(cycles(load, addr, ALL, 16) == 2 && cycles(load, addr, ALL, 8) == 2);
    for (u32 distinct = 1; distinct <= 8; distinct *= 2) { /* of 16 lanes, of 16 bytes each */
        for (u32 l = 0; l < 32; l++)
            addr[l] = 1024 + 16 * (l / 2 % distinct);
        cr_expect(cycles(load, addr, ALL, 16) == (distinct > 4 ? 4 : 2), "%u: %u", distinct,
                  cycles(load, addr, ALL, 16));
    }
}

Test(clock_shared, lanes_that_want_one_word_share_a_pass) {
    u64 spread = takes("", "ld.shared.b32 e, [ps]\nadd.u32 f, e, 1");
    cr_expect_eq(takes("", "ld.shared.b32 e, [tile]\nadd.u32 f, e, 1"), spread);
    cr_expect_eq(spread, 1 + 23 + 1);
}

Test(clock_shared, wide_shared_loads_go_in_phases) {
    CLOCK(c, "shared.pass_latency=2 shared.return_bytes=1024");
    cr_expect_eq(clock_span(&c,
                            "add.u32 g, ps, ps\nadd.u32 g, g, 0\nadd.u32 f, g, 0\nld.shared.b64 wide, [g]\n"
                            "add.u32 f, wide, 1",
                            32),
                 1 + 12 - 3 + 23 + 2 + 1);
    cr_expect_eq(c.result.totals.core.sm.shared_passes, 2);
    cr_expect_eq(c.result.totals.core.sm.shared_conflicts, 0);
    clock_span(&c, "shl.b32 g, ps, 2\nld.shared.b128 quad, [g]", 32);
    cr_expect_eq(c.result.totals.core.sm.shared_passes, 4);
}

Test(clock_shared, shared_atomics_on_one_address_follow_one_another) {
    u64 apart = takes("shared.atomic_cycles=6", "atom.shared.add.u32 e, [ps], b\nadd.u32 f, e, 1");
    u64 same = takes("shared.atomic_cycles=6", "mov.b32 g, tile\natom.shared.add.u32 e, [g], b\nadd.u32 f, e, 1");
    cr_expect_eq(same - 4, apart + 31 * 6);
}

Test(clock_shared, constants_serialise_by_address) {
    static const char *const load = "shr.u32 g, ps, %u\nand.b32 g, g, 0x1c\nld.const.b32 e, [g]\nadd.u32 f, e, 1";
    for (u32 shift = 0; shift < 6; shift++) {
        char body[128];
        CLOCK(c, "lsu.constant_cycles=50");
        snprintf(body, sizeof body, load, shift);
        /* `id << 2 >> shift` and 0x1c: the number of different values in lanes 0..31. */
        u32 seen = 0, distinct = 0;
        for (u32 id = 0; id < 32; id++)
            seen |= 1u << ((id << 2 >> shift & 0x1c) / 4);
        for (; seen; seen &= seen - 1)
            distinct++;
        SCOPED(buf_free) struct buf text = {0};
        buf_printf(&text,
                   ".const table : u32 = 1, 2, 3, 4, 5, 6, 7, 8\n.kernel k\n.param out : u64[]\n"
                   ".reg ps, g, e, f, at:2, x:2, y:2\n s2r ps, %%tid.x\n ld.param.b64 at, [out]\n shl.b32 ps, ps, 2\n"
                   " bar.sync 0\n s2r.b64 x, %%clock\n%s\n s2r.b64 y, %%clock\n sub.s64 x, y, x\n"
                   " st.global.b64 [at], x\n exit\n",
                   body);
        u64 out[1];
        clock_buffer(&c, "out", out, sizeof out);
        clock_run(&c, text.data, 1, 32);
        cr_expect_eq(out[0], 1 + 4 + 4 + 50 + (distinct - 1) + 1, "%u addresses: %llu", distinct,
                     (unsigned long long)out[0]);
    }
}

/* At a fixed offset, constants and parameters are moves: neither their latency nor the memory queue matters. */
Test(clock_shared, constants_at_fixed_offsets_are_operands) {
    static const char *const loads[] = {"ld.param.b64 wide, [data]\nadd.s64 wide, wide, 0",
                                        "ld.param.b32 e, [data]\nadd.u32 e, e, 0"};
    for (u32 latency = 3; latency < 12; latency += 4) {
        char set[96];
        snprintf(set, sizeof set, "latency.mov=%u lsu.constant_cycles=50", latency);
        for (u32 i = 0; i < COUNT_OF(loads); i++)
            cr_expect_eq(takes(set, loads[i]), 1 + latency + 1, "%s", loads[i]);
    }
}

/* A store of 32 lines and a parameter, again and again: what waits for the queue is the store. */
Test(clock_shared, operands_do_not_wait_for_the_memory_queue) {
    enum { WARPS = 8, TIMES = 6 };
    static u32 y[WARPS * 32 * 32];
    SCOPED(buf_free) struct buf text = {0};
    buf_puts(&text, ".const five : u32 = 5\n.kernel k\n.param y : u32[]\n.param n : u32\n.reg i, v, w, to:2\n"
                    " s2r i, %tid.x\n ld.param.b64 to, [y]\n mad.wide.u32 to, i, 128, to\n");
    for (u32 i = 0; i < TIMES; i++)
        buf_puts(&text, " ld.param.b32 v, [n]\n ld.const.b32 w, [five]\n add.u32 v, v, w\n st.global.b32 [to], v\n");
    buf_puts(&text, " exit\n");
    CLOCK(c, "lsu.queue=1");
    clock_buffer(&c, "y", y, sizeof y);
    clock_number(&c, "n", 7);
    clock_run(&c, text.data, 1, 32 * WARPS);
    const struct core_counters *n = &c.result.totals.core;
    cr_expect_eq(y[32], 12);
    cr_expect_eq(n->sm.constant_requests, WARPS * (1 + 2 * TIMES));
    cr_expect_eq(n->stall[STALL_MIO_THROTTLE], 0);
    cr_expect_gt(n->stall[STALL_LG_THROTTLE], n->sm.warp_cycles / 2);
}
