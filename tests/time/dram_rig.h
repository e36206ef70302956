/*
 * A memory channel for tests: a section of the board to change, bursts by bank and row, and the log of its commands.
 *
 *      struct rig r = {.c = rig_least()};        every latency the least there is, no refresh, both clocks alike
 *      r.c.rcd = 9;
 *      rig_open(&r);
 *      rig_push(&r, 0, (struct at){.bank = 3, .row = 5}, false);
 *      rig_next(&r); ...
 *      rig_close(&r);
 */
#ifndef HEDDLE_TESTS_DRAM_RIG_H
#define HEDDLE_TESTS_DRAM_RIG_H

#include "sim/time/dram_private.h"

#include <criterion/criterion.h>

#include "tests/lib/random.h"

enum { RIG_ALLOCATIONS = 3 };

struct rig {
    struct board_dram c;
    u32 sm_mhz; /* 0: as the memory */
    struct arena arena;
    struct buf log; /* struct dram_record each */
    struct dram *d;
    struct dram_counters n;
    struct traffic t[RIG_ALLOCATIONS];
    u32 pushed; /* ids count up */
};

struct at {
    u32 bank, column; /* bank of the channel, group in the low bits; place in the row */
    u64 row;
};

static inline struct board_dram rig_least(void) {
    struct board b;
    board_default(&b);
    struct board_dram c = b.dram;
    u32 *zero[] = {&c.rcd, &c.rp,  &c.ras, &c.rrd_s, &c.rrd_l,    &c.faw,  &c.rtp,
                   &c.wr,  &c.wtr, &c.rtw, &c.rfc,   &c.rfc_bank, &c.refi, &c.latency};
    u32 *one[] = {&c.ccd_s, &c.ccd_l, &c.cl, &c.wl, &c.burst_cycles};
    for (u32 i = 0; i < COUNT_OF(zero); i++)
        *zero[i] = 0;
    for (u32 i = 0; i < COUNT_OF(one); i++)
        *one[i] = 1;
    return c;
}

static inline struct board_dram rig_default(void) {
    struct board b;
    board_default(&b);
    b.dram.refi = b.dram.latency = 0;
    return b.dram;
}

static inline void rig_open(struct rig *r) {
    r->d = dram_new(&r->c, r->sm_mhz ? r->sm_mhz : r->c.clock_mhz, &r->arena);
    cr_assert(r->d);
    dram_reset(r->d, &r->n, r->t);
    r->d->device.log = &r->log;
}

static inline void rig_close(struct rig *r) {
    arena_free(&r->arena);
    buf_free(&r->log);
}

/* The address of a place, found by trying: addresses of one row are together. */
static inline u64 rig_address(const struct rig *r, struct at at) {
    const struct board_dram *c = &r->c;
    u64 bursts = (u64)c->row_bytes / c->burst_bytes * board_banks(c);
    for (u64 i = 0, column = 0; i < bursts; i++) {
        u64 address = (at.row * bursts + i) * c->burst_bytes;
        struct dram_place p = dram_place_of(r->d, address);
        if (p.bank == at.bank && p.row == at.row && column++ == at.column)
            return address;
    }
    cr_assert_fail("no such place");
    return 0;
}

static inline u32 rig_push_address(struct rig *r, u64 time, u64 address, bool write) {
    struct dram_burst b = {.time = time,
                           .address = address,
                           .id = r->pushed,
                           .allocation = r->pushed % RIG_ALLOCATIONS,
                           .useful = (u8)(1 + r->pushed % 32),
                           .write = write};
    cr_assert(dram_push(r->d, &b));
    return r->pushed++;
}

static inline u32 rig_push(struct rig *r, u64 time, struct at at, bool write) {
    return rig_push_address(r, time, rig_address(r, at), write);
}

/* Steps until a burst is served. */
static inline struct dram_done rig_next(struct rig *r) {
    struct dram_done done;
    while (!dram_step(r->d, &done)) {
    }
    return done;
}

static inline u32 rig_commands(const struct rig *r) {
    return (u32)(r->log.len / sizeof(struct dram_record));
}

static inline struct dram_record rig_command(const struct rig *r, u32 i) {
    return ((const struct dram_record *)(const void *)r->log.data)[i];
}

/* The time of the nth command of a kind, from 1. */
static inline u64 rig_time(const struct rig *r, enum dram_command command, u32 nth) {
    for (u32 i = 0; i < rig_commands(r); i++)
        if (rig_command(r, i).command == command && --nth == 0)
            return rig_command(r, i).time;
    cr_assert_fail("there is no command %u, number %u", command, nth);
    return 0;
}

#endif
