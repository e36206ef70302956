/* Launches with a clock: the gpu of a context, which stays while its board does, so that caches can stay warm. */
#ifndef HEDDLE_API_CLOCK_H
#define HEDDLE_API_CLOCK_H

#include "sim/api/check.h"

/*
 * Runs the launch on the context's board, with checkers if `c` is not NULL: on one thread, because they share what they
 * keep of memory. The status, and what happened in `r` and in the error.
 */
enum heddle_status clock_launch(struct heddle *h, const struct launch *l, const struct heddle_launch *asked,
                                struct checking *c, struct heddle_result *r);

/* The board has changed: frees what was kept of it. */
void clock_forget(struct heddle *h);

#endif
