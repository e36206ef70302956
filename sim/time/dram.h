/*
 * One memory channel: banks with open rows, command timings, a data bus, and a window of waiting bursts from which the
 * next is chosen: the first that is ready, then the oldest (the rules are in dram.c). Nothing ticks. A choice is made
 * when the bus will be free soon enough for a row to be opened meanwhile; then the times of its commands, and the end
 * of its data, follow from those of the commands before.
 *
 *      waiting bursts --> choice --> [precharge] [activate] column command --> data --> done
 *      time, SM cycles               memory cycles                             SM cycles, + board latency
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
};

struct dram_done {
    u64 time; /* end of its data, SM cycles, with the controller's latency if it is a read */
    u32 id;
    bool write;
};

struct dram;

struct dram *dram_new(const struct board_dram *cfg, u32 sm_clock_mhz, struct arena *arena);

/*
 * Empties it and closes all rows, before its first use too; what is counted from now on goes to `counters` and, by
 * allocation, to `traffic`. Refreshes are due at multiples of refi from here, time 0.
 */
void dram_reset(struct dram *d, struct dram_counters *counters, struct traffic *traffic);

/* Prefetches for the host CPU what so many bursts will touch. Changes nothing. */
void dram_prefetch(const struct dram *d, u32 bursts);

/* Adds a waiting burst. False when out of memory. */
bool dram_push(struct dram *d, const struct dram_burst *burst);

/* Bursts that wait. */
u32 dram_waiting(const struct dram *d);

/* When the next choice is made, SM cycles; TIME_NEVER when nothing waits. Depends only on bursts that have arrived. */
u64 dram_next(const struct dram *d);

/* Makes the next choice. Only when dram_next is not TIME_NEVER. */
struct dram_done dram_step(struct dram *d);

/* The end of the last data so far, SM cycles. */
u64 dram_end(const struct dram *d);

#endif
