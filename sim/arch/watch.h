/*
 * Watching a launch without a clock: an observer is shown each execution of a few instructions twice, before and after.
 * For explanations; counts and the clock have cheaper ways.
 *
 *   struct watch watch = {.marked = marked, .see = look, .ctx = &notes};
 *   launch.watch = &watch;
 *   enum outcome o = machine_run(&launch, &fault);
 *
 * Others pay nothing: the decoded instructions that are watched have a function of their own. An executor that looked
 * at each instruction made a matrix product take 8 times as long.
 */
#ifndef HEDDLE_ARCH_WATCH_H
#define HEDDLE_ARCH_WATCH_H

#include "sim/base/arena.h"

struct watched {
    u32 pc;
    u32 block[3], warp;
    bool after;       /* false: it is about to run */
    bool faulted;     /* after: the instruction faulted */
    bool waits;       /* after: the warp waits there for others */
    u64 active, exec; /* lanes at the instruction; those whose guard holds */
    const u32 *regs;  /* [register][lane] */
    const u64 *preds; /* [PRED_COUNT + 1], one bit a lane */
    const u64 *addr;  /* after a memory instruction: [WARP_MAX], as the instruction computed them; else NULL */
};

struct watch {
    const bool *marked; /* [program->ninst] instructions that are watched */
    /* Also called where no lane executes the instruction. */
    void (*see)(void *ctx, const struct watched *w);
    void *ctx;
};

struct run;

/* Puts the observer of run->launch into the decoded instructions. False when out of memory. */
bool watch_code(struct run *run, struct arena *arena);

#endif
