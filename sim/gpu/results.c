/* Launches are over: what their parts have counted becomes a result of each, and one of the board. */
#include "sim/gpu/launch_state.h"

#include "isa/shapes.h"

static void add_lines(struct launch_state *ls) {
    struct line_counters *sum = ls->gpu->line;
    size_t n = ls->lines;
    for (u32 w = 1; w < launch_workers(ls); w++)
        for (size_t i = 0; i < n; i++)
            COUNTERS_ADD(&sum[i], &sum[w * n + i]);
    for (u32 k = 0; k < ls->launches; k++) {
        const struct gpu_launch *l = &ls->all[k];
        for (size_t i = 0; i < l->launch->program->ninst; i++) {
            l->launch->issues[i] = l->line[i].issues;
            l->launch->lanes[i] = l->line[i].lanes;
        }
    }
}

static void add_core(struct core_counters *to, const struct core_counters *from) {
    COUNTERS_ADD(&to->sm, &from->sm);
    COUNTERS_ADD(&to->l1, &from->l1);
    COUNTERS_ADD(&to->noc, &from->noc);
    counters_add(to->stall, from->stall, STALL_COUNT);
    counters_add(to->unit_busy, from->unit_busy, UNIT_COUNT);
    counters_add(to->unit_lanes, from->unit_lanes, UNIT_COUNT);
}

/* Adds the counts of an SM to those of its launch. */
static void add_to_launch(struct launch_state *ls, struct gpu_launch *l, struct sm *s, u64 end) {
    struct totals *t = &l->share->result.totals;
    u64 active = s->counters.sm.active_cycles;
    add_core(&t->core, &s->counters);
    for (u32 a = 0; a < ls->allocations; a++)
        COUNTERS_ADD(&l->traffic[a], &s->counters.traffic[a]);
    if (l->launch->lenient)
        lenient_add(l->launch->lenient, &s->run.lenient);
    if (l->launch->printed)
        printed_add(l->launch->printed, &s->printed);
    t->cycles = max_u64(t->cycles, s->last_event);
    t->idlest = t->sms_used ? min_u64(active, t->idlest) : active;
    t->busiest = max_u64(active, t->busiest);
    t->sms_used++;
    l->share->sm_cycles += end - s->since;
}

void launch_retire(struct launch_state *ls, u32 sm, u64 end) {
    struct sm *s = &ls->gpu->sm[sm];
    sm_close(s, &ls->gpu->board.sm, end);
    add_core(&ls->gpu->core[sm], &s->counters);
    if (ls->of[sm])
        add_to_launch(ls, ls->of[sm], s, end);
}

static void add_cores(struct launch_state *ls, struct totals *t) {
    struct gpu *g = ls->gpu;
    t->idlest = TIME_NEVER;
    for (u32 i = 0; i < g->board.sms; i++) {
        launch_retire(ls, i, t->cycles);
        u64 active = g->core[i].sm.active_cycles;
        add_core(&t->core, &g->core[i]);
        t->sms_used += g->core[i].sm.blocks > 0;
        t->busiest = max_u64(active, t->busiest);
        t->idlest = min_u64(active, t->idlest);
    }
    for (u32 k = 0; k < ls->launches && ls->launches > 1; k++)
        for (u32 a = 0; a < ls->allocations; a++)
            COUNTERS_ADD(&g->traffic[a], &ls->all[k].traffic[a]);
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
static u64 mma_passes(const struct gpu_launch *l) {
    const struct program *p = l->launch->program;
    u64 sum = 0;
    for (u32 pc = 0; pc < p->ninst; pc++) {
        u32 shape = isa_rows[p->inst[pc].op].shape;
        sum += shape != SHAPE_NONE ? l->line[pc].lanes * isa_shapes[shape].passes : 0;
    }
    return sum;
}

/* Adds what a launch was to its own totals, or the board's. */
static void add_launch(const struct launch_state *ls, const struct gpu_launch *l, struct totals *t) {
    struct gpu *g = ls->gpu;
    t->board = &g->board;
    t->width = ls->all[0].launch->width;
    t->occupancy = ls->all[0].occupancy;
    t->allocation = g->name;
    t->allocations = ls->allocations;
    t->blocks += l->blocks;
    t->threads += l->blocks * l->run.threads;
    t->warps += l->blocks * ((l->run.threads + l->launch->width - 1) / l->launch->width);
    t->ninst += l->launch->program->ninst;
}

/* Completes the totals of one launch. */
static void close_launch(const struct launch_state *ls, const struct gpu_launch *l) {
    struct gpu_result *r = &l->share->result;
    struct totals *t = &r->totals;
    add_launch(ls, l, t);
    r->transit = l->run.transit;
    t->width = l->launch->width;
    t->occupancy = l->occupancy;
    t->traffic = l->traffic;
    t->line = l->line;
    t->mma_passes = mma_passes(l);
}

void launch_results(struct launch_state *ls, struct gpu_result *r) {
    struct gpu *g = ls->gpu;
    const struct memory *m = ls->launch->memory;
    struct totals *t = &r->totals;
    *r = (struct gpu_result){
        .core = g->core, .cores = g->board.sms, .record = g->record, .log = g->log, .records = g->board.sms + g->ports};
    t->board = &g->board;
    for (u32 i = 0; i < g->board.sms; i++)
        t->cycles = max_u64(t->cycles, g->sm[i].last_event);
    for (u32 i = 0; i < g->ports; i++)
        t->cycles = max_u64(t->cycles, partition_end(g->port[i].partition));
    for (u32 a = 0; a < ls->allocations; a++)
        g->name[a] = a < m->count ? m->list[a].name : "(local)";
    t->traffic = g->traffic;
    t->line = g->line;
    add_cores(ls, t);
    add_lines(ls); /* after add_cores: closing an SM charges its lines */
    add_ports(ls, t);
    for (u32 i = 0; i < ls->launches; i++) {
        const struct gpu_launch *l = &ls->all[i];
        add_launch(ls, l, t);
        t->mma_passes += mma_passes(l);
        r->transit |= l->run.transit;
        close_launch(ls, l);
    }
}
