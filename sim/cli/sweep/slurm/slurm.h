/*
 * A sweep in tasks of Slurm.
 *
 *   sbatch.c   Slurm's own commands, whose refusals are reported in their words
 *   array.c    an array of tasks: its folder, and which of its tasks run, have ended, are over
 *   slurm.c    the points of the sweep: claimed, put into arrays, collected
 */
#ifndef HEDDLE_CLI_SWEEP_SLURM_H
#define HEDDLE_CLI_SWEEP_SLURM_H

#include <limits.h>
#include <wordexp.h>

#include "sim/cli/sweep/run/run.h"
#include "sim/sweep/slurm.h"

/* ---- an array ---- */

/*
 * Its folder, beside the store, is all that the submitting process and the tasks share. No task opens the store, and
 * each file has one writer.
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

BUF_LIST(array_point, struct array, points, struct array_point)

static inline u32 array_task_count(const struct array *a) {
    return a->chunk ? (array_point_count(a) + a->chunk - 1) / a->chunk : 0;
}

/* Names the folder of the arrays of a store; absolute, since tasks may have another current folder. False after a
 * message. */
bool array_parent(const char *store, char path[PATH_MAX]);

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

/* Copies an array that was submitted just now, or before; `point`: the sweep's number of each of its points. */
struct array *array_begin(const struct array *from, u32 *point, struct arena *arena);

/* Calls `each` for the tasks with rows. False if `each` returned it, or the folder cannot be read. */
bool array_finished(struct array *a, bool (*each)(void *ctx, struct array *a, u32 task), void *ctx);

/* Reads "rows" or "part" of a task; appends the end of its log. */
bool array_read(const struct array *a, u32 task, const char *kind, struct buf *text);
void array_log_end(const struct array *a, u32 task, struct buf *to);

/* Look at the queue, when it is time to; false after a message, when there was no answer for long. */
bool array_looks(const struct array *a, double now);
bool array_look(struct array *a, double now);

/* True if another sweep needs results that its tasks still compute. */
bool array_is_shared(const struct array *a);

/* Ends a task and removes its files. */
void array_end_task(struct array *a, u32 task);

/* Close it, and remove its folder or leave it for another sweep to collect. */
void array_remove(struct array *a);
void array_leave(struct array *a);

/* Takes *link out of the list, and leaves or removes it; *link becomes the next one. */
void array_drop(struct array **link, bool leave);

/* ---- Slurm ---- */

struct cluster {
    wordexp_t options; /* for sbatch, as given by the user */
    char processors[24];
    char heddle[PATH_MAX]; /* path of this program */
    struct slurm_limits limits;
};

/*
 * Checks that tasks with these options, of that many processors, could run now: the commands exist, the controller
 * answers, sbatch would accept such a job, and its partition is up. False after a message.
 */
bool cluster_open(struct cluster *c, const char *options, u32 processors);
void cluster_close(struct cluster *c);

/* Submits the tasks of an array, and records their job in it. False with the reason of sbatch in `said`. */
bool cluster_submit(const struct cluster *c, struct array *a, struct buf *said);

/* Gets squeue's answer on its tasks, for slurm_read_task(). False if there is none, with the reason in `answer`. */
bool cluster_look(const struct array *a, struct buf *answer);

void cluster_cancel(const struct array *a);

#endif
