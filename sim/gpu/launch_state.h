/* Inside of the gpu: what lives with it, and a launch that is running. For gpu.c and results.c. */
#ifndef HEDDLE_GPU_LAUNCH_STATE_H
#define HEDDLE_GPU_LAUNCH_STATE_H

#include "sim/arch/deadlock.h"
#include "sim/gpu/gpu.h"
#include "sim/time/partition.h"
#include "sim/time/sm.h"

/* State of the launch for one memory partition. */
struct partition_port {
    struct partition *partition;
    struct partition_counters counters;
    struct buf mail;    /* struct order_key each: requests sent in this window */
    struct buf waiting; /* struct request each, sorted: arrivals at or after the last horizon */
    struct buf replies; /* struct reply each, of the last call */
    bool no_memory;
};

struct gpu {
    struct board board;
    struct arena arena;          /* memory that outlives a launch */
    struct partition_port *port; /* [ports] */
    u32 ports;
    struct dram_counters *channel; /* [board_buses] of the last launch */
    struct dram_counters *bank;    /* [board_buses][board_banks] of the last launch; NULL: it did not count them */
    struct bus_log *log;           /* [board_buses] of the last launch; NULL: it was not logged */
    struct buf bases;              /* u64 each: bases of the last launch's allocations, whose lines L2 may hold */
    bool used;                     /* set once a launch has run */
    struct record *records;        /* [sms + ports] whose memory launches share; NULL: none was recorded */
    /* of the launch, kept until the next */
    struct arena launch_arena;
    struct sm *sm; /* [sms] */
    u32 begun;     /* SMs with blocks, the first ones: windows pass over the others */
    struct core_counters *core;
    struct record *record;      /* those; NULL: it is not recorded */
    struct line_counters *line; /* [workers][ninst]; the first holds the sums afterwards */
    struct traffic *traffic;
    const char **name; /* names of the allocations */
};

enum { LOOK_FIRST = 1 << 14 }; /* cycle of the first look at whether anything can still change */

/* A launch that is running. */
struct launch_state {
    struct gpu *gpu;
    const struct launch *launch;
    const struct gpu_options *options;
    struct timing timing;
    struct run run;
    struct occupancy occupancy;
    struct sm_plan plan;
    u32 allocations;
    u64 blocks, next, ended; /* blocks of the grid: all, the next to start, ended */
    u64 start;               /* least start of the next block, in parts of a cycle */
    u64 now, end, horizon;   /* start and end of the window; end of what partitions serve */
    u64 lead;                /* least cycles from an SM to a partition */
    u64 window;              /* longest window, cycles */
    u64 look;                /* cycle of the next look */
    struct deadlock_past past;
    u64 resident; /* blocks that were found in the present look */
};

/* Workers that may run SMs at one time. */
u32 launch_workers(const struct launch_state *ls);

/* Instructions that have been issued. */
u64 launch_issued(const struct gpu *g);

/* True if nothing can change any more, judged at cycle `look`; `fault` then lists who waits for what (deadlock.c). */
bool launch_is_dead(struct launch_state *ls, struct fault *fault);

/* Adds up the counts of all SMs and partitions, and closes their accounts (results.c). */
void launch_results(struct launch_state *ls, struct gpu_result *r);

#endif
