/*
 * Processes of a sweep: each point is a process of its own, which ends with it. A point that takes all memory or is
 * killed is one row, and nothing of it stays for the next.
 *
 *   struct workers w = {.s = s, .ended = keep, .ctx = &mine};
 *   workers_start(&w, point)
 *   workers_listen(&w, 100)          calls keep() for each that has ended
 *   workers_kill(&w, NULL)
 */
#ifndef HEDDLE_CLI_SWEEP_WORKER_H
#define HEDDLE_CLI_SWEEP_WORKER_H

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

/* False after a message. */
bool workers_start(struct workers *ws, u32 point);

/* Reads what they send, for at most so long. False when `ended` gave that. */
bool workers_listen(struct workers *ws, int ms);

/* Ends all; nothing of them is kept. `lost` is called for each if it is there. */
void workers_kill(struct workers *ws, void (*lost)(void *ctx, u32 point));

#endif
