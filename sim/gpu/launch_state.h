/* Inside of the gpu: what lives with it, and the launches that are running. For gpu.c, dispatch.c and results.c. */
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
    struct line_counters *line; /* [workers][lines]; the first holds the sums afterwards */
    struct traffic *traffic;
    const char **name; /* names of the allocations */
};

enum { LOOK_FIRST = 1 << 14 }; /* cycle of the first look at whether anything can still change */

/* One of the launches that are running. An SM holds blocks of one at a time. */
struct gpu_launch {
    const struct launch *launch;
    struct gpu_share *share; /* of the caller */
    struct timing timing;
    struct run run;
    struct occupancy occupancy;
    struct sm_plan plan;
    struct line_counters *line; /* [ninst] of the first worker, among those of all launches */
    struct traffic *traffic;    /* [allocations] of its SMs; NULL: the board's, it is alone */
    u64 blocks, next;           /* blocks of the grid, or of those that a sample lets start; the next to start */
    const u64 *order;           /* of a sample: blocks of the grid, as they start; NULL: one after the other */
    u64 *starts;                /* [blocks of the grid] of a sample: cycle of each one's start */
    u32 held;                   /* SMs that hold its blocks, or did last */
    struct deadlock_past past;
};

/* Launches that are running. */
struct launch_state {
    struct gpu *gpu;
    const struct launch *launch; /* the first: memory, progress and the looks for deadlocks are its */
    const struct gpu_options *options;
    struct gpu_launch *all; /* [launches] */
    u32 launches;
    struct gpu_launch **of; /* [sms] the launch whose blocks the SM holds, or held last; NULL: it never had one */
    u32 lines;              /* instructions of all programs */
    u32 allocations;
    u64 blocks, next, ended;   /* blocks of all grids: all, started, ended */
    u64 start;                 /* least start of the next block, in parts of a cycle */
    u64 now, end, horizon;     /* start and end of the window; end of what partitions serve */
    u64 lead;                  /* least cycles from an SM to a partition */
    u64 window;                /* longest window, cycles */
    u64 look;                  /* cycle of the next look */
    u64 issued;                /* instructions of SMs before they took another launch */
    u64 most_issued;           /* instructions that all may issue; 0: any number */
    u64 resident;              /* blocks that were found in the present look */
    u32 faulted;               /* launch whose fault ended all */
    struct sampling *sampling; /* sample.c; NULL: all blocks are timed */
};

/* Workers that may run SMs at one time. */
u32 launch_workers(const struct launch_state *ls);

/* Instructions that have been issued. */
u64 launch_issued(const struct launch_state *ls);

/* True if nothing can change any more, judged at cycle `look`; `fault` then lists who waits for what (deadlock.c). */
bool launch_is_dead(struct launch_state *ls, struct fault *fault);

/* Starts the first blocks, which fill the machine. False when out of memory; so does the next (dispatch.c). */
bool launch_dispatch(struct launch_state *ls);

/*
 * Gives each place that became free before the end of the window to a block that waits, in the order of time: so it
 * does not matter where windows end. A place that becomes free later is given away later.
 */
bool launch_refill(struct launch_state *ls);

/* Time when the first place is free for a block that waits; TIME_NEVER: none is, or no block waits. */
u64 launch_room(const struct launch_state *ls);

/* True if the SM, without work and with nothing in flight, could take blocks of another launch. */
bool launch_is_drained(const struct launch_state *ls, u32 sm);

/* Closes the accounts of an SM at time `end` and adds them to its launch (results.c). */
void launch_retire(struct launch_state *ls, u32 sm, u64 end);

/* Adds up the counts of all SMs and partitions, and closes their accounts. */
void launch_results(struct launch_state *ls, struct gpu_result *r);

#endif
