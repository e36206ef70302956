/*
 * Store: the results of sweeps, in an SQLite file (docs/sweep.md). A row of `point` is one point: its description and
 * its measurements, in columns of their names. A row of `runner` is a sweep that works, or has worked, on the file.
 *
 *   struct store *s = store_open("results.db", columns, n, &why);
 *   if (store_claim(s, key, command, &state, &why) == STORE_MINE)
 *       store_finish(s, key, STORE_DONE, row, &why);
 *   store_close(s);
 *
 * Every change is one transaction: whenever the process is killed, a point is in the file with all its measurements, or
 * as claimed by a sweep that has ended. Claims keep several sweeps on one file from running a point twice. While they
 * work, the file has a write-ahead log (WAL), which needs shared memory; on a network it has a rollback journal
 * instead, which is slower, and as safe as the locks of that file system.
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
    STORE_RUNNING, /* claimed and running */
    STORE_DONE,
    STORE_FAULT, /* faulted, or failed a check: would do so again */
    STORE_FAILED /* could not be run, or was killed: the next sweep tries again */
};

/* Returns the state's name in the file: "done". */
const char *store_state_name(enum store_state state);

/*
 * Opens a file to add points, and makes it if it is missing, with these columns besides those of every point. NULL if
 * it is no store, or cannot be written.
 */
struct store *store_open(const char *path, const char *const *columns, u32 n, struct buf *why);

/* Opens an existing store to read. */
struct store *store_look(const char *path, struct buf *why);

/* Opens an empty store in memory, to evaluate conditions on values. */
struct store *store_scratch(struct buf *why);
void store_close(struct store *s);

/* Checks that the store's file still has its name: else added points are lost. `why` may be NULL. */
bool store_there(const struct store *s, struct buf *why);

enum store_claim {
    STORE_MINE,    /* to be run, then finished or dropped */
    STORE_PRESENT, /* has its result; *state */
    STORE_TAKEN,   /* claimed by a running sweep, perhaps this one */
    STORE_ERROR
};

/* Claims a point. `key`: hash of everything that determines its result; `command`: a command line that repeats it. */
enum store_claim store_claim(struct store *s, const char *key, const char *command, enum store_state *state,
                             struct buf *why);

/* Stores the result of a claimed point: members of `row` are numbers, strings or null. */
bool store_finish(struct store *s, const char *key, enum store_state state, const json_t *row, struct buf *why);

/* Begin and end a transaction of many changes, which is faster than one for each. */
bool store_begin(struct store *s, struct buf *why);
bool store_end(struct store *s, struct buf *why);

/* Drops a claim, as if it had never been made. */
bool store_drop(struct store *s, const char *key, struct buf *why);

/* Records that this sweep still runs. Sweeps on other computers take over its claims after a minute without it. */
bool store_beat(struct store *s, struct buf *why);

enum store_kind { STORE_NULL, STORE_WHOLE, STORE_REAL, STORE_TEXT };
struct store_value {
    enum store_kind kind;
    double number;
    const char *text; /* of any type; "" for NULL */
};

/* Reader of a query's rows. False from a function ends the query; `row` NULL only prepares it. */
struct store_reader {
    bool (*columns)(void *ctx, u32 n, const char *const *names); /* called before the rows, even if there are none */
    bool (*row)(void *ctx, u32 n, const struct store_value *values);
    void *ctx;
};

/* Runs a query. `*at` becomes the place of an error in `sql`, -1 if it is unknown. */
bool store_ask(struct store *s, const char *sql, const struct store_reader *to, int *at, struct buf *why);

#endif
