/*
 * Bisection: runs only the values of an axis that are needed to find the first with another answer than the smallest:
 * the truth of a condition over columns, or the better of two values of another axis.
 *
 *   b.axis = s.naxes, sweep_axis(&s, "--bisect", "arg.n=1024..1048576/x2")
 *   bisect_check(&b, &s)
 *   bisect_work(&b, &s, &work)                        after sweep_plan
 */
#ifndef HEDDLE_CLI_SWEEP_BISECT_H
#define HEDDLE_CLI_SWEEP_BISECT_H

#include "sim/cli/sweep/sweep.h"

struct bisect {
    const char *given;     /* --bisect NAME=VALUES; NULL = none */
    u32 axis;              /* number of its axis */
    const char *until;     /* a condition; or */
    const char *crossover; /* an axis of two values, to compare by */
    const char *objective; /* "seconds", the least; or "max:rate.dram"; NULL = seconds. Also for */
    const char *knee;      /* the axis whose least sufficient value is wanted, after all have been run */
};

/* Checks that the options agree and are valid. False after a message. */
bool bisect_check(const struct bisect *b, const struct sweep *s);

/* True if more of the objective is better; finds its column. Finds the number of the axis of two values, or naxes. */
bool bisect_most(const struct bisect *b);
const char *bisect_objective(const struct bisect *b);
u32 bisect_other(const struct bisect *b, const struct sweep *s);

/* Runs the points that are needed, in rounds, and prints the result. Returns an exit status. */
int bisect_work(const struct bisect *b, const struct sweep *s, const struct sweep_work *w);

#endif
