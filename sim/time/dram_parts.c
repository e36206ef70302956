/*
 * Where the time of a data bus goes. Its cycles are data, or a gap before the data of a burst, or what is left after
 * the last burst of a launch. A gap is cut at the times from which on each reason no longer held that burst back, in
 * this order; each reason has what lies between its time and the one before, and the parts add up to the gap:
 *
 *      last data | idle | turn | refresh | conflict | activate | column | activate | data
 *                       |      |         |          |          |        |
 *                       |      |         |          |          |        +-- its group, or the channel, takes a column
 *                       |      |         |          |          +-- its row is open: rcd after the activate
 *                       |      |         |          +-- its bank is precharged
 *                       |      |         +-- the last refresh of its bank has ended
 *                       |      +-- the bus has turned between reading and writing
 *                       +-- bursts wait
 *
 * All of them are shifted by the latency of the column command, so what a burst takes beyond that counts. What is left
 * at the end is a wait for rows of other bursts that were there before this one.
 */
#include "sim/time/dram_private.h"

/* Cycles of the gap up to that time, which are taken off it. */
static u64 cut(u64 *from, u64 until, u64 end) {
    u64 begin = *from;
    *from = max_u64(begin, min_u64(until, end));
    return *from - begin;
}

void dram_parts_gap(struct dram *d, const struct dram_slot *s, u64 data) {
    const struct dram_device *v = &d->device;
    const struct dram_calendar *bank = &v->bank[s->bank], *group = &v->group[v->group_of[s->bank]];
    struct dram_counters *c = d->counters;
    enum dram_command column = s->write ? DRAM_WR : DRAM_RD;
    u64 shift = s->write ? d->cfg.wl : d->cfg.cl, from = d->bus_free;
    u64 bus = max_u64(v->channel.ready[column], group->ready[column]);
    d->idle += cut(&from, d->since + shift, data);
    if (d->served && s->write != d->last_write)
        c->turn_cycles += cut(&from, bus + shift, data);
    c->refresh_cycles += cut(&from, d->refreshed_until[s->bank] + shift, data);
    c->conflict_cycles += cut(&from, bank->ready[DRAM_ACT] + shift, data);
    c->activate_cycles += cut(&from, bank->ready[column] + shift, data);
    c->column_cycles += cut(&from, bus + shift, data);
    c->activate_cycles += data - from;
}

void dram_close(struct dram *d, u64 end) {
    u64 span = dram_clock_memory(d->clock, end);
    d->counters->bus_cycles = span;
    d->counters->idle_cycles = d->idle + span - d->bus_free;
}
