/*
 * Processes of a sweep: each point has a process of its own, which ends with it. A point that takes all memory or is
 * killed is one row, and leaves nothing to the next.
 *
 *   struct workers w = {.s = s, .ended = keep, .ctx = &mine};
 *   workers_start(&w, point)
 *   workers_listen(&w, 100)          calls keep() for each that has ended
 *   workers_kill(&w, NULL)
 */
#ifndef HEDDLE_CLI_SWEEP_RUN_WORKER_H
#define HEDDLE_CLI_SWEEP_RUN_WORKER_H

#include <sys/types.h>

#include "sim/cli/sweep/sweep.h"

enum { WORKERS_MOST = 256 };

struct worker {
    pid_t pid;
    u32 point;
    int result, messages; /* a pipe; a file in memory */
    struct buf row;
    double start;
};

struct workers {
    const struct sweep *s;
    bool (*ended)(void *ctx, u32 point, enum store_state state, const json_t *row);
    void *ctx;
    struct worker worker[WORKERS_MOST];
    u32 busy;
};

/* Starts a point. False after a message. */
bool workers_start(struct workers *ws, u32 point);

/* Reads from the workers for at most `ms`. False if ws->ended returned it. */
bool workers_listen(struct workers *ws, int ms);

/* Ends all workers and drops their results. Calls `lost`, if given, for each. */
void workers_kill(struct workers *ws, void (*lost)(void *ctx, u32 point));

#endif
