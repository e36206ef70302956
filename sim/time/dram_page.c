/*
 * Page policies: when an open row is closed that no burst waits for. Each is a row of the choice `page`, and its case
 * in closes_from; what it needs to know of a bank is in struct dram_page. A row that bursts wait for stays open, one
 * that a burst for another row waits for is closed by the scheduler (dram_choose.c).
 *
 * Precharges are row commands that go after all others. Those of a channel without bursts are made up for when a burst
 * arrives, as refreshes are (dram_catch_up).
 */
#include "sim/time/dram_private.h"

void dram_page_reset(struct dram *d) {
    d->last_bank = d->device.banks - 1;
    for (u32 b = 0; b < d->device.banks; b++)
        d->page[b] = (struct dram_page){.closed = DRAM_NO_ROW, .trust = DRAM_TRUST};
}

/* Time from when the bank's row may be closed, by the policy; TIME_NEVER: it stays open. */
static u64 closes_from(const struct dram *d, u32 bank) {
    const struct dram_page *p = &d->page[bank];
    switch (d->cfg.page) {
    case page_OPEN: return TIME_NEVER;
    case page_CLOSED: return 0;
    case page_TIMEOUT: return p->used + d->cfg.page_timeout;
    case page_ADAPTIVE: return p->trust > DRAM_TRUST / 2 ? TIME_NEVER : 0;
    }
    BUG("a page policy that closes nothing");
}

void dram_page_column(struct dram *d, const struct dram_slot *s, u64 now) {
    struct dram_page *p = &d->page[s->bank];
    p->trust = (u8)(p->trust + (d->opened[s->bank] == DRAM_HIT && p->trust < DRAM_TRUST));
    p->used = now;
    p->streak++;
    d->last_bank = s->bank;
}

void dram_page_open(struct dram *d, const struct dram_slot *s) {
    struct dram_page *p = &d->page[s->bank];
    p->trust = (u8)(p->trust + (p->closed == s->row && p->trust < DRAM_TRUST));
    p->closed = DRAM_NO_ROW;
    p->streak = 0;
}

void dram_page_conflict(struct dram *d, u32 bank) {
    struct dram_page *p = &d->page[bank];
    p->trust = (u8)(p->trust - (p->trust > 0));
    p->closed = DRAM_NO_ROW;
}

struct dram_turn dram_page_turn(struct dram *d, u64 from, struct dram_turn other) {
    const struct dram_window *w = &d->window;
    struct dram_turn turn = other;
    for (u32 b = 0; b < d->device.banks; b++) {
        u64 waits = (w->occupied[false][b / 64] | w->occupied[true][b / 64]) >> b % 64 & 1;
        u64 time = d->device.row[b] == DRAM_NO_ROW || waits ? TIME_NEVER : closes_from(d, b);
        if (time == TIME_NEVER)
            continue;
        time = dram_earliest(&d->device, b, DRAM_PRE, max_u64(from, time));
        if (time >= turn.time)
            continue;
        turn = (struct dram_turn){time, DRAM_NO_SLOT};
        d->refresh_bank = b;
        d->closes = true;
    }
    return turn;
}
