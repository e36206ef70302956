/*
 * Store: the results of sweeps, in an SQLite file (docs/sweep.md). A row of `point` is one point: what it is, and what
 * was measured, in columns that are named after it. A row of `runner` is a sweep that works, or has worked, on it.
 *
 *   struct store *s = store_open("results.db", columns, n, &why);
 *   if (store_claim(s, key, command, &state, &why) == STORE_MINE)
 *       store_finish(s, key, STORE_DONE, row, &why);
 *   store_close(s);
 *
 * Every change is one transaction: whenever the process is killed, a point is in the file with all that was measured,
 * or as claimed by somebody who is gone. Claims keep several sweeps on one file from running a point twice. While they
 * work the file is written ahead (WAL), which needs memory that they share; on a network it has a journal in its place,
 * which is slower, and as safe as the locks of that file system.
 *
 * Functions that fail add a line to `why`.
 */
#ifndef HEDDLE_SWEEP_STORE_H
#define HEDDLE_SWEEP_STORE_H

#include <jansson.h>

#include "sim/base/buf.h"

enum { STORE_VERSION = 1 };

struct store;

enum store_state {
    STORE_RUNNING, /* claimed */
    STORE_DONE,
    STORE_FAULT, /* it faulted, or a check of it failed: it would again */
    STORE_FAILED /* it could not be run, or was killed: the next sweep tries again */
};

/* As the file has it: "done". */
const char *store_state_name(enum store_state state);

/*
 * Opens a file to add points, and makes it if there is none, with these columns beside the ones that every point has.
 * NULL when it is no store, or cannot be written.
 */
struct store *store_open(const char *path, const char *const *columns, u32 n, struct buf *why);

/* Opens one that is there, to read. */
struct store *store_look(const char *path, struct buf *why);

/* One that holds nothing and is no file, to ask what is true of values. */
struct store *store_scratch(struct buf *why);
void store_close(struct store *s);

/* Whether the file to which points are added has its name still: else what was added is lost. `why` may be NULL. */
bool store_there(const struct store *s, struct buf *why);

enum store_claim {
    STORE_MINE,    /* run it, then finish or drop it */
    STORE_PRESENT, /* it has its result; *state */
    STORE_TAKEN,   /* somebody runs it, perhaps this sweep */
    STORE_ERROR
};

/* `key` is the hash of all that a result follows from; `command` can be typed to see it again. */
enum store_claim store_claim(struct store *s, const char *key, const char *command, enum store_state *state,
                             struct buf *why);

/* The result of a point that is ours: members of `row` are numbers, strings or null. */
bool store_finish(struct store *s, const char *key, enum store_state state, const json_t *row, struct buf *why);

/* What is changed between the two becomes one transaction, which is quicker than many. */
bool store_begin(struct store *s, struct buf *why);
bool store_end(struct store *s, struct buf *why);

/* It is as if the point had never been claimed. */
bool store_drop(struct store *s, const char *key, struct buf *why);

/* Says that this sweep still runs. Sweeps on other computers take over its claims when it has not for a minute. */
bool store_beat(struct store *s, struct buf *why);

enum store_kind { STORE_NULL, STORE_WHOLE, STORE_REAL, STORE_TEXT };
struct store_value {
    enum store_kind kind;
    double number;
    const char *text; /* of every kind; "" of NULL */
};

/* Rows that a question in SQL gives. False, from these functions, ends it; without `row` nothing is looked up. */
struct store_reader {
    bool (*columns)(void *ctx, u32 n, const char *const *names); /* before the rows, also when there are none */
    bool (*row)(void *ctx, u32 n, const struct store_value *values);
    void *ctx;
};

/* `*at` becomes the place of a mistake in `sql`, -1 when none is known. */
bool store_ask(struct store *s, const char *sql, const struct store_reader *to, int *at, struct buf *why);

#endif
