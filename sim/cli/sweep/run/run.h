/* The points of a sweep while they run. */
#ifndef HEDDLE_CLI_SWEEP_RUN_RUN_H
#define HEDDLE_CLI_SWEEP_RUN_RUN_H

#include <sys/types.h>

#include "sim/cli/json.h"
#include "sim/cli/progress.h"
#include "sim/cli/sweep/sweep.h"

/*
 * Processes of a sweep: each point has a process of its own, which ends with it. A point that takes all memory or is
 * killed is one row, and leaves nothing to the next.
 *
 *   struct workers w = {.s = s, .ended = keep, .ctx = &mine};
 *   workers_start(&w, point)
 *   workers_listen(&w, 100)          calls keep() for each that has ended
 *   workers_kill(&w, NULL)
 */

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

/* State of the points of a sweep while they run: counts, the line of progress, failures. */

struct tally {
    const struct sweep *s;
    const struct sweep_work *w;
    u32 present, done, failed; /* points present before; run; without a result, of all */
    double beat;               /* time of the last store_beat */
    struct progress progress;
    struct buf why; /* errors of the store */
    bool broken;    /* the store cannot be written, or no process could be started */
};

void tally_begin(struct tally *t, const struct sweep *s, const struct sweep_work *w);

/* Prints the result of the sweep; returns an exit status. */
int tally_end(struct tally *t);

bool tally_broken(struct tally *t); /* reports it; false */

/* Counts a point that has its result now; `message`: of a failed one. */
void tally_point(struct tally *t, u32 point, bool present, enum store_state state, const char *message);

/* Stores a result of our point, and counts it. */
bool tally_result(struct tally *t, u32 point, enum store_state state, const json_t *row);

/* Writes the line of progress: true if the caller may add its end. */
bool tally_show(struct tally *t);

/* Records that this sweep is alive. */
void tally_beat(struct tally *t);

/* A task of Slurm: runs a chunk of the points of a sweep, into a file of its own (slurm/slurm.h). */

/* Splits DIR/7. False after a message. */
bool sweep_task_name(const char *text, char *folder, size_t size, u32 *task);

/* Reads the words of its sweep, the first being the command, into the arena. False after a message. */
bool sweep_task_words(const char *folder, struct arena *arena, int *argc, char ***argv);

/* A line of a task's file: a point begins, or has its row. */
struct task_line {
    const char *key, *command;
    enum store_state state;
    const json_t *row; /* NULL = it begins */
};

/* Calls `take` for each line, but one that a task has not finished, or that two have written at once. */
bool sweep_task_lines(const struct buf *text, bool (*take)(void *ctx, const struct task_line *line), void *ctx);

/* Runs the points of a task, `jobs` at a time. Returns an exit status. */
int sweep_task(struct sweep *s, const char *folder, u32 task, u32 jobs);

/*
 * A JSON document as the columns of a row: {"proofs": [{"verdict": "equal", "paths": 3}]} is proofs.1.verdict = 'equal'
 * and proofs.1.paths = 3. Elements with a name, a word in a member "id" or "name", have it in place of the number.
 */

enum { FLATTEN_MOST = 1000, FLATTEN_TEXT = 200 }; /* columns of a document; bytes of a text, or of a name */

/*
 * Adds numbers, texts and truth values, as 0 or 1, to the row, outer ones first. *left: number of values without a
 * column.
 */
void flatten(json_t *document, json_t *row, u32 *left);

#endif
