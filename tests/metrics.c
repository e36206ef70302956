/*
 * Do the metrics say what their formulas promise? Totals made by hand, small enough to work out on paper, and what
 * follows from them; identities that must hold, and are missed when a number is off by one; what the limiter says.
 */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "sim/stat/totals.h"

enum { LINES = 2, BUFFERS = 2 };

/* A launch that hangs together: 2 SMs of 1 sub-core for 100 cycles at 1 GHz, two warps of 32 lanes, one block each. */
struct made {
    struct board board;
    struct totals t;
    struct line_counters line[LINES];
    struct traffic traffic[BUFFERS];
};

static const char *const names[BUFFERS] = {"x", "(local)"};

static void make_board(struct board *b) {
    board_default(b);
    snprintf(b->name, sizeof b->name, "two");
    b->sms = 2;
    b->clock_mhz = 1000;
    b->sm.sub_cores = 1;
    b->sm.issue_width = 1;
    b->sm.max_warps = 4;
    b->lanes[UNIT_FMA] = 16;
    b->noc.header_bytes = 8;
    b->noc.reply_bytes = 64;
    b->noc.request_bytes = 32;
    b->l2.slices = 2;
    b->l2.bytes_per_cycle = 64;
    b->dram.channels = 1;
    b->dram.clock_mhz = 500;
    b->dram.burst_bytes = 32;
    b->dram.burst_cycles = 2;
    b->power.constant_w = 10;
    b->power.sm_w = 1;
    b->power.sm_active_w = 2;
    for (u32 i = 0; i < ENERGY_COUNT; i++) {
        b->energy[i] = 10.0 * (i + 1);
        b->basis[i] = BASIS_DERIVED;
    }
    b->basis[ENERGY_dram] = BASIS_ASSUMED;
}

static void make_core(struct core_counters *c) {
    c->sm = (struct sm_counters){.active_cycles = 150,
                                 .blocks = 2,
                                 .warps = 2,
                                 .warp_cycles = 150,
                                 .slots = 200,
                                 .slots_issued = 20,
                                 .slots_stalled = 130,
                                 .slots_vacant = 50,
                                 .lane_instructions = 480,
                                 .register_reads = 30,
                                 .register_writes = 10,
                                 .shared_requests = 2,
                                 .shared_passes = 8,
                                 .shared_conflicts = 6,
                                 .shared_bytes = 256,
                                 .pipe_cycles = 12};
    c->l1 = (struct l1_counters){.requests = 2,
                                 .requested_bytes = 256,
                                 .lines = 4,
                                 .sectors = 16,
                                 .useful_bytes = 128,
                                 .load_sectors = 16,
                                 .hits = 2,
                                 .pending_hits = 2,
                                 .misses = 12,
                                 .flight_cycles = 1200};
    c->noc =
        (struct noc_counters){.requests = 3, .request_bytes = 24, .replies = 3, .reply_bytes = 408, .load_bytes = 384};
    c->stall[STALL_SELECTED] = 20;
    c->stall[STALL_NOT_SELECTED] = 10;
    c->stall[STALL_LONG_SCOREBOARD] = 90;
    c->stall[STALL_WAIT] = 30;
    c->unit_busy[UNIT_FMA] = 40;
    c->unit_lanes[UNIT_FMA] = 480;
}

static void make_memory(struct partition_counters *m) {
    m->l2 = (struct l2_counters){.requests = 3,
                                 .read_sectors = 12,
                                 .useful_bytes = 96,
                                 .hits = 4,
                                 .pending_hits = 2,
                                 .misses = 6,
                                 .busy_cycles = 6};
    m->dram = (struct dram_counters){.reads = 6,
                                     .read_bytes = 192,
                                     .useful_bytes = 48,
                                     .row_hits = 3,
                                     .row_misses = 1,
                                     .row_conflicts = 2,
                                     .busy_cycles = 12};
}

static void make(struct made *m) {
    *m = (struct made){.t = {.width = 32, .cycles = 100, .blocks = 2, .warps = 2, .sms_used = 2}};
    struct totals *t = &m->t;
    make_board(&m->board);
    make_core(&t->core);
    make_memory(&t->mem);
    t->board = &m->board;
    t->busiest = 100;
    t->idlest = 50;
    t->occupancy = (struct occupancy){.blocks = 2, .warps = 2, .limit = LIMIT_REGISTERS, .by = {4, 4, 2, 3, 9}};
    m->line[0] = (struct line_counters){.issues = 15, .lanes = 400, .requests = 2, .sectors = 16, .l1_hits = 4};
    memcpy(m->line[0].stall, t->core.stall, sizeof m->line[0].stall);
    m->line[0].stall[STALL_WAIT] = 25;
    m->line[1] = (struct line_counters){
        .issues = 5, .lanes = 80, .stall = {[STALL_WAIT] = 5}, .shared_requests = 2, .shared_passes = 8};
    m->traffic[0] = (struct traffic){.requests = 2,
                                     .requested_bytes = 256,
                                     .useful_bytes = 128,
                                     .sectors = 16,
                                     .l1_hits = 4,
                                     .l2_read_sectors = 12,
                                     .l2_useful_bytes = 96,
                                     .l2_hits = 6,
                                     .dram_read_bytes = 192,
                                     .dram_useful_bytes = 48};
    t->allocation = names;
    t->traffic = m->traffic;
    t->allocations = BUFFERS;
    t->line = m->line;
    t->ninst = LINES;
}

/* ---- values ---- */

static const struct {
    const char *name;
    double value;
} expected[] = {
    {"cycles", 100},
    {"seconds", 1e-7},
    {"launch.sms_used", 2},
    {"launch.waves", 2 / (2.0 * 2)},
    {"launch.imbalance", 100 * 2 / 150.0},
    {"launch.busiest_to_idlest", 2},
    {"issue.ipc_elapsed", 20 / 200.0},
    {"issue.ipc_active", 20 / 150.0},
    {"issue.issued", 10},
    {"issue.stalled", 65},
    {"issue.vacant", 25},
    {"issue.lanes_per_instruction", 24},
    {"issue.simt_efficiency", 75},
    {"issue.warps_active", 1},
    {"issue.warps_eligible", 30 / 150.0},
    {"issue.warp_cycles_per_instruction", 7.5},
    {"occupancy.theoretical", 50},
    {"occupancy.achieved", 25},
    {"occupancy.warps_active", 1},
    {"occupancy.by_registers", 2},
    {"shared.passes_per_request", 4},
    {"shared.conflict_share", 75},
    {"shared.bytes_per_pass", 32},
    {"l1.sectors_per_request", 8},
    {"l1.lines_per_request", 2},
    {"l1.useful_share", 25},
    {"l1.hit_rate", 25},
    {"l1.pending_share", 12.5},
    {"l1.flight_latency", 100},
    {"l1.flight_bytes", 384},
    {"l1.flight_share", 100 * 1200 / (200.0 * 512)},
    {"sol.pipe", 6},
    {"noc.reply_data", 100 * 384 / 408.0},
    {"noc.request_data", 0},
    {"l2.hit_rate", 50},
    {"l2.useful_share", 25},
    {"dram.row_hit_rate", 50},
    {"dram.busy", 24}, /* 12 of 50 memory cycles */
    {"dram.useful_share", 25},
    {"dram.read_bandwidth", 1.92}, /* 192 bytes in 100 ns */
    {"dram.write_bandwidth", 0},
    {"dram.bytes_per_useful_byte", 1.5},
    {"rate.requested", 2.56},
    {"rate.useful", 1.28},
    {"rate.sectors", 5.12},
    {"rate.dram_bytes", 1.92},
    {"roofline.intensity", 2.5},
    {"roofline.ridge", 32 / 8.0}, /* 32 lanes and 8 bytes a nanosecond */
    {"rate.issue", 0.2},
    {"peak.issue", 2},
    {"sol.issue", 10},
    {"rate.fma", 6.4},
    {"peak.fma", 32},
    {"sol.fma", 20},
    {"unit.fma.utilisation", 20},
    {"sol.shared", 4}, /* 8 passes of 200 */
    {"sol.noc_request", 100 * 24 / 6400.0},
    {"sol.noc_reply", 100 * 408 / 12800.0},
    {"sol.l2", 3}, /* 6 of 200 cycles */
    {"peak.dram", 8},
    {"sol.dram", 24},
    {"stall.long_scoreboard", 90},
    {"stall_share.long_scoreboard", 60},
    {"stall_share.selected", 100 * 20 / 150.0},
    {"stall_per_instruction.long_scoreboard", 4.5},
    {"energy.instruction", 20 * 10e-12},
    {"energy.register", 40 * 20e-12},
    {"energy.fma", 480 * 40e-12},
    {"energy.shared", 8 * 90e-12},
    {"energy.l1", 16 * 100e-12},
    {"energy.l2", 12 * 110e-12},
    {"energy.dram", 6 * 120e-12},
    {"energy.memory", (16 * 100 + 12 * 110 + 6 * 120) * 1e-12},
    {"energy.dynamic", (200 + 800 + 19200 + 720 + 1600 + 1320 + 720) * 1e-12},
    {"energy.assumed", 100 * 720 / 24560.0},
    {"energy.constant", 10 * 1e-7},
    {"energy.idle", 2 * 1e-7},
    {"energy.active", 2 * 1.5e-7},
    {"energy.static", 15e-7},
    {"energy.total", 15e-7 + 24560e-12},
    {"energy.pj_per_byte", 24560 / 128.0},
    {"energy.pj_per_instruction", 24560 / 20.0},
    {"power.dynamic", 0.2456},
    {"power.average", 15.2456},
};

Test(metrics, closed_forms) {
    struct made m;
    make(&m);
    for (u32 i = 0; i < COUNT_OF(expected); i++) {
        double value, want = expected[i].value;
        cr_assert(metric_value(&m.t, expected[i].name, &value), "%s is absent", expected[i].name);
        cr_expect(fabs(value - want) <= 1e-12 * fabs(want), "%s: %.17g, not %.17g", expected[i].name, value, want);
    }
}

/* Every counter is printed under its own name: each is given a number of its own and found again. */
Test(metrics, every_counter_has_its_name) {
    struct made m;
    double value;
    u64 n = 1;
    make(&m);
#define COUNTER(group, name, unit, doc) *counter_##group(&m.t, offsetof(struct group##_counters, name)) = n++;
#define counter_sm(t, at) (u64 *)(void *)((char *)&(t)->core.sm + (at))
#define counter_l1(t, at) (u64 *)(void *)((char *)&(t)->core.l1 + (at))
#define counter_noc(t, at) (u64 *)(void *)((char *)&(t)->core.noc + (at))
#define counter_l2(t, at) (u64 *)(void *)((char *)&(t)->mem.l2 + (at))
#define counter_dram(t, at) (u64 *)(void *)((char *)&(t)->mem.dram + (at))
#define STALL(id, name, wait, doc) m.t.core.stall[STALL_##id] = n++;
#include "sim/stat/counters.def"
    n = 1;
#define COUNTER(group, name, unit, doc) \
    cr_expect(metric_value(&m.t, #group "." #name, &value) && value == (double)n++, "%s", #group "." #name);
#define STALL(id, name, wait, doc) \
    cr_expect(metric_value(&m.t, "stall." name, &value) && value == (double)n++, "%s", name);
#include "sim/stat/counters.def"
}

Test(metrics, peaks_are_those_of_the_board) {
    static const char *const pairs[][2] = {{"peak.issue", "issue"},
                                           {"peak.shared", "shared_bandwidth"},
                                           {"peak.l1", "l1_bandwidth"},
                                           {"peak.noc_request", "noc_request_bandwidth"},
                                           {"peak.noc_reply", "noc_reply_bandwidth"},
                                           {"peak.l2", "l2_bandwidth"},
                                           {"peak.dram", "dram_gbs"}};
    struct made m;
    make(&m);
    for (u32 i = 0; i < COUNT_OF(pairs); i++) {
        double value;
        cr_expect(metric_value(&m.t, pairs[i][0], &value) && value > 0 && value == board_peak(&m.board, pairs[i][1]),
                  "%s", pairs[i][0]);
    }
}

/* ---- the list ---- */

static const struct metric *list_of(const struct totals *t, struct buf *store, size_t *n) {
    metrics_list(t, store);
    *n = store->len / sizeof(struct metric);
    return (const struct metric *)(const void *)store->data;
}

Test(metrics, names_are_unique_and_explained) {
    struct buf store = {0};
    size_t n;
    const struct metric *m = list_of(NULL, &store, &n);
    cr_assert(n > 200);
    for (size_t i = 0; i < n; i++) {
        cr_expect(*m[i].doc && *m[i].unit, "%s", m[i].name);
        cr_expect(m[i].absent, "%s has a value of no launch", m[i].name);
        for (size_t k = 0; k < i; k++)
            cr_expect(strcmp(m[i].name, m[k].name) != 0, "%s stands twice", m[i].name);
    }
    buf_free(&store);
}

/* Of a launch in which nothing happened no ratio has a value, and no value is made up. */
Test(metrics, nothing_over_nothing_is_absent) {
    struct made m;
    struct buf store = {0};
    size_t n;
    make(&m);
    m.t = (struct totals){.board = &m.board, .width = 32};
    const struct metric *list = list_of(&m.t, &store, &n);
    for (size_t i = 0; i < n; i++) {
        bool ratio = strchr(list[i].formula, '/') && strcmp(list[i].unit, "J") != 0;
        cr_expect(isfinite(list[i].value), "%s", list[i].name);
        if (list[i].absent)
            cr_expect(list[i].value == 0 && !list[i].whole, "%s", list[i].name);
        else if (ratio) /* over something that the board has */
            cr_expect(strcmp(list[i].name, "seconds") == 0 || strcmp(list[i].name, "roofline.ridge") == 0 ||
                          strcmp(list[i].name, "occupancy.theoretical") == 0,
                      "%s has a value: %g", list[i].name, list[i].value);
    }
    double value;
    cr_expect(!metric_value(&m.t, "l1.hit_rate", &value) && !metric_value(&m.t, "no.such", &value));
    buf_free(&store);
}

Test(metrics, counters_add_up) {
    struct made m;
    struct core_counters sum = {.sm.slots = 1};
    make(&m);
    COUNTERS_ADD(&sum.sm, &m.t.core.sm);
    COUNTERS_ADD(&sum.sm, &m.t.core.sm);
    cr_expect(sum.sm.slots == 401 && sum.sm.shared_bytes == 512);
}

/* ---- energy by buffer ---- */

Test(metrics, energy_of_buffers_is_that_of_memory) {
    struct made m;
    double memory, sum = 0;
    make(&m);
    for (u32 i = 0; i < BUFFERS; i++)
        sum += traffic_energy(&m.board, &m.traffic[i]);
    cr_assert(metric_value(&m.t, "energy.memory", &memory));
    cr_expect(fabs(sum - memory) < 1e-18);
}

/* ---- identities ---- */

Test(identities, hold_for_what_hangs_together) {
    struct made m;
    struct buf why = {0};
    make(&m);
    cr_expect(totals_check(&m.t, &why), "%s", why.data);
    buf_free(&why);
}

static const struct {
    size_t at;
    const char *identity;
} cases[] = {
#define CORE(member) offsetof(struct totals, core) + offsetof(struct core_counters, member)
#define MEM(member) offsetof(struct totals, mem) + offsetof(struct partition_counters, member)
    {CORE(sm.warp_cycles), "resident warps wait or issue"},
    {CORE(sm.slots), "issue slots"},
    {CORE(sm.slots_issued), "an issue selects a warp"},
    {CORE(sm.slots_stalled), "issue slots"},
    {CORE(sm.slots_vacant), "issue slots"},
    {CORE(sm.lane_instructions), "lanes of units"},
    {CORE(sm.blocks), "blocks"},
    {CORE(sm.warps), "warps"},
    {CORE(sm.shared_requests), "shared requests of lines"},
    {CORE(sm.shared_passes), "shared passes of lines"},
    {CORE(stall[STALL_WAIT]), "lines that wait for wait"},
    {CORE(unit_lanes[UNIT_ALU]), "lanes of units"},
    {CORE(l1.requests), "requests of lines"},
    {CORE(l1.requested_bytes), "requested bytes of buffers"},
    {CORE(l1.useful_bytes), "useful bytes of buffers"},
    {CORE(l1.sectors), "sectors of lines"},
    {CORE(l1.load_sectors), "L1"},
    {CORE(l1.hits), "hits of lines"},
    {CORE(l1.misses), "L1"},
    {CORE(noc.requests), "requests reach L2"},
    {CORE(noc.replies), "replies reach SMs"},
    {CORE(noc.reply_bytes), "bytes of replies"},
    {CORE(noc.load_bytes), "data of replies"},
    {MEM(l2.requests), "requests reach L2"},
    {MEM(l2.read_sectors), "L2 reads of buffers"},
    {MEM(l2.write_sectors), "L2 writes of buffers"},
    {MEM(l2.atomic_sectors), "L2"},
    {MEM(l2.useful_bytes), "useful L2 bytes of buffers"},
    {MEM(l2.hits), "L2 hits of buffers"},
    {MEM(l2.misses), "L2"},
    {MEM(dram.reads), "bytes read from DRAM"},
    {MEM(dram.writes), "bytes written to DRAM"},
    {MEM(dram.read_bytes), "DRAM reads of buffers"},
    {MEM(dram.write_bytes), "DRAM writes of buffers"},
    {MEM(dram.useful_bytes), "useful DRAM bytes of buffers"},
    {MEM(dram.row_hits), "rows of DRAM"},
};

/* Any number of the two levels that is one too large breaks some identity, and the message says which. */
Test(identities, miss_nothing_that_is_off_by_one) {
    for (u32 i = 0; i < COUNT_OF(cases); i++) {
        struct made m;
        struct buf why = {0};
        make(&m);
        ++*(u64 *)(void *)((char *)&m.t + cases[i].at);
        cr_expect(!totals_check(&m.t, &why), "case %u: %s", i, cases[i].identity);
        cr_expect(why.data && strstr(why.data, cases[i].identity), "case %u: no '%s' in: %s", i, cases[i].identity,
                  why.data ? why.data : "");
        buf_free(&why);
    }
}

Test(identities, bounds_are_exact) {
    struct made m;
    struct buf why = {0};
    make(&m);
    m.t.mem.dram.busy_cycles = 50; /* memory cycles in 101 cycles of the SMs, at half their clock */
    cr_expect(totals_check(&m.t, &why), "%s", why.data);
    m.t.mem.dram.busy_cycles = 51;
    cr_expect(!totals_check(&m.t, &why) && strstr(why.data, "busy DRAM"));
    buf_free(&why);
}

/* 96 useful bytes of 12 sectors; an atomic may use the same bytes twice. */
Test(identities, useful_bytes_of_l2_have_bounds) {
    struct made m;
    struct buf why = {0};
    make(&m);
    m.t.mem.l2.useful_bytes = m.traffic[0].l2_useful_bytes = 128;
    cr_expect(totals_check(&m.t, &why), "%s", why.data);
    m.t.mem.l2.useful_bytes = m.traffic[0].l2_useful_bytes = 129;
    cr_expect(!totals_check(&m.t, &why) && strstr(why.data, "L2 is asked for useful bytes"));
    m.t.core.l1.useful_bytes = m.traffic[0].useful_bytes = 16 * 32;
    m.t.mem.l2.useful_bytes = m.traffic[0].l2_useful_bytes = 12 * 32;
    why.len = 0;
    cr_expect(totals_check(&m.t, &why), "%s", why.data);
    m.t.mem.l2.useful_bytes = m.traffic[0].l2_useful_bytes = 12 * 32 + 1;
    cr_expect(!totals_check(&m.t, &why) && strstr(why.data, "useful bytes of L2 sectors"));
    buf_free(&why);
}

/* ---- the limiter ---- */

static void says(const struct totals *t, const char *sentence) {
    struct buf out = {0};
    limiter_sentence(t, &out);
    cr_expect(strcmp(out.data, sentence) == 0, "%s\nnot: %s", out.data, sentence);
    buf_free(&out);
}

Test(limiter, latency) {
    struct made m;
    make(&m);
    says(&m.t, "Bound by latency: warps wait 60 % of their time for results from global or local memory and 20 % for "
               "results of earlier arithmetic; an SM has 2 of the 4 warps that it could hold, limited by registers; no "
               "resource does more than 24 % of what it can (DRAM).");
    m.t.occupancy.limit = LIMIT_WARPS;
    m.t.core.stall[STALL_WAIT] = 20; /* too little to be mentioned */
    says(&m.t, "Bound by latency: warps wait 60 % of their time for results from global or local memory; an SM has the "
               "2 warps that it can hold; no resource does more than 24 % of what it can (DRAM).");
}

Test(limiter, a_resource) {
    struct made m;
    make(&m);
    m.t.mem.dram.read_bytes = 640; /* of 800 */
    m.t.mem.dram.useful_bytes = 320;
    says(&m.t, "Bound by DRAM: 6.40 of 8.00 GB/s, 80 % of its peak; 50 % of the bytes that it moved were wanted; 50 % "
               "of the bursts found their row open.");
    m.t.mem.dram.read_bytes = 480;
    m.t.mem.dram.useful_bytes = 480;
    m.t.mem.dram.row_hits = 6;
    says(&m.t, "Mostly bound by DRAM: 4.80 of 8.00 GB/s, 60 % of its peak.");
    make(&m);
    m.board.l2.slices = 20;
    m.t.mem.l2.busy_cycles = 1700;
    m.t.core.l1.useful_bytes = 512;
    says(&m.t, "Bound by L2: 1,088 of 1,280 bytes/cycle, 85 % of its peak.");
    make(&m);
    m.t.core.sm.shared_passes = 180;
    m.t.core.sm.shared_conflicts = 90;
    says(&m.t, "Bound by shared memory: 230 of 256 bytes/cycle, 90 % of its peak; 50 % of its passes are due to bank "
               "conflicts.");
}

Test(limiter, missing_and_uneven_work) {
    struct made m;
    make(&m);
    m.board.sms = 3;
    m.t.occupancy.limit = LIMIT_GRID;
    says(&m.t,
         "Too little work: the launch has blocks for 2 of 3 SMs; there, warps wait 60 % of their time for results "
         "from global or local memory and 20 % for results of earlier arithmetic; an SM with work has 1.00 of the 4 "
         "warps that it could hold, because the launch has no more; no resource does more than 24 % of what it can "
         "(DRAM).");
    make(&m);
    m.t.core.sm.active_cycles = 125;
    says(&m.t,
         "Uneven work: the busiest SM had 1.6 times the work of the average one; there, warps wait 60 % of their "
         "time for results from global or local memory and 20 % for results of earlier arithmetic; an SM has 2 of "
         "the 4 warps that it could hold, limited by registers; no resource does more than 24 % of what it can "
         "(DRAM).");
}

Test(limiter, nothing) {
    struct made m;
    make(&m);
    m.t = (struct totals){.board = &m.board, .width = 32};
    says(&m.t, "Nothing was issued.");
}
