/* One memory partition in isolation: requests in, replies and counts out, all answered. */
#ifndef HEDDLE_TESTS_PARTITION_RIG_H
#define HEDDLE_TESTS_PARTITION_RIG_H

#include "sim/time/partition.h"

enum { RIG_ALLOCATIONS = 4 };

struct rig {
    struct board board;
    struct partition *p;
    struct partition_counters n;      /* those of DRAM after each call of rig_until */
    struct dram_counters channel[16]; /* what each channel counted */
    struct traffic traffic[RIG_ALLOCATIONS];
    struct buf in, out; /* of struct request, struct reply */
    u32 taken;          /* requests that the partition has got */
    u32 sm;             /* number of the SM whose requests are added */
    u64 latency;        /* of a hit: from a request's arrival to its reply's */
};

/* Opens one slice of 4 sets and 4 ways, one channel, without refresh. `settings`: "l2.sectors=8", ..., NULL. */
void rig_open(struct rig *r, const char *const *settings);
void rig_close(struct rig *r);

/* Declares a rig, opens it with these settings, or NULL, and closes it where its scope ends. */
#define RIG(r, ...) \
    SCOPED(rig_close) struct rig r; \
    rig_open(&r, (const char *const[]){__VA_ARGS__, NULL})

/* Forgets requests, replies and counts; caches too unless `warm`. */
void rig_reset(struct rig *r, bool warm);

/* Adds a request, which arrives at `time`, for all bytes of sectors first..first+count-1 of the line. */
struct request *rig_add(struct rig *r, u64 time, enum request_kind kind, u64 line, u32 first, u32 count);

/* Runs until the horizon the requests added that arrive before it; the rest stay for the next time. */
void rig_until(struct rig *r, u64 horizon);

/* Runs to the end. */
void rig_serve(struct rig *r);

u32 rig_replies(const struct rig *r);

/* The time from arrival to reply of the request with this ticket: rig_add counts them from 0. */
u64 rig_took(const struct rig *r, u32 ticket);
u64 rig_answered(const struct rig *r, u32 ticket);

/* Returns when a channel of its own ends `count` bursts that arrive at `time`. */
u64 rig_channel(const struct rig *r, u64 time, u64 address, u32 count, bool write);

#endif
