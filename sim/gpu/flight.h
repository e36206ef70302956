/* Inside of the gpu: what lives with it, and a launch that is running. For gpu.c and results.c. */
#ifndef HEDDLE_GPU_FLIGHT_H
#define HEDDLE_GPU_FLIGHT_H

#include "sim/gpu/gpu.h"
#include "sim/time/partition.h"
#include "sim/time/sm.h"

/* What belongs to one memory partition. */
struct station {
    struct partition *partition;
    struct partition_counters counters;
    struct buf mail;    /* struct order_key each: of requests that were sent in this window */
    struct buf waiting; /* struct request each, sorted: arrived at or behind the last horizon */
    struct buf replies; /* struct reply each, of the last call */
    bool no_memory;
};

struct gpu {
    struct board board;
    struct arena arena;      /* what outlives a launch */
    struct station *station; /* [channels] */
    struct buf bases;        /* u64 each: of the last launch's allocations, of which L2 may hold lines */
    bool used;               /* a launch has run */
    /* of the launch, kept until the next */
    struct arena launch_arena;
    struct sm *sm; /* [sms] */
    struct core_counters *core;
    struct line_counters *line; /* [workers][ninst]; the first holds the sums afterwards */
    struct traffic *traffic;
    const char **name; /* of allocations */
};

/* A launch that is running. */
struct flight {
    struct gpu *gpu;
    const struct launch *launch;
    const struct gpu_options *options;
    struct timing timing;
    struct run run;
    struct occupancy occupancy;
    struct sm_plan plan;
    u32 allocations;
    u64 blocks, next, ended; /* of the grid: all, the next to start, ended */
    u64 now, end, horizon;   /* the window, and up to where partitions serve */
    u64 lead;                /* the shortest way of a request to its partition */
    u64 window;              /* the longest window */
};

/* Workers that may run SMs at one time. */
u32 flight_workers(const struct flight *f);

/* Adds up what all SMs and partitions have counted, and closes their accounts (results.c). */
void flight_results(struct flight *f, struct gpu_result *r);

#endif
