#include "sim/sweep/store.h"

#include <ctype.h>
#include <sqlite3.h>
#include <stdio.h>
#include <string.h>

#include "sim/base/arena.h"
#include "sim/file/network.h"
#include "sim/sweep/condition.h"
#include "sim/sweep/runner.h"

enum {
    COLUMNS_MOST = 1990,      /* SQLite's limit is 2,000; names that differ in capitals only take two */
    APPLICATION = 0x68646c65, /* "hdle", in the head of the file */
    WAIT_MS = 30000,          /* for another process that writes */
    SILENT_SECONDS = 60       /* after which a sweep on another computer is taken for dead */
};

#define NOW "((julianday('now') - 2440587.5) * 86400)" /* seconds since 1970 */

static const char schema[] =
    "CREATE TABLE runner(id INTEGER PRIMARY KEY, host TEXT NOT NULL, place TEXT NOT NULL, pid INT NOT NULL,"
    " since INT NOT NULL, beat REAL NOT NULL) STRICT;"
    "CREATE TABLE point(id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, state TEXT NOT NULL, command TEXT NOT NULL,"
    " runner INT NOT NULL REFERENCES runner, attempts INT NOT NULL, begun REAL NOT NULL, ended REAL";

static const char *const state_names[] = {"running", "done", "fault", "failed"};

struct store {
    struct arena arena; /* holds this */
    const char *path;
    sqlite3 *db;
    json_t *columns; /* of `point`: by their names in small letters, as SQLite compares them */
    struct runner self;
    bool group;           /* a transaction of many is open */
    s64 runner;           /* id */
    struct buf names;     /* of the columns that `update` sets */
    sqlite3_stmt *update; /* NULL: none is ready */
};

const char *store_state_name(enum store_state state) {
    return state_names[state];
}

/* ---- SQLite ---- */

static bool fail(struct store *s, struct buf *why) {
    int error = sqlite3_system_errno(s->db);
    buf_printf(why, "%s: error: %s%s%s\n", s->path, sqlite3_errmsg(s->db), error ? ": " : "",
               error ? strerror(error) : "");
    return false;
}

static bool run(struct store *s, const char *sql, struct buf *why) {
    return sqlite3_exec(s->db, sql, NULL, NULL, NULL) == SQLITE_OK || fail(s, why);
}

/* NULL after a failure. */
static sqlite3_stmt *prepare(struct store *s, struct buf *why, const char *sql) {
    sqlite3_stmt *q = NULL;
    if (sqlite3_prepare_v2(s->db, sql, -1, &q, NULL) == SQLITE_OK)
        return q;
    fail(s, why);
    return NULL;
}

static void bind_text(sqlite3_stmt *q, int at, const char *text) {
    sqlite3_bind_text(q, at, text, -1, SQLITE_STATIC);
}

/* Runs it to its end, and forgets it. */
static bool finish(struct store *s, sqlite3_stmt *q, struct buf *why) {
    int r = q ? sqlite3_step(q) : SQLITE_DONE;
    bool ok = q && (r == SQLITE_DONE || r == SQLITE_ROW || fail(s, why));
    sqlite3_finalize(q);
    return ok;
}

/* A number that a question without parameters gives. */
static bool ask_number(struct store *s, const char *sql, s64 *number, struct buf *why) {
    sqlite3_stmt *q = prepare(s, why, sql);
    bool ok = q && (sqlite3_step(q) == SQLITE_ROW || fail(s, why));
    *number = ok ? sqlite3_column_int64(q, 0) : 0;
    sqlite3_finalize(q);
    return ok;
}

static bool begin(struct store *s, struct buf *why) {
    return run(s, s->group ? "SAVEPOINT one" : "BEGIN IMMEDIATE", why);
}

/* Ends a transaction: what is in it counts when all of it has worked. */
static bool end(struct store *s, bool ok, struct buf *why) {
    if (ok && run(s, s->group ? "RELEASE one" : "COMMIT", why))
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
    bool ok = !sql.failed && run(s, sql.data, why);
    buf_free(&sql);
    return ok;
}

/* Whether the file is a store; `fresh`: it is empty. */
static bool is_store(struct store *s, bool *fresh, struct buf *why) {
    s64 application, version, tables;
    if (!ask_number(s, "PRAGMA application_id", &application, why) ||
        !ask_number(s, "PRAGMA user_version", &version, why) ||
        !ask_number(s, "SELECT count(*) FROM sqlite_schema", &tables, why))
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
    sqlite3_stmt *q = prepare(s, why, "INSERT INTO runner(host, place, pid, since, beat) VALUES(?, ?, ?, ?, " NOW ")");
    s->self = runner_self();
    bind_text(q, 1, s->self.host);
    bind_text(q, 2, s->self.place);
    sqlite3_bind_int64(q, 3, s->self.pid);
    sqlite3_bind_int64(q, 4, s->self.since);
    bool ok = finish(s, q, why);
    s->runner = sqlite3_last_insert_rowid(s->db);
    return ok;
}

static struct store *open_file(const char *path, int flags, struct buf *why) {
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
        sqlite3_db_config(s->db, SQLITE_DBCONFIG_DQS_DML, 0, NULL); /* a name that is unknown is no text */
        return s;
    }
    fail(s, why);
    store_close(s);
    return NULL;
}

struct store *store_open(const char *path, const char *const *columns, u32 n, struct buf *why) {
    struct store *s = open_file(path, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, why);
    bool fresh, ok = s != NULL;
    ok = ok && is_store(s, &fresh, why); /* before anything is changed in somebody's file */
    ok = ok && run(s, file_on_network(path) ? "PRAGMA journal_mode = DELETE" : "PRAGMA journal_mode = WAL", why);
    ok = ok && run(s, "PRAGMA synchronous = NORMAL; BEGIN IMMEDIATE", why);
    if (ok)
        ok = end(s, is_store(s, &fresh, why) && (!fresh || create(s, columns, n, why)) && begin_runner(s, why), why);
    if (ok)
        return s;
    store_close(s);
    return NULL;
}

/* What a sweep that was killed has left in the middle is put right even so, if the file can be written. */
struct store *store_look(const char *path, struct buf *why) {
    struct store *s = open_file(path, SQLITE_OPEN_READWRITE, why);
    bool fresh = false;
    if (s && run(s, "PRAGMA query_only = ON", why) && is_store(s, &fresh, why) && !fresh)
        return s;
    if (fresh)
        buf_printf(why, "%s: error: this file is empty\n", path);
    store_close(s);
    return NULL;
}

struct store *store_scratch(struct buf *why) {
    return open_file("", SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_MEMORY, why);
}

static void forget_update(struct store *s) {
    sqlite3_finalize(s->update);
    s->update = NULL;
}

/* The last one to close it leaves a single file, which can be copied. */
void store_close(struct store *s) {
    if (!s)
        return;
    sqlite3_busy_timeout(s->db, 0);
    if (s->runner)
        sqlite3_exec(s->db, "PRAGMA journal_mode = DELETE", NULL, NULL, NULL);
    forget_update(s);
    sqlite3_close(s->db);
    json_decref(s->columns);
    buf_free(&s->names);
    struct arena arena = s->arena;
    arena_free(&arena);
}

/* ---- claims ---- */

struct found {
    bool there, mine, gone; /* the runner that claimed it is this one; has ended */
    u32 state;
};

static bool find(struct store *s, const char *key, struct found *f, struct buf *why) {
    sqlite3_stmt *q = prepare(s, why,
                              "SELECT state, runner, place, pid, since, " NOW " - beat FROM point"
                              " LEFT JOIN runner ON runner.id = runner WHERE key = ?");
    *f = (struct found){.there = false};
    if (!q)
        return false;
    bind_text(q, 1, key);
    int r = sqlite3_step(q);
    if (r == SQLITE_ROW) {
        const char *state = (const char *)sqlite3_column_text(q, 0), *place = (const char *)sqlite3_column_text(q, 2);
        bool here = place && *place && strcmp(place, s->self.place) == 0;
        f->there = true;
        f->state = STORE_FAILED; /* whatever else it says, it can be run again */
        for (u32 i = 0; state && i < COUNT_OF(state_names); i++)
            f->state = strcmp(state, state_names[i]) == 0 ? i : f->state;
        f->mine = sqlite3_column_int64(q, 1) == s->runner;
        f->gone = here ? !runner_alive(sqlite3_column_int64(q, 3), sqlite3_column_int64(q, 4))
                       : !place || sqlite3_column_double(q, 5) > SILENT_SECONDS;
    }
    sqlite3_finalize(q);
    return r == SQLITE_ROW || r == SQLITE_DONE || fail(s, why);
}

/* Whether the point is not to be run now, for which reason. */
static bool settled(const struct found *f, enum store_claim *claim) {
    bool retried = f->state == STORE_FAILED && !f->mine;
    *claim = f->state == STORE_RUNNING ? STORE_TAKEN : STORE_PRESENT;
    return f->there && !retried && !(f->state == STORE_RUNNING && f->gone && !f->mine);
}

static bool take(struct store *s, const char *key, const char *command, struct buf *why) {
    sqlite3_stmt *q =
        prepare(s, why,
                "INSERT INTO point(key, state, command, runner, attempts, begun)"
                " VALUES(?, 'running', ?, ?, 1, " NOW ") ON CONFLICT(key) DO UPDATE SET state = 'running',"
                " runner = excluded.runner, attempts = attempts + 1, begun = excluded.begun");
    bind_text(q, 1, key);
    bind_text(q, 2, command);
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
        if (!begin(s, why))
            return STORE_ERROR;
        bool ok = find(s, key, &f, why); /* again: somebody may have been faster */
        if (ok && !settled(&f, &claim)) {
            claim = STORE_MINE;
            ok = take(s, key, command, why);
        }
        if (!end(s, ok, why))
            return STORE_ERROR;
    }
    *state = f.state;
    return claim;
}

bool store_drop(struct store *s, const char *key, struct buf *why) {
    sqlite3_stmt *q = prepare(s, why, "DELETE FROM point WHERE key = ? AND runner = ? AND state = 'running'");
    bind_text(q, 1, key);
    sqlite3_bind_int64(q, 2, s->runner);
    return finish(s, q, why);
}

bool store_beat(struct store *s, struct buf *why) {
    sqlite3_stmt *q = prepare(s, why, "UPDATE runner SET beat = " NOW " WHERE id = ?");
    sqlite3_bind_int64(q, 1, s->runner);
    return finish(s, q, why);
}

/* ---- results ---- */

static void lower(const char *name, struct buf *out) {
    out->len = 0;
    for (; *name; name++)
        buf_putc(out, (char)tolower((unsigned char)*name));
}

static bool remember(struct store *s, const char *column) {
    struct buf small = {0};
    lower(column, &small);
    bool ok = !small.failed && json_object_set_new(s->columns, small.data, json_string(column)) == 0;
    buf_free(&small);
    return ok;
}

/* Other sweeps add columns as well. */
static bool read_columns(struct store *s, struct buf *why) {
    sqlite3_stmt *q = prepare(s, why, "SELECT name FROM pragma_table_info('point')");
    json_decref(s->columns);
    s->columns = json_object();
    bool ok = q && s->columns;
    while (ok && sqlite3_step(q) == SQLITE_ROW)
        ok = remember(s, (const char *)sqlite3_column_text(q, 0));
    sqlite3_finalize(q);
    return ok;
}

/* The column of a value, which is made when there is none. Names that differ in capitals only are two. */
static const char *column_for(struct store *s, const char *name, struct buf *why) {
    struct buf text = {0};
    lower(name, &text);
    const char *there = text.failed ? NULL : json_string_value(json_object_get(s->columns, text.data));
    bool ok = !text.failed;
    text.len = 0;
    if (there && strcmp(there, name) != 0) {
        buf_printf(&text, "%s_", name);
        there = text.failed ? NULL : column_for(s, text.data, why);
    } else if (!there && ok) {
        buf_puts(&text, "ALTER TABLE point ADD COLUMN ");
        condition_name(name, &text);
        buf_puts(&text, " ANY");
        if (!text.failed && run(s, text.data, why) && remember(s, name))
            there = column_for(s, name, why);
    }
    buf_free(&text);
    return there;
}

/* "UPDATE point SET ..., "a" = ?, "b" = ? WHERE ..." */
static bool put_update(struct store *s, const json_t *row, struct buf *sql, struct buf *why) {
    const char *name;
    json_t *value;
    buf_puts(sql, "UPDATE point SET state = ?, ended = " NOW);
    json_object_foreach((json_t *)(uintptr_t)row, name, value) {
        const char *column = column_for(s, name, why);
        if (!column)
            return false;
        buf_puts(sql, ", ");
        condition_name(column, sql);
        buf_puts(sql, " = ?");
    }
    buf_puts(sql, " WHERE key = ? AND runner = ? AND state = 'running'");
    return !sql->failed;
}

static void bind_value(sqlite3_stmt *q, int at, const json_t *v) {
    if (json_is_integer(v))
        sqlite3_bind_int64(q, at, json_integer_value(v));
    else if (json_is_real(v))
        sqlite3_bind_double(q, at, json_real_value(v));
    else if (json_is_string(v))
        sqlite3_bind_text(q, at, json_string_value(v), (int)json_string_length(v), SQLITE_STATIC);
}

/* The statement for a row: that of the row before, if it has the same columns, as those of a sweep mostly have. */
static bool ready(struct store *s, const json_t *row, struct buf *why) {
    struct buf names = {0}, sql = {0};
    const char *name;
    json_t *value;
    json_object_foreach((json_t *)(uintptr_t)row, name, value) {
        buf_append(&names, name, strlen(name) + 1);
    }
    bool same =
        s->update && names.data && names.len == s->names.len && memcmp(names.data, s->names.data, names.len) == 0;
    if (same) {
        sqlite3_reset(s->update);
        sqlite3_clear_bindings(s->update);
        buf_free(&names);
        return true;
    }
    forget_update(s);
    buf_free(&s->names);
    s->names = names;
    s->update = !names.failed && put_update(s, row, &sql, why) ? prepare(s, why, sql.data) : NULL;
    buf_free(&sql);
    return s->update != NULL;
}

static bool update(struct store *s, const char *key, enum store_state state, const json_t *row, struct buf *why) {
    const char *name;
    json_t *value;
    int at = 1;
    if (!ready(s, row, why))
        return false;
    bind_text(s->update, at++, state_names[state]);
    json_object_foreach((json_t *)(uintptr_t)row, name, value) {
        bind_value(s->update, at++, value);
    }
    bind_text(s->update, at++, key);
    sqlite3_bind_int64(s->update, at, s->runner);
    bool ok = sqlite3_step(s->update) == SQLITE_DONE || fail(s, why);
    sqlite3_reset(s->update);
    return ok;
}

/* The values that have a column, or get one: a table has no more than SQLite's limit. A reference; NULL: no memory. */
static json_t *fitting(const struct store *s, const json_t *row) {
    size_t room = COLUMNS_MOST > json_object_size(s->columns) ? COLUMNS_MOST - json_object_size(s->columns) : 0;
    json_t *all = (json_t *)(uintptr_t)row, *value;
    const char *name;
    struct buf small = {0};
    if (room >= json_object_size(all))
        return json_incref(all);
    json_t *fit = json_object();
    bool ok = fit != NULL;
    json_object_foreach(all, name, value) {
        lower(name, &small);
        bool there = !small.failed && json_object_get(s->columns, small.data);
        ok = ok && !small.failed && (!(there || room) || json_object_set(fit, name, value) == 0);
        room -= !there && room;
    }
    buf_free(&small);
    if (ok)
        return fit;
    json_decref(fit);
    return NULL;
}

/* After a change that did not count: columns that were added are not there. */
static bool forget_columns(struct store *s) {
    forget_update(s);
    json_decref(s->columns);
    s->columns = NULL;
    return false;
}

bool store_finish(struct store *s, const char *key, enum store_state state, const json_t *row, struct buf *why) {
    if (!begin(s, why))
        return false;
    json_t *fit = s->columns || read_columns(s, why) ? fitting(s, row) : NULL;
    bool ok = end(s, fit && update(s, key, state, fit, why), why);
    json_decref(fit);
    return ok || forget_columns(s);
}

bool store_begin(struct store *s, struct buf *why) {
    s->group = begin(s, why);
    return s->group;
}

bool store_end(struct store *s, struct buf *why) {
    s->group = false;
    return end(s, true, why) || forget_columns(s);
}

/* ---- questions ---- */

static bool give_columns(sqlite3_stmt *q, const struct store_reader *to) {
    struct arena arena = {0};
    u32 n = (u32)sqlite3_column_count(q);
    const char **names = arena_alloc(&arena, n * sizeof *names);
    for (u32 i = 0; names && i < n; i++)
        names[i] = sqlite3_column_name(q, (int)i);
    bool ok = names && (!to->columns || to->columns(to->ctx, n, names));
    arena_free(&arena);
    return ok;
}

static struct store_value value_at(sqlite3_stmt *q, int column) {
    struct store_value v = {.kind = STORE_TEXT};
    switch (sqlite3_column_type(q, column)) {
    case SQLITE_NULL: v.kind = STORE_NULL; break;
    case SQLITE_INTEGER: v.kind = STORE_WHOLE; break;
    case SQLITE_FLOAT: v.kind = STORE_REAL; break;
    default: break;
    }
    v.number = sqlite3_column_double(q, column);
    v.text = (const char *)sqlite3_column_text(q, column);
    v.text = v.text ? v.text : "";
    return v;
}

bool store_ask(struct store *s, const char *sql, const struct store_reader *to, int *at, struct buf *why) {
    struct arena arena = {0};
    const char *rest = sql;
    sqlite3_stmt *q = NULL;
    *at = -1;
    if (sqlite3_prepare_v2(s->db, sql, -1, &q, &rest) != SQLITE_OK || !q) {
        *at = q || sqlite3_errcode(s->db) ? sqlite3_error_offset(s->db) : 0;
        buf_puts(why, sqlite3_errcode(s->db) ? sqlite3_errmsg(s->db) : "expected a question, such as SELECT");
        return false;
    }
    u32 n = (u32)sqlite3_column_count(q);
    struct store_value *v = arena_alloc(&arena, n * sizeof *v);
    bool more = v && give_columns(q, to);
    int r = SQLITE_DONE;
    while (more && to->row && (r = sqlite3_step(q)) == SQLITE_ROW) {
        for (u32 i = 0; i < n; i++)
            v[i] = value_at(q, (int)i);
        more = to->row(to->ctx, n, v);
    }
    bool ok = r == SQLITE_DONE || r == SQLITE_ROW;
    if (!ok)
        buf_puts(why, sqlite3_errmsg(s->db));
    sqlite3_finalize(q);
    arena_free(&arena);
    return ok && v && more;
}
