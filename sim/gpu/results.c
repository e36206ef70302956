/* A launch is over: what its parts have counted becomes one result. */
#include "sim/gpu/flight.h"

static u64 later(u64 a, u64 b) {
    return a > b ? a : b;
}

static void add_lines(struct flight *f) {
    const struct launch *l = f->launch;
    struct line_counters *sum = f->gpu->line;
    size_t n = l->program->ninst;
    for (u32 w = 1; w < flight_workers(f); w++)
        for (size_t i = 0; i < n; i++)
            COUNTERS_ADD(&sum[i], &sum[w * n + i]);
    for (size_t i = 0; i < n; i++) {
        l->issues[i] = sum[i].issues;
        l->lanes[i] = sum[i].lanes;
    }
}

static void add_cores(struct flight *f, struct totals *t) {
    struct gpu *g = f->gpu;
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
        for (u32 a = 0; a < f->allocations && s->begun; a++)
            COUNTERS_ADD(&g->traffic[a], &c->traffic[a]);
        u64 active = c->sm.active_cycles;
        t->sms_used += c->sm.blocks > 0;
        t->busiest = active > t->busiest ? active : t->busiest;
        t->idlest = active < t->idlest ? active : t->idlest;
    }
}

static void add_stations(struct flight *f, struct totals *t) {
    struct gpu *g = f->gpu;
    for (u32 i = 0; i < g->board.dram.channels; i++) {
        struct station *s = &g->station[i];
        s->counters.l2.dirty_bytes = partition_dirty_bytes(s->partition);
        COUNTERS_ADD(&t->mem.l2, &s->counters.l2);
        COUNTERS_ADD(&t->mem.dram, &s->counters.dram);
        for (u32 a = 0; a < f->allocations; a++)
            COUNTERS_ADD(&g->traffic[a], &s->counters.traffic[a]);
    }
}

void flight_results(struct flight *f, struct gpu_result *r) {
    struct gpu *g = f->gpu;
    const struct launch *l = f->launch;
    struct totals *t = &r->totals;
    *r = (struct gpu_result){.core = g->core, .cores = g->board.sms};
    for (u32 i = 0; i < g->board.sms; i++)
        t->cycles = later(t->cycles, g->sm[i].last_event);
    for (u32 i = 0; i < g->board.dram.channels; i++)
        t->cycles = later(t->cycles, partition_end(g->station[i].partition));
    for (u32 a = 0; a < f->allocations; a++)
        g->name[a] = a < l->memory->count ? l->memory->list[a].name : "(local)";
    t->board = &g->board;
    t->width = l->width;
    t->blocks = f->blocks;
    t->warps = f->blocks * ((f->run.threads + l->width - 1) / l->width);
    t->occupancy = f->occupancy;
    t->allocation = g->name;
    t->allocations = f->allocations;
    t->traffic = g->traffic;
    t->line = g->line;
    t->ninst = l->program->ninst;
    add_cores(f, t);
    add_lines(f); /* after add_cores: closing an SM charges its lines */
    add_stations(f, t);
}
