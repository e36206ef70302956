#include "sim/stat/view.h"

static void fill_counters(const struct totals *t, struct view *v) {
    const struct {
        const struct sm_counters *sm;
        const struct l1_counters *l1;
        const struct noc_counters *noc;
        const struct l2_counters *l2;
        const struct dram_counters *dram;
    } from = {&t->core.sm, &t->core.l1, &t->core.noc, &t->mem.l2, &t->mem.dram};
#define COUNTER(group, name, unit, doc) v->group.name = (double)from.group->name;
#define STALL(id, name, wait, doc) v->stall.id = (double)t->core.stall[STALL_##id];
#include "sim/stat/counters.def"
#define UNIT(id, name, doc) \
    v->unit.id.busy_cycles = (double)t->core.unit_busy[UNIT_##id]; \
    v->unit.id.lanes = (double)t->core.unit_lanes[UNIT_##id]; \
    v->lanes.id = t->board->lanes[UNIT_##id];
#include "isa/classes.def"
}

void view_of(const struct totals *t, struct view *v) {
    const struct occupancy *o = &t->occupancy;
    *v = (struct view){.cycles = (double)t->cycles,
                       .seconds = (double)t->cycles / (t->board->clock_mhz * 1e6),
                       .blocks = (double)t->blocks,
                       .warps = (double)t->warps,
                       .threads = (double)t->threads,
                       .mma_passes = (double)t->mma_passes,
                       .width = t->width,
                       .sms_used = t->sms_used,
                       .busiest = (double)t->busiest,
                       .idlest = (double)t->idlest,
                       .busiest_slice = (double)t->busiest_slice,
                       .busiest_channel = (double)t->busiest_channel,
                       .idlest_channel = (double)t->idlest_channel,
                       .busiest_number = t->busiest_number,
                       .idlest_number = t->idlest_number,
                       .busiest_bank = (double)t->busiest_bank,
                       .by_command = energy_by_command(t->board),
                       .occupancy = {.blocks = o->blocks,
                                     .warps = o->warps,
                                     .registers = o->registers,
                                     .shared = o->shared,
                                     .l1_bytes = o->l1_bytes}};
    for (u32 i = 0; i < LIMIT_COUNT; i++)
        v->occupancy.by[i] = o->by[i];
    fill_counters(t, v);
}
