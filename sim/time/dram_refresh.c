/*
 * Refreshes: each bank has one in refi. A refresh takes a unit of banks, units take turns:
 *
 *      at_due      all banks (REF), or one where rfc_bank is given (REFB)     in the cycle that it is due
 *      all_bank    all banks (REF)                                            row commands, which take their pins
 *      per_bank    one bank (REFB)                                            likewise
 *      same_bank   the bank of one number in every group (REFB of each)       likewise, one for all of them
 *
 * at_due: from the cycle on that it is due, the unit gets no command: its open rows are closed as soon as they may be,
 * and the refresh follows. Those commands take no pins. Refreshes that were due while nothing happened are made up for
 * when a burst arrives.
 *
 * The others: the unit is held when its refresh is due, or `postpone` x refi later; before that, from when it is due,
 * it is refreshed as soon as no burst waits for it. A unit that is held gets precharges and its refresh alone, before
 * all other row commands. A row is not opened if its column command would come after that time.
 */
#include "sim/time/dram_private.h"

static u32 log2_of(u32 power) {
    return (u32)__builtin_ctz(power);
}

/* Banks of a unit, by the choice. */
static u32 unit_banks(const struct dram *d) {
    switch (d->cfg.refresh) {
    case refresh_AT_DUE: return d->cfg.rfc_bank ? 1 : d->device.banks;
    case refresh_ALL_BANK: return d->device.banks;
    case refresh_PER_BANK: return 1;
    case refresh_SAME_BANK: return d->device.together;
    }
    BUG("a refresh that takes no banks");
}

/* Time when refresh number `n` is due: units have their turns at equal distances, all of them in refi. */
static u64 due(const struct dram *d, u64 n) {
    return d->cfg.refi ? (n + 1) * d->cfg.refi / d->units : TIME_NEVER;
}

/* Sets the time when the next refresh can wait no longer. */
static void next_due(struct dram *d) {
    d->refresh_due = d->cfg.refi ? due(d, d->refreshed) + (u64)d->cfg.postpone * d->cfg.refi : TIME_NEVER;
    if (d->cfg.refresh == refresh_AT_DUE)
        d->refresh_due = due(d, d->refreshed);
}

void dram_refresh_reset(struct dram *d) {
    u32 banks = unit_banks(d);
    d->unit_shift = log2_of(banks);
    d->units = d->device.banks / banks;
    d->refreshed = 0;
    d->held = d->closes = false;
    next_due(d);
}

/* Bank b's row was closed, and the bank refreshed. */
static void closed(struct dram *d, u32 bank) {
    d->opened[bank] = DRAM_HIT;
    dram_window_reopened(&d->window, bank);
}

/* Closes the row of each bank whose refresh is due by `time`, and refreshes it. */
static void refresh_banks(struct dram *d, u64 time) {
    u32 banks = d->device.banks;
    u64 last = ((time + 1) * banks - 1) / d->cfg.refi, first = d->refreshed;
    while (d->refreshed < last) {
        u32 bank = (u32)(d->refreshed & (banks - 1));
        dram_refresh_bank(&d->device, bank, d->refresh_due);
        closed(d, bank);
        d->refreshed_until[bank] = d->device.bank[bank].ready[DRAM_REFB];
        d->refreshed++;
        if (d->refreshed == first + banks && last > d->refreshed + banks)
            d->refreshed = last - banks; /* between the first and the last of a bank there was nothing to close */
        next_due(d);
    }
    d->counters->refreshes += last - first;
    dram_consider_all(d);
    d->stale_row = true;
}

/* Closes all rows and refreshes, once for each refresh that is due by `time`. */
static void refresh_all(struct dram *d, u64 time) {
    u64 first = d->refresh_due, more = (time - first) / d->cfg.refi;
    dram_refresh(&d->device, first);
    if (more)
        dram_refresh(&d->device, first + more * d->cfg.refi);
    d->refreshed += more + 1;
    next_due(d);
    d->counters->refreshes += more + 1;
    for (u32 b = 0; b < d->device.banks; b++) {
        closed(d, b);
        d->refreshed_until[b] = d->device.channel.ready[DRAM_REF];
    }
    dram_consider_all(d);
}

static u32 first_bank(const struct dram *d) {
    return (u32)(d->refreshed & (d->units - 1)) << d->unit_shift;
}

void dram_refresh_due(struct dram *d, u64 now) {
    switch (d->cfg.refresh) {
    case refresh_AT_DUE: (d->cfg.rfc_bank ? refresh_banks : refresh_all)(d, now); return;
    case refresh_ALL_BANK:
    case refresh_PER_BANK:
    case refresh_SAME_BANK:
        d->held = true;
        d->refresh_due = TIME_NEVER;
        dram_consider_all(d);
        d->stale_row = true;
        return;
    }
}

/* True if no burst waits for the banks of the next refresh. */
static bool unit_idle(const struct dram *d) {
    u32 first = first_bank(d), banks = 1U << d->unit_shift;
    for (u32 b = first; b < first + banks; b++)
        if ((d->window.occupied[false][b / 64] | d->window.occupied[true][b / 64]) >> b % 64 & 1)
            return false;
    return true;
}

struct dram_turn dram_refresh_turn(struct dram *d, u64 from) {
    struct dram_turn turn = {TIME_NEVER, DRAM_NO_SLOT};
    u32 first = first_bank(d), banks = 1U << d->unit_shift;
    bool all = d->cfg.refresh == refresh_ALL_BANK;
    if (d->cfg.refresh == refresh_AT_DUE || (!d->held && (!d->cfg.refi || !d->cfg.postpone || !unit_idle(d))))
        return turn;
    if (!d->held)
        from = max_u64(from, due(d, d->refreshed));
    d->closes = false;
    if (all) {
        turn.time = dram_earliest_all(&d->device, from);
        d->closes = turn.time != TIME_NEVER;
        d->refresh_bank = DRAM_ALL_BANKS;
    }
    for (u32 b = first; !all && b < first + banks; b++) {
        u64 time = d->device.row[b] == DRAM_NO_ROW ? TIME_NEVER : dram_earliest(&d->device, b, DRAM_PRE, from);
        if (time >= turn.time)
            continue;
        turn.time = time;
        d->refresh_bank = b;
        d->closes = true;
    }
    if (d->closes)
        return turn;
    turn.time = from;
    for (u32 b = first; b < first + banks; b++)
        turn.time = dram_earliest(&d->device, b, all ? DRAM_REF : DRAM_REFB, turn.time);
    return turn;
}

/* Closes the row of a bank, or all that are open. */
static void close_row(struct dram *d, u64 now) {
    bool all = d->refresh_bank == DRAM_ALL_BANKS;
    for (u32 b = all ? 0 : d->refresh_bank; b < (all ? d->device.banks : d->refresh_bank + 1); b++) {
        if (d->device.row[b] == DRAM_NO_ROW)
            continue;
        d->page[b].closed = d->held ? DRAM_NO_ROW : d->device.row[b];
        d->device.row[b] = DRAM_NO_ROW;
        closed(d, b);
    }
    dram_command(&d->device, all ? 0 : d->refresh_bank, all ? DRAM_PREA : DRAM_PRE, now);
}

void dram_refresh_give(struct dram *d, u64 now) {
    u32 first = first_bank(d), banks = 1U << d->unit_shift;
    dram_pins_take(d, true, now, 1);
    d->stale_row = true;
    if (d->closes) {
        close_row(d, now);
        return;
    }
    if (d->cfg.refresh == refresh_ALL_BANK)
        dram_command(&d->device, 0, DRAM_REF, now);
    for (u32 b = first; b < first + banks; b++) {
        if (d->cfg.refresh != refresh_ALL_BANK)
            dram_command(&d->device, b, DRAM_REFB, now);
        d->refreshed_until[b] = now + (d->cfg.refresh == refresh_ALL_BANK ? d->cfg.rfc : d->cfg.rfc_bank);
    }
    d->counters->refreshes++;
    d->refreshed++;
    d->held = false;
    next_due(d);
    dram_consider_all(d);
}

/* Time of the next step for refreshes alone. */
static u64 next_idle(struct dram *d) {
    dram_look_row(d, d->soon);
    if (d->cfg.refresh == refresh_AT_DUE && d->row.time == TIME_NEVER)
        return TIME_NEVER; /* a step makes up for all of these at once */
    return max_u64(min_u64(d->refresh_due, d->row.time), d->soon);
}

/* Leaves out whole rounds of refreshes that find all banks closed: they change nothing but the number. */
static void skip_rounds(struct dram *d, u64 now) {
    u64 refi = d->cfg.refi, until = due(d, d->refreshed) + (d->cfg.postpone + 3) * refi;
    if (d->cfg.refresh == refresh_AT_DUE || d->held || d->device.log || !refi || until >= now)
        return;
    for (u32 b = 0; b < d->device.banks; b++)
        if (d->device.row[b] != DRAM_NO_ROW)
            return;
    u64 rounds = (now - until) / refi;
    d->counters->refreshes += rounds * d->units;
    d->refreshed += rounds * d->units;
    next_due(d);
    d->stale_row = true;
}

void dram_catch_up(struct dram *d, u64 now) {
    for (;;) {
        struct dram *first = d;
        for (u32 i = 0; d->pins && i < d->pins->channels; i++)
            if (next_idle(d->pins->channel[i]) < next_idle(first))
                first = d->pins->channel[i];
        u64 time = next_idle(first);
        if (time >= now)
            return;
        first->soon = time + 1;
        if (first->refresh_due <= time)
            dram_refresh_due(first, time);
        dram_look_row(first, time);
        if (first->row.time == time && dram_pins_free(first, true, time))
            dram_refresh_give(first, time);
        skip_rounds(first, now);
    }
}
