/*
 * Schedulers: what a bank offers, and which of the offers that are as ready precedes. Each is a row of the choice
 * `scheduler`, and its case in dram_offer. The first row, frfcfs with nothing else chosen, has faster code of its own
 * in dram_choose.c; the reference of tests/time/dram_reference.c holds it to the rules there.
 */
#include "sim/time/dram_private.h"

u32 dram_offer(struct dram *d, u32 bank, bool write) {
    struct dram_window *w = &d->window;
    switch (d->cfg.scheduler) {
    case scheduler_FRFCFS:
    case scheduler_BANK_RR: return dram_window_offer(w, bank, write, d->device.row[bank]);
    case scheduler_FCFS: return w->list[write][bank].oldest;
    case scheduler_CAP:
        if (d->page[bank].streak >= d->cfg.hit_cap)
            return w->list[write][bank].oldest;
        return dram_window_offer(w, bank, write, d->device.row[bank]);
    }
    BUG("a scheduler that offers nothing");
}

/* Banks from the one that was served last to that of a slot, round and round. */
static u32 turns_to(const struct dram *d, u32 slot) {
    return (d->window.slot[slot].bank - d->last_bank - 1) & (d->device.banks - 1);
}

bool dram_precedes(const struct dram *d, u32 slot, u32 best) {
    if (d->cfg.scheduler != scheduler_BANK_RR || best == DRAM_NO_SLOT)
        return best == DRAM_NO_SLOT || dram_window_older(&d->window, slot, best);
    return turns_to(d, slot) < turns_to(d, best);
}

struct dram_turn dram_other_column(struct dram *d, u64 from) {
    struct dram_window *w = &d->window;
    enum dram_command column = d->writing ? DRAM_WR : DRAM_RD;
    u64 soonest = max_u64(from, d->device.channel.ready[column]);
    struct dram_turn best = {TIME_NEVER, DRAM_NO_SLOT};
    for (u32 bank = 0; bank < d->device.banks; bank++) {
        if (!(w->occupied[d->writing][bank / 64] & ~d->want[bank / 64] & 1ULL << bank % 64))
            continue;
        u32 s = dram_offer(d, bank, d->writing);
        u64 time = dram_column_time(d, bank, column, soonest);
        if (d->cfg.scheduler == scheduler_FCFS && s != w->oldest[d->writing])
            continue;
        if (time < best.time || (time == best.time && dram_precedes(d, s, best.slot)))
            best = (struct dram_turn){time, s};
    }
    return best;
}
