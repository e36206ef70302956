/* The `schedule` of a launch: an order of its warps' turns, or all orders. */
#ifndef HEDDLE_API_SCHEDULE_H
#define HEDDLE_API_SCHEDULE_H

#include "sim/api/check.h"
#include "sim/check/schedule.h"

/* A launch's schedule, as requested. */
struct schedule {
    u64 bound; /* orders to explore at most; 0 = none */
    struct random_turns random;
};

/* Reads "random:SEED", "all" or "all:N". Returns NULL, or the place where the text is wrong. */
const char *schedule_read(const char *text, struct schedule *s);
#define SCHEDULE_EXPECTED "expected random:SEED with a whole number, all or all:N"

/*
 * Reads launch->schedule and sets the turns of `l` accordingly. False with an error in the context: no schedule, or a
 * timed launch.
 */
bool schedule_prepare(struct heddle *h, const struct heddle_launch *asked, struct launch *l, struct schedule *s);

/* Explores the orders, if requested, on copies of the buffers, and fills r->orders. `c` NULL = no checkers. */
enum heddle_status schedule_explore(struct heddle *h, const struct launch *l, const struct schedule *s,
                                    struct checking *c, struct heddle_result *r);

#endif
