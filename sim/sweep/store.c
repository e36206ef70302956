#include "sim/sweep/store_db.h"

#include <stdio.h>
#include <string.h>

#include "sim/file/computer.h"
#include "sim/sweep/condition.h"

enum {
    APPLICATION = 0x68646c65, /* "hdle", in the header of the file */
    WAIT_MS = 30000           /* for another process that writes */
};
static const double SILENT_SECONDS = 60; /* after which a sweep on another computer counts as dead */

static const char schema[] =
    "CREATE TABLE runner(id INTEGER PRIMARY KEY, host TEXT NOT NULL, place TEXT NOT NULL, pid INT NOT NULL,"
    " since INT NOT NULL, beat REAL NOT NULL) STRICT;"
    "CREATE TABLE point(id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, state TEXT NOT NULL, command TEXT NOT NULL,"
    " runner INT NOT NULL REFERENCES runner, attempts INT NOT NULL, begun REAL NOT NULL, ended REAL";

static const char *const state_names[] = {"running", "done", "fault", "failed"};

const char *store_state_name(enum store_state state) {
    return state_names[state];
}

/* ---- SQLite ---- */

bool store_run(struct store *s, const char *sql, struct buf *why) {
    return sqlite3_exec(s->db, sql, NULL, NULL, NULL) == SQLITE_OK || store_fail(s, why);
}

/* Prepares a statement; NULL after a failure. */
sqlite3_stmt *store_prepare(struct store *s, struct buf *why, const char *sql) {
    sqlite3_stmt *q = NULL;
    if (sqlite3_prepare_v2(s->db, sql, -1, &q, NULL) == SQLITE_OK)
        return q;
    store_fail(s, why);
    return NULL;
}

void store_bind_text(sqlite3_stmt *q, int at, const char *text) {
    sqlite3_bind_text(q, at, text, -1, SQLITE_STATIC);
}

/* Runs a statement to its end, and releases it. */
static bool finish(struct store *s, sqlite3_stmt *q, struct buf *why) {
    int r = q ? sqlite3_step(q) : SQLITE_DONE;
    bool ok = q && (r == SQLITE_DONE || r == SQLITE_ROW || store_fail(s, why));
    sqlite3_finalize(q);
    return ok;
}

bool store_lock(struct store *s, struct buf *why) {
    return store_there(s, why) && store_run(s, s->group ? "SAVEPOINT one" : "BEGIN IMMEDIATE", why);
}

/* Ends a transaction: its changes count only if all of them worked. */
bool store_unlock(struct store *s, bool ok, struct buf *why) {
    if (ok && store_run(s, s->group ? "RELEASE one" : "COMMIT", why))
        return true;
    sqlite3_exec(s->db, s->group ? "ROLLBACK TO one; RELEASE one" : "ROLLBACK", NULL, NULL, NULL);
    return false;
}

/* ---- opening ---- */

static bool create(struct store *s, const char *const *columns, u32 n, struct buf *why) {
    struct buf sql = {0};
    buf_puts(&sql, schema);
    for (u32 i = 0; i < n; i++) {
        buf_puts(&sql, ", ");
        condition_name(columns[i], &sql);
        buf_puts(&sql, " ANY");
    }
    buf_printf(&sql, ") STRICT; PRAGMA application_id = %d; PRAGMA user_version = %d", APPLICATION, STORE_VERSION);
    if (sql.failed)
        buf_puts(why, "out of memory\n");
    bool ok = !sql.failed && store_run(s, sql.data, why);
    buf_free(&sql);
    return ok;
}

/* Checks that the file is a store; `fresh`: it is empty. One query, because another sweep may be creating it. */
static bool is_store(struct store *s, bool *fresh, struct buf *why) {
    sqlite3_stmt *q = store_prepare(s, why,
                                    "SELECT application_id, user_version, (SELECT count(*) FROM sqlite_schema)"
                                    " FROM pragma_application_id, pragma_user_version");
    bool read = q && (sqlite3_step(q) == SQLITE_ROW || store_fail(s, why));
    s64 application = read ? sqlite3_column_int64(q, 0) : 0, version = read ? sqlite3_column_int64(q, 1) : 0,
        tables = read ? sqlite3_column_int64(q, 2) : 0;
    sqlite3_finalize(q);
    if (!read)
        return false;
    *fresh = !application && !version && !tables;
    if (*fresh || (application == APPLICATION && version == STORE_VERSION))
        return true;
    if (application != APPLICATION)
        buf_printf(why, "%s: error: this is a database, but not of a sweep; choose another file\n", s->path);
    else
        buf_printf(why,
                   "%s: error: this is a store of version %lld, and this heddle writes version %d; choose another "
                   "file, or use the heddle that made it\n",
                   s->path, (long long)version, STORE_VERSION);
    return false;
}

static bool begin_runner(struct store *s, struct buf *why) {
    sqlite3_stmt *q =
        store_prepare(s, why, "INSERT INTO runner(host, place, pid, since, beat) VALUES(?, ?, ?, ?, " STORE_NOW ")");
    s->self = runner_self();
    store_bind_text(q, 1, s->self.host);
    store_bind_text(q, 2, s->self.place);
    sqlite3_bind_int64(q, 3, s->self.pid);
    sqlite3_bind_int64(q, 4, s->self.since);
    bool ok = finish(s, q, why);
    s->runner = sqlite3_last_insert_rowid(s->db);
    return ok;
}

static struct store *open_file(const char *path, int flags, struct buf *why) {
    bool memory = flags & SQLITE_OPEN_MEMORY;
    if (!memory && !store_file_check(path, flags & SQLITE_OPEN_CREATE, why))
        return NULL;
    struct arena arena = {0};
    struct store *s = arena_alloc(&arena, sizeof *s);
    char *name = s ? arena_strndup(&arena, path, strlen(path)) : NULL;
    char *file = arena_alloc(&arena, strlen(path) + 3);
    if (!name || !file) {
        arena_free(&arena);
        buf_puts(why, "out of memory\n");
        return NULL;
    }
    *s = (struct store){.arena = arena, .path = name};
    snprintf(file, strlen(path) + 3, "%s%s", *path == ':' ? "./" : "", path); /* ":memory:" is a file, too */
    if (sqlite3_open_v2(file, &s->db, flags | SQLITE_OPEN_NOMUTEX, NULL) == SQLITE_OK) {
        sqlite3_extended_result_codes(s->db, 1);
        sqlite3_busy_timeout(s->db, WAIT_MS);
        sqlite3_db_config(s->db, SQLITE_DBCONFIG_DQS_DML, 0, NULL); /* an unknown name in double quotes is not a text */
        sqlite3_db_config(s->db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL); /* a store may be a stranger's */
        sqlite3_db_config(s->db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
        return s;
    }
    store_fail(s, why);
    store_close(s);
    return NULL;
}

/* Sets the journal mode. If two processes change it at the same time, SQLite lets neither wait. */
static bool set_journal(struct store *s, const char *sql, struct buf *why) {
    enum { STEP_MS = 10 };
    int r = sqlite3_exec(s->db, sql, NULL, NULL, NULL);
    for (u32 ms = 0; (r & 0xff) == SQLITE_BUSY && ms < WAIT_MS; ms += STEP_MS) {
        sqlite3_sleep(STEP_MS);
        r = sqlite3_exec(s->db, sql, NULL, NULL, NULL);
    }
    return r == SQLITE_OK || store_fail(s, why);
}

struct store *store_open(const char *path, const char *const *columns, u32 n, struct buf *why) {
    struct store *s = open_file(path, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, why);
    bool fresh, ok = s != NULL;
    ok = ok && is_store(s, &fresh, why); /* before changing a file that may not be a store */
    ok =
        ok && set_journal(s, file_on_network(path) ? "PRAGMA journal_mode = DELETE" : "PRAGMA journal_mode = WAL", why);
    ok = ok && store_run(s, "PRAGMA synchronous = NORMAL; BEGIN IMMEDIATE", why);
    if (ok)
        ok = store_unlock(s, is_store(s, &fresh, why) && (!fresh || create(s, columns, n, why)) && begin_runner(s, why),
                          why);
    if (ok)
        return s;
    store_close(s);
    return NULL;
}

/* Opens a store to read. A sweep that was killed halfway is rolled back even so, if the file can be written. */
struct store *store_look(const char *path, struct buf *why) {
    struct store *s = open_file(path, SQLITE_OPEN_READWRITE, why);
    bool fresh = false;
    if (s && store_run(s, "PRAGMA query_only = ON", why) && is_store(s, &fresh, why) && !fresh)
        return s;
    if (fresh)
        buf_printf(why, "%s: error: this file is empty\n", path);
    store_close(s);
    return NULL;
}

struct store *store_scratch(struct buf *why) {
    return open_file("", SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_MEMORY, why);
}

void store_forget_update(struct store *s) {
    sqlite3_finalize(s->update);
    s->update = NULL;
}

/* Closes the store. The last process to close it leaves a single file, which can be copied. */
void store_close(struct store *s) {
    if (!s)
        return;
    if (s->db)
        sqlite3_busy_timeout(s->db, 0);
    if (s->runner)
        sqlite3_exec(s->db, "PRAGMA journal_mode = DELETE", NULL, NULL, NULL);
    store_forget_update(s);
    sqlite3_close(s->db);
    json_decref(s->columns);
    buf_free(&s->names);
    struct arena arena = s->arena;
    arena_free(&arena);
}

/* ---- claims ---- */

struct found {
    bool there, mine, gone; /* the runner of the claim is this one; has ended */
    u32 state;
};

static bool find(struct store *s, const char *key, struct found *f, struct buf *why) {
    sqlite3_stmt *q = store_prepare(s, why,
                                    "SELECT state, runner, place, pid, since, " STORE_NOW " - beat FROM point"
                                    " LEFT JOIN runner ON runner.id = runner WHERE key = ?");
    *f = (struct found){.there = false};
    if (!q)
        return false;
    store_bind_text(q, 1, key);
    int r = sqlite3_step(q);
    if (r == SQLITE_ROW) {
        const char *state = (const char *)sqlite3_column_text(q, 0), *place = (const char *)sqlite3_column_text(q, 2);
        bool here = place && *place && strcmp(place, s->self.place) == 0;
        f->there = true;
        f->state = STORE_FAILED; /* whatever its state, it can be run again */
        for (u32 i = 0; state && i < COUNT_OF(state_names); i++)
            f->state = strcmp(state, state_names[i]) == 0 ? i : f->state;
        f->mine = sqlite3_column_int64(q, 1) == s->runner;
        f->gone = here ? !runner_alive(sqlite3_column_int64(q, 3), sqlite3_column_int64(q, 4))
                       : !place || sqlite3_column_double(q, 5) > SILENT_SECONDS;
    }
    sqlite3_finalize(q);
    return r == SQLITE_ROW || r == SQLITE_DONE || store_fail(s, why);
}

/* True if the point need not be run now; *claim is the reason. */
static bool settled(const struct found *f, enum store_claim *claim) {
    bool retried = f->state == STORE_FAILED && !f->mine;
    *claim = f->state == STORE_RUNNING ? STORE_TAKEN : STORE_PRESENT;
    return f->there && !retried && !(f->state == STORE_RUNNING && f->gone && !f->mine);
}

static bool take(struct store *s, const char *key, const char *command, struct buf *why) {
    sqlite3_stmt *q =
        store_prepare(s, why,
                      "INSERT INTO point(key, state, command, runner, attempts, begun)"
                      " VALUES(?, 'running', ?, ?, 1, " STORE_NOW ") ON CONFLICT(key) DO UPDATE SET state = 'running',"
                      " runner = excluded.runner, attempts = attempts + 1, begun = excluded.begun");
    store_bind_text(q, 1, key);
    store_bind_text(q, 2, command);
    sqlite3_bind_int64(q, 3, s->runner);
    return finish(s, q, why);
}

enum store_claim store_claim(struct store *s, const char *key, const char *command, enum store_state *state,
                             struct buf *why) {
    struct found f;
    enum store_claim claim = STORE_MINE;
    if (!find(s, key, &f, why))
        return STORE_ERROR;
    if (!settled(&f, &claim)) {
        if (!store_lock(s, why))
            return STORE_ERROR;
        bool ok = find(s, key, &f, why); /* again: another sweep may have been faster */
        if (ok && !settled(&f, &claim)) {
            claim = STORE_MINE;
            ok = take(s, key, command, why);
        }
        if (!store_unlock(s, ok, why))
            return STORE_ERROR;
    }
    *state = f.state;
    return claim;
}

bool store_drop(struct store *s, const char *key, struct buf *why) {
    sqlite3_stmt *q = store_prepare(s, why, "DELETE FROM point WHERE key = ? AND runner = ? AND state = 'running'");
    store_bind_text(q, 1, key);
    sqlite3_bind_int64(q, 2, s->runner);
    return finish(s, q, why);
}

bool store_beat(struct store *s, struct buf *why) {
    sqlite3_stmt *q = store_prepare(s, why, "UPDATE runner SET beat = " STORE_NOW " WHERE id = ?");
    sqlite3_bind_int64(q, 1, s->runner);
    return finish(s, q, why);
}
