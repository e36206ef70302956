/*
 * The choice of what a memory channel does next. In each memory cycle one column command and one row command (precharge
 * or activate) may be given, each as soon as the device allows it:
 *   1. Reads go before writes. Writes are drained when write_high of them wait, or when there are no reads and no
 *      burst has arrived for write_idle cycles; a drain takes as many as wait beyond write_low, and more while there
 *      are no reads; between two drains at least one read is served, if one waits. So the bus turns seldom, and reads
 *      wait for a bounded number of writes.
 *   2. Each bank offers its oldest burst of the direction for the open row, else its oldest: an open row is used up
 *      first. A bank that has none of the direction offers one of the other: its row is open when the bus turns.
 *   3. Column: of the offers of the direction whose row is open, the one that can go first; of equals, the oldest.
 *   4. Row: of the offers whose row is not open, the one whose command can go first; of equals, those of the direction
 *      before the others, then the oldest. So rows are closed and opened while the data of other banks are on the bus.
 *   5. The oldest burst, if `patience` others were served since it entered the window, sets the direction, and
 *      its bank offers nothing else. A write takes along all that wait then.
 *
 *   6. Commands that a refresh needs (dram_refresh.c) go before other row commands. Command pins that something else
 *      takes put a command off: an activate of several cycles, columns where all share pins, another pseudo channel,
 *      where the one that gave the last column command waits (dram_before).
 *
 *   7. Rows that no burst waits for are closed by the page policy (dram_page.c), after all other row commands.
 *   8. Other schedulers (dram.scheduler) differ in what a bank offers, and in who precedes (dram_scheduler.c); fcfs
 *      lets no column command pass an older one of its direction. With dram.writes of another row than the first, rule
 *      1 is dram_writes.c's.
 *
 * Left out: power-down.
 */
#include "sim/time/dram_private.h"

/* Burst to open the bank's row for, or DRAM_NO_SLOT: rules 2 and 5. `simple`: d->simple, known to the caller. */
static inline u32 row_offer(struct dram *d, u32 bank, bool simple) {
    struct dram_window *w = &d->window;
    if (d->late != DRAM_NO_SLOT && w->slot[d->late].bank == bank)
        return d->late;
    bool write = w->list[d->writing][bank].oldest == DRAM_NO_SLOT ? !d->writing : d->writing;
    if (w->list[write][bank].oldest == DRAM_NO_SLOT)
        return DRAM_NO_SLOT;
    return simple ? dram_window_offer(w, bank, write, d->device.row[bank]) : dram_offer(d, bank, write);
}

/* True if the bank wants a row command: a burst's, or one for a refresh. */
static bool wants(struct dram *d, u32 bank) {
    u32 s = row_offer(d, bank, false);
    return (d->held && dram_refreshes(d, bank)) || (s != DRAM_NO_SLOT && d->window.slot[s].row != d->device.row[bank]);
}

/* Notes whether the bank wants a row command, after a change of its bursts, its row or its offer. */
void dram_consider(struct dram *d, u32 bank) {
    u64 bit = 1ULL << bank % 64, *want = &d->want[bank / 64];
    bool now;
    if (LIKELY(d->simple)) {
        u32 s = row_offer(d, bank, true);
        now = s != DRAM_NO_SLOT && d->window.slot[s].row != d->device.row[bank];
    } else {
        now = wants(d, bank);
    }
    d->stale_row = d->stale_row || now || *want & bit;
    *want = now ? *want | bit : *want & ~bit;
}

void dram_consider_all(struct dram *d) {
    for (u32 b = 0; b < d->device.banks; b++)
        dram_consider(d, b);
    d->stale_column = true;
}

/* Finds the burst that has waited too long, and the direction: rules 1 and 5. Doing it again changes nothing. */
void dram_direct(struct dram *d) {
    const struct dram_window *w = &d->window;
    u32 reads = w->count[false], writes = w->count[true], late = DRAM_NO_SLOT;
    bool writing = d->writing;
    if (reads + writes) {
        u32 oldest = dram_window_oldest(w);
        late = (u32)d->served - w->slot[oldest].served >= d->cfg.patience ? oldest : DRAM_NO_SLOT;
    }
    if (late != DRAM_NO_SLOT) {
        if (w->slot[late].write && !writing)
            d->quota = writes;
        writing = w->slot[late].write;
    } else {
        writing = dram_turns_to_writes(d, reads, writes);
    }
    if (writing == d->writing && late == d->late)
        return;
    d->writing = writing;
    d->late = late;
    dram_consider_all(d);
}

/* True if the slot is before `best`, which has the same time and may be none. */
static bool goes_before(const struct dram *d, u32 slot, u32 best) {
    return best == DRAM_NO_SLOT || dram_window_older(&d->window, slot, best);
}

/* The oldest that can go at the first time of all, if it is among the first few; or DRAM_NO_SLOT. */
static u32 quick_column(const struct dram *d, enum dram_command column, u64 soonest) {
    enum { FEW = 8 };
    const struct dram_window *w = &d->window;
    u32 s = w->oldest[d->writing];
    for (u32 i = 0; i < FEW && s != DRAM_NO_SLOT; i++, s = w->slot[s].younger) {
        u32 bank = w->slot[s].bank;
        if (w->slot[s].row == d->device.row[bank] && !(d->want[bank / 64] >> bank % 64 & 1) &&
            dram_column_time(d, bank, column, soonest) == soonest)
            return s;
    }
    return DRAM_NO_SLOT;
}

/* Rule 3: the next column command, not before `from`. */
static struct dram_turn next_column(struct dram *d, u64 from) {
    struct dram_window *w = &d->window;
    enum dram_command column = d->writing ? DRAM_WR : DRAM_RD;
    u64 soonest = max_u64(from, d->device.channel.ready[column]);
    struct dram_turn best = {soonest, quick_column(d, column, soonest)};
    if (best.slot != DRAM_NO_SLOT)
        return best;
    best.time = TIME_NEVER;
    for (u32 word = 0; word < w->words; word++)
        for (u64 rest = w->occupied[d->writing][word] & ~d->want[word]; rest; rest &= rest - 1) {
            u32 bank = word * 64 + (u32)__builtin_ctzll(rest);
            u32 s = dram_window_offer(w, bank, d->writing, d->device.row[bank]);
            u64 time = dram_column_time(d, bank, column, soonest);
            if (time < best.time || (time == best.time && goes_before(d, s, best.slot)))
                best = (struct dram_turn){time, s};
        }
    return best;
}

/* Rule 4: the next row command, not before `from`. */
static struct dram_turn next_row(struct dram *d, u64 from) {
    const struct dram_device *v = &d->device;
    struct dram_turn best = {TIME_NEVER, DRAM_NO_SLOT};
    bool ours = false;
    for (u32 word = 0; word < d->window.words; word++)
        for (u64 rest = d->want[word]; rest; rest &= rest - 1) {
            u32 bank = word * 64 + (u32)__builtin_ctzll(rest), s = row_offer(d, bank, d->simple);
            if (UNLIKELY(d->held) && dram_refreshes(d, bank))
                continue;
            bool open = v->row[bank] != DRAM_NO_ROW, serves = d->window.slot[s].write == d->writing;
            u64 time = dram_earliest(v, bank, open ? DRAM_PRE : DRAM_ACT, from);
            if (time > best.time ||
                (!open && time + d->opening[d->window.slot[s].write] >= d->refresh_due && dram_refreshes(d, bank)))
                continue;
            if (time < best.time || (serves != ours ? serves : dram_precedes(d, s, best.slot))) {
                best = (struct dram_turn){time, s};
                ours = serves;
            }
        }
    return best;
}

bool dram_pins_free(struct dram *d, bool row, u64 now) {
    bool free = !d->pins || d->pins->free[row && d->cfg.pins == pins_APART] <= now;
    d->stale_row = d->stale_row || (row && !free);
    d->stale_column = d->stale_column || (!row && !free);
    return free;
}

void dram_pins_take(struct dram *d, bool row, u64 now, u32 cycles) {
    if (!d->pins)
        return;
    d->pins->free[row && d->cfg.pins == pins_APART] = now + cycles;
    d->pins->last = row ? d->pins->last : d;
}

/* First time, not before `from`, when the pins are free. */
static u64 pins_from(const struct dram *d, bool row, u64 from) {
    return LIKELY(d->pins == NULL) ? from : max_u64(from, d->pins->free[row && d->cfg.pins == pins_APART]);
}

/* Looks again, if need be, for the commands that are next, not before `from`. */
void dram_look_column(struct dram *d, u64 from) {
    if (d->stale_column && LIKELY(d->simple))
        d->column = next_column(d, from);
    else if (d->stale_column)
        d->column = dram_other_column(d, pins_from(d, false, from));
    d->stale_column = false;
}

void dram_look_row(struct dram *d, u64 from) {
    if (!d->stale_row)
        return;
    d->stale_row = false;
    from = pins_from(d, true, from);
    d->row = next_row(d, from);
    if (LIKELY(d->simple))
        return;
    struct dram_turn refresh = dram_refresh_turn(d, from);
    if (refresh.time <= d->row.time && refresh.time != TIME_NEVER)
        d->row = refresh;
    else if (d->cfg.page != page_OPEN)
        d->row = dram_page_turn(d, from, d->row);
}
