/* Does a memory channel keep each of its timings exactly, choose by its rules, and count its work? */
#include "tests/time/dram_rig.h"

#include <string.h>

enum { PRE = DRAM_PRE, PREA = DRAM_PREA, ACT = DRAM_ACT, RD = DRAM_RD, WR = DRAM_WR, REF = DRAM_REF, REFB = DRAM_REFB };

struct burst {
    u64 time;
    u32 bank; /* of 16, four groups: banks 0 and 4 share a group, 0 and 1 do not */
    u32 row;
    bool write;
};

/* A field of the board, the only one above the least, and the commands that it separates. */
struct gate {
    const char *name;
    size_t field;          /* of struct board_dram, a u32 */
    struct burst burst[5]; /* what is pushed */
    u32 bursts;
    u32 before, nth_before, after, nth_after; /* commands of the log, counted from 1 */
    u32 more;                                 /* cycles between them beyond the field's own */
    u32 refi;
};

#define AT(field) offsetof(struct board_dram, field)
static const struct gate gates[] = {
    {"rp", AT(rp), {{0, 0, 0, 0}, {0, 0, 1, 0}}, 2, PRE, 1, ACT, 2, 0, 0},
    {"rc", AT(rc), {{0, 0, 0, 0}, {0, 0, 1, 0}}, 2, ACT, 1, ACT, 2, 0, 0},
    {"rc before a bank's refresh", AT(rc), {{98, 0, 0, 0}, {500, 0, 0, 0}}, 2, ACT, 1, REFB, 1, 0, 1600},
    {"rc before a refresh", AT(rc), {{998, 0, 0, 0}, {1500, 0, 0, 0}}, 2, ACT, 1, REF, 1, 0, 1000},
    {"ppd", AT(ppd), {{0, 0, 0, 0}, {0, 1, 0, 0}, {9, 0, 1, 0}, {9, 1, 1, 0}}, 4, PRE, 1, PRE, 2, 0, 0},
    {"ppd after all banks", AT(ppd), {{998, 0, 0, 0}, {1000, 1, 0, 0}, {1000, 1, 1, 0}}, 3, PREA, 1, PRE, 1, 0, 1000},
    {"rp of all banks", AT(rp), {{998, 0, 0, 0}, {1000, 1, 0, 0}}, 2, PREA, 1, ACT, 2, 0, 1000},
    {"ras", AT(ras), {{0, 0, 0, 0}, {0, 0, 1, 0}}, 2, ACT, 1, PRE, 1, 0, 0},
    {"rcd of a read", AT(rcd), {{0, 0, 0, 0}}, 1, ACT, 1, RD, 1, 0, 0},
    {"rcd of a write", AT(rcd_write), {{0, 0, 0, 1}}, 1, ACT, 1, WR, 1, 0, 0},
    {"rtp", AT(rtp), {{0, 0, 0, 0}, {0, 0, 1, 0}}, 2, RD, 1, PRE, 1, 0, 0},
    {"wr", AT(wr), {{0, 0, 0, 1}, {0, 0, 1, 1}}, 2, WR, 1, PRE, 1, 2, 0}, /* wl, burst_cycles */
    {"rrd_l", AT(rrd_l), {{0, 0, 0, 0}, {0, 4, 0, 0}}, 2, ACT, 1, ACT, 2, 0, 0},
    {"rrd_s", AT(rrd_s), {{0, 0, 0, 0}, {0, 1, 0, 0}}, 2, ACT, 1, ACT, 2, 0, 0},
    {"ccd_l of reads", AT(ccd_l), {{0, 0, 0, 0}, {0, 4, 0, 0}}, 2, RD, 1, RD, 2, 0, 0},
    {"ccd_l of writes", AT(ccd_l), {{0, 0, 0, 1}, {0, 4, 0, 1}}, 2, WR, 1, WR, 2, 0, 0},
    {"ccd_l_write", AT(ccd_l_write), {{0, 0, 0, 1}, {0, 4, 0, 1}}, 2, WR, 1, WR, 2, 0, 0},
    {"ccd_r of reads", AT(ccd_r), {{0, 0, 0, 0}, {0, 17, 0, 0}}, 2, RD, 1, RD, 2, 0, 0},
    {"ccd_r of writes", AT(ccd_r), {{0, 0, 0, 1}, {0, 17, 0, 1}}, 2, WR, 1, WR, 2, 0, 0},
    {"ccd_s of reads", AT(ccd_s), {{0, 0, 0, 0}, {0, 1, 0, 0}}, 2, RD, 1, RD, 2, 0, 0},
    {"ccd_s of writes", AT(ccd_s), {{0, 0, 0, 1}, {0, 1, 0, 1}}, 2, WR, 1, WR, 2, 0, 0},
    {"rtw", AT(rtw), {{0, 0, 0, 0}, {0, 1, 0, 1}}, 2, RD, 1, WR, 1, 0, 0},
    {"wtr", AT(wtr), {{0, 0, 0, 1}, {2, 1, 0, 0}}, 2, WR, 1, RD, 1, 2, 0},     /* wl, burst_cycles */
    {"wtr_l", AT(wtr_l), {{0, 0, 0, 1}, {2, 4, 0, 0}}, 2, WR, 1, RD, 1, 2, 0}, /* wl, burst_cycles */
    {"bus, reads", AT(burst_cycles), {{0, 0, 0, 0}, {0, 1, 0, 0}}, 2, RD, 1, RD, 2, 0, 0},
    {"bus, writes", AT(burst_cycles), {{0, 0, 0, 1}, {0, 1, 0, 1}}, 2, WR, 1, WR, 2, 0, 0},
    {"bus, read to write", AT(cl), {{0, 0, 0, 0}, {0, 1, 0, 1}}, 2, RD, 1, WR, 1, 0, 0}, /* burst_cycles - wl */
    {"rp before a refresh", AT(rp), {{0, 0, 0, 0}, {998, 0, 1, 0}}, 2, PRE, 1, REF, 1, 0, 1000},
    {"rp of all banks before a refresh", AT(rp), {{0, 0, 0, 0}, {1000, 0, 0, 0}}, 2, PREA, 1, REF, 1, 0, 1000},
    {"rfc to an activate", AT(rfc), {{1000, 0, 0, 0}}, 1, REF, 1, ACT, 1, 0, 1000},
    {"rp before a bank's refresh", AT(rp), {{0, 0, 0, 0}, {1000, 0, 0, 0}}, 2, PRE, 1, REFB, 1, 0, 1600},
    {"rfc_bank to an activate", AT(rfc_bank), {{100, 0, 0, 0}}, 1, REFB, 1, ACT, 1, 0, 1600},
    {"rfc_bank to a refresh", AT(rfc_bank), {{2, 0, 0, 0}}, 1, REFB, 1, REFB, 17, 0, 2},
    {"rrefd to an activate", AT(rrefd), {{101, 1, 0, 0}}, 1, REFB, 1, ACT, 1, 0, 1600},
    {"rrefd to a refresh", AT(rrefd), {{4, 5, 0, 0}}, 1, REFB, 1, REFB, 2, 0, 16},
    {"rrd_s to a refresh", AT(rrd_s), {{98, 1, 0, 0}, {500, 1, 0, 0}}, 2, ACT, 1, REFB, 1, 0, 1600},
    {"rrd_l to a refresh", AT(rrd_l), {{98, 4, 0, 0}, {500, 4, 0, 0}}, 2, ACT, 1, REFB, 1, 0, 1600},
    {"rfc to a refresh", AT(rfc), {{4, 0, 0, 0}}, 1, REF, 1, REF, 2, 0, 2},
    {"faw", AT(faw), {{0, 0, 0, 0}, {0, 1, 0, 0}, {0, 2, 0, 0}, {0, 3, 0, 0}, {0, 4, 0, 0}}, 5, ACT, 1, ACT, 5, 0, 0},
};

Test(dram, every_timing_holds_to_the_cycle) {
    for (u32 i = 0; i < COUNT_OF(gates); i++)
        for (u32 cycles = 4; cycles < 60; cycles += cycles < 8 ? 1 : 17) {
            const struct gate *g = &gates[i];
            SCOPED(rig_close) struct rig r = {.c = rig_least()};
            r.c.refi = g->refi;
            r.c.rfc_bank = g->after == REFB || g->before == REFB;
            r.c.rrefd = g->after == REFB && g->before == ACT; /* an activate holds a refresh back where this is given */
            r.c.stack_ids = g->burst[1].bank < 16 ? 1 : 2;
            *(u32 *)(void *)((char *)&r.c + g->field) = cycles;
            rig_open(&r);
            for (u32 b = 0; b < g->bursts; b++)
                rig_push(&r, g->burst[b].time, (struct at){.bank = g->burst[b].bank, .row = g->burst[b].row},
                         g->burst[b].write);
            struct dram_done done;
            while (dram_next(r.d) != TIME_NEVER && rig_commands(&r) < 20) /* a refresh as long as refi has no end */
                dram_step(r.d, &done);
            u64 apart = rig_time(&r, g->after, g->nth_after) - rig_time(&r, g->before, g->nth_before);
            cr_assert_eq(apart, cycles + g->more, "%s = %u: %llu apart", g->name, cycles, (unsigned long long)apart);
        }
}

/* As many gates as rows between each two commands at each level. */
Test(dram, every_row_has_a_gate) {
    static const struct {
        const char *name, *before, *after;
    } rows[] = {
#define GAP(level, before, after, cycles, doc) {#level, #before, #after},
#define WINDOW(command, count, cycles, doc) {"CHANNEL", #command, #command},
#include "sim/time/dram.def"
    };
    static const char *const names[] = {
#define COMMAND(id, doc) #id,
#include "sim/time/dram.def"
    };
    for (u32 i = 0; i < COUNT_OF(rows); i++) {
        u32 have = 0, want = 0;
        for (u32 k = 0; k < COUNT_OF(rows); k++)
            want += strcmp(rows[k].before, rows[i].before) == 0 && strcmp(rows[k].after, rows[i].after) == 0;
        for (u32 k = 0; k < COUNT_OF(gates); k++)
            have += strcmp(names[gates[k].before], rows[i].before) == 0 &&
                    strcmp(names[gates[k].after], rows[i].after) == 0;
        cr_assert_eq(have, want, "%s to %s: %u rows, %u gates", rows[i].before, rows[i].after, want, have);
    }
}

/* A command holds back those of its own bank, group and channel that the rows name, and no others. */
Test(dram, a_row_reaches_its_own_level_only) {
    static const struct {
        u32 level, before, after;
    } rows[] = {
#define GAP(level, before, after, cycles, doc) {DRAM_##level, DRAM_##before, DRAM_##after},
#include "sim/time/dram.def"
    };
    for (u32 before = 0; before < DRAM_COMMANDS; before++) {
        SCOPED(rig_close) struct rig r = {.c = rig_default()};
        r.c.rfc = 100;
        r.c.rrefd = r.c.ppd = 5;
        r.c.rc = 100;
        r.c.ccd_r = 20;
        r.c.stack_ids = 2;
        rig_open(&r);
        dram_command(&r.d->device, 6, before, 1000);
        for (u32 bank = 0; bank < 32; bank++)
            for (u32 after = 0; after < DRAM_COMMANDS; after++) {
                bool held = dram_earliest(&r.d->device, bank, after, 0) > 0, named = false;
                for (u32 i = 0; i < COUNT_OF(rows); i++) {
                    bool same = rows[i].level == DRAM_CHANNEL || bank == 6 ||
                                (rows[i].level == DRAM_GROUP && bank % 4 == 6 % 4 && bank < 16) ||
                                (rows[i].level == DRAM_OTHERS && bank >= 16);
                    named = named || (rows[i].before == before && rows[i].after == after && same);
                }
                cr_assert_eq(held, named, "command %u in bank 6, then %u in bank %u", before, after, bank);
            }
    }
}

/* Times of the only burst or the last of two, by the board's defaults. */
Test(dram, the_time_of_a_burst_in_closed_form) {
    const struct board_dram c = rig_default();
    const struct at here = {.bank = 0, .row = 0}, next = {.bank = 0, .row = 0, .column = 1},
                    other = {.bank = 0, .row = 9};
    static const u64 later = 1000;
    const struct {
        struct at at;
        bool first_writes, writes;
        u64 arrives, done;
    } second[] = {
        {next, 0, 0, later, later + c.cl + c.burst_cycles},                        /* its row is open */
        {next, 0, 0, 0, c.rcd + c.ccd_l + c.cl + c.burst_cycles},                  /* after the first */
        {{.bank = 1, .row = 0}, 0, 0, 0, c.rrd_s + c.rcd + c.cl + c.burst_cycles}, /* another group */
        {{.bank = 4, .row = 0}, 0, 0, 0, c.rrd_l + c.rcd + c.cl + c.burst_cycles}, /* another bank of its group */
        {other, 0, 0, later, later + c.rp + c.rcd + c.cl + c.burst_cycles},        /* another row is open */
        {other, 0, 0, 0, c.ras + c.rp + c.rcd + c.cl + c.burst_cycles},            /* which cannot be closed yet */
        {next, 0, 1, 0, c.rcd + c.rtw + c.wl + c.burst_cycles},                    /* a write after a read */
        {next, 1, 0, c.rcd + 1,
         c.rcd + c.wl + c.burst_cycles + c.wtr + c.cl + c.burst_cycles}, /* a read after a write */
        {other, 1, 1, 0, c.rcd + c.wl + c.burst_cycles + c.wr + c.rp + c.rcd + c.wl + c.burst_cycles},
    };
    for (u32 i = 0; i < COUNT_OF(second); i++) {
        SCOPED(rig_close) struct rig r = {.c = c};
        r.c.latency = 77;
        rig_open(&r);
        rig_push(&r, 0, here, second[i].first_writes);
        rig_push(&r, second[i].arrives, second[i].at, second[i].writes);
        struct dram_done done = rig_next(&r);
        u64 first = second[i].first_writes ? c.rcd + c.wl + c.burst_cycles : c.rcd + c.cl + c.burst_cycles + 77;
        cr_assert(done.id == 0 && done.time == first && done.write == second[i].first_writes);
        done = rig_next(&r);
        cr_assert(done.id == 1 && done.write == second[i].writes);
        cr_assert_eq(done.time, second[i].done + (done.write ? 0 : 77), "%u: %llu", i, (unsigned long long)done.time);
    }
}

/* A column command in the cycle before the refresh is due issues; in that cycle it waits, and finds its row closed. */
Test(dram, a_refresh_pushes_a_burst_out) {
    for (u32 k = 0; k < 4; k++) {
        SCOPED(rig_close) struct rig r = {.c = rig_default()};
        const struct board_dram *c = &r.c;
        bool open = k & 1, late = k & 2;
        r.c.refi = 1000;
        r.c.rfc = 120;
        rig_open(&r);
        if (open) {
            rig_push(&r, 0, (struct at){.bank = 2}, false);
            rig_next(&r);
        }
        rig_push(&r, 1000 - (open ? 0 : c->rcd) - !late, (struct at){.bank = 2}, false);
        u64 refreshed = 1000 + (open ? c->rp : 0) + c->rfc, want = late ? refreshed + c->rcd : 999;
        u64 got = rig_next(&r).time;
        cr_assert_eq(got, want + c->cl + c->burst_cycles, "%u: %llu", k, (unsigned long long)got);
        cr_assert_eq(r.n.refreshes, late);
        cr_assert_eq(r.n.row_hits, open && !late);
    }
}

Test(dram, refreshes_are_made_up_for) {
    SCOPED(rig_close) struct rig r = {.c = rig_default()};
    r.c.refi = 100;
    r.c.rfc = 30;
    rig_open(&r);
    rig_push(&r, 1010, (struct at){.bank = 2}, false);
    cr_assert_eq(rig_next(&r).time, 1030 + r.c.rcd + r.c.cl + r.c.burst_cycles);
    cr_assert_eq(r.n.refreshes, 10);
}

/* Bank 2's turn is the third of 16: its burst waits, those of the banks before and after it do not. */
Test(dram, a_refresh_of_a_bank_holds_up_that_bank_alone) {
    for (u32 bank = 1; bank < 4; bank++)
        for (u32 early = 0; early < 2; early++) {
            SCOPED(rig_close) struct rig r = {.c = rig_default()};
            const struct board_dram *c = &r.c;
            r.c.refi = 1600;
            r.c.rfc_bank = 60;
            rig_open(&r);
            rig_push(&r, 300 - c->rcd - early, (struct at){.bank = bank}, false);
            u64 column = bank == 2 && !early ? 300 + c->rfc_bank + c->rcd : 300 - early, got = rig_next(&r).time;
            cr_assert_eq(got, column + c->cl + c->burst_cycles, "%u: %llu", bank, (unsigned long long)got);
            rig_push(&r, got, (struct at){.bank = bank, .column = 1}, false); /* open still, but bank 2's */
            got = rig_next(&r).time - c->burst_cycles - c->cl;
            cr_assert_eq(r.n.row_hits, !(bank == 2 && early), "%u", bank);
            cr_assert_eq(r.n.refreshes, got / 100, "%u: %llu", bank, (unsigned long long)got);
        }
}

Test(dram, refreshes_of_banks_are_made_up_for) {
    SCOPED(rig_close) struct rig r = {.c = rig_default()};
    r.c.refi = 1600;
    r.c.rfc_bank = 90;
    rig_open(&r);
    rig_push(&r, 0, (struct at){.bank = 2}, false);
    rig_next(&r);
    u64 long_after = 1600 * 1000000ULL + 310; /* in the 1,000,001st refresh of bank 2 */
    rig_push(&r, long_after, (struct at){.bank = 2}, false);
    u64 column = long_after - 10 + r.c.rfc_bank + r.c.rcd;
    cr_assert_eq(rig_next(&r).time, column + r.c.cl + r.c.burst_cycles);
    cr_assert_eq(r.n.refreshes, column / 100);
    cr_assert_lt(rig_commands(&r), 100);
}

/* Pushes `n` bursts, serves all, and compares their order. */
static void order(struct rig *r, const struct burst *bursts, u32 n, const u32 *want, const char *what) {
    u32 columns[64] = {0};
    for (u32 i = 0; i < n; i++) {
        u32 *column = &columns[bursts[i].bank + 16 * (bursts[i].row & 3)];
        rig_push(r, bursts[i].time, (struct at){.bank = bursts[i].bank, .row = bursts[i].row, .column = (*column)++},
                 bursts[i].write);
    }
    for (u32 i = 0; i < n; i++) {
        u32 id = rig_next(r).id;
        cr_assert_eq(id, want[i], "%s: burst %u is number %u", what, id, i);
    }
    cr_assert(dram_waiting(r->d) == 0 && dram_next(r->d) == TIME_NEVER);
}

Test(dram, ready_ones_go_first_then_the_oldest) {
    static const struct {
        const char *what;
        struct burst burst[6];
        u32 n, want[6];
    } cases[] = {
        {"equals in order", {{0, 0, 0, 0}, {0, 0, 0, 0}, {0, 0, 0, 0}}, 3, {0, 1, 2}},
        {"hit before miss", {{0, 0, 0, 0}, {900, 5, 0, 0}, {900, 0, 0, 0}}, 3, {0, 2, 1}},
        {"hit before conflict", {{0, 0, 0, 0}, {900, 0, 1, 0}, {900, 0, 0, 0}}, 3, {0, 2, 1}},
        {"miss before conflict", {{0, 0, 0, 0}, {900, 0, 1, 0}, {900, 5, 0, 0}}, 3, {0, 2, 1}},
        {"other group before same", {{0, 0, 0, 0}, {0, 4, 0, 0}, {0, 1, 0, 0}}, 3, {0, 2, 1}},
        {"oldest of conflicts", {{0, 0, 0, 0}, {900, 0, 2, 0}, {900, 0, 1, 0}, {900, 0, 2, 0}}, 4, {0, 1, 3, 2}},
        {"what has not come is not chosen", {{0, 0, 0, 0}, {900, 0, 1, 0}, {901, 0, 0, 0}}, 3, {0, 1, 2}},
        {"reads before writes", {{0, 0, 0, 1}, {0, 1, 0, 0}, {0, 2, 0, 0}}, 3, {1, 2, 0}},
    };
    for (u32 i = 0; i < COUNT_OF(cases); i++) {
        SCOPED(rig_close) struct rig r = {.c = rig_default()};
        rig_open(&r);
        order(&r, cases[i].burst, cases[i].n, cases[i].want, cases[i].what);
    }
}

/* Who is next, by the scheduler: rows of one bank, then banks that are ready alike. */
Test(dram, schedulers_differ) {
    static const struct {
        enum scheduler scheduler;
        u32 want[6], turns[4];
    } cases[] = {
        {scheduler_FRFCFS, {0, 2, 3, 4, 5, 1}, {0, 1, 2, 3}},
        {scheduler_FCFS, {0, 1, 2, 3, 4, 5}, {0, 1, 2, 3}},
        {scheduler_CAP, {0, 2, 1, 3, 4, 5}, {0, 1, 2, 3}}, /* two of the open row */
        {scheduler_BANK_RR, {0, 2, 3, 4, 5, 1}, {0, 3, 2, 1}},
    };
    static const struct burst rows[] = {{0, 0, 0, 0},   {900, 0, 1, 0}, {900, 0, 0, 0},
                                        {900, 0, 0, 0}, {900, 0, 0, 0}, {900, 0, 0, 0}};
    static const struct burst banks[] = {{0, 4, 0, 0}, {900, 3, 0, 0}, {900, 2, 0, 0}, {900, 5, 0, 0}};
    for (u32 i = 0; i < COUNT_OF(cases); i++) {
        SCOPED(rig_close) struct rig r = {.c = rig_default()}, s = {.c = rig_least()};
        r.c.scheduler = s.c.scheduler = cases[i].scheduler;
        r.c.hit_cap = 2;
        rig_open(&r);
        order(&r, rows, 6, cases[i].want, "rows");
        rig_open(&s);
        order(&s, banks, 4, cases[i].turns, "banks");
        rig_close(&s);
    }
}

/* A bank whose row can be open by the time the bus is free delays nothing: the older burst precedes a younger hit. */
Test(dram, a_miss_behind_booked_data_is_as_ready_as_a_hit) {
    SCOPED(rig_close) struct rig r = {.c = rig_default()};
    r.c.burst_cycles = r.c.ccd_s = r.c.ccd_l = 40;
    rig_open(&r);
    const struct burst bursts[] = {{0, 0, 0, 0}, {1, 1, 0, 0}, {1, 0, 0, 0}};
    order(&r, bursts, 3, (const u32[]){0, 1, 2}, "booked");
}

Test(dram, writes_are_drained_together) {
    static const struct {
        const char *what;
        u32 reads, writes;
        u32 runs[4]; /* how many writes are chosen, then how many reads, then writes, ... */
        u32 turnarounds;
    } cases[] = {
        {"from high to low", 4, 12, {8, 4, 4, 0}, 2},
        {"below high", 5, 11, {0, 5, 11, 0}, 1},
        {"no reads", 0, 16, {16, 0, 0, 0}, 0},
        {"no writes", 16, 0, {0, 16, 0, 0}, 0},
    };
    for (u32 i = 0; i < COUNT_OF(cases); i++) {
        SCOPED(rig_close) struct rig r = {.c = rig_default()};
        r.c.read_queue = r.c.write_queue = 16;
        r.c.write_high = 12;
        r.c.write_low = 4;
        rig_open(&r);
        for (u32 k = 0; k < 16; k++)
            rig_push(&r, 0, (struct at){.bank = 0, .column = k}, k >= cases[i].reads);
        for (u32 run = 0; run < 4; run++)
            for (u32 k = 0; k < cases[i].runs[run]; k++)
                cr_assert_eq(rig_next(&r).write, run % 2 == 0, "%s: run %u, burst %u", cases[i].what, run, k);
        cr_assert_eq(r.n.turnarounds, cases[i].turnarounds);
    }
}

/* Writes that are drained for want of reads make way for a read when few of them are left. */
Test(dram, a_read_ends_a_drain_of_leisure) {
    SCOPED(rig_close) struct rig r = {.c = rig_default()};
    r.c.write_low = 4;
    r.c.burst_cycles = 40;
    rig_open(&r);
    for (u32 k = 0; k < 6; k++)
        rig_push(&r, 0, (struct at){.bank = 0, .column = k}, true);
    rig_push(&r, 1, (struct at){.bank = 1}, false);
    static const u32 want[] = {0, 1, 6, 2, 3, 4, 5}; /* two more than write_low, then the read */
    for (u32 k = 0; k < COUNT_OF(want); k++)
        cr_assert_eq(rig_next(&r).id, want[k]);
}

/* For any input, at most a fixed number of others are served before a burst. */
Test(dram, nobody_starves) {
    for (u32 patience = 32; patience <= 128; patience *= 2)
        for (u32 write = 0; write < 2; write++) {
            SCOPED(rig_close) struct rig r = {.c = rig_default()};
            r.c.read_queue = 8;
            r.c.patience = patience;
            rig_open(&r);
            rig_push(&r, 0, (struct at){.bank = 0}, false);
            rig_push(&r, 0, (struct at){.bank = 0, .row = write ? 0 : 1}, write);
            for (u32 k = 0; k < 200; k++)
                rig_push(&r, 0, (struct at){.bank = 0, .column = k % 32}, false);
            u32 seen = 0;
            while (rig_next(&r).id != 1)
                seen++;
            cr_assert_eq(seen, patience, "%u: %u", patience, seen);
        }
}

/* Writes that wait in a full queue do not keep reads from theirs, nor reads writes. */
Test(dram, queues_are_apart) {
    for (u32 write = 0; write < 2; write++) {
        SCOPED(rig_close) struct rig r = {.c = rig_default()};
        r.c.read_queue = r.c.write_queue = 4;
        r.c.write_high = write ? 4 : 1;
        r.c.write_low = write ? 2 : 0;
        rig_open(&r);
        for (u32 k = 0; k < 20; k++)
            rig_push(&r, 0, (struct at){.bank = 0, .column = k}, write);
        rig_push(&r, 0, (struct at){.bank = 1}, !write);
        u32 before = 0;
        while (rig_next(&r).write == write)
            before++;
        cr_assert_eq(before, write ? 2 : 0, "%u", before); /* a drain of two */
    }
}

/* A write that has waited too long takes later ones along: the bus turns once for all. */
Test(dram, a_starved_write_drains_all) {
    SCOPED(rig_close) struct rig r = {.c = rig_default()};
    r.c.patience = 128;
    r.c.write_low = 0;
    rig_open(&r);
    for (u32 k = 0; k < 200; k++)
        rig_push(&r, 0, (struct at){.bank = 0, .column = k % 32}, k == 0 || k == 20 || k == 21);
    for (u32 k = 0; k < 128; k++)
        cr_assert(!rig_next(&r).write);
    for (u32 k = 0; k < 3; k++)
        cr_assert(rig_next(&r).write, "write %u", k);
    cr_assert(!rig_next(&r).write);
    cr_assert_eq(r.n.turnarounds, 2);
}

static void counts_are_those_of_the_log(const struct rig *r) {
    u64 commands[DRAM_COMMANDS] = {0};
    for (u32 i = 0; i < rig_commands(r); i++)
        commands[rig_command(r, i).command]++;
    cr_assert(commands[RD] == r->n.reads && commands[WR] == r->n.writes);
    cr_assert(commands[ACT] == r->n.activates && commands[REF] == r->n.refreshes);
}

Test(dram, counts_what_it_did) {
    u64 random = 42, useful = 0, per[RIG_ALLOCATIONS] = {0};
    u32 writes = 0, n = 3000;
    SCOPED(rig_close) struct rig r = {.c = rig_default()};
    r.c.refi = 3900;
    rig_open(&r);
    for (u32 i = 0; i < n; i++) {
        bool write = random_below(&random, 3) == 0;
        useful += 1 + i % 32;
        per[i % RIG_ALLOCATIONS] += 1 + i % 32;
        writes += write;
        rig_push_address(&r, i, random_below(&random, 2048) * 32, write);
    }
    cr_assert_eq(dram_waiting(r.d), n);
    u64 end = 0, turns = 0;
    bool last = false;
    for (u32 i = 0; i < n; i++) {
        struct dram_done done = rig_next(&r);
        cr_assert(done.time > end);
        end = done.time;
        turns += i && done.write != last;
        last = done.write;
    }
    const struct dram_counters *c = &r.n;
    cr_assert(c->writes == writes && c->reads == n - writes);
    cr_assert(c->row_hits + c->row_misses + c->row_conflicts == n);
    cr_assert(c->activates >= c->row_misses + c->row_conflicts);
    cr_assert(c->read_bytes == 32 * c->reads && c->write_bytes == 32 * c->writes && c->useful_bytes == useful);
    cr_assert(c->busy_cycles == (u64)n * r.c.burst_cycles && c->busy_cycles <= end);
    cr_assert(c->turnarounds == turns && c->refreshes == end / 3900);
    u64 reads = 0, written = 0;
    for (u32 k = 0; k < RIG_ALLOCATIONS; k++) {
        cr_assert_eq(r.t[k].dram_useful_bytes, per[k]);
        cr_assert_eq(r.t[k].dram_read_bytes + r.t[k].dram_write_bytes, n / RIG_ALLOCATIONS * 32);
        reads += r.t[k].dram_read_bytes;
        written += r.t[k].dram_write_bytes;
    }
    cr_assert(reads == c->read_bytes && written == c->write_bytes);
    counts_are_those_of_the_log(&r);
}

/* Each conflict opens a row; the bank that opened most is named. */
Test(dram, the_busiest_bank_is_named) {
    SCOPED(rig_close) struct rig r = {.c = rig_default()};
    rig_open(&r);
    for (u32 i = 0; i < 9; i++)
        rig_push(&r, 0, (struct at){.bank = i % 3 ? 6 : 2, .row = i}, false);
    for (u32 i = 0; i < 9; i++)
        rig_next(&r);
    u32 bank;
    cr_assert_eq(dram_busiest_bank(r.d, &bank), 6 * (r.c.ras + r.c.rp));
    cr_assert_eq(bank, 6);
}

/* A second launch starts from nothing. */
Test(dram, a_reset_forgets_everything) {
    SCOPED(rig_close) struct rig r = {.c = rig_default()};
    r.c.refi = 500;
    rig_open(&r);
    u64 first[50];
    for (u32 launch = 0; launch < 2; launch++) {
        struct dram_counters n = {0};
        dram_reset(r.d, &n, r.t);
        cr_assert(dram_waiting(r.d) == 0 && dram_next(r.d) == TIME_NEVER);
        for (u32 i = 0; i < 60; i++)
            rig_push_address(&r, 20 * i, (u64)(i % 9) * 5024, i % 4 == 0);
        for (u32 i = 0; i < 50; i++) { /* some are left */
            u64 time = rig_next(&r).time;
            first[i] = launch ? first[i] : time;
            cr_assert_eq(time, first[i]);
        }
        cr_assert_eq(n.reads + n.writes, 50);
    }
}
