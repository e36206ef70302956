/*
 * A memory partition: a channel of DRAM, one of each half where L2 has two, and the slices of L2 that cache it. It
 * serves the requests of all SMs in the order of their arrival and knows nothing of SMs but their numbers.
 *
 *      requests --> slice: data path (bytes/cycle) --> tags --+-- hit ------------------> reply
 *                                                            +-- miss --> DRAM --> fill -> reply
 *                                                  victim --> write-back --> DRAM
 *
 * partition_run is given every request that arrives before the horizon, sorted by (time, sm, seq), and handles all
 * that happens before it: ends of bursts, arrivals, turns of slices, steps of the memory controller, in the order of
 * time and, at one time, in this order. What lies beyond waits for the next call; how the horizons are chosen does not
 * change anything.
 */
#ifndef HEDDLE_TIME_PARTITION_H
#define HEDDLE_TIME_PARTITION_H

#include "sim/base/buf.h"
#include "sim/board/board.h"
#include "sim/stat/counters.h"
#include "sim/time/message.h"
#include "sim/time/place.h"

struct partition;

/*
 * The shortest time from anything that happens in a partition (an arrival, a turn, the end of a burst) to the arrival
 * at an SM of a reply that follows from it. So what has been handled up to a horizon settles all replies before the
 * horizon and this.
 */
u64 partition_shortest(const struct board *b);

/* A partition with memory of its own, so that partitions can run on different threads. NULL when out of memory. */
struct partition *partition_new(const struct board *b, u32 index, struct budget *budget);
void partition_free(struct partition *p);

/*
 * Starts a launch: clocks and queues at zero, caches emptied unless `warm`. Counts go to `counters` and its `traffic`,
 * which must have a place for each allocation whose lines L2 may hold.
 */
void partition_reset(struct partition *p, struct partition_counters *counters, bool warm);

/* Records what happens from now on in this launch. */
struct record;
void partition_watch(struct partition *p, struct record *record);

/* What a data bus logs: struct dram_record and struct dram_request of dram.h each. */
struct bus_log {
    struct buf commands, requests;
};

/* Logs commands and bursts of its channels from now on, to log[] at their numbers on the board; NULL: none. */
void partition_log(struct partition *p, struct bus_log *log);

/* Counts what each bank does from now on in this launch, too, at its number in [board_buses][board_banks]. */
void partition_count_banks(struct partition *p, struct dram_counters *bank);

/*
 * From now on, charges to to[n] what was charged to number n: for a warm launch with other allocations than the one
 * before.
 */
void partition_recharge(struct partition *p, const u32 *to);

/* Serves requests; replies are added to `out`, struct reply each. False when out of memory. */
bool partition_run(struct partition *p, const struct request *in, u32 count, u64 horizon, struct buf *out);

/* Time of the next event without further requests; TIME_NEVER when there is none. */
u64 partition_next(const struct partition *p);

/* Time when all that it has begun is done, write-backs among it, SM cycles. */
u64 partition_end(const struct partition *p);

/* Cycles that the busiest slice's data path was busy. */
u64 partition_busiest_slice(const struct partition *p);

/*
 * Adds what its channels have counted to the counters, once, at the end of a launch that took `cycles`; each one's also
 * to channel[], at its number among those of the board, unless that is NULL.
 */
void partition_close(struct partition *p, u64 cycles, struct dram_counters *channel);

/* Memory cycles that the busiest bank at least took to open and close rows; its number, and its channel's. */
u64 partition_busiest_bank(const struct partition *p, u32 *channel, u32 *bank);

/* Adds what its channels have counted so far. */
void partition_count(const struct partition *p, struct dram_counters *sum);

/* Adds the lines of its L2 that are in use; returns how many it has. */
u64 partition_lines(const struct partition *p, u64 *used);

/* Bytes that are written only in L2: after the last request, what a launch did not cost DRAM yet. */
u64 partition_dirty_bytes(const struct partition *p);

#endif
