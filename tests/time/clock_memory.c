/* What do accesses to global and local memory take, and what do they move? Each answer is a closed form. */
#include "tests/time/clock.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

static u64 ceil_div(u64 a, u64 b) {
    return (a + b - 1) / b;
}

/* ---- the way to L2 and back ---- */

/* From issue to use of a load of `sectors` of one line that L2 has, when nothing is in its way. */
static u64 l2_latency(const struct board *b, u32 sectors) {
    u32 h = b->noc.header_bytes;
    return b->l1.latency + 2ull * b->noc.latency + b->l2.latency + ceil_div(h, b->noc.request_bytes) +
           ceil_div(h + 32 * sectors, b->noc.reply_bytes);
}

static const char at_id[] = "mad.wide.u32 wide, id, 4, pd\nadd.s64 wide, wide, 0\n";
enum { AT_ID = 4 + 6 }; /* until `wide` is ready; its two instructions, counted from the first */

Test(clock_memory, a_load_takes_what_its_level_says) {
    for (u32 i = 0; i < 6; i++) {
        char set[160], body[256];
        snprintf(set, sizeof set,
                 "l1.latency=%u noc.latency=%u l2.latency=%u noc.header_bytes=%u noc.request_bytes=%u "
                 "noc.reply_bytes=%u",
                 30 + i, 40 + 3 * i, 100 + 5 * i, i * 8, 4u << i, 8u << i);
        CLOCK(c, set);
        /* Cold: into L2, and past L1. Then L2 has it. Then L1. */
        snprintf(body, sizeof body, "%sld.global.b32.cg e, [wide]\nadd.u32 f, e, 1\nadd.u32 f, f, 1", at_id);
        u64 dram = clock_span(&c, body, 32);
        c.warm = true;
        u64 l2 = clock_span(&c, body, 32);
        cr_expect_eq(l2, 1 + AT_ID + l2_latency(&c.board, 4) + 4 + 1, "%llu", (unsigned long long)l2);
        cr_expect_gt(dram, l2 + c.board.dram.latency);
        snprintf(body, sizeof body, "%sld.global.b32 e, [wide]\nadd.u32 f, e, 1\nadd.u32 f, f, 1", at_id);
        cr_expect_eq(clock_span(&c, body, 32), l2);
        snprintf(
            body, sizeof body,
            "%sld.global.b32 e, [wide]\nadd.u32 f, e, 1\nld.global.b32 e, [wide]\nadd.u32 f, e, 1\nadd.u32 f, f, 1",
            at_id);
        u64 again = clock_span(&c, body, 32);
        cr_expect_eq(again, l2 + 1 + c.board.l1.latency, "%llu", (unsigned long long)again);
    }
}

/* What a miss brings takes the banks again: of 4 bytes each, as many as all loads before have not filled. */
Test(clock_memory, fills_take_the_banks) {
    for (u32 banks = 8; banks <= 64; banks *= 2)
        for (u32 n = 1; n <= 4; n++) {
            char set[96], body[256];
            u64 cycles[2];
            snprintf(set, sizeof set, "l1.banks=%u l1.bytes_per_cycle=32", banks);
            for (u32 past = 0; past < 2; past++) {
                CLOCK(c, set);
                snprintf(body, sizeof body, "%ssetp.lt.u32 q, id, %u\n@q ld.global.b32%s e, [wide]\nadd.u32 f, e, 1",
                         at_id, 8 * n, past ? ".cg" : "");
                clock_span(&c, body, 32);
                cycles[past] = c.result.totals.core.sm.pipe_cycles;
            }
            cr_expect_eq(cycles[0] - cycles[1], 32 * n / (4 * banks), "%u banks, %u sectors: %d", banks, n,
                         (int)(cycles[0] - cycles[1]));
        }
}

Test(clock_memory, sectors_of_one_line_come_back_together) {
    for (u32 n = 1; n <= 4; n++) {
        char body[256];
        CLOCK(c, "noc.reply_bytes=8");
        snprintf(body, sizeof body,
                 "%ssetp.lt.u32 q, id, %u\nadd.u32 g, g, 0\n@q ld.global.b32.cg e, [wide]\nadd.u32 f, e, 1", at_id,
                 8 * n);
        clock_span(&c, body, 32);
        c.warm = true;
        cr_expect_eq(clock_span(&c, body, 32), 1 + AT_ID + l2_latency(&c.board, n) + 1);
        cr_expect_eq(c.result.totals.traffic[1].sectors, n);
    }
}

static const char chase[] = ".kernel k\n.param out : u64[]\n.param next : u64[]\n.param n : u32\n"
                            ".reg i, count, p:2, at:2, x:2, y:2\n.pred more\n"
                            " ld.param.b64 p, [next]\n ld.param.b32 count, [n]\n ld.param.b64 at, [out]\n"
                            " mov.b32 i, 0\n bar.sync 0\n s2r.b64 x, %clock\n"
                            "top: ld.global.b64.cg p, [p]\n add.u32 i, i, 1\n setp.lt.u32 more, i, count\n"
                            "@more bra top\n add.s64 p, p, 0\n s2r.b64 y, %clock\n sub.s64 x, y, x\n"
                            " st.global.b64 [at], x\n exit\n";

enum { LINK_PAGES = 4 };

/* Times a pointer chase whose links are on the pages A to D in that order, a line each; L2 has them. */
static u64 follow(const char *kernel, const char *order, u32 kept, u64 *misses) {
    static u64 next[LINK_PAGES * 512];
    char set[160];
    u64 out[1], links = strlen(order);
    snprintf(set, sizeof set, "shared.return_bytes=1024 tlb.page_bytes=4096 tlb.miss_cycles=70 tlb.pages=%u", kept);
    CLOCK(c, set);
    clock_buffer(&c, "out", out, sizeof out);
    clock_buffer(&c, "next", next, sizeof next);
    u64 base = c.argument[1].value;
    cr_assert_leq(base % 4096 + (links + 2) * 128, 4096);
    for (u32 i = 0; i < links; i++) { /* the second half of its line has the same */
        u64 at = (u64)(order[i] - 'A') * 512 + i * 16, to = (u64)(order[(i + 1) % links] - 'A') * 4096;
        next[at] = next[at + 8] = base + to + (i + 1) % links * 128;
    }
    clock_number(&c, "n", links);
    clock_run(&c, kernel, 1, 32);
    c.warm = true;
    clock_run(&c, kernel, 1, 32);
    *misses = c.result.totals.core.l1.tlb_misses;
    return out[0];
}

Test(clock_memory, a_page_that_others_replaced_is_waited_for) {
    static const struct {
        const char *order;
        u32 kept, misses;
        bool out; /* the page of `out`, which is stored at the end, replaces another */
    } cases[] = {{"ABCDABCD", 4, 0, true},  {"ABCDABCD", 3, 5, true}, {"ABACAB", 2, 2, true},
                 {"ABACAB", 3, 0, true},    {"AAAA", 1, 0, true},     {"ABAB", 1, 3, true},
                 {"ABCDABCD", 5, 0, false}, {"ABCDABCD", 0, 0, false}};
    for (u32 i = 0; i < COUNT_OF(cases); i++) {
        u64 misses, none, took = follow(chase, cases[i].order, cases[i].kept, &misses);
        cr_expect_eq(misses, cases[i].misses + cases[i].out, "%s on %u", cases[i].order, cases[i].kept);
        cr_expect_eq(took, follow(chase, cases[i].order, 0, &none) + 70 * cases[i].misses, "%s on %u", cases[i].order,
                     cases[i].kept);
        cr_expect_eq(none, 0);
    }
}

/* Of two loads from a page that was replaced, the second waits: the page is in flight. */
Test(clock_memory, what_follows_waits_for_the_same_page) {
    static const char pairs[] = ".kernel k\n.param out : u64[]\n.param next : u64[]\n.param n : u32\n"
                                ".reg i, count, p:2, z:2, at:2, x:2, y:2\n.pred more\n"
                                " ld.param.b64 p, [next]\n ld.param.b32 count, [n]\n ld.param.b64 at, [out]\n"
                                " mov.b32 i, 0\n bar.sync 0\n s2r.b64 x, %clock\n"
                                "top: ld.global.b64.cg z, [p]\n ld.global.b64.cg p, [p+64]\n add.u32 i, i, 1\n"
                                " setp.lt.u32 more, i, count\n"
                                "@more bra top\n add.s64 p, p, 0\n s2r.b64 y, %clock\n sub.s64 x, y, x\n"
                                " st.global.b64 [at], x\n exit\n";
    u64 misses, took = follow(pairs, "ABABAB", 1, &misses), none = follow(pairs, "ABABAB", 0, &misses);
    cr_expect(took > none + 5 * 60 && took < none + 5 * 70, "%d", (int)(took - none));
}

Test(clock_memory, two_dependent_loads_cost_twice_one) {
    u64 out[1], next[64 * 16], took[5];
    CLOCK(c, "latency.branch=1 shared.return_bytes=1024");
    clock_buffer(&c, "out", out, sizeof out);
    clock_buffer(&c, "next", next, sizeof next);
    u64 base = c.argument[1].value;
    for (u32 i = 0; i < 64; i++)
        next[16 * i] = base + 128 * ((i + 7) % 64);
    clock_number(&c, "n", 64);
    clock_run(&c, chase, 1, 32); /* all of it is in L2 now */
    c.warm = true;
    for (u32 n = 1; n < 5; n++) {
        clock_number(&c, "n", n);
        clock_run(&c, chase, 1, 32);
        took[n] = out[0];
    }
    cr_expect_eq(took[2] - took[1], l2_latency(&c.board, 1));
    cr_expect_eq(took[3] - took[2], l2_latency(&c.board, 1));
    cr_expect_eq(took[4] - took[3], l2_latency(&c.board, 1));
}

/* ---- sectors ---- */

Test(clock_memory, a_stride_touches_so_many_sectors) {
    for (u32 k = 1; k <= 40; k += k < 9 ? 1 : 7) {
        char body[128];
        CLOCK(c, "");
        snprintf(body, sizeof body, "mad.wide.u32 wide, id, %u, pd\nld.global.b32 e, [wide]\nadd.u32 f, e, 1", 4 * k);
        clock_span(&c, body, 32);
        const struct traffic *t = &c.result.totals.traffic[1];
        u64 sectors = k < 8 ? ceil_div((31 * k + 1) * 4, 32) : 32;
        cr_expect_eq(t->sectors, sectors, "stride %u", k);
        cr_expect_eq(t->l2_read_sectors, sectors);
        cr_expect_eq(t->dram_read_bytes, 32 * sectors);
        cr_expect_eq(t->useful_bytes, 128);
        cr_expect_eq(t->requested_bytes, 128);
        cr_expect_eq(t->requests, 1);
    }
}

Test(clock_memory, loads_of_a_line_on_its_way_are_merged) {
    CLOCK(c, "");
    u64 one = clock_span(&c, "ld.global.b32 e, [pd]\nadd.u32 f, e, 1", 32);
    clock_set(&c, "");
    u64 two = clock_span(&c, "ld.global.b32 e, [pd]\nld.global.b32 g, [pd]\nadd.u32 f, g, 1", 32);
    cr_expect_eq(two, one, "%llu", (unsigned long long)two); /* both arrive when the first would have */
    cr_expect_eq(c.result.totals.core.l1.pending_hits, 1);
    cr_expect_eq(c.result.totals.traffic[1].l2_read_sectors, 1);
    clock_set(&c, "");
    clock_span(&c, "ld.global.b32.cg e, [pd]\nld.global.b32.cg g, [pd]\nadd.u32 f, g, 1", 32);
    cr_expect_eq(c.result.totals.traffic[1].l2_read_sectors, 2);
    cr_expect_eq(c.result.totals.core.l1.load_sectors, 0);
}

/*
 * For a second load at any time: before its line, while that passes a slow port, or later. A load before the line gets
 * it with the first load.
 */
Test(clock_memory, no_load_is_served_before_its_line_is_there) {
    static const u32 latencies[] = {2, 30};
    for (u32 i = 0; i < COUNT_OF(latencies); i++) {
        char set[64];
        snprintf(set, sizeof set, "l1.latency=%u noc.reply_bytes=1", latencies[i]);
        CLOCK(c, set);
        u64 one = clock_span(&c, "ld.global.b32 e, [pd]\nadd.u32 f, e, 1", 32);
        for (u32 gap = 0; gap <= one; gap++) {
            SCOPED(buf_free) struct buf body = {0};
            buf_puts(&body, "ld.global.b32 e, [pd]\n");
            for (u32 k = 0; k < gap; k++)
                buf_printf(&body, "mov.b32 r%u, 1\n", 40 + k % 20);
            buf_puts(&body, "ld.global.b32 g, [pd]\nadd.u32 f, g, 1");
            clock_set(&c, set);
            u64 both = clock_span(&c, body.data, 32), hit = gap + 3 + latencies[i];
            cr_expect_eq(both, hit > one ? hit : one, "%u between, latency %u: %llu", gap, latencies[i],
                         (unsigned long long)both);
        }
    }
}

/* 8 or 16 bytes a lane take the path to the registers 2 or 4 times; the first pass is part of the latency. */
Test(clock_memory, wide_loads_that_miss_take_the_return_path_as_long) {
    static const char *const loads[] = {"ld.global.b32.cg e, [pd]\nadd.u32 f, e, 1",
                                        "ld.global.b64.cg wide, [pd]\nadd.u32 f, wide, 1",
                                        "ld.global.b128.cg quad, [pd]\nadd.u32 f, quad, 1"};
    u64 first = 0;
    CLOCK(c, "shared.return_bytes=32");
    for (u32 i = 0; i < COUNT_OF(loads); i++) {
        clock_span(&c, loads[i], 32);
        c.warm = true;
        u64 took = clock_span(&c, loads[i], 32);
        first = i ? first : took;
        cr_expect_eq(took, first + ((4u << i) - 4), "%s: %llu", loads[i], (unsigned long long)took);
    }
}

Test(clock_memory, l1_forgets_the_line_that_was_used_longest_ago) {
    static const char text[] = ".kernel k\n.param x : u32[]\n.reg e, f, p:2\n ld.param.b64 p, [x]\n"
                               " ld.global.b32 e, [p]\n add.u32 f, e, 1\n ld.global.b32 e, [p+128]\n add.u32 f, e, 1\n"
                               " ld.global.b32 e, [p]\n add.u32 f, e, 1\n ld.global.b32 e, [p+256]\n add.u32 f, e, 1\n"
                               " ld.global.b32 e, [p]\n add.u32 f, e, 1\n ld.global.b32 e, [p+128]\n add.u32 f, e, 1\n"
                               " exit\n";
    static u32 x[96];
    CLOCK(c, "max_shared_per_block=0 sm.shared_bytes=0 l1.unified_bytes=256 l1.ways=2");
    clock_buffer(&c, "x", x, sizeof x);
    clock_run(&c, text, 1, 32);
    /* a b A c A b: a stays when c is loaded, because it was used again, and b is evicted. */
    cr_expect_eq(c.result.totals.core.l1.hits, 2);
    cr_expect_eq(c.result.totals.core.l1.misses, 4);
}

Test(clock_memory, so_many_loads_wait_for_lines_and_no_more) {
    SCOPED(buf_free) struct buf body = {0};
    for (u32 i = 0; i < 6; i++)
        buf_printf(&body, "ld.global.b32 r%u, [pd]\n", 40 + i);
    buf_printf(&body, "add.u32 f, r45, 1");
    CLOCK(c, "l1.loads=6");
    u64 all = clock_span(&c, body.data, 32);
    cr_expect_eq(c.result.totals.core.l1.pending_hits, 5);
    for (u32 loads = 1; loads < 6; loads++) {
        char set[32];
        snprintf(set, sizeof set, "l1.loads=%u", loads);
        clock_set(&c, set);
        u64 took = clock_span(&c, body.data, 32);
        cr_expect_eq(c.result.totals.core.l1.pending_hits, loads - 1, "%u loads", loads);
        cr_expect_eq(c.result.totals.core.l1.hits, 6 - loads);
        /* The others enter L1, a cycle each, when the line arrives: way back against a whole hit. */
        u64 back = c.board.l1.latency - c.board.l1.latency / 2;
        cr_expect_eq(took, all - back + c.board.l1.latency + (6 - loads - 1), "%u loads: %llu, %llu", loads,
                     (unsigned long long)took, (unsigned long long)all);
    }
}

/* Accesses after loads that wait for a line, hits or other lines, do not wait with them while they have room. */
Test(clock_memory, loads_that_wait_leave_the_pipe) {
    enum { SAME = 20 };
    static const char *const next[] = {"ld.global.b32 e, [pd]\nadd.u32 f, e, 1",
                                       "ld.global.b32.cg e, [pd+256]\nadd.u32 f, e, 1"};
    for (u32 i = 0; i < COUNT_OF(next); i++) {
        SCOPED(buf_free) struct buf alone = {0}, body = {0};
        buf_printf(&alone, "ld.global.b32 e, [pd]\nld.global.b32 g, [pd+256]\nadd.u32 f, e, g\n");
        buf_printf(&body, "%s", alone.data);
        for (u32 k = 0; k < SAME; k++)
            buf_printf(&body, "ld.global.b32 r%u, [pd+128]\n", 40 + k);
        buf_puts(&body, next[i]);
        buf_puts(&alone, next[i]);
        CLOCK(c, "lsu.address_cycles=1 lsu.queue=64");
        u64 least = clock_span(&c, alone.data, 32);
        for (u32 loads = SAME - 1; loads <= SAME + 1; loads++) {
            char set[96];
            snprintf(set, sizeof set, "lsu.address_cycles=1 lsu.queue=64 l1.loads=%u", loads);
            clock_set(&c, set);
            u64 took = clock_span(&c, body.data, 32), waits = c.result.totals.core.l1.crowded_cycles;
            bool room = i ? loads > SAME : loads >= SAME;
            cr_expect_eq(took == least + SAME, room, "%u loads: %llu", loads, (unsigned long long)took);
            cr_expect_eq(waits == 0, room, "%u loads: %llu cycles", loads, (unsigned long long)waits);
            cr_expect_eq(c.result.totals.core.l1.full_cycles, 0);
        }
    }
}

/* Loads of one sub-core that hit follow one another at this distance, loads of shared memory as before. */
Test(clock_memory, an_address_in_global_memory_keeps_the_unit) {
    enum { MANY = 8 };
    static const char *const load[] = {"ld.global.b32 r%u, [pd]\n", "ld.shared.b32 r%u, [tile]\n"};
    for (u32 shared = 0; shared < 2; shared++)
        for (u32 cycles = 1; cycles <= 9; cycles += 2) {
            u64 took[2];
            char set[96];
            snprintf(set, sizeof set, "lsu.address_cycles=4 lsu.queue=64 lsu.global_cycles=%u", cycles);
            for (u32 i = 0; i < 2; i++) {
                SCOPED(buf_free) struct buf body = {0};
                CLOCK(c, set);
                buf_puts(&body, "ld.global.b32 e, [pd]\nadd.u32 f, e, 1\nadd.u32 f, f, 1\n");
                for (u32 k = 0; k < (i ? MANY : 1); k++)
                    buf_printf(&body, load[shared], 40 + k);
                buf_printf(&body, "add.u32 f, r%u, 1\n", i ? 40 + MANY - 1 : 40);
                took[i] = clock_span(&c, body.data, 32);
            }
            u64 apart = cycles > 4 && !shared ? cycles : 4;
            cr_expect_eq(took[1] - took[0], (MANY - 1) * apart, "%u cycles: %llu, %llu", cycles,
                         (unsigned long long)took[0], (unsigned long long)took[1]);
        }
}

Test(clock_memory, hints_pass_l1_by) {
    static const char *const past[] = {"cg", "cv", "volatile", "acquire"};
    for (u32 i = 0; i < COUNT_OF(past); i++) {
        char body[160];
        CLOCK(c, "");
        snprintf(body, sizeof body,
                 "ld.global.b32.%s e, [pd]\nadd.u32 f, e, 1\nld.global.b32.%s e, [pd]\nadd.u32 f, e, 1", past[i],
                 past[i]);
        clock_span(&c, body, 32);
        cr_expect_eq(c.result.totals.traffic[1].l2_read_sectors, 2, "%s", past[i]);
        cr_expect_eq(c.result.totals.core.l1.load_sectors, 0, "%s", past[i]);
    }
}

/* ---- limits ---- */

Test(clock_memory, a_load_waits_for_room_among_the_sectors_on_their_way) {
    /* Three lines of four sectors; room for two of them, and for three. */
    static const char three[] = "mad.wide.u32 wide, id, 4, pd\nadd.s64 wide, wide, 0\n"
                                "ld.global.b32 r40, [wide]\nld.global.b32 r41, [wide+128]\n"
                                "ld.global.b32 r42, [wide+256]\nadd.u32 f, %s, 1\n";
    char first[256], last[256];
    snprintf(first, sizeof first, three, "r40");
    snprintf(last, sizeof last, three, "r42");
    struct clock c;
    clock_open(&c, "noc.reply_bytes=1024 noc.request_bytes=1024 lsu.address_cycles=1 l1.bytes_per_cycle=256 "
                   "l2.bytes_per_cycle=1024");
    clock_span(&c, last, 32);
    c.warm = true;
    u64 latency = l2_latency(&c.board, 4), back = c.board.l1.latency - c.board.l1.latency / 2;
    cr_expect_eq(clock_span(&c, last, 32), 1 + AT_ID + 2 + latency + 1);
    cr_expect_eq(c.result.totals.core.l1.full_cycles, 0);
    struct board narrow = c.board;
    clock_close(&c);
    narrow.l1.sectors = 8;
    clock_open(&c, "");
    c.board = narrow;
    clock_span(&c, last, 32);
    c.warm = true;
    u64 waits = clock_span(&c, last, 32);
    /* The first line is in L1 `back` before its reader continues; then the third starts. */
    cr_expect_eq(waits, 1 + AT_ID + latency - back + latency + 1, "%llu", (unsigned long long)waits);
    cr_expect_geq(c.result.totals.core.l1.full_cycles, latency - back - 2);
    clock_close(&c);
}

/* Little's law: bytes in flight over latency, until the link is saturated. */
Test(clock_memory, bandwidth_is_what_is_on_its_way_over_latency) {
    static const char stream[] =
        ".kernel k\n.param x : u32[]\n.param y : u32[]\n.param n : u32\n"
        ".reg i, count, v, w, s, u, g, at:2, to:2\n.pred more\n"
        " s2r i, %tid.x\n s2r v, %ntid.x\n s2r w, %ctaid.x\n mad.lo.u32 i, w, v, i\n"
        " ld.param.b64 at, [x]\n ld.param.b32 count, [n]\n mad.wide.u32 at, i, 4, at\n"
        " mov.b32 s, 0\n mov.b32 g, 0\n"
        "top: ld.global.b32.cg v, [at]\n add.u32 g, g, 1\n setp.lt.u32 more, g, count\n"
        " add.s64 at, at, 4096\n add.u32 s, s, v\n@more bra top\n"
        " setp.eq.u32 more, s, 77\n ld.param.b64 to, [y]\n@more st.global.b32 [to], s\n exit\n";
    enum { LOOPS = 64, THREADS = 1024 };
    static u32 x[LOOPS * THREADS], y[THREADS];
    for (u32 sectors = 16; sectors <= 128; sectors *= 2) {
        char set[256];
        snprintf(set, sizeof set,
                 "l1.sectors=%u sm.sub_cores=4 sm.max_warps=64 noc.reply_bytes=1024 noc.request_bytes=1 "
                 "l2.bytes_per_cycle=1024 l2.slices=1 lsu.queue=64 lsu.address_cycles=1",
                 sectors);
        CLOCK(c, set);
        clock_buffer(&c, "x", x, sizeof x);
        clock_buffer(&c, "y", y, sizeof y);
        clock_number(&c, "n", LOOPS);
        clock_run(&c, stream, 1, THREADS);
        c.warm = true;
        clock_run(&c, stream, 1, THREADS);
        double latency = (double)(l2_latency(&c.board, 4) - (c.board.l1.latency - c.board.l1.latency / 2));
        double law = 32.0 * sectors / latency, got = (double)sizeof x / (double)c.result.totals.cycles;
        double wire = 128.0 / c.board.noc.header_bytes; /* of four sectors each, its header a byte a cycle */
        double want = law < wire ? law : wire;
        cr_expect(got <= want * 1.001 && got > want * 0.9, "%u sectors: %.2f bytes/cycle, expected %.2f", sectors, got,
                  want);
    }
}

/* Each sector is in flight from when its request begins until it is back at its SM; a launch ends with its last one. */
Test(clock_memory, sectors_are_in_flight_until_they_are_back) {
    static const char loads[] = ".kernel k\n.param x : u32[]\n.param n : u32\n.reg i, some, v, at:2\n.pred q\n"
                                " s2r i, %tid.x\n ld.param.b64 at, [x]\n ld.param.b32 some, [n]\n"
                                " mad.wide.u32 at, i, 4, at\n setp.lt.u32 q, i, some\n@q ld.global.b32.cg v, [at]\n"
                                " exit\n";
    u32 x[32] = {0};
    u64 cycles[5] = {0};
    for (u32 n = 0; n <= 4; n++) {
        CLOCK(c, "noc.reply_bytes=1024");
        clock_buffer(&c, "x", x, sizeof x);
        clock_number(&c, "n", 8 * n);
        clock_run(&c, loads, 1, 32);
        c.warm = true;
        clock_run(&c, loads, 1, 32);
        const struct board *b = &c.board;
        u64 back = b->l1.latency - b->l1.latency / 2;
        cycles[n] = c.result.totals.cycles;
        cr_expect_eq(c.result.totals.core.l1.flight_cycles, n * (l2_latency(b, n) - back), "%u sectors: %llu of %llu",
                     n, (unsigned long long)c.result.totals.core.l1.flight_cycles,
                     (unsigned long long)(n * (l2_latency(b, n) - back)));
        cr_expect_geq(cycles[n], cycles[0] + (n ? l2_latency(b, n) - back : 0), "%u: %llu", n,
                      (unsigned long long)cycles[n]);
    }
}

/* A launch lasts until its stores are answered, though no warp waits for them. */
Test(clock_memory, a_launch_ends_with_its_last_answer) {
    static const char stores[] = ".kernel k\n.param x : u32[]\n.reg i, at:2\n s2r i, %tid.x\n ld.param.b64 at, [x]\n"
                                 " mad.wide.u32 at, i, 4, at\n st.global.b32 [at], i\n exit\n";
    u32 x[8] = {0};
    CLOCK(c, "noc.latency=500");
    clock_buffer(&c, "x", x, sizeof x);
    clock_run(&c, stores, 1, 8);
    cr_expect_gt(c.result.totals.core.l1.flight_cycles, 1000);
    cr_expect_gt(c.result.totals.cycles, c.result.totals.core.l1.flight_cycles);
}

/* What a request has done is no longer in flight: nothing but a wait that has no end is left. */
Test(clock_memory, a_wait_behind_requests_that_are_done_has_no_end) {
    static const char waits[] = ".kernel k\n.param x : u32[]\n.reg v, at:2\n.pred q\n ld.param.b64 at, [x]\n"
                                " mov.b32 v, 1\n red.global.add.u32 [at], v\n st.global.b32 [at+4], v\n"
                                "top: ld.global.b32.cv v, [at]\n setp.ne.u32 q, v, 77\n@q bra top\n exit\n";
    u32 x[32] = {0};
    CLOCK(c, "");
    c.max_cycles = 3000000;
    clock_buffer(&c, "x", x, sizeof x);
    cr_expect_eq(clock_try(&c, waits, 1, 1), RUN_FAULT);
    cr_expect_eq(c.fault.kind, FAULT_DEADLOCK, "%s", c.why);
}

/* A look for a wait without end gives registers what is in flight to them, and nothing of requests that are done. */
Test(clock_memory, a_wait_for_what_a_register_was_changed_to_has_an_end) {
    static const char waits[] = ".kernel k\n.param x : u32[]\n.reg v, i, u, at:2\n.pred q\n ld.param.b64 at, [x]\n"
                                " mov.b32 i, 1\n atom.global.add.u32 v, [at], i\n add.u32 v, v, 1\n"
                                "top: add.u32 i, i, 1\n setp.lt.u32 q, i, 200\n@q bra top\n"
                                "last: ld.global.b32.cv u, [at]\n setp.ne.u32 q, u, v\n@q bra last\n exit\n";
    u32 x[32] = {5};
    CLOCK(c, "latency.int=100");
    clock_buffer(&c, "x", x, sizeof x);
    clock_run(&c, waits, 1, 1);
    cr_expect_gt(c.result.totals.cycles, 20000); /* a look was in the loop that counts */
    cr_expect_eq(x[0], 6);
}
