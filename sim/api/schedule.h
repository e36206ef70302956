/* The `schedule` of a launch: the order in which its warps take turns, or all orders. */
#ifndef HEDDLE_API_SCHEDULE_H
#define HEDDLE_API_SCHEDULE_H

#include "sim/api/check.h"
#include "sim/check/schedule.h"

/* What a launch's schedule asks for. */
struct schedule {
    u64 bound; /* orders to explore at most; 0 = none */
    struct random_turns random;
};

/* Reads "random:SEED", "all" or "all:N"; where the text is neither, or NULL. */
const char *schedule_read(const char *text, struct schedule *s);
#define SCHEDULE_EXPECTED "expected random:SEED with a whole number, all or all:N"

/*
 * Reads launch->schedule, and lets `l` take its turns accordingly. False with an error in the context: it is none, or
 * the launch has a clock.
 */
bool schedule_prepare(struct heddle *h, const struct heddle_launch *asked, struct launch *l, struct schedule *s);

/* Explores the orders, if any were asked for, on copies of the buffers, and fills r->orders. `c` NULL: no checkers. */
enum heddle_status schedule_explore(struct heddle *h, const struct launch *l, const struct schedule *s,
                                    struct checking *c, struct heddle_result *r);

#endif
