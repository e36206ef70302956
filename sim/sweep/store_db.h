/* Inside of a store: functions that its files share. Those that fail add a line to `why`. */
#ifndef HEDDLE_SWEEP_STORE_DB_H
#define HEDDLE_SWEEP_STORE_DB_H

#include <sqlite3.h>

#include "sim/base/arena.h"
#include "sim/sweep/runner.h"
#include "sim/sweep/store.h"

#define STORE_NOW "((julianday('now') - 2440587.5) * 86400)" /* seconds since 1970 */

struct store {
    struct arena arena; /* holds this struct */
    const char *path;
    sqlite3 *db;
    json_t *columns; /* columns of `point`, by their lower-case names, as SQLite compares them */
    struct runner self;
    bool group;           /* a transaction of many changes is open */
    s64 runner;           /* id */
    struct buf names;     /* columns that `update` sets */
    sqlite3_stmt *update; /* NULL = none is prepared */
};

const char *store_words(const struct store *s);    /* SQLite's last error, in words */
bool store_fail(struct store *s, struct buf *why); /* reports it; false */
bool store_run(struct store *s, const char *sql, struct buf *why);
sqlite3_stmt *store_prepare(struct store *s, struct buf *why, const char *sql); /* NULL after a failure */
void store_bind_text(sqlite3_stmt *q, int at, const char *text);

/* Begins a transaction: its changes count only if all of them worked. */
bool store_lock(struct store *s, struct buf *why);
bool store_unlock(struct store *s, bool ok, struct buf *why);

/* Checks that the file can be a store; with `make`, that it can become one. */
bool store_file_check(const char *path, bool make, struct buf *why);

void store_forget_update(struct store *s);

#endif
