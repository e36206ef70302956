/*
 * The machine with a clock: SMs, the memory partitions, and the loop that runs a launch over them.
 *
 * Time advances in windows no longer than the shortest reply. In a window every SM runs alone, then every partition
 * serves the requests of all SMs in the order (time, SM, sequence). A reply is never needed in the window that sent its
 * request, so this is exact, and the result is the same for any number of host threads.
 *
 *   struct gpu *g = gpu_new(&board);
 *   enum outcome o = gpu_run(g, &launch, &options, &result, &fault);     any number of times
 *   gpu_free(g);
 */
#ifndef HEDDLE_GPU_GPU_H
#define HEDDLE_GPU_GPU_H

#include "sim/arch/machine.h"
#include "sim/board/board.h"
#include "sim/gpu/sample.h"
#include "sim/stat/totals.h"
#include "sim/time/partition.h"
#include "sim/time/record.h"

struct gpu;

/* NULL when out of memory; `budget` bounds what it takes, NULL = no bound. The board is copied. */
struct gpu *gpu_new(const struct board *b, struct budget *budget);
void gpu_free(struct gpu *g);

/*
 * Runs job(arg, i) for every i below n, on any threads, and returns when all have ended. Without one, jobs run in
 * order.
 */
struct gpu_threads {
    void (*run)(void *ctx, void (*job)(void *arg, u32 i, u32 worker), void *arg, u32 n);
    void *ctx;
    u32 workers; /* worker is below this; at least 1 */
};

/* The options of a launch that need a clock; max_cycles 0 = no limit. */
struct gpu_options {
#define CLOCK_OPTION(declaration, member, kind, key, name, argument, group, standard, help, doc) declaration;
#include "sim/base/launch.def"
    struct gpu_threads pool;          /* host threads of the launch */
    const struct record_span *record; /* NULL: nothing is recorded */
    struct gpu_sample *sampler;       /* NULL: all blocks are timed */
    bool log;                         /* commands and bursts of DRAM are kept */
    u64 window; /* longest window, cycles, where that changes nothing; 0: as long as may be. For tests */
};

/* Valid until the next launch on the same gpu. Zeros when memory ran out. */
struct gpu_result {
    struct totals totals;
    const struct core_counters *core; /* [sms] each SM's own */
    u32 cores;
    const struct record *record; /* [records] where the launch was recorded, SMs before partitions; else NULL */
    u32 records;
    const struct bus_log *log; /* [board_buses] of DRAM, where the launch was logged; else NULL */
    bool transit;              /* the program uses transit registers */
};

enum outcome gpu_run(struct gpu *g, const struct launch *l, const struct gpu_options *o, struct gpu_result *r,
                     struct fault *fault);

/* One of several launches that share the board, all from cycle 0. An SM holds blocks of one of them at a time. */
struct gpu_share {
    const struct launch *launch; /* all have the same memory */
    int priority;                /* its blocks start before those of a lower one; equals get as many SMs each */
    /* Out: what its SMs counted, with `cycles` up to their last event; L2 and DRAM are the board's. */
    struct gpu_result result;
    u64 begin;     /* cycle of its first block; TIME_NEVER: it had none */
    u64 sm_cycles; /* cycles of SMs that were its own */
};

struct gpu_shared {
    struct gpu_share *share; /* [n] */
    u32 n;
    u32 faulted; /* out: the launch whose fault ended all */
};

/*
 * Runs them at one time. `r` is the board's: sums over the launches, whose instructions follow one another in its
 * lines. Of what belongs to one launch (width, occupancy) it has the first's.
 */
enum outcome gpu_run_all(struct gpu *g, struct gpu_shared *all, const struct gpu_options *o, struct gpu_result *r,
                         struct fault *fault);

/* Blocks of this launch that an SM of the board holds, and what limits them. blocks = 0: not even one fits. */
struct occupancy occupancy_of(const struct board *b, const struct launch *l);

#endif
