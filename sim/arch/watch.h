/*
 * Watching a launch: an observer is shown each execution of a few instructions twice, before and after. For
 * explanations; counts and the clock have cheaper ways.
 *
 *   struct watch watch = {.first = pc, .count = 1, .see = look, .ctx = &notes};
 *   enum outcome o = watch_launch(&launch, &watch, &fault);
 *
 * Other launches pay nothing: the loop that looks is an executor of its own.
 */
#ifndef HEDDLE_ARCH_WATCH_H
#define HEDDLE_ARCH_WATCH_H

#include "sim/arch/machine.h"

struct watched {
    u32 pc;
    u32 block[3], warp;
    bool after;       /* false: it is about to run */
    bool faulted;     /* after: the instruction faulted */
    u64 active, exec; /* lanes at the instruction; those whose guard holds */
    const u32 *regs;  /* [register][lane] */
    const u64 *preds; /* [PRED_COUNT + 1], one bit a lane */
    const u64 *addr;  /* after a memory instruction: [WARP_MAX], as the instruction computed them; else NULL */
};

struct watch {
    u32 first, count; /* instructions [first, first + count) are watched */
    void (*see)(void *ctx, const struct watched *w);
    void *ctx;
};

/* Runs the machine, and shows all that is watched as it happens. */
enum outcome watch_launch(const struct launch *l, const struct watch *watch, struct fault *fault);

#endif
