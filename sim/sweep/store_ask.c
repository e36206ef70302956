/* Queries to a store in SQL. */
#include <string.h>
#include <strings.h>

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

/* True for functions that give addresses of this process, or run what others name. */
static bool refused_function(const char *name) {
    return name && (strcasecmp(name, "fts3_tokenizer") == 0 || strcasecmp(name, "load_extension") == 0);
}

/* Allows what a query may do: read, and read facts about the file. */
static int authorize(void *ctx, int action, const char *a, const char *b, const char *database, const char *trigger) {
    static const char *const pragmas[] = {"integrity_check", "quick_check", "user_version", "application_id",
                                          "table_info",      "table_xinfo", "table_list",   "page_count"};
    (void)ctx, (void)database, (void)trigger;
    switch (action) {
    case SQLITE_SELECT:
    case SQLITE_READ:
    case SQLITE_RECURSIVE: return SQLITE_OK;
    case SQLITE_FUNCTION: return refused_function(b) ? SQLITE_DENY : SQLITE_OK;
    case SQLITE_UPDATE: return strcmp(a, "sqlite_master") == 0 ? SQLITE_OK : SQLITE_DENY; /* needed by json_each() */
    case SQLITE_PRAGMA:
        for (u32 i = 0; i < COUNT_OF(pragmas); i++)
            if (strcasecmp(a, pragmas[i]) == 0 && (!b || i >= 4))
                return SQLITE_OK;
        return SQLITE_DENY;
    default: return SQLITE_DENY;
    }
}

static const char expected[] = "expected a question, such as SELECT min(cycles) FROM point";

/* Prepares the only statement of the text; NULL with the reason and the place. */
static sqlite3_stmt *prepare_question(struct store *s, const char *sql, int *at, struct buf *why) {
    sqlite3_stmt *q = NULL, *second = NULL;
    const char *rest = sql, *words = expected;
    *at = -1;
    int r = sqlite3_prepare_v2(s->db, sql, -1, &q, &rest);
    if (r == SQLITE_OK && q && sqlite3_stmt_readonly(q)) {
        const char *more = rest;
        r = sqlite3_prepare_v2(s->db, rest, -1, &second, &more);
        if (r == SQLITE_OK && !second)
            return q;
        *at = (int)(rest - sql + (ptrdiff_t)strspn(rest, " \n\t"));
        words = "one query is run at a time";
    } else if (r == SQLITE_AUTH || q) {
        words = "a question changes nothing and opens no other file; expected SELECT";
    } else if (r != SQLITE_OK) {
        *at = sqlite3_error_offset(s->db);
        words = store_words(s);
    }
    buf_puts(why, words);
    sqlite3_finalize(q);
    sqlite3_finalize(second);
    return NULL;
}

bool store_ask(struct store *s, const char *sql, const struct store_reader *to, int *at, struct buf *why) {
    struct arena arena = {0};
    sqlite3_set_authorizer(s->db, authorize, NULL);
    sqlite3_stmt *q = prepare_question(s, sql, at, why);
    sqlite3_set_authorizer(s->db, NULL, NULL);
    if (!q)
        return false;
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
        buf_puts(why, store_words(s));
    sqlite3_finalize(q);
    arena_free(&arena);
    return ok && v && more;
}
