#include "sim/cli/results.h"

#include <fnmatch.h>
#include <stdio.h>
#include <string.h>

#include "sim/base/diag.h"
#include "sim/cli/compare.h"
#include "sim/cli/metrics_option.h"
#include "sim/cli/ui.h"

static bool no_memory(void) {
    ui_error("out of memory");
    return false;
}

/* ---- rows ---- */

static const char *keep(struct results *r, const char *text) {
    return arena_strndup(&r->arena, text, strlen(text));
}

static bool keep_columns(void *ctx, u32 n, const char *const *names) {
    struct results *r = ctx;
    for (u32 i = 0; i < n; i++) {
        const char *name = keep(r, names[i]);
        buf_append(&r->names, &name, sizeof name);
        r->names.failed |= !name;
    }
    return !r->names.failed;
}

static bool keep_row(void *ctx, u32 n, const struct store_value *values) {
    struct results *r = ctx;
    for (u32 i = 0; i < n; i++) {
        struct store_value v = values[i];
        v.text = v.kind == STORE_TEXT ? keep(r, v.text) : "";
        buf_append(&r->values, &v, sizeof v);
        r->values.failed |= !v.text;
    }
    return !r->values.failed;
}

static u32 column_count(const struct results *r) {
    return (u32)(r->names.len / sizeof(char *));
}

static const char *name_at(const struct results *r, u32 column) {
    return ((const char *const *)(const void *)r->names.data)[column];
}

static const char *nth_column(const void *ctx, size_t i) {
    return name_at(ctx, (u32)i);
}

static const struct store_value *value_at(const struct results *r, size_t i) {
    return &((const struct store_value *)(const void *)r->values.data)[i];
}

static size_t value_count(const struct results *r) {
    return r->values.len / sizeof(struct store_value);
}

static bool ask(struct results *r, const char *sql, bool given) {
    const struct store_reader reader = {keep_columns, keep_row, r};
    struct buf why = {0};
    int at;
    r->names.len = r->values.len = 0;
    bool ok = store_ask(r->store, sql, &reader, &at, &why);
    if (!ok && (r->names.failed || r->values.failed || why.failed || !why.len))
        no_memory();
    else if (!ok && given)
        ui_option_error("--sql", sql, at < 0 ? 0 : (size_t)at, at < 0 ? strlen(sql) : strcspn(sql + at, " ,()\n"), "%s",
                        why.data);
    else if (!ok)
        ui_error("%s", why.data);
    buf_free(&why);
    return ok;
}

/* ---- the question ---- */

/* Columns that are not of the configuration, beside metrics: what became of the point, and what follows from others. */
static const char *const outcome[] = {
    "id",        "key",     "state",        "command",     "runner",  "attempts",          "begun",
    "ended",     "message", "wall_seconds", "cpu_seconds", "limiter", "warp_instructions", "thread_instructions",
    "board_hash"};

static bool is_configuration(const char *name) {
    struct heddle_metric m;
    for (u32 i = 0; i < COUNT_OF(outcome); i++)
        if (strcmp(name, outcome[i]) == 0)
            return false;
    return !metric_find(name, &m);
}

static void put_name(struct buf *sql, const char *name) {
    buf_putc(sql, '"');
    for (; *name; name++)
        buf_printf(sql, "%s%c", *name == '"' ? "\"" : "", *name);
    buf_putc(sql, '"');
}

/* What is chosen of the columns: const char * each. */
static void choose(struct buf *chosen, const char *name) {
    const char *const *before = (const char *const *)(const void *)chosen->data;
    for (size_t i = 0; i < chosen->len / sizeof name; i++)
        if (strcmp(before[i], name) == 0)
            return;
    buf_append(chosen, &name, sizeof name);
}

/* Columns of the configuration that have several values, or that not every point has. */
static bool choose_varied(struct results *r, struct buf *chosen) {
    struct buf all = r->names, sql = {0};
    const char *const *name = (const char *const *)(const void *)all.data;
    u32 n = (u32)(all.len / sizeof *name), asked = 0;
    buf_puts(&sql, "SELECT ");
    for (u32 i = 0; i < n; i++)
        if (is_configuration(name[i])) {
            buf_puts(&sql, asked++ ? ", count(DISTINCT " : "count(DISTINCT ");
            put_name(&sql, name[i]);
            buf_puts(&sql, ") + (count(");
            put_name(&sql, name[i]);
            buf_puts(&sql, ") NOT IN (0, count(*)))");
        }
    buf_puts(&sql, " FROM point WHERE state IN ('done', 'fault')");
    r->names = (struct buf){0};
    bool ok = !sql.failed ? ask(r, sql.data, false) : no_memory();
    for (u32 i = 0, k = 0; i < n && ok; i++)
        if (is_configuration(name[i]) && value_at(r, k++)->number > 1)
            choose(chosen, name[i]);
    buf_free(&r->names);
    buf_free(&sql);
    r->names = all;
    return ok;
}

/* One word of --columns: a column, "l2" for all that begin so, or with * and ?; "dram.channels" is the board's, too. */
static u32 choose_word(const struct results *r, const char *word, const char *before, struct buf *chosen) {
    char full[120];
    u32 found = 0;
    snprintf(full, sizeof full, "%s%s", before, word);
    for (u32 i = 0; i < column_count(r); i++)
        if (strcmp(name_at(r, i), full) == 0) {
            choose(chosen, name_at(r, i));
            return 1;
        }
    for (u32 i = 0; i < column_count(r); i++)
        if (metric_meant(name_at(r, i), full, strlen(full))) {
            choose(chosen, name_at(r, i));
            found++;
        }
    return found;
}

static bool choose_wanted(const struct results *r, const char *wanted, struct buf *chosen) {
    for (const char *at = wanted;; at++) {
        char word[100];
        size_t len = strcspn(at, ",");
        snprintf(word, sizeof word, "%.*s", len < sizeof word ? (int)len : (int)sizeof word - 1, at);
        if (!choose_word(r, word, "", chosen) && !choose_word(r, word, "board.", chosen)) {
            const char *near = nearest_name(word, column_count(r), nth_column, r);
            ui_option_error("--columns", wanted, (size_t)(at - wanted), len, "there is no column '%s'%s%s%s", word,
                            near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
            return false;
        }
        at += len;
        if (!*at)
            return true;
    }
}

static void put_list(struct buf *sql, const struct buf *list, const char *separator) {
    const char *const *name = (const char *const *)(const void *)list->data;
    for (size_t i = 0; i < list->len / sizeof *name; i++) {
        buf_puts(sql, i ? separator : "");
        put_name(sql, name[i]);
    }
}

/* Whether any point has not gone well. */
static bool any_failed(struct results *r, bool *any) {
    struct buf all = r->names;
    r->names = (struct buf){0};
    bool ok = ask(r, "SELECT count(*) FROM point WHERE state IN ('fault', 'failed')", false);
    *any = ok && value_at(r, 0)->number > 0;
    buf_free(&r->names);
    r->names = all;
    return ok;
}

bool results_query(struct results *r, const char *wanted, bool all, struct buf *sql) {
    struct buf varied = {0}, chosen = {0};
    bool failures = false;
    if (!ask(r, "SELECT * FROM point LIMIT 0", false))
        return false;
    bool ok = choose_varied(r, &varied) && any_failed(r, &failures);
    if (ok && wanted)
        ok = choose_wanted(r, wanted, &chosen);
    for (u32 i = 0; ok && !wanted && all && i < column_count(r); i++)
        choose(&chosen, name_at(r, i));
    if (ok && !chosen.len) {
        static const char *const usual[] = {"cycles", "seconds", "state", "message"};
        buf_append(&chosen, varied.data, varied.len);
        for (u32 i = 0; i < (failures ? 4 : 2); i++)
            choose(&chosen, usual[i]);
    }
    buf_puts(sql, "SELECT ");
    put_list(sql, &chosen, ", ");
    buf_puts(sql, " FROM point WHERE state <> 'running' ORDER BY ");
    put_list(sql, &varied, ", ");
    buf_puts(sql, varied.len ? ", id" : "id");
    sql->failed |= varied.failed || chosen.failed;
    buf_free(&varied);
    buf_free(&chosen);
    return ok && (!sql->failed || no_memory());
}

/* ---- the table ---- */

/* Numbers stand to the right; a long text in the last column is folded. */
static enum table_kind kind_of(const struct results *r, u32 column) {
    enum { LONG = 40 };
    bool words = false, is_long = false;
    for (size_t i = column; i < value_count(r); i += column_count(r)) {
        words |= value_at(r, i)->kind == STORE_TEXT;
        is_long |= strlen(value_at(r, i)->text) > LONG;
    }
    return !words ? TABLE_NUMBER : is_long && column + 1 == column_count(r) ? TABLE_PROSE : TABLE_WORD;
}

/* Times are shown as such, settings with all of their digits. */
static void put_value(struct table *t, const char *name, const struct store_value *v) {
    struct heddle_metric m;
    struct short_text text;
    bool measured = metric_find(name, &m);
    if (v->kind == STORE_NULL)
        table_none(t);
    else if (v->kind == STORE_TEXT)
        table_word(t, v->text);
    else if (measured)
        table_number(t, v->number, compare_number(v->number, m.unit, false));
    else {
        snprintf(text.text, sizeof text.text, "%.12g", v->number);
        table_number(t, v->number, text);
    }
}

bool results_ask(struct results *r, const char *sql, bool given) {
    if (!ask(r, sql, given))
        return false;
    u32 n = column_count(r);
    struct table_column *column = arena_alloc(&r->arena, n * sizeof *column);
    if (!column)
        return no_memory();
    for (u32 i = 0; i < n; i++)
        column[i] = (struct table_column){name_at(r, i), name_at(r, i), kind_of(r, i)};
    r->table = (struct table){.name = "points", .column = column, .columns = n};
    for (size_t i = 0; i < value_count(r); i++)
        put_value(&r->table, column[i % n].key, value_at(r, i));
    return true;
}

void results_free(struct results *r) {
    table_free(&r->table);
    buf_free(&r->names);
    buf_free(&r->values);
    arena_free(&r->arena);
}
