/* What do copies and stores take, and what do they move? Each answer is a closed form. */
#include "tests/time/clock.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

/* ---- copies and stores ---- */

static const char copy[] = ".kernel copy\n.param x : u32[]\n.param y : u32[]\n"
                           ".reg i, v, w, at:2, to:2\n"
                           " s2r i, %tid.x\n s2r v, %ntid.x\n s2r w, %ctaid.x\n mad.lo.u32 i, w, v, i\n"
                           " ld.param.b64 at, [x]\n ld.param.b64 to, [y]\n"
                           " mad.wide.u32 at, i, 4, at\n mad.wide.u32 to, i, 4, to\n"
                           " ld.global.b32 v, [at]\n st.global.b32 [to], v\n exit\n";

Test(clock_store, a_copy_moves_its_bytes_through_dram_once) {
    enum { N = 65536 };
    static u32 x[N], y[N];
    for (u32 i = 0; i < N; i++)
        x[i] = i * 7;
    CLOCK(c, "sms=2 sm.sub_cores=4 sm.max_warps=64 l2.bytes=65536 l2.ways=16 l2.slices=2 dram.channels=2");
    clock_buffer(&c, "x", x, sizeof x);
    clock_buffer(&c, "y", y, sizeof y);
    clock_run(&c, copy, N / 256, 256);
    const struct traffic *t = c.result.totals.traffic;
    cr_expect_eq(memcmp(x, y, sizeof x), 0);
    cr_expect_eq(t[0].dram_read_bytes, sizeof x);
    cr_expect_eq(t[0].dram_write_bytes, 0);
    cr_expect_eq(t[1].dram_read_bytes, 0); /* whole sectors are written: nothing is fetched */
    cr_expect_eq(t[1].dram_write_bytes + c.result.totals.mem.l2.dirty_bytes, sizeof y);
    cr_expect_gt(t[1].dram_write_bytes, 0);
    cr_expect_eq(c.result.totals.core.noc.store_bytes, sizeof y);
    cr_expect_eq(c.result.totals.core.noc.load_bytes, sizeof x);
}

/* The writes of an SM are limited by its port, however much work it has. */
Test(clock_store, stores_take_the_port_of_their_sm) {
    enum { N = 65536 };
    static u32 x[N], y[N];
    for (u32 bytes = 2; bytes <= 8; bytes *= 2) {
        char set[160];
        snprintf(set, sizeof set,
                 "sm.sub_cores=4 sm.max_warps=64 noc.request_bytes=%u noc.header_bytes=8 l2.bytes=1572864 "
                 "launch.block_cycles=1",
                 bytes);
        CLOCK(c, set);
        clock_buffer(&c, "x", x, sizeof x);
        clock_buffer(&c, "y", y, sizeof y);
        clock_run(&c, copy, N / 256, 256);
        c.warm = true;
        clock_run(&c, copy, N / 256, 256);
        double least = (N / 32) * (128 + 8 + 8) / (double)bytes; /* of each line: its data, and two headers */
        double took = (double)c.result.totals.cycles;
        cr_expect(took >= least && took < least * 1.15 + 1000, "%u bytes/cycle: %.0f cycles of %.0f", bytes, took,
                  least);
    }
}

Test(clock_store, stores_go_through_l1_and_leave_it_alone) {
    CLOCK(c, "");
    u64 empty = clock_span(&c, "st.global.b32 [pd+4096], b", 32);
    cr_expect_eq(empty, 2); /* no instruction waits for a store */
    cr_expect_eq(c.result.totals.core.l1.load_sectors, 0);
    cr_expect_eq(c.data[1024], 2);
    clock_span(&c,
               "ld.global.b32 e, [pd]\nadd.u32 f, e, 1\nst.global.b32 [pd], b\nld.global.b32 e, [pd]\nadd.u32 a, e, 0",
               32);
    cr_expect_eq(c.result.totals.core.l1.hits, 1);
    cr_expect_eq(c.seen[0], 2);
}

Test(clock_store, local_memory_is_traffic_of_its_own) {
    static const char text[] = ".kernel k\n.param y : u32[]\n.local mine : u32[16]\n.reg i, j, v, to:2\n"
                               " s2r i, %tid.x\n ld.param.b64 to, [y]\n mad.wide.u32 to, i, 4, to\n"
                               " and.b32 j, i, 15\n shl.b32 j, j, 2\n"
                               " st.local.b32 [mine], i\n st.local.b32 [mine+4], i\n"
                               " ld.local.b32 v, [mine+4]\n st.global.b32 [to], v\n exit\n";
    u32 y[64];
    CLOCK(c, "");
    clock_buffer(&c, "y", y, sizeof y);
    clock_run(&c, text, 1, 64);
    for (u32 i = 0; i < 64; i++)
        cr_expect_eq(y[i], i);
    const struct traffic *t = &c.result.totals.traffic[1];
    cr_expect_str_eq(c.result.totals.allocation[1], "(local)");
    cr_expect_eq(t->requests, 2 * 3);
    cr_expect_eq(t->sectors, 2 * 3 * 4); /* neighbours lie side by side */
    cr_expect_eq(t->l2_write_sectors, 2 * 2 * 4);
}
