/* In which order do accesses take effect, and which threads see it? Atomics, own stores, flags, races, windows. */
#include "tests/time/clock.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

static u64 ceil_div(u64 a, u64 b) {
    return (a + b - 1) / b;
}

Test(clock_order, atomics_on_one_address_serialise_at_the_slice) {
    u64 took[4] = {0};
    for (u32 i = 0; i < 4; i++) {
        char body[160];
        CLOCK(c, "");
        snprintf(body, sizeof body,
                 "and.b32 g, id, %u\nmad.wide.u32 wide, g, 4, pd\natom.global.add.u32 e, [wide], b\nadd.u32 f, e, 1",
                 i == 0   ? 31u
                 : i == 1 ? 15u
                 : i == 2 ? 3u
                          : 0u);
        clock_span(&c, body, 32);
        c.warm = true;
        took[i] = clock_span(&c, body, 32);
    }
    /* 1, 2, 8, 32 lanes to an address: as many passes for each sector; and fewer addresses are fewer sectors to
     * transfer: 4, 2, 1, 1, at 32 bytes/cycle there and 64 back. */
    u64 sectors[4] = {4, 2, 1, 1}, steps[4] = {4, 4, 8, 32};
    for (u32 i = 1; i < 4; i++)
        cr_expect_eq(took[i] + ceil_div(8 + 32 * sectors[0], 32) + ceil_div(8 + 32 * sectors[0], 64) + steps[0],
                     took[0] + ceil_div(8 + 32 * sectors[i], 32) + ceil_div(8 + 32 * sectors[i], 64) + steps[i],
                     "%llu lanes to an address", (unsigned long long)steps[i]);
}

/* Up to a number of lanes on one word are one atomic, if it can be summed; the lanes' values stay those of turns. */
Test(clock_order, lanes_on_one_word_are_combined) {
    static const struct {
        const char *body;
        bool combined;
    } ops[] = {{"atom.global.add.u32 e, [pd], b\nadd.u32 f, e, 1", true},
               {"atom.global.max.s32 e, [pd], b\nadd.u32 f, e, 1", true},
               {"atom.global.xor.b32 e, [pd], b\nadd.u32 f, e, 1", true},
               {"atom.add.u32 e, [pd], b\nadd.u32 f, e, 1", true},
               {"atom.global.exch.b32 e, [pd], b\nadd.u32 f, e, 1", false},
               {"atom.global.cas.b32 e, [pd], b, c\nadd.u32 f, e, 1", false},
               {"atom.global.inc.u32 e, [pd], b\nadd.u32 f, e, 1", false},
               {"atom.global.add.f32 e, [pd], b\nadd.u32 f, e, 1", false},
               {"atom.global.add.u64 r50, [pd], r52\nadd.u32 f, r50, 1", false}};
    static const u32 together[] = {1, 2, 5, 16, 32, 64};
    for (u32 i = 0; i < COUNT_OF(ops); i++) {
        u64 alone = 0;
        for (u32 k = 0; k < COUNT_OF(together); k++) {
            CLOCK(c, clock_setting("l2.atomic_combine=%u", together[k]).text);
            clock_span(&c, ops[i].body, 32);
            c.warm = true;
            u64 took = clock_span(&c, ops[i].body, 32);
            u32 atomics = ops[i].combined ? (u32)ceil_div(32, together[k]) : 32;
            alone = k ? alone : took;
            cr_expect_eq(took, alone - 32 + atomics, "%s, %u together", ops[i].body, together[k]);
            cr_expect_eq(c.result.totals.mem.l2.atomics, atomics, "%s", ops[i].body);
            cr_expect_eq(c.result.totals.core.sm.atomic_lanes, 32);
        }
    }
}

Test(clock_order, lanes_that_are_combined_get_the_values_of_turns) {
    CLOCK(c, "l2.atomic_combine=16");
    clock_span(&c, "setp.ne.u32 p, id, 5\n@p atom.global.add.u32 a, [pd], id", 32);
    for (u32 i = 0, sum = 0; i < 32; i++) {
        cr_expect_eq(c.seen[i], i == 5 ? 1 : sum, "lane %u", i);
        sum += i == 5 ? 0 : i;
    }
    cr_expect_eq(c.result.totals.mem.l2.atomics, 2);
    cr_expect_eq(c.result.totals.core.sm.atomic_lanes, 31);
}

Test(clock_order, a_thread_sees_its_own_atomics) {
    CLOCK(c, "");
    clock_span(&c,
               "mad.wide.u32 wide, id, 4, pd\nred.global.add.u32 [wide], d\nred.global.add.u32 [wide], c\n"
               "ld.global.b32 a, [wide]",
               64);
    for (u32 i = 0; i < 64; i++)
        cr_expect_eq(c.seen[i], i + 7, "thread %u", i);
}

Test(clock_order, a_thread_sees_its_own_stores_byte_by_byte) {
    static const struct {
        const char *body;
        u32 value; /* of thread 1, with words 4, 5, 6, 7 */
    } cases[] = {
        {"mov.b32 a, 0x11223344\nst.global.b32 [wide], a\nld.global.b32 a, [wide]", 0x11223344},
        {"mov.b32 a, 0xab\nst.global.u8 [wide+1], a\nld.global.b32 a, [wide]", 0xab04},
        {"mov.b32 a, 0x1234\nst.global.u16 [wide+2], a\nld.global.b32 a, [wide]", 0x12340004},
        {"mov.b32 a, 0x89ab\nst.global.u16 [wide], a\nld.global.s8 a, [wide+1]", 0xffffff89},
        {"mov.b32 a, 0x89ab\nst.global.u16 [wide], a\nld.global.u8 a, [wide]", 0xab},
        {"mov.b32 a, 0x89\nst.global.u8 [wide+1], a\nld.global.s16 a, [wide]", 0xffff8904},
        {"st.global.b32 [wide+8], c\nld.global.b128 quad, [wide]\nadd.u32 a, quad+2, quad+3", 3 + 7},
        {"st.global.b64 [wide], pd\nld.global.b32 a, [wide+4]\nsub.u32 a, a, pd+1", 0},
        {"mov.b32 quad, 9\nmov.b32 quad+1, 8\nmov.b32 quad+2, 7\nmov.b32 quad+3, 6\nst.global.b128 [wide], quad\n"
         "ld.global.b64 wide, [wide+8]\nmul.lo.u32 a, wide, wide+1",
         42},
        {"st.global.b32 [wide], c\nst.global.u8 [wide+3], d\nld.global.b32 a, [wide]", 0x04000003},
        {"st.b32 [wide], c\nld.b32 a, [wide]", 3},
    };
    for (u32 i = 0; i < COUNT_OF(cases); i++) {
        char body[400];
        CLOCK(c, "");
        snprintf(body, sizeof body, "mad.wide.u32 wide, id, 16, pd\n%s", cases[i].body);
        clock_span(&c, body, 32);
        cr_expect_eq(c.seen[1], cases[i].value, "%s: 0x%x", cases[i].body, c.seen[1]);
    }
}

Test(clock_order, generic_addresses_reach_every_space) {
    CLOCK(c, "");
    /* Even lanes shared, odd lanes global, in one instruction. */
    clock_span(&c,
               "cvta.shared wide, ps\nand.b32 g, id, 1\nsetp.eq.u32 q, g, 1\n@q mad.wide.u32 wide, id, 4, pd\n"
               "add.u32 g, id, 100\nst.b32 [wide], g\nld.b32 a, [wide]",
               32);
    for (u32 i = 0; i < 32; i++) {
        cr_expect_eq(c.seen[i], i + 100, "lane %u", i);
        cr_expect_eq(c.data[i], i % 2 ? i + 100 : i, "word %u", i);
    }
    cr_expect_eq(c.result.totals.core.sm.shared_requests, 2);
    cr_expect_eq(c.result.totals.traffic[1].requests, 2);
}

Test(clock_order, a_flag_of_another_block_is_seen) {
    static const char *const hints[] = {"acquire", "volatile", "cv"};
    for (u32 i = 0; i < COUNT_OF(hints); i++) {
        SCOPED(buf_free) struct buf text = {0};
        buf_printf(&text,
                   ".kernel k\n.param flag : u32[]\n.param data : u32[]\n.reg n, v, f:2, d:2\n.pred p, q\n"
                   " s2r n, %%ctaid.x\n ld.param.b64 f, [flag]\n ld.param.b64 d, [data]\n setp.eq.u32 p, n, 0\n"
                   "@!p bra write\n"
                   "spin: ld.global.b32.%s v, [f]\n setp.eq.u32 q, v, 0\n@q bra spin\n"
                   " ld.global.b32.cg v, [d]\n st.global.b32 [d+4], v\n exit\n"
                   "write: mov.b32 v, 77\n st.global.b32 [d], v\n fence.gpu\n mov.b32 v, 1\n"
                   " st.global.b32.release [f], v\n exit\n",
                   hints[i]);
        for (u32 sms = 1; sms <= 2; sms++) {
            u32 flag[1] = {0}, data[2] = {0};
            CLOCK(c, sms == 1 ? "" : "sms=2");
            c.max_cycles = 100000;
            clock_buffer(&c, "flag", flag, sizeof flag);
            clock_buffer(&c, "data", data, sizeof data);
            clock_run(&c, text.data, 2, 1);
            cr_expect_eq(data[1], 77, "%s on %u SMs", hints[i], sms);
        }
    }
}

/* All blocks store and add to few words, and read what they find: the bytes depend on the order of everything. */
static const char race[] =
    ".kernel race\n.param x : u32[]\n.param y : u32[]\n.reg n, i, v, k, at:2, to:2\n.pred p\n"
    " s2r n, %ctaid.x\n s2r i, %tid.x\n mad.lo.u32 v, n, 64, i\n"
    " ld.param.b64 at, [x]\n ld.param.b64 to, [y]\n mad.wide.u32 to, v, 4, to\n mov.b32 k, 0\n"
    "top: st.global.b32 [at], v\n red.global.max.u32 [at+4], v\n"
    " atom.global.exch.b32 i, [at+128], v\n ld.global.b32.cg n, [at]\n"
    " mad.lo.u32 v, v, 17, n\n add.u32 v, v, i\n add.u32 k, k, 1\n setp.lt.u32 p, k, 5\n@p bra top\n"
    " st.global.b32 [to], v\n exit\n";

Test(clock_order, races_end_the_same_for_any_number_of_threads) {
    enum { BLOCKS = 24, THREADS = 64 };
    static u32 x[4][64], y[4][BLOCKS * THREADS];
    static const u32 threads[] = {1, 2, 3, 8};
    u64 cycles[4];
    struct core_counters core[4];
    for (u32 k = 0; k < 4; k++) {
        struct clock c;
        clock_open(&c, "sms=6 sm.sub_cores=2 sm.max_blocks=2 l2.slices=4 dram.channels=2 launch.block_cycles=7");
        c.threads = threads[k];
        clock_buffer(&c, "x", x[k], sizeof x[k]);
        clock_buffer(&c, "y", y[k], sizeof y[k]);
        clock_run(&c, race, BLOCKS, THREADS);
        cycles[k] = c.result.totals.cycles;
        core[k] = c.result.totals.core;
        core[k].traffic = NULL;
        clock_close(&c);
        cr_expect_eq(cycles[k], cycles[0], "%u threads", threads[k]);
        cr_expect_eq(memcmp(x[k], x[0], sizeof x[0]), 0, "%u threads", threads[k]);
        cr_expect_eq(memcmp(y[k], y[0], sizeof y[0]), 0, "%u threads", threads[k]);
        cr_expect_eq(memcmp(&core[k], &core[0], sizeof core[0]), 0, "%u threads", threads[k]);
    }
}

/* All lanes add to one word: its slice has a cycle for each, and is named; words far apart keep all slices alike. */
Test(clock_order, a_hot_slice_is_seen) {
    enum { BLOCKS = 8, THREADS = 256 };
    static u32 x[BLOCKS * THREADS * 16];
    for (u32 spread = 0; spread < 2; spread++) {
        SCOPED(buf_free) struct buf text = {0}, said = {0};
        buf_printf(&text,
                   ".kernel k\n.param x : u32[]\n.reg i, n, at:2\n s2r i, %%tid.x\n s2r n, %%ctaid.x\n"
                   " mad.lo.u32 i, n, 256, i\n ld.param.b64 at, [x]\n mad.wide.u32 at, i, %u, at\n"
                   " red.global.add.u32 [at], i\n red.global.add.u32 [at], i\n exit\n",
                   64 * spread);
        CLOCK(c, "sms=8 l2.slices=8");
        clock_buffer(&c, "x", x, sizeof x);
        clock_run(&c, text.data, BLOCKS, THREADS);
        const struct totals *t = &c.result.totals;
        limiter_sentence(t, &said);
        if (spread)
            cr_expect_leq(7 * t->busiest_slice, t->mem.l2.busy_cycles, "%llu", (unsigned long long)t->busiest_slice);
        else
            cr_expect_eq(t->busiest_slice, 2 * BLOCKS * THREADS, "%llu", (unsigned long long)t->busiest_slice);
        cr_expect_eq(strstr(said.data, "one L2 slice of 8") != NULL, !spread, "%s", said.data);
    }
}

/* ---- windows ---- */

static const char busy_body[] =
    " ld.global.b32 v, [at]\n ld.global.b32 w, [at+512]\n ld.global.b32 u, [to]\n"
    " add.u32 v, v, w\n st.global.b32 [to], v\n red.global.add.u32 [to+4], w\n"
    " ld.global.b32 w, [at+128]\n ld.global.b32.cg v, [at+256]\n div.u32 id, id, k\n div.u32 id, id, k\n"
    " and.b32 id, id, 0\n add.u32 u, u, id\n ld.global.b32 id, [at+128]\n"
    " ld.shared.b32 k, [tile]\n ld.global.b32 id, [at+136]\n div.u32 k, k, k\n"
    " div.u32 k, k, k\n ld.global.b32 k, [at+140]\n ld.global.b32 id, [at]\n"
    " add.u32 u, u, w\n"
    " add.u32 u, u, v\n fence.gpu\n ld.global.b32 v, [to]\n add.u32 u, u, v\n"
    " st.global.b32 [to+8], u\n exit\n";

/*
 * A launch that begins some cycles later takes exactly that much longer, though its windows then begin elsewhere: on a
 * board with little room everywhere, whose memory runs at the clock of the SMs.
 */
Test(clock_order, windows_leave_no_trace) {
    static const char *const boards[] = {
        "",
        "l1.sectors=6",
        "l1.loads=1",
        "l1.loads=2 l1.sectors=9 lsu.queue=2",
        "l1.ways=1 sm.shared_bytes=256 max_shared_per_block=0 l1.unified_bytes=512 l1.sectors=12",
        "l2.sectors=4 l1.sectors=16 noc.reply_bytes=4 noc.request_bytes=4"};
    static u32 x[8192];
    for (u32 i = 0; i < COUNT_OF(boards); i++) {
        u64 first = 0;
        for (u32 shift = 0; shift < 230; shift += shift < 4 ? 1 : 37) {
            SCOPED(buf_free) struct buf text = {0};
            buf_printf(&text, ".kernel k\n.param x : u32[]\n.shared tile : u32[1]\n.reg id, k, v, w, u, at:2, to:2\n");
            for (u32 n = 0; n < shift; n++)
                buf_printf(&text, " nop\n");
            buf_printf(&text,
                       " bar.sync 0\n s2r id, %%tid.x\n ld.param.b64 to, [x]\n mad.wide.u32 at, id, 8, to\n"
                       " and.b32 k, id, 60\n mad.wide.u32 to, k, 16, to\n%s",
                       busy_body);
            CLOCK(c, boards[i]);
            memset(x, 0, sizeof x);
            clock_buffer(&c, "x", x, sizeof x);
            clock_run(&c, text.data, 1, 128);
            u64 cycles = c.result.totals.cycles - 4 * shift; /* of four warps */
            first = shift ? first : cycles;
            cr_expect_eq(cycles, first, "board '%s', %u cycles later: %llu, not %llu", boards[i], shift,
                         (unsigned long long)cycles, (unsigned long long)first);
        }
    }
}

/* Blocks of one to eight rounds, each a wait for L2: places become free one by one, and SMs run empty. */
static const char uneven[] =
    ".kernel uneven\n.param x : u32[]\n.param y : u32[]\n.reg n, i, v, k, at:2, to:2\n.pred p\n"
    " s2r n, %ctaid.x\n s2r i, %tid.x\n mad.lo.u32 i, n, 64, i\n ld.param.b64 at, [x]\n ld.param.b64 to, [y]\n"
    " mad.wide.u32 to, i, 4, to\n mul.lo.u32 k, n, 5\n and.b32 k, k, 7\n mov.b32 i, 0\n"
    "top: ld.global.b32.cg v, [at]\n add.u32 i, i, v\n sub.u32 k, k, 1\n setp.ge.s32 p, k, 0\n@p bra top\n"
    " st.global.b32 [to], i\n exit\n";

/* Everything that a launch has counted, and the bytes that it left. */
struct trace {
    u64 cycles;
    struct core_counters core[6];
    struct partition_counters mem;
    u64 stalls; /* of the program's lines, each with its number */
    u32 x[64], y[24 * 64];
};

static void trace_of(struct trace *t, const char *settings, const char *text, u64 window) {
    *t = (struct trace){0};
    CLOCK(c, settings);
    c.window = window;
    clock_buffer(&c, "x", t->x, sizeof t->x);
    clock_buffer(&c, "y", t->y, sizeof t->y);
    clock_run(&c, text, 24, 64);
    t->cycles = c.result.totals.cycles;
    t->mem = c.result.totals.mem;
    t->mem.traffic = NULL;
    for (u32 i = 0; i < c.result.cores; i++) {
        t->core[i] = c.result.core[i];
        t->core[i].traffic = NULL;
    }
    for (u32 i = 0; i < c.result.totals.ninst; i++)
        for (u32 k = 0; k < STALL_COUNT; k++)
            t->stalls = t->stalls * 31 + c.result.totals.line[i].stall[k];
}

/* Windows may be as short as a cycle: a block begins when its place is free, at whatever time that is found. */
Test(clock_order, windows_of_any_length_give_the_same) {
    static const char *const boards[] = {
        "sms=6 sm.sub_cores=2 sm.max_blocks=2 l2.slices=4 dram.channels=2 launch.block_cycles=7",
        "sms=5 sm.sub_cores=4 sm.max_blocks=3 launch.block_cycles=300 launch.interval_cycles=40",
        "sms=2 sm.max_blocks=3 launch.block_cycles=1 launch.dispatch=fill noc.reply_bytes=3",
        "sms=3 sm.max_blocks=1 launch.block_cycles=100 launch.ramp_cycles=500 fetch.mode=cached",
        "sms=4 sm.sub_cores=3 sm.max_blocks=2 launch.block_cycles=5000 launch.interval_cycles=3 dram.clock_mhz=1733"};
    static const u64 windows[] = {0, 1, 2, 17, 101};
    static struct trace all, some;
    for (u32 b = 0; b < 2 * COUNT_OF(boards); b++) {
        const char *board = boards[b / 2], *text = b % 2 ? uneven : race;
        trace_of(&all, board, text, 0);
        for (u32 i = 1; i < COUNT_OF(windows); i++) {
            trace_of(&some, board, text, windows[i]);
            cr_expect_eq(some.cycles, all.cycles, "%s, windows of %llu: %llu cycles, not %llu", board,
                         (unsigned long long)windows[i], (unsigned long long)some.cycles,
                         (unsigned long long)all.cycles);
            cr_expect_eq(memcmp(&some, &all, sizeof all), 0, "%s, windows of %llu", board,
                         (unsigned long long)windows[i]);
        }
    }
}
