/*
 * One memory channel: banks with open rows, command timings, a data bus, and a window of waiting bursts, chosen
 * first-ready, then oldest (dram_choose.c has the rules). Nothing ticks: a step is a memory cycle in which a command is
 * given or a burst arrives, and the next one follows from it.
 *
 *      waiting bursts --> [precharge] [activate] column command --> data --> done
 *      time, SM cycles    memory cycles                             SM cycles, + board latency
 */
#ifndef HEDDLE_TIME_DRAM_H
#define HEDDLE_TIME_DRAM_H

#include "sim/base/arena.h"
#include "sim/board/board.h"
#include "sim/stat/counters.h"
#include "sim/time/message.h"

struct dram_burst {
    u64 time;       /* arrival, SM cycles; bursts are pushed in this order */
    u64 address;    /* address in the channel, bytes; dense, whatever the global address */
    u32 id;         /* number given by the owner */
    u32 allocation; /* allocation that it is charged to */
    u8 useful;      /* bytes of it that are requested or written */
    bool write;
    u16 source; /* 1 + the SM that it is for; 0: none, as a write-back */
};

struct dram_done {
    u64 time; /* end of its data, SM cycles, with the controller's latency if it is a read */
    u32 id;
    bool write;
};

struct dram;

/* A data bus with its banks: a channel, or a pseudo channel. NULL when out of memory. */
struct dram *dram_new(const struct board_dram *cfg, u32 sm_clock_mhz, struct arena *arena);

/* Makes it a pseudo channel beside `first`, whose command pins it shares. Steps of both are taken in their order. */
void dram_share_pins(struct dram *d, struct dram *first);

/*
 * Empties it and closes all rows, before its first use too; counts are added to `counters` and, by allocation, to
 * `traffic` from now on. Refreshes are due at multiples of refi from here, time 0.
 */
void dram_reset(struct dram *d, struct dram_counters *counters, struct traffic *traffic);

/* Records from now on, as that channel; until the next reset. */
struct record;
void dram_watch(struct dram *d, struct record *record, u32 channel);

/* Counts what each bank does from now on, too, at bank[its number]; until the next reset. */
void dram_count_banks(struct dram *d, struct dram_counters *bank, u32 channel);

/* A burst as it arrived. */
struct dram_request {
    u64 time, address; /* memory cycles; in the channel */
    bool write;
};

/*
 * Logs its commands from now on, struct dram_record each (dram_device.h), and unless that is NULL its bursts, struct
 * dram_request each; NULL: no more.
 */
void dram_log(struct dram *d, struct buf *commands, struct buf *requests);

/* Finds the address in the channel of a burst by its place; UINT64_MAX if the channel has no such place. */
u64 dram_address_at(const struct dram *d, u32 bank, u64 row, u32 column);

/* Finds the place of an address in the channel. */
void dram_find(const struct dram *d, u64 address, u32 *bank, u64 *row, u32 *column);

/* Prefetches for the host CPU the data of the next `bursts` bursts. Changes nothing. */
void dram_prefetch(const struct dram *d, u32 bursts);

/* Adds a waiting burst. False when out of memory. */
bool dram_push(struct dram *d, const struct dram_burst *burst);

/* Bursts that wait. */
u32 dram_waiting(const struct dram *d);

/* Time of the next step, SM cycles; TIME_NEVER when nothing waits. Depends only on bursts that have arrived. */
u64 dram_next(const struct dram *d);

/* Time of the next step, memory cycles. */
u64 dram_event(const struct dram *d);

/* True if the next step is before that of a pseudo channel beside it: they take turns where both are in one cycle. */
bool dram_before(const struct dram *d, const struct dram *other);

/* Takes the next step, unless dram_next is TIME_NEVER. True if it serves a burst: `done`. */
bool dram_step(struct dram *d, struct dram_done *done);

/* The end of the last data so far, SM cycles. */
u64 dram_end(const struct dram *d);

/* Closes the account of its data bus at the end of a launch, SM cycles: its parts (PART of counters.def) add up. */
void dram_close(struct dram *d, u64 end);

/* Memory cycles that the bank with most rows opened and closed at least took for them, and its number. */
u64 dram_busiest_bank(const struct dram *d, u32 *bank);

#endif
