/*
 * Schedules: orders in which warps take turns, other than the machine's own. A turn is one access to shared or global
 * memory, one fence or one barrier, and what the warp does after it up to the next: other warps cannot see when that
 * happens.
 *
 *   struct random_turns r = {.seed = 7};
 *   launch.chooser = schedule_random(&r);
 *   enum outcome o = machine_run(&launch, &fault);
 *
 * The same seed gives the same order on every host. Lanes of a warp stay together: what they do to one another does not
 * depend on order here.
 */
#ifndef HEDDLE_CHECK_SCHEDULE_H
#define HEDDLE_CHECK_SCHEDULE_H

#include "sim/arch/machine.h"

struct random_turns {
    u64 seed;
    u64 state;
    struct chooser chooser;
};

/* Warps of all resident blocks, each turn a random one's. */
const struct chooser *schedule_random(struct random_turns *r);

#endif
