/*
 * A judge of the commands of a data bus: from the tables of the standard, not from the controller. It takes every
 * command with those before it, and knows the state of each bank.
 *
 *      judge_commands(log, n, &c)     gaps of JESD235, JESD238, JESD250: same bank, same group, same and other stack id
 *      judge_banks(log, n, &c)        rows open and closed in turn, columns in the open row, refreshes of closed banks
 *      judge_bus(log, n, &c)          one burst at a time on the data bus
 *      judge_refreshes(log, n, &c)    no bank waits longer than it may
 *      judge_parts(&rig)              the parts of its time add up
 *      judge_pins(log, n, other, m, &c)   no two commands on the same pins; `other`: of the other pseudo channel
 */
#ifndef HEDDLE_TESTS_DRAM_JUDGE_H
#define HEDDLE_TESTS_DRAM_JUDGE_H

#include "tests/time/dram_rig.h"

#include <string.h>

enum { JUDGE_BACK = 700, JUDGE_BANKS = 1024, JUDGE_CYCLES = 1 << 20 };

/* Where the banks of two commands lie to one another. */
struct judge_near {
    bool bank, group, stack;
};

static inline struct judge_near judge_near(const struct board_dram *c, u32 a, u32 b) {
    u32 stack = c->bank_groups * c->banks;
    bool same = a / stack == b / stack;
    return (struct judge_near){a == b, same && a % c->bank_groups == b % c->bank_groups, same};
}

static inline u64 judge_most(u64 a, u64 b) {
    return a > b ? a : b;
}

/* Least cycles from an activate or a precharge to a command; 0: any. */
static inline u64 judge_row(const struct board_dram *c, u32 a, u32 b, struct judge_near n) {
    u64 again = judge_most(c->rc, c->ras + c->rp);
    if (a != DRAM_ACT && (b == DRAM_PRE || b == DRAM_PREA))
        return c->ppd;
    if (a == DRAM_PRE || a == DRAM_PREA)
        return b == DRAM_REF || ((n.bank || a == DRAM_PREA) && (b == DRAM_ACT || b == DRAM_REFB)) ? c->rp : 0;
    switch (b) {
    case DRAM_ACT: return judge_most(n.bank ? again : 0, n.group ? judge_most(c->rrd_l, c->rrd_s) : c->rrd_s);
    case DRAM_REFB:
        return judge_most(n.bank ? again : 0, !c->rrefd ? 0 : n.group ? judge_most(c->rrd_l, c->rrd_s) : c->rrd_s);
    case DRAM_REF: return again;
    case DRAM_PRE: return n.bank ? c->ras : 0;
    case DRAM_PREA: return c->ras;
    case DRAM_RD: return n.bank ? c->rcd : 0;
    case DRAM_WR: return !n.bank ? 0 : c->rcd_write ? c->rcd_write : c->rcd;
    default: return 0;
    }
}

/* Least cycles from a read or a write to a command; 0: any. */
static inline u64 judge_column(const struct board_dram *c, u32 a, u32 b, struct judge_near n) {
    u64 close = a == DRAM_RD ? c->rtp : c->wl + c->burst_cycles + c->wr;
    u64 next = judge_most(n.group ? judge_most(c->ccd_l, c->ccd_s) : c->ccd_s, n.stack ? 0 : c->ccd_r);
    if (b == DRAM_PRE)
        return n.bank ? close : 0;
    if (b == DRAM_PREA)
        return close;
    if (b == DRAM_ACT || b == DRAM_REFB || b == DRAM_REF)
        return n.bank || b == DRAM_REF ? close + c->rp : 0;
    if (a == b)
        return a == DRAM_WR && n.group ? judge_most(next, c->ccd_l_write) : next;
    if (a == DRAM_RD)
        return c->rtw;
    return c->wl + c->burst_cycles + (n.group ? judge_most(c->wtr_l, c->wtr) : c->wtr);
}

/* Least cycles from a refresh to a command; 0: any. */
static inline u64 judge_refresh(const struct board_dram *c, u32 a, u32 b, struct judge_near n) {
    if (a == DRAM_REF)
        return c->rfc;
    if (n.bank)
        return c->rfc_bank;
    return b == DRAM_ACT || (b == DRAM_REFB && c->refresh != refresh_SAME_BANK) ? c->rrefd : 0;
}

static inline u64 judge_gap(const struct board_dram *c, u32 a, u32 b, struct judge_near n) {
    if (a == DRAM_PRE || a == DRAM_PREA || a == DRAM_ACT)
        return judge_row(c, a, b, n);
    return a == DRAM_RD || a == DRAM_WR ? judge_column(c, a, b, n) : judge_refresh(c, a, b, n);
}

static inline void judge_commands(const struct dram_record *log, u32 n, const struct board_dram *c) {
    u64 act[4] = {0};
    u32 acts = 0;
    for (u32 i = 0; i < n; i++) {
        const struct dram_record *b = &log[i];
        for (u32 k = i > JUDGE_BACK ? i - JUDGE_BACK : 0; k < i; k++) {
            const struct dram_record *a = &log[k];
            u64 gap = judge_gap(c, a->command, b->command, judge_near(c, a->bank, b->bank));
            cr_assert(b->time >= a->time + gap || gap == 0, "command %u of bank %u at %llu, %u of bank %u at %llu",
                      a->command, a->bank, (unsigned long long)a->time, b->command, b->bank,
                      (unsigned long long)b->time);
        }
        if (b->command != DRAM_ACT)
            continue;
        cr_assert(acts < 4 || b->time >= act[acts % 4] + c->faw, "five activates in faw");
        act[acts++ % 4] = b->time;
    }
}

static inline void judge_banks(const struct dram_record *log, u32 n, const struct board_dram *c) {
    static u64 open[JUDGE_BANKS];
    memset(open, 0xff, sizeof open);
    for (u32 i = 0; i < n; i++) {
        const struct dram_record *a = &log[i];
        switch (a->command) {
        case DRAM_PRE:
            cr_assert(open[a->bank] != DRAM_NO_ROW, "a bank is closed twice");
            open[a->bank] = DRAM_NO_ROW;
            break;
        case DRAM_PREA: memset(open, 0xff, sizeof open); break;
        case DRAM_ACT:
            cr_assert(open[a->bank] == DRAM_NO_ROW && a->row != DRAM_NO_ROW, "a row of an open bank");
            open[a->bank] = a->row;
            break;
        case DRAM_RD:
        case DRAM_WR:
            cr_assert(open[a->bank] != DRAM_NO_ROW && open[a->bank] == a->row, "a column of a closed row");
            break;
        case DRAM_REFB: cr_assert(open[a->bank] == DRAM_NO_ROW, "a refresh of an open bank"); break;
        default:
            for (u32 b = 0; b < board_banks(c); b++)
                cr_assert(open[b] == DRAM_NO_ROW, "a refresh of open banks");
        }
    }
}

static inline void judge_bus(const struct dram_record *log, u32 n, const struct board_dram *c) {
    u64 until = 0;
    for (u32 i = 0; i < n; i++) {
        if (log[i].command != DRAM_RD && log[i].command != DRAM_WR)
            continue;
        u64 start = log[i].time + (log[i].command == DRAM_RD ? c->cl : c->wl);
        cr_assert(start >= until, "data of two bursts at %llu", (unsigned long long)start);
        until = start + c->burst_cycles;
    }
}

/* Cycles that a refresh may take to begin once nothing else is begun. */
static inline u64 judge_slack(const struct board_dram *c) {
    return c->ras + c->rp + c->rc + (u64)c->ppd * board_banks(c) + c->wl + c->burst_cycles + c->wr + c->rtp + c->rrd_l +
           c->rrefd + c->rfc + c->rfc_bank +
           (u64)board_banks(c) * c->pseudo_channels * (1 + c->act_cycles + c->column_cycles);
}

/* A channel without bursts makes up for its refreshes at the next one: `log` ends with the last burst. */
static inline void judge_refreshes(const struct dram_record *log, u32 n, const struct board_dram *c) {
    static u64 last[JUDGE_BANKS];
    u64 longest = (u64)c->refi * (1 + c->postpone) + judge_slack(c);
    memset(last, 0, sizeof last);
    for (u32 i = 0; i < n && c->refi; i++) {
        const struct dram_record *a = &log[i];
        bool all = a->command == DRAM_REF, one = a->command == DRAM_REFB;
        for (u32 b = all ? 0 : a->bank; b < (all ? board_banks(c) : a->bank + 1); b++) {
            cr_assert(a->time <= last[b] + longest, "bank %u is not refreshed from %llu to %llu", b,
                      (unsigned long long)last[b], (unsigned long long)a->time);
            last[b] = all || one ? a->time : last[b];
        }
    }
}

/* The parts of the time of its data bus add up, whenever a launch ends; closes its account. */
static inline void judge_parts(struct rig *r) {
    u64 parts = 0, end = dram_end(r->d) + 17;
    dram_close(r->d, end);
#define PART(name, title, doc) parts += r->n.name##_cycles;
#include "sim/stat/counters.def"
    cr_assert_eq(r->n.bus_cycles, dram_clock_memory(r->d->clock, end));
    cr_assert_eq(parts, r->n.bus_cycles, "parts of %llu in %llu", (unsigned long long)parts,
                 (unsigned long long)r->n.bus_cycles);
}

static inline void judge_pin(u8 *taken, const struct dram_record *a, u32 cycles) {
    for (u64 t = a->time; t < a->time + cycles; t++) {
        cr_assert(t < JUDGE_CYCLES && !taken[t], "two commands take pins at %llu", (unsigned long long)t);
        taken[t] = 1;
    }
}

static inline void judge_pins(const struct dram_record *log, u32 n, const struct dram_record *other, u32 m,
                              const struct board_dram *c) {
    static u8 taken[2][JUDGE_CYCLES];
    memset(taken, 0, sizeof taken);
    u64 refreshed = UINT64_MAX; /* banks of several groups are refreshed by one command */
    for (u32 i = 0; i < n + m; i++) {
        const struct dram_record *a = i < n ? &log[i] : &other[i - n];
        bool row = a->command != DRAM_RD && a->command != DRAM_WR;
        u32 cycles = a->command == DRAM_ACT ? c->act_cycles : row ? 1 : c->column_cycles;
        if (a->command == DRAM_REFB && c->refresh == refresh_SAME_BANK && a->time == refreshed)
            continue;
        refreshed = a->command == DRAM_REFB ? a->time : i == n ? UINT64_MAX : refreshed;
        judge_pin(taken[row && c->pins == pins_APART], a, cycles);
    }
}

#endif
