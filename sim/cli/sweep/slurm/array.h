/*
 * An array of tasks: its folder beside the store, and which of its tasks run, have ended, are over. The folder is all
 * that the submitting process and the tasks share. No task opens the store, and each file has one writer.
 *
 *   results.db.slurm/aB3xYz/
 *       words      the command line of the sweep, each word with its NUL
 *       points     a line with the size of chunks, then one for each point: its number and key. Locked by the process
 *                  that collects
 *       job        answer of sbatch
 *       7.part     progress of task 7: a line of JSON when a point begins, and one with its row
 *       7.rows     its name when it is complete
 *       7.log      output of the task
 */
#ifndef HEDDLE_CLI_SWEEP_SLURM_ARRAY_H
#define HEDDLE_CLI_SWEEP_SLURM_ARRAY_H

#include <limits.h>

#include "sim/cli/sweep/slurm/collect.h"
#include "sim/sweep/slurm.h"

/* A line of `points`, as in the file: all have the same length. */
struct array_point {
    u64 number;
    struct hash key;
};

struct array_task {
    bool over;    /* collected, or lost */
    bool listed;  /* in the last answer of squeue */
    bool ended;   /* by that answer, or because Slurm has forgotten it */
    bool failed;  /* will have no rows */
    double since; /* when it was found to have ended */
    char why[sizeof((struct slurm_task *)0)->why];
};

struct array {
    char path[PATH_MAX]; /* path of its folder, absolute */
    int lock;            /* descriptor of `points` */
    struct slurm_job job;
    u32 chunk;         /* points of a task; the last may have fewer */
    struct buf points; /* list of struct array_point */
    u32 tasks, open;   /* tasks, and those not over */
    u32 *point;        /* the sweep's number of each of `points`; UINT32_MAX = of another sweep */
    struct array_task *task;
    double looked, answered; /* squeue: time of the last call, of the last answer */
    u32 runs, waits;
    char reason[sizeof((struct slurm_task *)0)->why]; /* why some tasks wait */
    struct array *next;
};

static inline u32 array_point_count(const struct array *a) {
    return (u32)(a->points.len / sizeof(struct array_point));
}

static inline const struct array_point *array_point_at(const struct array *a, u32 i) {
    return &((const struct array_point *)(const void *)a->points.data)[i];
}

static inline u32 array_task_count(const struct array *a) {
    return a->chunk ? (array_point_count(a) + a->chunk - 1) / a->chunk : 0;
}

/* Returns its name in Slurm: "heddle-aB3xYz". */
struct short_text array_name(const struct array *a);

/* Makes the folder of its points in `parent`, locked. False after a message, and without a folder. */
bool array_make(struct array *a, const char *parent, const struct buf *words);

/* Records in the folder that it was submitted. */
bool array_submitted(const struct array *a);

/* Takes over a folder that no process collects. False if there is none, or it is locked. */
bool array_adopt(struct array *a, const char *parent, const char *name);

/* Reads the points of one task, or ARRAY_ALL. False if the file is malformed. */
#define ARRAY_ALL UINT32_MAX
bool array_read_points(int fd, u32 task, struct array *a);

/* Inserts a copy before *first, and marks the sweep's points as flying. False after a message. */
bool array_add(struct array **first, struct collect *c, const struct array *a);

/* Marks the sweep's points of open tasks as flying, so that they are not submitted again. */
void array_mark(const struct array *a, struct collect *c);

/* Calls `each` for the tasks with rows. False if `each` returned it, or the folder cannot be read. */
bool array_finished(const struct array *a, bool (*each)(void *ctx, u32 task), void *ctx);

/* Reads "rows", "part" or "log" of a task. */
bool array_read(const struct array *a, u32 task, const char *kind, struct buf *text);

/* Reads an answer of squeue. False if it is malformed. */
bool array_queue(struct array *a, const char *answer, double now);

/* Ends a task and removes its files. */
void array_end_task(struct array *a, u32 task);

/* Close it, and remove its folder or leave it for another sweep to collect. */
void array_remove(struct array *a);
void array_leave(struct array *a);

#endif
