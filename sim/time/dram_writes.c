/*
 * Write handling: which direction a channel serves, and what a read does that wants what a write has not yet brought.
 * Each is a row of the choice `writes`, or `forward`, and a case here; rules 1 and 5 of dram_choose.c are those of the
 * first row of each.
 *
 *      split     reads go first; writes are drained from write_high to write_low, and while there are no reads: at
 *                once, or after write_idle cycles without an arrival
 *      shared    one queue, of read_queue bursts: the oldest of all sets the direction
 */
#include "sim/time/dram_private.h"

bool dram_turns_to_writes(struct dram *d, u32 reads, u32 writes) {
    bool writing = d->writing && writes && (!reads || d->quota);
    switch (d->cfg.writes) {
    case write_handling_SHARED:
        return reads + writes ? d->window.slot[dram_window_oldest(&d->window)].write : d->writing;
    case write_handling_SPLIT:
        if (writing || !writes)
            return writing;
        if (writes < d->cfg.write_high ? reads || d->event < d->entered + d->cfg.write_idle : reads && d->last_write)
            return false;
        d->quota = writes > d->cfg.write_low ? writes - d->cfg.write_low : 0;
        return true;
    }
    BUG("a direction that is none");
}

u64 dram_writes_due(const struct dram *d) {
    bool held = d->cfg.write_idle && !d->writing && !d->window.count[false] && d->window.count[true];
    return held ? d->entered + d->cfg.write_idle : TIME_NEVER;
}

/* True if a write waits that came before an arrival and is of the same address. */
static bool write_waits(const struct dram *d, const struct dram_arrival *a) {
    const struct dram_ring *r = &d->ring[true];
    struct dram_place p = dram_place_of(d, a->burst.address);
    u32 column = dram_column_of(d, a->burst.address);
    for (u32 s = d->window.list[true][p.bank].oldest; s != DRAM_NO_SLOT; s = d->window.slot[s].behind) {
        const struct dram_slot *w = &d->window.slot[s];
        if (w->row == p.row && w->column == column && (s32)(w->age - a->number) < 0)
            return true;
    }
    for (u32 i = 0; i < r->count; i++) {
        const struct dram_arrival *w = &r->slot[(r->head + i) & (r->capacity - 1)];
        if (w->burst.address == a->burst.address && (s32)(w->number - a->number) < 0)
            return true;
    }
    return false;
}

bool dram_forwards(const struct dram *d, u64 now) {
    const struct dram_ring *r = &d->ring[false];
    switch (d->cfg.forward) {
    case forward_NONE: return false;
    case forward_WRITES: return r->count && r->slot[r->head].time <= now && write_waits(d, &r->slot[r->head]);
    }
    BUG("a read that goes nowhere");
}

bool dram_forward(struct dram *d, u64 now, struct dram_done *done) {
    struct dram_ring *r = &d->ring[false];
    if (!dram_forwards(d, now))
        return false;
    *done = (struct dram_done){.id = r->slot[r->head].burst.id, .time = dram_clock_sm(d->clock, now) + d->cfg.latency};
    r->head = (r->head + 1) & (r->capacity - 1);
    r->count--;
    d->counters->forwarded_reads++;
    return true;
}
