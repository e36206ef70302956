#include "sim/cli/sweep/ask/results.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "sim/cli/compare.h"
#include "sim/cli/option.h"
#include "sim/cli/ui.h"

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

static size_t value_count(const struct results *r) {
    return r->values.len / sizeof(struct store_value);
}

bool results_rows(struct results *r, const char *sql, bool given) {
    const struct store_reader reader = {keep_columns, keep_row, r};
    struct buf why = {0};
    int at;
    r->names.len = r->values.len = 0;
    bool ok = store_ask(r->store, sql, &reader, &at, &why);
    if (!ok && (r->names.failed || r->values.failed || why.failed || !why.len))
        ui_no_memory();
    else if (!ok && given)
        ui_option_error("--sql", sql, at < 0 ? 0 : (size_t)at, at < 0 ? strlen(sql) : strcspn(sql + at, " ,()\n"), "%s",
                        why.data);
    else if (!ok)
        ui_error("%s", why.data);
    buf_free(&why);
    return ok;
}

/* ---- the table ---- */

/* Aligns numbers right; folds a long text in the last column. */
static enum table_kind kind_of(const struct results *r, u32 column) {
    enum { LONG = 40 };
    bool words = false, is_long = false;
    for (size_t i = column; i < value_count(r); i += results_columns(r)) {
        words |= results_value(r, i)->kind == STORE_TEXT;
        is_long |= strlen(results_value(r, i)->text) > LONG;
    }
    return !words ? TABLE_NUMBER : is_long && column + 1 == results_columns(r) ? TABLE_PROSE : TABLE_WORD;
}

/* Returns the name without the "best " of a knee; of an end of an interval, what it is of. */
static const char *bare(const char *name) {
    static const char ends[] = "cycles_";
    if (strncmp(name, ends, sizeof ends - 1) == 0)
        return "cycles";
    return strncmp(name, RESULTS_BEST, strlen(RESULTS_BEST)) == 0 ? name + strlen(RESULTS_BEST) : name;
}

/* True if the name includes the unit: "cycles", "board.l2.bytes", "board.sms" of SMs, "wall_seconds" of s. */
static bool says(const char *name, const char *unit) {
    const char *dot = strrchr(name, '.'), *seconds = strstr(name, "seconds");
    return strcasecmp(dot ? dot + 1 : name, unit) == 0 || (strcmp(unit, "s") == 0 && seconds && !seconds[7]);
}

struct short_text results_unit(const char *name) {
    static const char board[] = "board.";
    struct short_text unit = {""};
    struct heddle_board_value v;
    struct heddle_metric m;
    name = bare(name);
    if (metric_find(name, &m)) {
        snprintf(unit.text, sizeof unit.text, "%s", m.unit);
    } else if (strcmp(name, "wall_seconds") == 0 || strcmp(name, "cpu_seconds") == 0) {
        snprintf(unit.text, sizeof unit.text, "s");
    } else if (strncmp(name, board, sizeof board - 1) == 0) {
        struct heddle *h = heddle_new();
        if (h && heddle_board_value(h, name + sizeof board - 1, &v))
            snprintf(unit.text, sizeof unit.text, "%s", v.unit);
        heddle_free(h);
    }
    return unit;
}

/* Makes a title, "rate.dram [GB/s]"; the name alone if values have units, as "543 ns". NULL when out of memory. */
static const char *head_of(struct results *r, const char *name, bool values) {
    const struct short_text unit = results_unit(name);
    struct heddle_metric m;
    char text[160];
    bool shown = values && metric_find(bare(name), &m) && compare_prefixed(m.unit);
    if (!*unit.text || shown || says(bare(name), unit.text))
        return name;
    snprintf(text, sizeof text, "%.100s [%s]", name, unit.text);
    return keep(r, text);
}

/* Adds a value: times with a unit, settings with all of their digits. */
static void put_value(struct table *t, const char *name, const struct store_value *v) {
    struct heddle_metric m;
    struct short_text text;
    bool measured = metric_find(bare(name), &m);
    if (v->kind == STORE_NULL)
        table_none(t);
    else if (v->kind == STORE_TEXT)
        table_lines(t, v->text);
    else if (measured)
        table_number(t, v->number, compare_number(v->number, m.unit, false));
    else {
        snprintf(text.text, sizeof text.text, "%.12g", v->number);
        table_number(t, v->number, text);
    }
}

bool results_table(struct results *r) {
    u32 n = results_columns(r);
    struct table_column *column = arena_alloc(&r->arena, n * sizeof *column);
    if (!column)
        return ui_no_memory();
    for (u32 i = 0; i < n; i++) {
        const char *name = results_column(r, i);
        column[i] = (struct table_column){head_of(r, name, false), head_of(r, name, true), kind_of(r, i)};
        if (!column[i].key || !column[i].title)
            return ui_no_memory();
    }
    r->table = (struct table){.name = "points", .column = column, .columns = n, .caption = r->caption};
    for (size_t i = 0; n && i < value_count(r); i++)
        put_value(&r->table, results_column(r, (u32)(i % n)), results_value(r, i));
    return true;
}

bool results_sql(struct results *r, const char *sql) {
    return results_rows(r, sql, true) && results_table(r);
}

void results_free(struct results *r) {
    table_free(&r->table);
    buf_free(&r->names);
    buf_free(&r->values);
    arena_free(&r->arena);
}
