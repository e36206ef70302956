/* Does everything add up, on any board? clock_run holds each launch to sim/stat/identities.def; here is the rest. */
#include "tests/time/clock.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

enum { N = 4096 };

/* Kernels with a parameter x : u32[N] and y : u32[N], for any number of threads up to N / 4 in all. */
static const struct {
    const char *name, *text;
} kernels[] = {
    {"copy", ".kernel k\n.param x : u32[]\n.param y : u32[]\n.reg i, v, w, at:2, to:2\n"
             " s2r i, %tid.x\n s2r v, %ntid.x\n s2r w, %ctaid.x\n mad.lo.u32 i, w, v, i\n"
             " ld.param.b64 at, [x]\n ld.param.b64 to, [y]\n mad.wide.u32 at, i, 4, at\n mad.wide.u32 to, i, 4, to\n"
             " ld.global.b32 v, [at]\n st.global.b32 [to], v\n exit\n"},
    {"wide", ".kernel k\n.param x : u32[]\n.param y : u32[]\n.reg i, v, w, at:2, to:2, q:4\n"
             " s2r i, %tid.x\n s2r v, %ntid.x\n s2r w, %ctaid.x\n mad.lo.u32 i, w, v, i\n"
             " ld.param.b64 at, [x]\n ld.param.b64 to, [y]\n mad.wide.u32 at, i, 16, at\n mad.wide.u32 to, i, 8, to\n"
             " ld.global.b128 q, [at]\n add.u32 q, q, q+2\n ld.global.b64.cg q+2, [at+8]\n"
             " st.global.b64 [to], q\n ld.global.b32 v, [to]\n st.global.u8 [to+5], v\n exit\n"},
    {"gather", ".kernel k\n.param x : u32[]\n.param y : u32[]\n.reg i, j, v, w, k, s, at:2, to:2\n.pred p\n"
               " s2r i, %tid.x\n s2r v, %ntid.x\n s2r w, %ctaid.x\n mad.lo.u32 i, w, v, i\n"
               " ld.param.b64 to, [y]\n mad.wide.u32 to, i, 4, to\n mov.b32 j, i\n mov.b32 k, 0\n mov.b32 s, 0\n"
               "top: mul.lo.u32 j, j, 1103515245\n add.u32 j, j, 12345\n shr.u32 v, j, 16\n and.b32 v, v, 4095\n"
               " ld.param.b64 at, [x]\n mad.wide.u32 at, v, 4, at\n ld.global.b32 w, [at]\n add.u32 s, s, w\n"
               " add.u32 k, k, 1\n setp.lt.u32 p, k, 6\n@p bra top\n st.global.b32 [to], s\n exit\n"},
    {"shared",
     ".kernel k\n.param x : u32[]\n.param y : u32[]\n.shared t : u32[1024]\n"
     ".reg i, g, v, n, w, at:2, to:2, m\n.pred p\n"
     " s2r i, %tid.x\n s2r n, %ntid.x\n s2r w, %ctaid.x\n mad.lo.u32 g, w, n, i\n"
     " ld.param.b64 at, [x]\n mad.wide.u32 at, g, 4, at\n ld.global.b32 v, [at]\n"
     " shl.b32 m, i, 2\n st.shared.b32 [t+m], v\n bar.sync 0\n sub.u32 m, n, i\n sub.u32 m, m, 1\n"
     " shl.b32 m, m, 2\n ld.shared.b32 v, [t+m]\n and.b32 m, m, 60\n bar.sync 0\n red.shared.add.u32 [t+m], v\n"
     " bar.sync 0\n ld.shared.b32 w, [t+m]\n ld.param.b64 to, [y]\n mad.wide.u32 to, g, 4, to\n"
     " add.u32 v, v, 0\n st.global.b32 [to], v\n exit\n"},
    {"atomic", ".kernel k\n.param x : u32[]\n.param y : u32[]\n.reg i, v, w, u, at:2, to:2\n.pred p\n"
               " s2r i, %tid.x\n s2r v, %ntid.x\n s2r w, %ctaid.x\n mad.lo.u32 i, w, v, i\n"
               " ld.param.b64 to, [y]\n and.b32 v, i, 7\n mad.wide.u32 at, v, 4, to\n"
               " red.global.add.u32 [at], i\n setp.lt.u32 p, v, 3\n@p atom.global.max.u32 u, [at+64], i\n"
               " fence.gpu\n ld.global.b32.volatile v, [at]\n st.global.b32.release [at+256], i\n exit\n"},
    {"diverge",
     ".kernel k\n.param x : u32[]\n.param y : u32[]\n.local l : u32[4]\n.reg i, v, w, u, at:2, to:2\n.pred p\n"
     " s2r i, %tid.x\n s2r v, %ntid.x\n s2r w, %ctaid.x\n mad.lo.u32 i, w, v, i\n"
     " ld.param.b64 at, [x]\n ld.param.b64 to, [y]\n mad.wide.u32 to, i, 4, to\n mad.wide.u32 at, i, 4, at\n"
     " and.b32 u, i, 31\n mov.b32 w, 0\n st.local.b32 [l], i\n"
     "top: setp.lt.u32 p, u, 5\n@p bra out\n sub.u32 u, u, 5\n add.u32 w, w, 1\n bra top\n"
     "out: setp.eq.u32 p, w, 3\n@p ld.global.b32 v, [at]\n@!p rcp.f32 v, w\n ld.local.b32 u, [l]\n"
     " shfl.bfly.b32 v, v, 1\n add.u32 v, v, u\n@p exit\n st.global.b32 [to], v\n exit\n"},
};

/* ---- boards at random ---- */

/* A field, and values to choose from. */
static const struct {
    const char *key, *values[5];
} knobs[] = {
    {"sms", {"1", "2", "3"}},
    {"sm.sub_cores", {"1", "2", "3", "4"}},
    {"sm.issue_width", {"1", "2"}},
    {"sm.policy", {"lrr", "gto", "cggty"}},
    {"sm.max_warps", {"8", "13", "32", "64"}},
    {"sm.max_blocks", {"1", "2", "3", "16"}},
    {"sm.register_banks", {"0", "1", "2", "4"}},
    {"sm.register_reuse", {"0", "1"}},
    {"lanes.alu", {"4", "16", "32"}},
    {"lanes.ctrl", {"1", "16", "32"}},
    {"lanes.lsu", {"2", "16", "32"}},
    {"lanes.xu", {"1", "4"}},
    {"latency.int", {"1", "4", "11"}},
    {"latency.branch", {"1", "8"}},
    {"lsu.queue", {"1", "2", "5", "64"}},
    {"lsu.address_cycles", {"1", "4", "9"}},
    {"lsu.global_cycles", {"1", "6"}},
    {"shared.banks", {"8", "32"}},
    {"shared.pass_cycles", {"1", "3"}},
    {"shared.pass_latency", {"0", "2", "5"}},
    {"shared.return_bytes", {"4", "64", "128"}},
    {"l1.unified_bytes", {"98304", "131072"}},
    {"l1.ways", {"1", "4", "64"}},
    {"l1.latency", {"1", "2", "30", "77"}},
    {"l1.sectors", {"1", "3", "8", "64", "512"}},
    {"l1.loads", {"1", "2", "8", "128"}},
    {"l1.bytes_per_cycle", {"4", "32", "128"}},
    {"tlb.pages", {"0", "1", "2"}},
    {"tlb.page_bytes", {"4096"}},
    {"tlb.miss_cycles", {"1", "70"}},
    {"noc.request_bytes", {"1", "8", "32", "64"}},
    {"noc.reply_bytes", {"1", "16", "64"}},
    {"noc.header_bytes", {"0", "8", "13"}},
    {"noc.latency", {"1", "5", "40"}},
    {"l2.bytes", {"0", "49152", "98304", "1572864"}},
    {"l2.latency", {"1", "100", "333"}},
    {"l2.sectors", {"4", "16", "256"}},
    {"l2.bytes_per_cycle", {"4", "64"}},
    {"l2.hash", {"modulo", "xor"}},
    {"l2.clock_ratio", {"1", "1.3"}},
    {"l2.partial_passes", {"0", "1.5", "5"}},
    {"dram.clock_mhz", {"500", "1000", "1733"}},
    {"dram.burst_bytes", {"32", "64"}},
    {"dram.refi", {"0", "700"}},
    {"dram.read_queue", {"1", "4", "64"}},
    {"barrier.cycles", {"0", "1", "22"}},
    {"barrier.per_warp", {"0", "2"}},
    {"barrier.fence_gpu", {"0", "1", "500"}},
    {"fetch.mode", {"perfect", "cached"}},
    {"fetch.prefetch", {"0", "2"}},
    {"fetch.l0_bytes", {"128", "512", "16384"}},
    {"launch.dispatch", {"spread", "fill"}},
    {"launch.block_cycles", {"1", "100", "3000"}},
    {"launch.interval_cycles", {"0", "1", "77"}},
    {"launch.ramp_cycles", {"0", "500"}},
};

/* Slices and ways that fit every size of L2 above. */
static void random_settings(u64 *seed, char *set, size_t size) {
    u32 channels = 1 + clock_random(seed, 3);
    int n = snprintf(set, size, "l2.bytes=98304 l2.ways=4 l2.slices=6 dram.channels=%u dram.rfc=200%s", channels,
                     channels == 2 ? " l2.far_cycles=151 l2.near_share=0.3" : "");
    for (u32 i = 0; i < COUNT_OF(knobs); i++) {
        u32 count = 0;
        while (count < 5 && knobs[i].values[count])
            count++;
        if (clock_random(seed, 3) == 0)
            n +=
                snprintf(set + n, size - (size_t)n, " %s=%s", knobs[i].key, knobs[i].values[clock_random(seed, count)]);
    }
}

static u32 x[N], y[N];

static void fill_buffers(void) {
    for (u32 i = 0; i < N; i++) {
        x[i] = i * 2654435761u;
        y[i] = i;
    }
}

static void open_with_buffers(struct clock *c, const char *settings) {
    fill_buffers();
    clock_open(c, settings);
    clock_buffer(c, "x", x, sizeof x);
    clock_buffer(c, "y", y, sizeof y);
}

/* Checks facts that identities.def leaves out, because they need a launch that ended well and was cold. */
static void expect_conserved(const struct clock *c, const char *what) {
    const struct totals *t = &c->result.totals;
    const struct l2_counters *l2 = &t->mem.l2;
    const struct core_counters *core = &t->core;
    u64 atomics = l2->atomic_sectors, stored = core->noc.store_bytes / 32;
    cr_expect_eq(stored, l2->write_sectors + atomics, "%s", what);
    cr_expect_eq(core->noc.load_bytes / 32, l2->read_sectors + atomics, "%s", what);
    cr_expect_eq(core->l1.sectors - core->l1.load_sectors + core->l1.misses,
                 l2->read_sectors + l2->write_sectors + atomics, "%s", what);
    cr_expect_leq(t->mem.dram.write_bytes, 64 * (l2->write_sectors + atomics), "%s", what);
    u64 stall = 0, lines = 0;
    for (u32 i = 0; i < t->ninst; i++) {
        lines += t->line[i].issues;
        cr_expect_eq(t->line[i].issues, c->issues[i], "%s", what);
        cr_expect_eq(t->line[i].stall[STALL_SELECTED], t->line[i].issues, "%s, instruction %u", what, i);
        for (u32 k = 0; k < STALL_COUNT; k++)
            stall += t->line[i].stall[k];
    }
    cr_expect_eq(lines, core->sm.slots_issued, "%s", what);
    cr_expect_eq(stall, core->sm.warp_cycles, "%s", what);
    u64 active = 0, issued = 0;
    for (u32 i = 0; i < c->result.cores; i++) {
        const struct core_counters *one = &c->result.core[i];
        u64 warps = 0;
        for (u32 k = 0; k < STALL_COUNT; k++)
            warps += one->stall[k];
        cr_expect_eq(warps, one->sm.warp_cycles, "%s, SM %u", what, i);
        cr_expect_leq(one->sm.active_cycles, t->cycles, "%s, SM %u", what, i);
        cr_expect_leq(one->sm.slots_issued, one->sm.slots, "%s, SM %u", what, i);
        cr_expect_leq(one->sm.slots_vacant, one->sm.slots, "%s, SM %u", what, i);
        cr_expect_leq(one->sm.slots_stalled, one->sm.slots, "%s, SM %u", what, i);
        active += one->sm.active_cycles;
        issued += one->sm.slots_issued;
    }
    cr_expect_eq(active, core->sm.active_cycles, "%s", what);
    cr_expect_eq(issued, core->sm.slots_issued, "%s", what);
}

/* True if the board can run the kernel at all. */
static bool fits(const struct clock *c, u32 block) {
    return (block + c->board.warp_width - 1) / c->board.warp_width <= c->board.sm.max_warps;
}

Test(clock_account, every_launch_on_every_board_adds_up, .timeout = 300) {
    u64 seed = 20240607;
    for (u32 round = 0; round < 300; round++) {
        char set[2048], what[2200];
        SCOPED(clock_close) struct clock c;
        u32 k = clock_random(&seed, COUNT_OF(kernels)), block = 1 + clock_random(&seed, 200);
        u32 grid = 1 + clock_random(&seed, N / 4 / (block + 31));
        grid = grid > 20 ? 20 : grid;
        random_settings(&seed, set, sizeof set);
        snprintf(what, sizeof what, "round %u: %s <%u, %u> on %s", round, kernels[k].name, grid, block, set);
        open_with_buffers(&c, set);
        c.max_cycles = 20000000;
        if (strcmp(kernels[k].name, "diverge") == 0)
            block = (block + 31) & ~31u; /* its shuffle reads the neighbour */
        if (fits(&c, block)) {
            cr_assert_eq(clock_try(&c, kernels[k].text, grid, block), RUN_OK, "%s\n%s", what, c.why);
            expect_conserved(&c, what);
        }
    }
}

/* The bytes do not depend on the board, but for the kernel of atomics, where the order decides. */
Test(clock_account, the_board_does_not_change_the_bytes, .timeout = 300) {
    u64 seed = 7;
    for (u32 k = 0; k < COUNT_OF(kernels); k++) {
        u32 first[N];
        if (strcmp(kernels[k].name, "atomic") == 0)
            continue;
        for (u32 round = 0; round < 12; round++) {
            char set[2048];
            SCOPED(clock_close) struct clock c;
            random_settings(&seed, set, sizeof set);
            open_with_buffers(&c, round ? set : "");
            if (fits(&c, 96)) {
                clock_run(&c, kernels[k].text, 10, 96);
                if (!round)
                    memcpy(first, y, sizeof first);
                cr_expect_eq(memcmp(first, y, sizeof first), 0, "%s on %s", kernels[k].name, set);
            }
        }
    }
}

Test(clock_account, threads_change_nothing, .timeout = 300) {
    static const u32 threads[] = {1, 2, 3, 8};
    u64 seed = 99;
    for (u32 round = 0; round < 24; round++) {
        char set[2048];
        struct core_counters core = {.traffic = NULL};
        struct totals first = {.cycles = 0};
        u32 bytes[N], k = round % COUNT_OF(kernels);
        random_settings(&seed, set, sizeof set);
        for (u32 i = 0; i < 4; i++) {
            SCOPED(clock_close) struct clock c;
            open_with_buffers(&c, set);
            clock_set(&c, "sms=3");
            c.threads = threads[i];
            if (fits(&c, 64)) {
                clock_run(&c, kernels[k].text, 14, 64);
                if (i == 0) {
                    first = c.result.totals;
                    core = first.core;
                    memcpy(bytes, y, sizeof bytes);
                }
                c.result.totals.core.traffic = core.traffic;
                cr_expect_eq(c.result.totals.cycles, first.cycles, "%s, %u threads", set, threads[i]);
                cr_expect_eq(memcmp(&c.result.totals.core, &core, sizeof core), 0, "%s, %u threads", set, threads[i]);
                cr_expect_eq(memcmp(bytes, y, sizeof bytes), 0, "%s, %u threads", set, threads[i]);
            }
        }
    }
}

/* One launch twice on one machine, cold: the second finds nothing of the first. */
Test(clock_account, a_cold_launch_knows_nothing_of_the_last) {
    for (u32 k = 0; k < COUNT_OF(kernels); k++) {
        SCOPED(clock_close) struct clock c;
        open_with_buffers(&c, "sms=2 l2.bytes=65536");
        clock_run(&c, kernels[k].text, 8, 96);
        u64 cycles = c.result.totals.cycles;
        clock_run(&c, kernels[(k + 1) % COUNT_OF(kernels)].text, 8, 96);
        fill_buffers();
        clock_run(&c, kernels[k].text, 8, 96);
        cr_expect_eq(c.result.totals.cycles, cycles, "%s", kernels[k].name);
    }
}

Test(clock_account, a_warm_launch_finds_its_data_in_l2) {
    SCOPED(clock_close) struct clock c;
    open_with_buffers(&c, "sms=2");
    clock_run(&c, kernels[0].text, 16, 256);
    u64 cold = c.result.totals.cycles;
    cr_expect_eq(c.result.totals.mem.dram.read_bytes, sizeof x);
    c.warm = true;
    clock_run(&c, kernels[0].text, 16, 256);
    cr_expect_eq(c.result.totals.mem.dram.reads, 0);
    cr_expect_eq(c.result.totals.mem.l2.hits, N / 8);
    cr_expect_lt(c.result.totals.cycles, cold);
    cr_expect_eq(c.result.totals.mem.l2.dirty_bytes, sizeof y);
}

/* Lines of L2 to be written for a buffer that was dropped, or has another number now, are charged to the owner. */
Test(clock_account, buffers_may_come_and_go_between_warm_launches) {
    static const char fill[] = ".kernel k\n.param x : u32[]\n.local l : u32[64]\n.reg i, j, at:2\n.pred p\n"
                               " s2r i, %tid.x\n mov.b32 j, 0\n"
                               "top: st.local.b32 [l+j], i\n add.u32 j, j, 4\n setp.lt.u32 p, j, 256\n@p bra top\n"
                               " ld.param.b64 at, [x]\n mad.wide.u32 at, i, 4, at\n st.global.b32 [at], i\n exit\n";
    static u32 other[N];
    CLOCK(c, "l2.bytes=8192 l2.ways=4");
    clock_buffer(&c, "gone", other, sizeof other);
    clock_buffer(&c, "x", x, sizeof x);
    clock_run(&c, fill, 1, 256);
    u64 dirty = c.result.totals.mem.l2.dirty_bytes;
    cr_assert_gt(dirty, 0);
    c.warm = true;
    memory_remove(&c.memory, c.argument[0].value);
    clock_buffer(&c, "y", y, sizeof y);
    clock_run(&c, kernels[0].text, 16, 256);
    const struct traffic *t = c.result.totals.traffic;
    u64 written = 0;
    for (u32 i = 0; i < c.result.totals.allocations; i++)
        written += t[i].dram_write_bytes;
    cr_expect_eq(written + c.result.totals.mem.l2.dirty_bytes, sizeof y + dirty);
    cr_expect_str_eq(c.result.totals.allocation[0], "y");
    cr_expect_eq(t[0].dram_write_bytes + c.result.totals.mem.l2.dirty_bytes, sizeof y);
    cr_expect_eq(t[1].dram_write_bytes + t[2].dram_write_bytes, dirty);
}

/* ---- occupancy ---- */

static struct occupancy occupancy_with(const char *settings, const char *text, u32 grid, u32 block) {
    SCOPED(clock_close) struct clock c;
    open_with_buffers(&c, settings);
    clock_run(&c, text, grid, block);
    struct occupancy o = c.result.totals.occupancy;
    return o;
}

Test(clock_account, each_limit_of_occupancy_has_its_form) {
    const char *copy = kernels[0].text, *tiles = kernels[3].text; /* which have 4 KiB of shared memory */
    struct occupancy o = occupancy_with("sm.max_warps=10 sm.max_blocks=64", copy, 16, 96);
    cr_expect_eq(o.limit, LIMIT_WARPS);
    cr_expect_eq(o.blocks, 3);
    cr_expect_eq(o.warps, 9);
    o = occupancy_with("sm.max_warps=64 sm.max_blocks=5", copy, 16, 96);
    cr_expect_eq(o.limit, LIMIT_BLOCKS);
    cr_expect_eq(o.blocks, 5);
    o = occupancy_with("sm.max_warps=64 sm.registers=4096 sm.register_unit=256", copy, 16, 96);
    cr_expect_eq(o.limit, LIMIT_REGISTERS);
    cr_expect_eq(o.registers % 256, 0);
    cr_expect_eq(o.blocks, 4096 / o.registers);
    /* 9 registers of 32 lanes are 288, which takes 512; two warps. */
    o = occupancy_with("sm.max_warps=64 sm.registers=4096 sm.register_unit=256", ".kernel k\n mov.b32 r8, 1\n exit\n",
                       16, 64);
    cr_expect_eq(o.limit, LIMIT_REGISTERS);
    cr_expect_eq(o.registers, 1024);
    cr_expect_eq(o.blocks, 4);
    o = occupancy_with(
        "sm.max_warps=64 sm.max_blocks=64 sm.shared_bytes=20480 sm.shared_unit=1024 sm.shared_reserved=1 "
        "max_shared_per_block=4096",
        tiles, 16, 64);
    cr_expect_eq(o.limit, LIMIT_SHARED);
    cr_expect_eq(o.shared, 5 * 1024);
    cr_expect_eq(o.blocks, 4);
    cr_expect_eq(o.l1_bytes, 131072 - 4 * 5 * 1024);
    o = occupancy_with("sms=2 sm.max_warps=64 sm.max_blocks=64", copy, 3, 32);
    cr_expect_eq(o.limit, LIMIT_GRID);
    cr_expect_eq(o.by[LIMIT_GRID], 2);
}

/* As many blocks run together as fit, no more: each spins for a while and then ends. */
Test(clock_account, blocks_run_in_waves_of_what_fits) {
    static const char wait[] =
        ".kernel k\n.param x : u32[]\n.reg i\n mov.b32 i, 3\n div.u32 i, i, i\n div.u32 i, i, i\n"
        " div.u32 i, i, i\n div.u32 i, i, i\n add.u32 i, i, 1\n exit\n";
    u64 one = 0;
    for (u32 waves = 1; waves <= 4; waves++) {
        SCOPED(clock_close) struct clock c;
        open_with_buffers(&c, "sms=2 sm.sub_cores=4 sm.max_blocks=3 latency.idiv=500 passes.idiv=1 "
                              "launch.block_cycles=1000");
        clock_run(&c, wait, 6 * waves, 32);
        one = waves == 1 ? c.result.totals.cycles : one;
        cr_expect_eq(c.result.totals.cycles, waves * one + (waves - 1) * 1000, "%u waves: %llu", waves,
                     (unsigned long long)c.result.totals.cycles);
        cr_expect_eq(c.result.totals.core.sm.active_cycles, 2 * waves * one);
        cr_expect_eq(c.result.totals.core.sm.blocks, 6 * waves);
    }
}

/* A place is free when its last load is back, though its warps have long ended, and the next block may be elsewhere. */
Test(clock_account, blocks_that_leave_loads_behind_keep_their_place) {
    static const char leave[] = ".kernel k\n.param x : u32[]\n.param y : u32[]\n.reg i, v, w, n, at:2, to:2\n.pred p\n"
                                " s2r n, %ctaid.x\n s2r i, %tid.x\n mad.lo.u32 i, n, 32, i\n ld.param.b64 at, [x]\n"
                                " ld.param.b64 to, [y]\n mad.wide.u32 at, i, 4, at\n mad.wide.u32 to, i, 4, to\n"
                                " and.b32 w, n, 1\n setp.eq.u32 p, w, 0\n mov.b32 v, 5\n"
                                "@p atom.global.add.u32 v, [at], n\n@p exit\n"
                                " st.global.b32 [to], v\n exit\n";
    for (u32 noc = 1; noc < 2000; noc += 499) {
        char set[160];
        SCOPED(clock_close) struct clock c;
        snprintf(set, sizeof set, "sm.max_blocks=3 launch.block_cycles=1 noc.latency=%u", noc > 1000 ? 1000 : noc);
        open_with_buffers(&c, set);
        clock_run(&c, leave, 60, 32);
        for (u32 i = 0; i < 60 * 32; i++)
            cr_expect_eq(y[i], i / 32 % 2 ? 5 : i, "word %u", i);
    }
}

/* ---- the end that is none ---- */

Test(clock_account, a_deadlock_is_told_in_its_cycle) {
    static const char half[] = ".kernel k\n.param x : u32[]\n.reg i\n.pred p\n s2r i, %warpid\n setp.eq.u32 p, i, 0\n"
                               "@p bra out\n bar.sync 3\nout: exit\n";
    SCOPED(clock_close) struct clock c;
    open_with_buffers(&c, "");
    cr_expect_eq(clock_try(&c, half, 1, 64), RUN_FAULT);
    cr_expect_eq(c.fault.kind, FAULT_BARRIER, "%s", c.why);
    cr_expect(c.fault.timed);
    u64 cycle = c.fault.cycle;
    cr_expect(cycle > 10 && cycle < 60, "%llu", (unsigned long long)cycle);
    clock_set(&c, "latency.sreg=114");
    cr_expect_eq(clock_try(&c, half, 1, 64), RUN_FAULT);
    cr_expect_eq(c.fault.cycle, cycle + 100, "%llu", (unsigned long long)c.fault.cycle);
    cr_expect(strstr(c.why, "barrier 3") != NULL, "%s", c.why);
}

Test(clock_account, warps_at_different_barriers_are_a_deadlock) {
    static const char two[] = ".kernel k\n.param x : u32[]\n.reg i\n.pred p\n s2r i, %warpid\n setp.eq.u32 p, i, 0\n"
                              "@p bra other\n bar.sync 3, 64\n bra out\nother: bar.sync 4, 64\nout: exit\n";
    SCOPED(clock_close) struct clock c;
    open_with_buffers(&c, "sms=2");
    cr_expect_eq(clock_try(&c, two, 4, 64), RUN_FAULT);
    cr_expect_eq(c.fault.kind, FAULT_DEADLOCK, "%s", c.why);
    cr_expect(strstr(c.why, "barrier 3") && strstr(c.why, "barrier 4"), "%s", c.why);
}

Test(clock_account, a_fault_is_told_with_its_cycle) {
    static const char trap[] = ".kernel k\n.param x : u32[]\n.reg i\n.pred p\n s2r i, %ctaid.x\n setp.eq.u32 p, i, 5\n"
                               "@p trap\n exit\n";
    SCOPED(clock_close) struct clock c;
    open_with_buffers(&c, "sms=2 sm.max_blocks=1 launch.block_cycles=1000");
    cr_expect_eq(clock_try(&c, trap, 8, 32), RUN_FAULT);
    cr_expect_eq(c.fault.kind, FAULT_TRAP);
    cr_expect_eq(c.fault.block[0], 5);
    cr_expect(c.fault.timed && c.fault.cycle > 2000, "%llu", (unsigned long long)c.fault.cycle);
    /* The machine is as good as new. */
    clock_run(&c, kernels[0].text, 4, 96);
}
