/*
 * A memory partition: a channel of DRAM and the slices of L2 that cache it. It serves the requests of all SMs in the
 * order of their arrival and knows nothing of SMs but their numbers.
 *
 *      requests --> slice: data path (bytes/cycle) --> tags --+-- hit ------------------> reply
 *                                                            +-- miss --> DRAM --> fill -> reply
 *                                                  victim --> write-back --> DRAM
 *
 * partition_run is given every request that arrives before the horizon, sorted by (time, sm, seq), and handles all
 * that happens before it: arrivals, choices of the memory controller, fills. What lies beyond waits for the next call;
 * how the horizons are chosen does not change any time.
 */
#ifndef HEDDLE_TIME_PARTITION_H
#define HEDDLE_TIME_PARTITION_H

#include "sim/base/arena.h"
#include "sim/base/buf.h"
#include "sim/board/board.h"
#include "sim/stat/counters.h"
#include "sim/time/message.h"

struct partition;

/* Which partition and which slice of it hold an address, and where it is in the channel. */
struct place {
    u32 partition, slice;
    u64 address; /* in the channel, for dram_burst */
};
struct place place_of(const struct board *b, u64 address);

/* The shortest time from a request's arrival to the arrival of a reply at an SM: no window may be longer. */
u64 partition_shortest(const struct board *b);

struct partition *partition_new(const struct board *b, u32 index, struct arena *arena);

/* Starts a launch: clocks and queues at zero, caches emptied unless `warm`; counts go to `counters`. */
void partition_reset(struct partition *p, struct partition_counters *counters, bool warm);

/* Serves requests; replies are added to `out`, struct reply each. False when memory is out. */
bool partition_run(struct partition *p, const struct request *in, u32 count, u64 horizon, struct buf *out);

/* The time of the next thing to do without further requests; TIME_NEVER when there is none. */
u64 partition_next(const struct partition *p);

/* After the last request: writes back nothing (what is dirty stays), but counts it: bytes dirty in L2. */
u64 partition_dirty_bytes(const struct partition *p);

#endif
