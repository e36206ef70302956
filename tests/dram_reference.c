/*
 * Does a memory channel do what a slow one does, which was written from the rules alone? The reference keeps every
 * command that was ever given and finds the time of the next by looking at each of them; it chooses by looking at every
 * waiting burst. Then the log of the channel is judged by itself, command against command.
 */
#include "tests/dram_rig.h"

#include <string.h>

enum { BURSTS_MAX = 400, COMMANDS_MAX = 4 * BURSTS_MAX + 4096 };

#define NOTHING UINT64_MAX /* neither holds the other back */

/* What must lie between a command and a later one; `same` and `group`: of one bank, of one group. */
static u64 apart(const struct board_dram *c, const struct dram_record *a, const struct dram_record *b) {
    bool same = a->bank == b->bank, group = a->bank % c->bank_groups == b->bank % c->bank_groups;
    u64 activates = group && c->rrd_l > c->rrd_s ? c->rrd_l : c->rrd_s;
    u64 columns = group && c->ccd_l > c->ccd_s ? c->ccd_l : c->ccd_s;
    if (columns < c->burst_cycles)
        columns = c->burst_cycles;
    u64 turn = c->cl + c->burst_cycles > c->wl + c->rtw ? c->cl + c->burst_cycles - c->wl : c->rtw;
    switch (a->command * DRAM_COMMANDS + b->command) {
    case DRAM_PRE *DRAM_COMMANDS + DRAM_ACT: return same ? c->rp : NOTHING;
    case DRAM_PRE *DRAM_COMMANDS + DRAM_REF: return c->rp;
    case DRAM_ACT *DRAM_COMMANDS + DRAM_PRE: return same ? c->ras : NOTHING;
    case DRAM_ACT *DRAM_COMMANDS + DRAM_ACT: return same && c->ras + c->rp > activates ? c->ras + c->rp : activates;
    case DRAM_ACT *DRAM_COMMANDS + DRAM_RD:
    case DRAM_ACT *DRAM_COMMANDS + DRAM_WR: return same ? c->rcd : NOTHING;
    case DRAM_RD *DRAM_COMMANDS + DRAM_PRE: return same ? c->rtp : NOTHING;
    case DRAM_RD *DRAM_COMMANDS + DRAM_RD:
    case DRAM_WR *DRAM_COMMANDS + DRAM_WR: return columns;
    case DRAM_RD *DRAM_COMMANDS + DRAM_WR: return turn;
    case DRAM_WR *DRAM_COMMANDS + DRAM_PRE: return same ? c->wl + c->burst_cycles + c->wr : NOTHING;
    case DRAM_WR *DRAM_COMMANDS + DRAM_RD: return c->wl + c->burst_cycles + c->wtr;
    case DRAM_REF *DRAM_COMMANDS + DRAM_ACT:
    case DRAM_REF *DRAM_COMMANDS + DRAM_REF: return c->rfc;
    default: return NOTHING;
    }
}

struct waiting {
    u64 arrives; /* memory cycles */
    u64 entered; /* choices that had been made; UINT64_MAX: not in the window */
    u64 row;
    u32 bank;
    bool write, served;
};

struct reference {
    const struct board_dram *c;
    struct waiting burst[BURSTS_MAX];
    u32 bursts;
    struct dram_record given[COMMANDS_MAX];
    u32 commands;
    u64 open[1024];
    u64 now, bus, refreshed; /* `refreshed`: due times that are over */
    u64 choices, quota;
    bool writing;
};

/* The first time at which the command may come. */
static u64 soonest(const struct reference *r, u32 bank, u32 command, u64 time) {
    struct dram_record next = {.bank = bank, .command = command};
    const struct dram_record *activate[4] = {0};
    u32 activates = 0;
    for (u32 i = 0; i < r->commands; i++) {
        const struct dram_record *a = &r->given[i];
        u64 gap = apart(r->c, a, &next);
        if (gap != NOTHING && a->time + gap > time)
            time = a->time + gap;
        if (a->command == DRAM_ACT)
            activate[activates++ % 4] = a;
    }
    if (command == DRAM_ACT && activates >= 4 && activate[activates % 4]->time + r->c->faw > time)
        time = activate[activates % 4]->time + r->c->faw;
    return time;
}

static void give(struct reference *r, u32 bank, u32 command, u64 time) {
    cr_assert(r->commands < COMMANDS_MAX);
    r->given[r->commands++] = (struct dram_record){time, 0, bank, command};
}

static void refresh_due(struct reference *r) {
    u64 due = (r->refreshed + 1) * r->c->refi;
    for (u32 b = 0; b < r->c->bank_groups * r->c->banks; b++)
        if (r->open[b] != DRAM_NO_ROW) {
            give(r, b, DRAM_PRE, soonest(r, b, DRAM_PRE, due));
            r->open[b] = DRAM_NO_ROW;
        }
    give(r, 0, DRAM_REF, soonest(r, 0, DRAM_REF, due));
    r->refreshed++;
}

/* Commands of a burst from now on: the time of its column command; given if `really`. */
static u64 column_time(struct reference *r, const struct waiting *w, bool really) {
    u64 time = r->now;
    u32 kept = r->commands;
    if (r->open[w->bank] != w->row) {
        if (r->open[w->bank] != DRAM_NO_ROW) {
            time = soonest(r, w->bank, DRAM_PRE, time);
            give(r, w->bank, DRAM_PRE, time);
        }
        time = soonest(r, w->bank, DRAM_ACT, time);
        give(r, w->bank, DRAM_ACT, time);
    }
    time = soonest(r, w->bank, w->write ? DRAM_WR : DRAM_RD, time);
    give(r, w->bank, w->write ? DRAM_WR : DRAM_RD, time);
    if (really)
        r->open[w->bank] = w->row;
    else
        r->commands = kept;
    return time;
}

/* Whether a younger or older burst of its bank and kind is offered instead. */
static bool offered(const struct reference *r, u32 i) {
    const struct waiting *w = &r->burst[i];
    bool hit = r->open[w->bank] == w->row;
    for (u32 k = 0; k < r->bursts; k++) {
        const struct waiting *o = &r->burst[k];
        if (o->served || o->entered == UINT64_MAX || o->bank != w->bank || o->write != w->write)
            continue;
        bool other = r->open[o->bank] == o->row;
        if ((other && !hit) || (other == hit && k < i))
            return false;
    }
    return true;
}

static u32 best(struct reference *r) {
    u32 chosen = UINT32_MAX;
    u64 time = 0;
    for (u32 i = 0; i < r->bursts; i++) {
        struct waiting *w = &r->burst[i];
        if (w->served || w->entered == UINT64_MAX || w->write != r->writing || !offered(r, i))
            continue;
        u64 t = column_time(r, w, false);
        if (chosen == UINT32_MAX || t < time) {
            chosen = i;
            time = t;
        }
    }
    return chosen;
}

/* Takes into the window what has come. Returns the oldest of it; counts reads and writes. */
static u32 look(struct reference *r, u32 count[2]) {
    u32 oldest = UINT32_MAX, inside = 0;
    count[0] = count[1] = 0;
    for (u32 i = 0; i < r->bursts && inside < r->c->queue; i++) {
        struct waiting *w = &r->burst[i];
        if (w->served || w->arrives > r->now)
            continue;
        if (w->entered == UINT64_MAX)
            w->entered = r->choices;
        oldest = oldest == UINT32_MAX ? i : oldest;
        count[w->write]++;
        inside++;
    }
    return oldest;
}

/* The burst that is served next, and the end of its data. */
static u32 reference_step(struct reference *r, u64 *end) {
    const struct board_dram *c = r->c;
    u64 ahead = c->rp + c->rcd + c->cl;
    u32 first = 0, count[2];
    while (r->burst[first].served)
        first++;
    r->now = r->bus > r->now + ahead ? r->bus - ahead : r->now;
    r->now = r->burst[first].arrives > r->now ? r->burst[first].arrives : r->now;
    while (c->refi && (r->refreshed + 1) * c->refi <= r->now)
        refresh_due(r);
    u32 chosen = look(r, count);
    bool starved = r->choices - r->burst[chosen].entered >= c->patience * c->queue;
    if (starved) {
        if (!r->writing && r->burst[chosen].write)
            r->quota = count[1];
        r->writing = r->burst[chosen].write;
    } else if (r->writing) {
        r->writing = count[1] && (!count[0] || r->quota);
    } else if (!count[0] || count[1] * 4 >= c->queue * 3) {
        r->writing = true;
        r->quota = count[1] > c->queue / 4 ? count[1] - c->queue / 4 : 0;
    }
    chosen = starved ? chosen : best(r);
    if (c->refi && column_time(r, &r->burst[chosen], false) >= (r->refreshed + 1) * c->refi) {
        refresh_due(r);
        chosen = starved ? chosen : best(r);
    }
    struct waiting *w = &r->burst[chosen];
    *end = r->bus = column_time(r, w, true) + (w->write ? c->wl : c->cl) + c->burst_cycles;
    w->served = true;
    r->quota -= w->write && r->quota;
    r->choices++;
    return chosen;
}

static u32 pick(u64 *random, u32 low, u32 high) {
    return low + rig_random(random, high - low + 1);
}

/* A random memory: timings of the size that they have, sometimes 0. */
static struct board_dram random_memory(u64 *random) {
    struct board_dram c = rig_default();
    u32 *times[] = {&c.rcd, &c.rp, &c.ras, &c.rrd_s, &c.rrd_l, &c.faw, &c.rtp, &c.wr, &c.wtr, &c.rtw};
    for (u32 i = 0; i < COUNT_OF(times); i++)
        *times[i] = pick(random, 0, 4) ? pick(random, 0, 40) : 0;
    c.ccd_s = pick(random, 1, 6);
    c.ccd_l = pick(random, 1, 9);
    c.cl = pick(random, 1, 30);
    c.wl = pick(random, 1, 30);
    c.burst_cycles = pick(random, 1, 8);
    c.bank_groups = 1U << pick(random, 0, 3);
    c.banks = 1U << pick(random, 0, 3);
    c.row_bytes = 128U << pick(random, 0, 4);
    c.queue = pick(random, 1, 3) == 1 ? pick(random, 1, 6) : pick(random, 7, 64);
    c.patience = pick(random, 1, 20);
    c.refi = pick(random, 0, 2) ? pick(random, 300, 900) : 0;
    c.rfc = pick(random, 0, 100);
    return c;
}

/* Bursts that come in bunches, in a few rows and all over, read and written. */
static u32 random_bursts(u64 *random, const struct board_dram *c, struct dram_burst *b, u32 n) {
    u64 time = 0;
    u32 writes = pick(random, 0, 3), pause = pick(random, 1, 300), base = 0;
    for (u32 i = 0; i < n; i++) {
        time += pick(random, 0, 15) ? rig_random(random, c->burst_cycles + 1) : rig_random(random, pause);
        base = pick(random, 0, 7) ? base : rig_random(random, 1 << 16);
        u32 number = pick(random, 0, 3) ? base++ : rig_random(random, 1 << 12);
        b[i] = (struct dram_burst){.time = time,
                                   .address = (u64)number * c->burst_bytes,
                                   .id = i,
                                   .allocation = i % RIG_ALLOCATIONS,
                                   .useful = 32,
                                   .write = rig_random(random, 4) < writes};
    }
    return n;
}

/* Command against command, and the state of every bank; what is in the log is in the order of the choices. */
static void judge(const struct rig *rig, const struct board_dram *c) {
    u64 open[1024], data = 0, activate[BURSTS_MAX], last_refresh = 0;
    u32 activates = 0;
    memset(open, 0xff, sizeof open);
    for (u32 i = 0; i < rig_commands(rig); i++) {
        struct dram_record a = rig_command(rig, i);
        bool column = a.command == DRAM_RD || a.command == DRAM_WR;
        for (u32 k = 0; k < i; k++) {
            struct dram_record b = rig_command(rig, k);
            u64 gap = apart(c, &b, &a);
            cr_assert(gap == NOTHING || a.time >= b.time + gap, "command %u at %llu after %u at %llu", a.command,
                      (unsigned long long)a.time, b.command, (unsigned long long)b.time);
            if (b.command == DRAM_REF)
                cr_assert(a.time >= b.time + c->rfc, "a command in a refresh");
        }
        if (column) {
            u64 start = a.time + (a.command == DRAM_RD ? c->cl : c->wl);
            cr_assert(open[a.bank] != DRAM_NO_ROW && open[a.bank] == a.row && start >= data);
            cr_assert(!c->refi || a.time < c->refi || last_refresh >= a.time / c->refi * c->refi, "refreshed late");
            data = start + c->burst_cycles;
        } else if (a.command == DRAM_ACT) {
            cr_assert(open[a.bank] == DRAM_NO_ROW);
            cr_assert(activates < 4 || a.time >= activate[activates - 4] + c->faw);
            activate[activates++] = a.time;
            open[a.bank] = a.row;
        } else if (a.command == DRAM_PRE) {
            cr_assert(open[a.bank] != DRAM_NO_ROW);
            open[a.bank] = DRAM_NO_ROW;
        } else {
            for (u32 b = 0; b < c->bank_groups * c->banks; b++)
                cr_assert(open[b] == DRAM_NO_ROW, "a refresh with an open row");
            last_refresh = a.time;
        }
    }
    cr_assert(rig->n.busy_cycles <= data);
}

Test(dram_reference, same_choices_and_times) {
    static struct dram_burst bursts[BURSTS_MAX];
    static struct reference ref;
    u64 random = 2024;
    for (u32 trial = 0; trial < 60; trial++) {
        struct rig rig = {.c = random_memory(&random)};
        rig_open(&rig);
        memset(&ref, 0, sizeof ref);
        memset(ref.open, 0xff, sizeof ref.open);
        ref.c = &rig.c;
        ref.bursts = random_bursts(&random, &rig.c, bursts, 160);
        for (u32 i = 0; i < ref.bursts; i++) {
            struct dram_place place = dram_place_of(rig.d, bursts[i].address);
            ref.burst[i] = (struct waiting){bursts[i].time, UINT64_MAX, place.row, place.bank, bursts[i].write, false};
            cr_assert(dram_push(rig.d, &bursts[i]));
        }
        for (u32 i = 0; i < ref.bursts; i++) {
            u64 end, next = dram_next(rig.d);
            u32 id = reference_step(&ref, &end);
            struct dram_done done = dram_step(rig.d);
            cr_assert(done.id == id && done.time == end && next == ref.now,
                      "trial %u, choice %u: %u at %llu, reference %u at %llu", trial, i, done.id,
                      (unsigned long long)done.time, id, (unsigned long long)end);
        }
        judge(&rig, &rig.c);
        rig_close(&rig);
    }
}

/* Serves all bursts, given to the channel at once or, with `random`, in windows of random length. */
static void serve(const struct board_dram *c, const struct dram_burst *b, u32 n, u64 *random, struct dram_done *out) {
    struct rig rig = {.c = *c, .sm_mhz = 1234};
    u32 pushed = 0, done = 0, longest = random ? pick(random, 1, 500) : 0;
    u64 horizon = 0, before = 0;
    rig_open(&rig);
    while (done < n) {
        horizon = random ? horizon + pick(random, 1, longest) : TIME_NEVER;
        while (pushed < n && b[pushed].time < horizon)
            cr_assert(dram_push(rig.d, &b[pushed++]));
        while (dram_next(rig.d) < horizon) {
            u64 now = dram_next(rig.d);
            cr_assert(now >= before, "choices go back in time");
            before = now;
            out[done++] = dram_step(rig.d);
            cr_assert(out[done - 1].time > now);
        }
    }
    if (!random)
        judge(&rig, &rig.c);
    rig_close(&rig);
}

Test(dram_reference, horizons_do_not_change_times) {
    static struct dram_burst bursts[BURSTS_MAX];
    static struct dram_done all[BURSTS_MAX], some[BURSTS_MAX];
    u64 random = 77;
    for (u32 trial = 0; trial < 60; trial++) {
        struct board_dram c = random_memory(&random);
        c.clock_mhz = pick(&random, 300, 3000);
        c.latency = pick(&random, 0, 50);
        random_bursts(&random, &c, bursts, 300);
        serve(&c, bursts, 300, NULL, all);
        for (u32 k = 0; k < 3; k++) {
            serve(&c, bursts, 300, &random, some);
            for (u32 i = 0; i < 300; i++)
                cr_assert(all[i].time == some[i].time && all[i].id == some[i].id, "trial %u, burst %u", trial, i);
        }
    }
}

/* A refresh that takes longer than the time between two: nothing hangs, one burst comes between two refreshes. */
Test(dram_reference, a_hopeless_refresh_does_not_hang) {
    struct rig rig = {.c = rig_default()};
    rig.c.refi = 3;
    rig.c.rfc = 50;
    rig_open(&rig);
    for (u32 i = 0; i < 20; i++)
        rig_push_address(&rig, 0, i * 32, false);
    for (u32 i = 0; i < 20; i++)
        dram_step(rig.d);
    cr_assert(dram_next(rig.d) == TIME_NEVER && rig.n.reads == 20 && rig.n.refreshes >= 20);
    rig_close(&rig);
}
