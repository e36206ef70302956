/* Timed launches: the GPU of a context, kept while its board stays the same, so that caches can stay warm. */
#ifndef HEDDLE_API_CLOCK_H
#define HEDDLE_API_CLOCK_H

#include "sim/api/check.h"

/*
 * Runs the launch on the context's board, with checkers if `c` is not NULL: then on one thread, because they share
 * their shadow memory. Returns the status, with the result in `r` and the reason in the error.
 */
enum heddle_status clock_launch(struct heddle *h, const struct launch *l, const struct heddle_launch *asked,
                                struct checking *c, struct heddle_result *r);

/* Frees what depends on the board, after it has changed. */
void clock_forget(struct heddle *h);

#endif
