/*
 * Bisection: of the values of one axis only those are run that find the first at which an answer is another than at the
 * smallest: that of a condition over columns, or which of two values of another axis is better.
 *
 *   b.axis = s.naxes, sweep_axis(&s, "--bisect", "arg.n=1024..1048576/x2")
 *   bisect_check(&b, &s)
 *   bisect_work(&b, &s, &work)                        after sweep_plan
 */
#ifndef HEDDLE_CLI_SWEEP_BISECT_H
#define HEDDLE_CLI_SWEEP_BISECT_H

#include "sim/cli/sweep/sweep.h"

struct bisect {
    const char *given;     /* --bisect NAME=VALUES; NULL: there is none */
    u32 axis;              /* its number */
    const char *until;     /* a condition; or */
    const char *crossover; /* the name of an axis of two values, of which */
    const char *objective; /* "seconds" is less, or "max:rate.dram" more; NULL: seconds. Also of */
    const char *knee;      /* an axis of which the least value is asked that is enough, when all have been run */
};

/* Whether the options go together, and mean something. False after a message. */
bool bisect_check(const struct bisect *b, const struct sweep *s);

/* Whether more of the objective is better; its column. The number of the axis of two values, s->naxes without one. */
bool bisect_most(const struct bisect *b);
const char *bisect_objective(const struct bisect *b);
u32 bisect_other(const struct bisect *b, const struct sweep *s);

/* Runs the points that are needed, in rounds, and prints what was found. An exit status. */
int bisect_work(const struct bisect *b, const struct sweep *s, const struct sweep_work *w);

#endif
