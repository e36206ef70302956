/*
 * The folder of an array of tasks, beside the store: all that the process which submits them and the tasks tell each
 * other. No task opens the store, and no file is written by two.
 *
 *   results.db.slurm/aB3xYz/
 *       words      the command line of the sweep, a NUL behind each word
 *       points     a line with the size of chunks, then one for each point: its number and key. It is locked for as
 *                  long as somebody collects
 *       job        what sbatch answered
 *       7.part     what task 7 has done so far: a line of JSON when a point begins, and one with its row
 *       7.rows     its name when it is whole
 *       7.log      what the task said
 */
#ifndef HEDDLE_CLI_SWEEP_ARRAY_H
#define HEDDLE_CLI_SWEEP_ARRAY_H

#include <limits.h>

#include "sim/cli/sweep/sweep.h"
#include "sim/sweep/slurm.h"

/* A line of `points`, as it is in the file: all are of one length. */
struct array_point {
    u64 number;
    struct hash key;
};

struct array_points {
    u32 chunk;       /* points of a task; of the last there may be fewer */
    struct buf list; /* struct array_point each */
};

static inline u32 array_point_count(const struct array_points *p) {
    return (u32)(p->list.len / sizeof(struct array_point));
}

static inline const struct array_point *array_point_at(const struct array_points *p, u32 i) {
    return &((const struct array_point *)(const void *)p->list.data)[i];
}

struct array_folder {
    char path[PATH_MAX]; /* absolute */
    int lock;            /* `points`, open */
    struct slurm_job job;
};

/* The name by which Slurm knows it: "heddle-aB3xYz". */
struct short_text array_name(const struct array_folder *a);

/* Makes a folder in `parent`, locked. False after a message: then there is none. */
bool array_make(struct array_folder *a, const char *parent, const struct buf *words, const struct array_points *points);

/* Notes that it was submitted. */
bool array_submitted(struct array_folder *a, const struct slurm_job *job);

/* Takes over a folder that nobody collects. False when there is none, or somebody does. */
bool array_adopt(struct array_folder *a, const char *parent, const char *name, struct array_points *points);

/* The points of one task; with `task` ARRAY_ALL those of all. False when the file is none. */
#define ARRAY_ALL UINT32_MAX
bool array_read_points(int fd, u32 task, struct array_points *points);

/* Calls `each` for the tasks whose rows are there. False when it gave that, or the folder cannot be read. */
bool array_finished(const struct array_folder *a, bool (*each)(void *ctx, u32 task), void *ctx);

/* Reads "rows", "part" or "log" of a task. */
bool array_read(const struct array_folder *a, u32 task, const char *kind, struct buf *text);

/* Removes the files of a task, or all that is there. */
void array_forget(const struct array_folder *a, u32 task);
void array_remove(struct array_folder *a);

/* Leaves it as it is, for another sweep to collect. */
void array_leave(struct array_folder *a);

#endif
