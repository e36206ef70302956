/* A launch is over: what its parts have counted becomes one result. */
#include "sim/gpu/launch_state.h"

#include "isa/shapes.h"

static void add_lines(struct launch_state *ls) {
    const struct launch *l = ls->launch;
    struct line_counters *sum = ls->gpu->line;
    size_t n = l->program->ninst;
    for (u32 w = 1; w < launch_workers(ls); w++)
        for (size_t i = 0; i < n; i++)
            COUNTERS_ADD(&sum[i], &sum[w * n + i]);
    for (size_t i = 0; i < n; i++) {
        l->issues[i] = sum[i].issues;
        l->lanes[i] = sum[i].lanes;
    }
}

static void add_cores(struct launch_state *ls, struct totals *t) {
    struct gpu *g = ls->gpu;
    t->idlest = TIME_NEVER;
    for (u32 i = 0; i < g->board.sms; i++) {
        struct sm *s = &g->sm[i];
        struct core_counters *c = &s->counters;
        sm_close(s, &g->board.sm, t->cycles);
        g->core[i] = *c;
        COUNTERS_ADD(&t->core.sm, &c->sm);
        COUNTERS_ADD(&t->core.l1, &c->l1);
        COUNTERS_ADD(&t->core.noc, &c->noc);
        counters_add(t->core.stall, c->stall, STALL_COUNT);
        counters_add(t->core.unit_busy, c->unit_busy, UNIT_COUNT);
        counters_add(t->core.unit_lanes, c->unit_lanes, UNIT_COUNT);
        for (u32 a = 0; a < ls->allocations && s->begun; a++)
            COUNTERS_ADD(&g->traffic[a], &c->traffic[a]);
        if (s->begun && ls->launch->lenient)
            lenient_add(ls->launch->lenient, &s->run.lenient);
        u64 active = c->sm.active_cycles;
        t->sms_used += c->sm.blocks > 0;
        t->busiest = max_u64(active, t->busiest);
        t->idlest = min_u64(active, t->idlest);
    }
}

/* Finds the channels that moved most and least data. */
static void rank_channels(struct totals *t) {
    t->idlest_channel = TIME_NEVER;
    for (u32 i = 0; i < board_buses(&t->board->dram); i++) {
        u64 busy = t->channel[i].busy_cycles;
        if (busy > t->busiest_channel) {
            t->busiest_channel = busy;
            t->busiest_number = i;
        }
        if (busy < t->idlest_channel) {
            t->idlest_channel = busy;
            t->idlest_number = i;
        }
    }
}

static void add_ports(struct launch_state *ls, struct totals *t) {
    struct gpu *g = ls->gpu;
    for (u32 i = 0; i < g->ports; i++) {
        struct partition_port *s = &g->port[i];
        s->counters.l2.dirty_bytes = partition_dirty_bytes(s->partition);
        partition_close(s->partition, t->cycles, g->channel);
        COUNTERS_ADD(&t->mem.l2, &s->counters.l2);
        COUNTERS_ADD(&t->mem.dram, &s->counters.dram);
        t->busiest_slice = max_u64(partition_busiest_slice(s->partition), t->busiest_slice);
        u32 channel, bank;
        u64 rows = partition_busiest_bank(s->partition, &channel, &bank);
        if (rows > t->busiest_bank) {
            t->busiest_bank = rows;
            t->hot_channel = channel;
            t->hot_bank = bank;
        }
        for (u32 a = 0; a < ls->allocations; a++)
            COUNTERS_ADD(&g->traffic[a], &s->counters.traffic[a]);
    }
    t->channel = g->channel;
    t->bank = g->bank;
    rank_channels(t);
}

/* After add_lines. */
static u64 mma_passes(const struct launch_state *ls) {
    const struct program *p = ls->launch->program;
    u64 sum = 0;
    for (u32 pc = 0; pc < p->ninst; pc++) {
        u32 shape = isa_rows[p->inst[pc].op].shape;
        sum += shape != SHAPE_NONE ? ls->gpu->line[pc].lanes * isa_shapes[shape].passes : 0;
    }
    return sum;
}

void launch_results(struct launch_state *ls, struct gpu_result *r) {
    struct gpu *g = ls->gpu;
    const struct launch *l = ls->launch;
    struct totals *t = &r->totals;
    *r = (struct gpu_result){.core = g->core,
                             .cores = g->board.sms,
                             .record = g->record,
                             .log = g->log,
                             .records = g->board.sms + g->ports,
                             .transit = ls->run.transit};
    for (u32 i = 0; i < g->board.sms; i++)
        t->cycles = max_u64(t->cycles, g->sm[i].last_event);
    for (u32 i = 0; i < g->ports; i++)
        t->cycles = max_u64(t->cycles, partition_end(g->port[i].partition));
    for (u32 a = 0; a < ls->allocations; a++)
        g->name[a] = a < l->memory->count ? l->memory->list[a].name : "(local)";
    t->board = &g->board;
    t->width = l->width;
    t->blocks = ls->blocks;
    t->threads = ls->blocks * ls->run.threads;
    t->warps = ls->blocks * ((ls->run.threads + l->width - 1) / l->width);
    t->occupancy = ls->occupancy;
    t->allocation = g->name;
    t->allocations = ls->allocations;
    t->traffic = g->traffic;
    t->line = g->line;
    t->ninst = l->program->ninst;
    add_cores(ls, t);
    add_lines(ls); /* after add_cores: closing an SM charges its lines */
    add_ports(ls, t);
    t->mma_passes = mma_passes(ls);
}
