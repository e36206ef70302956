/* Questions to a store in SQL. */
#include "sim/sweep/store_db.h"

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
