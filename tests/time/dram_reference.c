/*
 * Does a memory channel match a slow one, written from the rules alone? The reference ticks: in every memory cycle it
 * looks at every waiting burst, and checks its next command against every command ever given. Then the log of the
 * channel is judged by itself, command against command.
 */
#include "tests/time/dram_rig.h"
#include "tests/lib/samples.h"

#include <string.h>

enum { BURSTS_MAX = 400, COMMANDS_MAX = 4 * BURSTS_MAX + 4096 };

#define NOTHING UINT64_MAX /* neither holds the other back */

/* Returns the distance required between a command and a later one; `same` and `group`: of one bank, of one group. */
static u64 apart(const struct board_dram *c, const struct dram_record *a, const struct dram_record *b) {
    u32 stack = c->bank_groups * c->banks;
    bool same = a->bank == b->bank, others = a->bank / stack != b->bank / stack;
    bool group = !others && a->bank % c->bank_groups == b->bank % c->bank_groups;
    u64 activates = group && c->rrd_l > c->rrd_s ? c->rrd_l : c->rrd_s;
    u64 columns = group && c->ccd_l > c->ccd_s ? c->ccd_l : c->ccd_s;
    if (columns < c->burst_cycles)
        columns = c->burst_cycles;
    if (others && columns < c->ccd_r)
        columns = c->ccd_r;
    u64 writes = group && columns < c->ccd_l_write ? c->ccd_l_write : columns;
    u64 wtr = group && c->wtr < c->wtr_l ? c->wtr_l : c->wtr;
    u64 turn = c->cl + c->burst_cycles > c->wl + c->rtw ? c->cl + c->burst_cycles - c->wl : c->rtw;
    u64 cycle = c->rc > c->ras + c->rp ? c->rc : c->ras + c->rp;
    switch (a->command * DRAM_COMMANDS + b->command) {
    case DRAM_PRE *DRAM_COMMANDS + DRAM_PRE:
    case DRAM_PREA *DRAM_COMMANDS + DRAM_PRE:
    case DRAM_PRE *DRAM_COMMANDS + DRAM_PREA: return c->ppd ? c->ppd : NOTHING;
    case DRAM_PREA *DRAM_COMMANDS + DRAM_ACT:
    case DRAM_PREA *DRAM_COMMANDS + DRAM_REF:
    case DRAM_PRE *DRAM_COMMANDS + DRAM_REF: return c->rp;
    case DRAM_ACT *DRAM_COMMANDS + DRAM_REF: return cycle;
    case DRAM_PRE *DRAM_COMMANDS + DRAM_ACT:
    case DRAM_PRE *DRAM_COMMANDS + DRAM_REFB: return same ? c->rp : NOTHING;
    case DRAM_REFB *DRAM_COMMANDS + DRAM_ACT:
    case DRAM_REFB *DRAM_COMMANDS + DRAM_REFB:
        return same && c->rfc_bank > c->rrefd ? c->rfc_bank : same || c->rrefd ? c->rrefd : NOTHING;
    case DRAM_ACT *DRAM_COMMANDS + DRAM_PRE: return same ? c->ras : NOTHING;
    case DRAM_ACT *DRAM_COMMANDS + DRAM_ACT: return same && cycle > activates ? cycle : activates;
    case DRAM_ACT *DRAM_COMMANDS + DRAM_REFB:
        return same && (!c->rrefd || cycle > activates) ? cycle : c->rrefd ? activates : NOTHING;
    case DRAM_ACT *DRAM_COMMANDS + DRAM_RD: return same ? c->rcd : NOTHING;
    case DRAM_ACT *DRAM_COMMANDS + DRAM_WR: return !same ? NOTHING : c->rcd_write ? c->rcd_write : c->rcd;
    case DRAM_RD *DRAM_COMMANDS + DRAM_PRE: return same ? c->rtp : NOTHING;
    case DRAM_RD *DRAM_COMMANDS + DRAM_RD: return columns;
    case DRAM_WR *DRAM_COMMANDS + DRAM_WR: return writes;
    case DRAM_RD *DRAM_COMMANDS + DRAM_WR: return turn;
    case DRAM_WR *DRAM_COMMANDS + DRAM_PRE: return same ? c->wl + c->burst_cycles + c->wr : NOTHING;
    case DRAM_WR *DRAM_COMMANDS + DRAM_RD: return c->wl + c->burst_cycles + wtr;
    default: return a->command == DRAM_REF ? c->rfc : NOTHING;
    }
}

struct waiting {
    u64 arrives; /* memory cycles */
    u64 entered; /* bursts that had been served; UINT64_MAX: not in the window */
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
    u64 refreshed; /* due times that are over */
    u64 served, quota;
    u64 entered;         /* cycle in which a burst last entered the window */
    bool writing, wrote; /* direction; that of the last burst */
};

#define NONE UINT32_MAX /* no index */

/* Returns when the next refresh is due, and whether it takes the bank. */
static u64 due(const struct reference *r) {
    u32 turns = r->c->rfc_bank ? board_banks(r->c) : 1;
    return r->c->refi ? (r->refreshed + 1) * r->c->refi / turns : UINT64_MAX;
}

static bool takes(const struct reference *r, u32 bank) {
    return !r->c->rfc_bank || bank == r->refreshed % (board_banks(r->c));
}

/* Returns the first time when the command may issue. */
static u64 soonest(const struct reference *r, u32 bank, u32 command, u64 time) {
    struct dram_record next = {.bank = bank, .command = command};
    u64 activate[4];
    u32 activates = 0;
    for (u32 i = r->commands; i-- > 0;) {
        const struct dram_record *a = &r->given[i];
        u64 gap = apart(r->c, a, &next);
        if (gap != NOTHING && a->time + gap > time)
            time = a->time + gap;
        if (a->command == DRAM_ACT && activates < 4)
            activate[activates++] = a->time;
    }
    if (command == DRAM_ACT && activates == 4 && activate[3] + r->c->faw > time)
        time = activate[3] + r->c->faw;
    return time;
}

static void give(struct reference *r, u32 bank, u32 command, u64 time) {
    cr_assert(r->commands < COMMANDS_MAX);
    r->given[r->commands++] = (struct dram_record){.time = time, .bank = bank, .command = command};
}

static void refresh_now(struct reference *r) {
    u32 banks = board_banks(r->c);
    u32 bank = r->c->rfc_bank ? (u32)(r->refreshed % banks) : 0, command = r->c->rfc_bank ? DRAM_REFB : DRAM_REF;
    u64 close = 0; /* of the last of its banks */
    for (u32 b = 0; b < banks; b++)
        if (takes(r, b) && r->open[b] != DRAM_NO_ROW) {
            u64 time = soonest(r, b, DRAM_PRE, due(r));
            close = time > close ? time : close;
            r->open[b] = DRAM_NO_ROW;
        }
    if (close)
        give(r, bank, r->c->rfc_bank ? DRAM_PRE : DRAM_PREA, close);
    give(r, bank, command, soonest(r, bank, command, due(r)));
    r->refreshed++;
}

static bool waits(const struct reference *r, u32 i) {
    return !r->burst[i].served && r->burst[i].entered != UINT64_MAX;
}

/* The oldest burst that waits, of the bank, for that row and in that direction; any of them if UINT32_MAX and so on. */
static u32 oldest(const struct reference *r, u32 bank, u64 row, u32 write) {
    for (u32 i = 0; i < r->bursts; i++) {
        const struct waiting *w = &r->burst[i];
        if (waits(r, i) && (bank == NONE || w->bank == bank) && (row == UINT64_MAX || w->row == row) &&
            (write == NONE || w->write == write))
            return i;
    }
    return NONE;
}

/* Takes arrivals into the window, sets the direction, and returns a burst that has waited too long. */
static u32 look(struct reference *r, u64 now) {
    u32 count[2] = {0}, room[2] = {r->c->read_queue, r->c->write_queue};
    for (u32 i = 0; i < r->bursts; i++) {
        struct waiting *w = &r->burst[i];
        if (w->served || w->arrives > now || count[w->write] == room[w->write])
            continue;
        if (w->entered == UINT64_MAX) {
            w->entered = r->served;
            r->entered = now;
        }
        count[w->write]++;
    }
    u32 first = oldest(r, NONE, UINT64_MAX, NONE);
    if (first != NONE && r->served - r->burst[first].entered >= r->c->patience) {
        if (!r->writing && r->burst[first].write)
            r->quota = count[1];
        r->writing = r->burst[first].write;
        return first;
    }
    if (r->writing && (count[1] == 0 || (count[0] > 0 && r->quota == 0)))
        r->writing = false;
    bool many = count[1] >= r->c->write_high;
    bool drains = count[0] > 0 ? many && !r->wrote : many || now >= r->entered + r->c->write_idle;
    if (!r->writing && count[1] > 0 && drains) {
        r->writing = true;
        r->quota = count[1] > r->c->write_low ? count[1] - r->c->write_low : 0;
    }
    return NONE;
}

/* Returns the bank's candidate. */
static u32 offer(const struct reference *r, u32 bank, u32 late) {
    if (late != NONE && r->burst[late].bank == bank)
        return late;
    u32 direction = oldest(r, bank, UINT64_MAX, r->writing) != NONE ? r->writing : !r->writing;
    u32 hit = r->open[bank] == DRAM_NO_ROW ? NONE : oldest(r, bank, r->open[bank], direction);
    return hit != NONE ? hit : oldest(r, bank, UINT64_MAX, direction);
}

/* Cycles from an activate to its column command. */
static u32 opening(const struct board_dram *c, bool write) {
    return write && c->rcd_write ? c->rcd_write : c->rcd;
}

/* Runs one memory cycle. Returns the burst that is served, or NONE. */
static u32 tick(struct reference *r, u64 now) {
    while (due(r) <= now)
        refresh_now(r);
    u32 late = look(r, now), column = NONE, row = NONE, banks = board_banks(r->c);
    for (u32 b = 0; b < banks; b++) {
        u32 i = offer(r, b, late);
        if (i < column && r->burst[i].write == r->writing && r->open[b] == r->burst[i].row &&
            soonest(r, b, r->writing ? DRAM_WR : DRAM_RD, now) == now)
            column = i;
    }
    if (column != NONE) {
        give(r, r->burst[column].bank, r->writing ? DRAM_WR : DRAM_RD, now);
        r->burst[column].served = true;
        r->served++;
        r->wrote = r->writing;
        r->quota -= r->writing && r->quota;
        late = look(r, now);
    }
    for (u32 b = 0; b < banks; b++) {
        u32 i = offer(r, b, late), command = r->open[b] == DRAM_NO_ROW ? DRAM_ACT : DRAM_PRE;
        if (i == NONE || r->open[b] == r->burst[i].row || soonest(r, b, command, now) != now ||
            (command == DRAM_ACT && takes(r, b) && now + opening(r->c, r->burst[i].write) >= due(r)))
            continue;
        bool ours = r->burst[i].write == r->writing;
        if (row == NONE || (ours != (r->burst[row].write == r->writing) ? ours : i < row))
            row = i;
    }
    if (row != NONE) {
        u32 bank = r->burst[row].bank;
        bool closed = r->open[bank] == DRAM_NO_ROW;
        give(r, bank, closed ? DRAM_ACT : DRAM_PRE, now);
        r->open[bank] = closed ? r->burst[row].row : DRAM_NO_ROW;
    }
    return column;
}

static u32 pick(u64 *random, u32 low, u32 high) {
    return low + random_below(random, high - low + 1);
}

/* A random memory: timings of the size that they have, sometimes 0. */
static struct board_dram random_memory(u64 *random) {
    struct board_dram c = rig_default();
    u32 *times[] = {&c.rcd, &c.rp, &c.ras, &c.rrd_s, &c.rrd_l, &c.faw, &c.rtp, &c.wr, &c.wtr, &c.rtw, &c.rc, &c.ppd};
    for (u32 i = 0; i < COUNT_OF(times); i++)
        *times[i] = pick(random, 0, 4) ? pick(random, 0, 40) : 0;
    c.ccd_s = pick(random, 1, 6);
    c.ccd_l = pick(random, 1, 9);
    c.cl = pick(random, 1, 30);
    c.wl = pick(random, 1, 30);
    c.burst_cycles = pick(random, 1, 8);
    c.bank_groups = 1U << pick(random, 0, 3);
    c.banks = 1U << pick(random, 0, 3);
    c.stack_ids = pick(random, 0, 2) ? 1 : 2;
    c.ccd_r = pick(random, 0, 8);
    c.rcd_write = pick(random, 0, 1) ? pick(random, 1, 40) : 0;
    c.wtr_l = pick(random, 0, 1) ? pick(random, 1, 40) : 0;
    c.ccd_l_write = pick(random, 0, 1) ? pick(random, 1, 30) : 0;
    c.row_bytes = 128U << pick(random, 0, 4);
    c.read_queue = pick(random, 1, 3) == 1 ? pick(random, 1, 6) : pick(random, 7, 64);
    c.write_queue = pick(random, 1, 3) == 1 ? pick(random, 1, 6) : pick(random, 7, 64);
    c.write_high = pick(random, 1, c.write_queue);
    c.write_low = pick(random, 0, c.write_high - 1);
    c.write_idle = pick(random, 0, 1) ? pick(random, 1, 200) : 0;
    c.patience = pick(random, 1, 3) == 1 ? pick(random, 1, 20) : pick(random, 20, 400);
    c.refi = pick(random, 0, 2) ? pick(random, 300, 900) : 0;
    c.rfc = pick(random, 0, 100);
    c.rfc_bank = pick(random, 0, 1) ? pick(random, 1, 100) : 0;
    c.rrefd = pick(random, 0, 1) ? c.refi / board_banks(&c) / 2 : 0;
    return c;
}

/* Makes bursts that arrive in bunches, in a few rows and all over, read and written. */
static u32 random_bursts(u64 *random, const struct board_dram *c, struct dram_burst *b, u32 n) {
    u64 time = 0;
    u32 writes = pick(random, 0, 3), pause = pick(random, 1, 300), base = 0;
    for (u32 i = 0; i < n; i++) {
        time += pick(random, 0, 15) ? random_below(random, c->burst_cycles + 1) : random_below(random, pause);
        base = pick(random, 0, 7) ? base : random_below(random, 1 << 16);
        u32 number = pick(random, 0, 3) ? base++ : random_below(random, 1 << 12);
        b[i] = (struct dram_burst){.time = time,
                                   .address = (u64)number * c->burst_bytes,
                                   .id = i,
                                   .allocation = i % RIG_ALLOCATIONS,
                                   .useful = 32,
                                   .write = random_below(random, 4) < writes};
    }
    return n;
}

/* Checks that command i keeps its distance from each command before it. */
static void judge_gaps(const struct rig *rig, const struct board_dram *c, u32 i) {
    const struct dram_record a = rig_command(rig, i);
    for (u32 k = 0; k < i; k++) {
        struct dram_record b = rig_command(rig, k);
        u64 gap = apart(c, &b, &a);
        cr_assert(gap == NOTHING || a.time >= b.time + gap, "command %u at %llu after %u at %llu", a.command,
                  (unsigned long long)a.time, b.command, (unsigned long long)b.time);
        if (b.command == DRAM_REF)
            cr_assert(a.time >= b.time + c->rfc, "a command in a refresh");
        if (b.command == DRAM_REFB && b.bank == a.bank)
            cr_assert(a.time >= b.time + c->rfc_bank, "a command in a bank's refresh");
    }
}

/* Command against command, and the state of every bank. */
static void judge(const struct rig *rig, const struct board_dram *c) {
    u64 open[1024], data = 0, activate[COMMANDS_MAX], last_refresh = 0, refreshed[1024];
    u32 activates = 0, banks = board_banks(c);
    for (u32 b = 0; b < banks; b++) /* at the latest */
        refreshed[b] = (u64)(b + 1) * c->refi / banks;
    memset(open, 0xff, sizeof open);
    for (u32 i = 0; i < rig_commands(rig); i++) {
        struct dram_record a = rig_command(rig, i);
        bool column = a.command == DRAM_RD || a.command == DRAM_WR;
        judge_gaps(rig, c, i);
        if (column) {
            u64 start = a.time + (a.command == DRAM_RD ? c->cl : c->wl);
            cr_assert(open[a.bank] != DRAM_NO_ROW && open[a.bank] == a.row && start >= data);
            cr_assert(!c->refi || a.time < c->refi || c->rfc_bank || last_refresh >= a.time / c->refi * c->refi,
                      "refreshed late");
            cr_assert(!c->refi || !c->rfc_bank || a.time < refreshed[a.bank] + c->refi, "a bank refreshed late");
            data = start + c->burst_cycles;
        } else if (a.command == DRAM_ACT) {
            cr_assert(open[a.bank] == DRAM_NO_ROW);
            cr_assert(activates < 4 || a.time >= activate[activates - 4] + c->faw);
            activate[activates++] = a.time;
            open[a.bank] = a.row;
        } else if (a.command == DRAM_PRE) {
            cr_assert(open[a.bank] != DRAM_NO_ROW);
            open[a.bank] = DRAM_NO_ROW;
        } else if (a.command == DRAM_PREA) {
            memset(open, 0xff, sizeof open);
        } else if (a.command == DRAM_REFB) {
            cr_assert(open[a.bank] == DRAM_NO_ROW, "a refresh with an open row");
            refreshed[a.bank] = a.time;
        } else {
            for (u32 b = 0; b < banks; b++)
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
    for (u32 trial = 0; trial < rig_samples(60); trial++) {
        SCOPED(rig_close) struct rig rig = {.c = random_memory(&random)};
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
        for (u64 now = 0; ref.served < ref.bursts; now++) {
            u32 id = tick(&ref, now);
            if (id == NONE)
                continue;
            struct dram_done done = rig_next(&rig);
            u64 end = now + (done.write ? rig.c.wl : rig.c.cl) + rig.c.burst_cycles;
            cr_assert(done.id == id && done.time == end,
                      "trial %u, %llu served: %u until %llu, reference %u until %llu", trial,
                      (unsigned long long)ref.served, done.id, (unsigned long long)done.time, id,
                      (unsigned long long)end);
        }
        cr_assert(dram_next(rig.d) == TIME_NEVER && rig_commands(&rig) == ref.commands);
        for (u32 i = 0; i < ref.commands; i++) {
            struct dram_record a = rig_command(&rig, i), b = ref.given[i];
            cr_assert(a.time == b.time && a.bank == b.bank && a.command == b.command, "trial %u, command %u", trial, i);
        }
        judge(&rig, &rig.c);
    }
}

/* Serves all bursts, given to the channel at once or, with `random`, in windows of random length. */
static void serve(const struct board_dram *c, const struct dram_burst *b, u32 n, u64 *random, struct dram_done *out) {
    SCOPED(rig_close) struct rig rig = {.c = *c, .sm_mhz = 1234};
    u32 pushed = 0, done = 0, longest = random ? pick(random, 1, 500) : 0;
    u64 horizon = 0, before = 0;
    rig_open(&rig);
    while (done < n) {
        horizon = random ? horizon + pick(random, 1, longest) : TIME_NEVER;
        while (pushed < n && b[pushed].time < horizon)
            cr_assert(dram_push(rig.d, &b[pushed++]));
        while (dram_next(rig.d) < horizon) {
            u64 now = dram_next(rig.d);
            cr_assert(now >= before, "steps go back in time");
            before = now;
            if (dram_step(rig.d, &out[done]))
                cr_assert(out[done++].time > now);
        }
    }
    if (!random)
        judge(&rig, &rig.c);
}

Test(dram_reference, horizons_do_not_change_times) {
    static struct dram_burst bursts[BURSTS_MAX];
    static struct dram_done all[BURSTS_MAX], some[BURSTS_MAX];
    u64 random = 77;
    for (u32 trial = 0; trial < rig_samples(60); trial++) {
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
