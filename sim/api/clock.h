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

/* A launch of heddle_launch_all. */
struct clock_part {
    const struct launch *launch;
    const struct heddle_beside *asked;
    struct heddle_result *result;
};

/* Runs them at one time. Returns the status, with the board's result in `board` and the reason in the error. */
enum heddle_status clock_launch_all(struct heddle *h, struct clock_part *part, u32 n, struct heddle_result *board);

/* Refuses a launch whose resident blocks need more memory than the process can have: the system would kill it. */
bool clock_check_memory(struct heddle *h, const struct launch *l, u64 blocks);

/* Frees what depends on the board, after it has changed. */
void clock_forget(struct heddle *h);

#endif
