#include "tests/stat/totals_fixture.h"

#include <stdio.h>
#include <string.h>

static const char *const names[BUFFERS] = {"x", "(local)"};

static void make_board(struct board *b) {
    board_default(b);
    snprintf(b->name, sizeof b->name, "two");
    b->sms = 2;
    b->clock_mhz = 1000;
    b->launch.own_cycles = 40;
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
        board_store(b, (enum board_field)(BOARD_energy_instruction + i), 10.0 * (i + 1));
        b->basis[BOARD_energy_instruction + i] = BASIS_DERIVED;
    }
    b->basis[BOARD_energy_dram] = BASIS_ASSUMED;
    b->range[BOARD_energy_dram] = (struct board_range){100, 150, true};
    b->range[BOARD_power_sm_w] = (struct board_range){0.5, 3, true};
}

static void make_l1(struct l1_counters *c) {
    *c = (struct l1_counters){.requests = 2,
                              .requested_bytes = 256,
                              .lines = 4,
                              .tag_cycles = 2,
                              .passes = 4,
                              .data_cycles = 4,
                              .conflicts = 1,
                              .sectors = 16,
                              .packed_sectors = 4,
                              .useful_bytes = 128,
                              .load_sectors = 16,
                              .hits = 2,
                              .pending_hits = 2,
                              .misses = 12,
                              .flight_cycles = 1200,
                              .full_cycles = 15,
                              .crowded_cycles = 6};
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
                                 .branches = 8,
                                 .divergent_branches = 2,
                                 .register_reads = 30,
                                 .register_writes = 10,
                                 .shared_requests = 2,
                                 .shared_passes = 8,
                                 .shared_cycles = 8,
                                 .shared_conflicts = 6,
                                 .shared_bytes = 256,
                                 .pipe_cycles = 12};
    make_l1(&c->l1);
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
                                     .activates = 3,
                                     .bus_cycles = 50,
                                     .busy_cycles = 12,
                                     .activate_cycles = 8,
                                     .idle_cycles = 30};
}

static void make_lines(struct line_counters line[2], const u64 *stall) {
    line[0] = (struct line_counters){.issues = 15,
                                     .lanes = 400,
                                     .requests = 2,
                                     .sectors = 16,
                                     .packed_sectors = 4,
                                     .l1_hits = 4,
                                     .divergent_branches = 2};
    memcpy(line[0].stall, stall, sizeof line[0].stall);
    line[0].stall[STALL_WAIT] = 25;
    line[1] = (struct line_counters){.issues = 5,
                                     .lanes = 80,
                                     .stall = {[STALL_WAIT] = 5},
                                     .shared_requests = 2,
                                     .shared_passes = 8,
                                     .shared_conflicts = 6};
}

void totals_fixture(struct made *m) {
    *m = (struct made){.t = {.width = 32, .cycles = 100, .blocks = 2, .warps = 2, .threads = 64, .sms_used = 2}};
    struct totals *t = &m->t;
    make_board(&m->board);
    make_core(&t->core);
    make_memory(&t->mem);
    t->board = &m->board;
    t->busiest = 100;
    t->idlest = 50;
    t->busiest_slice = 4;
    t->busiest_channel = t->idlest_channel = 12;
    t->busiest_bank = 20;
    t->occupancy = (struct occupancy){.blocks = 2, .warps = 2, .limit = LIMIT_REGISTERS, .by = {4, 4, 2, 3, 9}};
    make_lines(m->line, t->core.stall);
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
