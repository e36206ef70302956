/* An array of tasks that was submitted, now or by a sweep before: which of its tasks run, have ended, are over. */
#ifndef HEDDLE_CLI_SWEEP_BATCH_H
#define HEDDLE_CLI_SWEEP_BATCH_H

#include "sim/cli/sweep/slurm/array.h"
#include "sim/cli/sweep/slurm/collect.h"

struct task {
    bool over;    /* it is collected, or lost */
    bool listed;  /* by the last answer of squeue */
    bool ended;   /* by that answer, or because it is forgotten */
    bool failed;  /* there will be no rows */
    double since; /* when it was found to have ended */
    char why[sizeof((struct slurm_task *)0)->why];
};

struct batch {
    struct array_folder folder;
    u32 chunk, n, tasks, open; /* points of a task, and of all; tasks, and those that are not over */
    u32 *point;                /* UINT32_MAX: of another sweep */
    struct task *task;
    double looked, answered; /* squeue: when it was asked, when there was an answer */
    u32 runs, waits;
    char reason[sizeof((struct slurm_task *)0)->why]; /* why some wait */
    struct batch *next;
};

/* Puts one before *first, and its points that are ours begin to fly. False after a message. */
bool batch_add(struct batch **first, struct collect *c, const struct array_folder *folder,
               const struct array_points *points);

/* Points of its tasks that are ours are not to be submitted. */
void batch_mark(const struct batch *a, struct collect *c);

/* The last point of a task, and one. */
u32 batch_task_end(const struct batch *a, u32 task);

/* A task is over, and its files go. */
void batch_end_task(struct batch *a, u32 task);

/* Takes *link out, with its folder or without; *link becomes the next one. */
void batch_drop(struct batch **link, bool leave);

/* What squeue answers. False when that is not to be believed. */
bool batch_read(struct batch *a, const char *answer, double now);

#endif
