/* Results of points: a row of values, in columns that are added as needed. */
#include <ctype.h>
#include <string.h>

#include "sim/sweep/condition.h"
#include "sim/sweep/store_db.h"

enum {
    COLUMNS_MOST = 1990, /* SQLite's limit is 2,000; names that differ in capitals only take two */
};

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

/* Reads the columns again: other sweeps add some as well. */
static bool read_columns(struct store *s, struct buf *why) {
    sqlite3_stmt *q = store_prepare(s, why, "SELECT name FROM pragma_table_info('point')");
    json_decref(s->columns);
    s->columns = json_object();
    bool ok = q && s->columns;
    while (ok && sqlite3_step(q) == SQLITE_ROW)
        ok = remember(s, (const char *)sqlite3_column_text(q, 0));
    sqlite3_finalize(q);
    return ok;
}

/* Finds or adds the column of a value. Names that differ in capitals only are two. */
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
        if (!text.failed && store_run(s, text.data, why) && remember(s, name))
            there = column_for(s, name, why);
    }
    buf_free(&text);
    return there;
}

/* Writes "UPDATE point SET ..., "a" = ?, "b" = ? WHERE ...". */
static bool put_update(struct store *s, const json_t *row, struct buf *sql, struct buf *why) {
    const char *name;
    json_t *value;
    buf_puts(sql, "UPDATE point SET state = ?, ended = " STORE_NOW);
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

/* Prepares the statement for a row, or reuses the last one if the columns are the same, as usual in a sweep. */
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
    store_forget_update(s);
    buf_free(&s->names);
    s->names = names;
    s->update = !names.failed && put_update(s, row, &sql, why) ? store_prepare(s, why, sql.data) : NULL;
    buf_free(&sql);
    return s->update != NULL;
}

static bool update(struct store *s, const char *key, enum store_state state, const json_t *row, struct buf *why) {
    const char *name;
    json_t *value;
    int at = 1;
    if (!ready(s, row, why))
        return false;
    store_bind_text(s->update, at++, store_state_name(state));
    json_object_foreach((json_t *)(uintptr_t)row, name, value) {
        bind_value(s->update, at++, value);
    }
    store_bind_text(s->update, at++, key);
    sqlite3_bind_int64(s->update, at, s->runner);
    bool ok = sqlite3_step(s->update) == SQLITE_DONE || store_fail(s, why);
    sqlite3_reset(s->update);
    return ok;
}

/* Selects the values that have a column, or get one: SQLite limits columns. A reference; NULL = out of memory. */
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

/* Forgets added columns after a transaction that failed. */
static bool forget_columns(struct store *s) {
    store_forget_update(s);
    json_decref(s->columns);
    s->columns = NULL;
    return false;
}

bool store_finish(struct store *s, const char *key, enum store_state state, const json_t *row, struct buf *why) {
    if (!store_lock(s, why))
        return false;
    json_t *fit = s->columns || read_columns(s, why) ? fitting(s, row) : NULL;
    bool ok = store_unlock(s, fit && update(s, key, state, fit, why), why);
    json_decref(fit);
    buf_puts(why, ok || why->len ? "" : "out of memory\n"); /* SQLite names its own failures */
    return ok || forget_columns(s);
}

bool store_begin(struct store *s, struct buf *why) {
    s->group = store_lock(s, why);
    return s->group;
}

bool store_end(struct store *s, struct buf *why) {
    s->group = false;
    return store_unlock(s, true, why) || forget_columns(s);
}
