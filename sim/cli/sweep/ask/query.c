/* Names in the questions of `heddle results`, and the points that a question covers. */
#include "sim/cli/sweep/ask/results.h"

#include <stdio.h>
#include <string.h>

#include "sim/base/meaning.h"
#include "sim/cli/option.h"
#include "sim/cli/ui.h"
#include "sim/sweep/condition.h"

/* ---- names ---- */

/* Returns the usual spelling of a column. */
static const char *nth_column(const void *ctx, size_t i) {
    const char *name = results_column(ctx, (u32)i);
    return strncmp(name, "board.", 6) == 0 ? name + 6 : name;
}

static const char *query_find(const struct results *r, const char *before, const char *name) {
    size_t len = strlen(before);
    for (u32 i = 0; i < results_columns(r); i++)
        if (strncmp(results_column(r, i), before, len) == 0 && strcmp(results_column(r, i) + len, name) == 0)
            return results_column(r, i);
    return NULL;
}

/* Finds a column, or a key of the board without its "board.". */
const char *query_resolve(const void *ctx, const char *name) {
    const char *column = query_find(ctx, "", name);
    return column ? column : query_find(ctx, "board.", name);
}

void query_unknown(const struct query *k, const char *option, const char *text, size_t at, const char *word) {
    ui_option_error(option, text, at, strlen(word), "there is no column '%s'%s", word,
                    meaning_of(word, results_columns(k->all), nth_column, k->all).text);
}

/* Reads the word at `at` in a list separated by commas; returns its length. */
size_t query_word(const char *at, char *word, size_t size) {
    size_t len = strcspn(at, ",");
    snprintf(word, size, "%.*s", len < size ? (int)len : (int)size - 1, at);
    return len;
}

void query_choose(struct buf *chosen, const char *name) {
    const char *const *before = (const char *const *)(const void *)chosen->data;
    for (size_t i = 0; i < chosen->len / sizeof name; i++)
        if (strcmp(before[i], name) == 0)
            return;
    buf_append(chosen, &name, sizeof name);
}

void query_list(struct buf *sql, const struct buf *list, const char *separator) {
    const char *const *name = (const char *const *)(const void *)list->data;
    for (size_t i = 0; i < list->len / sizeof *name; i++) {
        buf_puts(sql, i ? separator : "");
        condition_name(name[i], sql);
    }
}

/* ---- the points covered ---- */

static const char head[] = "SELECT * FROM point WHERE state <> 'running'";
static const char also[] = " AND (";

/* Selects the points; an error in the condition is found here, where its place is known. */
static bool query_meant(struct query *k) {
    const char *where = k->q->where;
    const struct store_reader none = {NULL, NULL, NULL};
    struct buf why = {0};
    int at = -1;
    size_t wrong;
    buf_puts(&k->points, head);
    if (!where)
        return !k->points.failed || ui_no_memory();
    if (!condition_is_one(where, &wrong))
        return ui_option_error("--where", where, wrong, 1, "%s", CONDITION_CLOSES);
    buf_puts(&k->points, also);
    condition_sql(where, query_resolve, k->all, &k->points);
    buf_puts(&k->points, "\n)");
    bool ok = k->points.failed ? ui_no_memory() : store_ask(k->all->store, k->points.data, &none, &at, &why);
    if (!ok && why.len) {
        size_t before = sizeof head - 1 + sizeof also - 1,
               place = (size_t)at > before ? condition_place(where, query_resolve, k->all, (size_t)at - before) : 0;
        ui_option_error("--where", where, at < 0 ? 0 : place, at < 0 ? strlen(where) : strcspn(where + place, " ,()\n"),
                        "%s", why.data);
    }
    buf_free(&why);
    return ok;
}

/* ---- the columns shown ---- */

/* True if a column in bytes/cycle repeats one in GB/s, like rate.dram_bytes: it is shown only if named. */
static bool is_twin(const char *name) {
    static const char ending[] = "_bytes";
    struct heddle_metric m;
    char other[100];
    size_t len = strlen(name), tail = sizeof ending - 1;
    if (len <= tail || len >= sizeof other || strcmp(name + len - tail, ending) != 0)
        return false;
    snprintf(other, sizeof other, "%.*s", (int)(len - tail), name);
    return metric_find(name, &m) && strcmp(m.unit, "bytes/cycle") == 0 && metric_find(other, &m) &&
           strcmp(m.unit, "GB/s") == 0;
}

/* Chooses a word of --columns: a column, "l2" for all that begin so, or with * and ?. */
static u32 choose_word(struct query *k, const char *before, const char *word) {
    char full[140];
    u32 found = 0;
    snprintf(full, sizeof full, "%s%s", before, word);
    for (u32 i = 0; i < results_columns(k->all); i++)
        if (metric_meant(results_column(k->all, i), full, strlen(full)) && !is_twin(results_column(k->all, i))) {
            query_choose(&k->chosen, results_column(k->all, i));
            found++;
        }
    return found;
}

static bool choose_wanted(struct query *k) {
    const char *list = k->q->columns;
    for (const char *at = list;; at++) {
        char word[100];
        size_t len = query_word(at, word, sizeof word);
        const char *column = query_resolve(k->all, word);
        if (column)
            query_choose(&k->chosen, column);
        else if (!choose_word(k, "", word) && !choose_word(k, "board.", word)) {
            query_unknown(k, "--columns", list, (size_t)(at - list), word);
            return false;
        }
        at += len;
        if (!*at)
            return true;
    }
}

/* Finds the column of an objective; "max:" before it reverses the order. NULL after a message. */
const char *query_objective(const struct query *k, const char *option, const char *text, const char *at, bool *most) {
    char word[100];
    *most = strncmp(at, "max:", 4) == 0;
    at += *most ? 4 : 0;
    query_word(at, word, sizeof word);
    const char *column = query_resolve(k->all, word);
    if (!column)
        query_unknown(k, option, text, (size_t)(at - text), word);
    return column;
}

bool query_columns(struct query *k) {
    static const char *const usual[] = {"cycles", "cycles_low", "cycles_high", "seconds", "state", "message"};
    if (k->q->columns)
        return choose_wanted(k);
    if (k->q->all)
        for (u32 i = 0; i < results_columns(k->all); i++) {
            if (!is_twin(results_column(k->all, i)))
                query_choose(&k->chosen, results_column(k->all, i));
        }
    else
        buf_append(&k->chosen, k->varied.data, k->varied.len);
    for (u32 i = 0; !k->q->all && i < (k->failures ? 6 : 4); i++)
        if (query_resolve(k->all, usual[i])) /* only runs have seconds, only --uncertainty an interval */
            query_choose(&k->chosen, usual[i]);
    return true;
}

/* ---- the questions ---- */

void query_order(const struct query *k, struct buf *sql) {
    buf_puts(sql, " ORDER BY ");
    query_list(sql, &k->varied, ", ");
    buf_puts(sql, k->varied.len ? ", id" : "id");
}

static bool query_points(struct query *k, struct buf *sql) {
    bool most = false;
    const char *o = k->q->objective, *column = o ? query_objective(k, "--objective", o, o, &most) : NULL;
    if ((o && !column) || !query_columns(k))
        return false;
    if (column && !k->q->columns)
        query_choose(&k->chosen, column);
    buf_puts(sql, "SELECT ");
    query_list(sql, &k->chosen, ", ");
    buf_printf(sql, " FROM (%s)", k->points.data);
    if (!column) {
        query_order(k, sql);
        return true;
    }
    buf_puts(sql, " ORDER BY ");
    condition_name(column, sql);
    buf_puts(sql, most ? " DESC NULLS LAST, id" : " NULLS LAST, id");
    return true;
}

bool results_question(struct results *r, const struct results_question *q) {
    struct results asked = {.store = r->store};
    struct query k = {.all = r, .asked = &asked, .q = q};
    struct query_knee knee = {.most = false};
    struct buf sql = {0};
    bool ok = results_rows(r, "SELECT * FROM point LIMIT 0", false) && query_meant(&k) && query_varied(&k) &&
              query_failures(&k);
    if (ok)
        ok = q->plot     ? query_plot(&k, &sql)
             : q->knee   ? query_knee(&k, &sql, &knee)
             : q->pareto ? query_pareto(&k, &sql)
                         : query_points(&k, &sql);
    if (ok && (sql.failed || k.varied.failed || k.chosen.failed))
        ok = ui_no_memory();
    ok = ok && results_rows(r, sql.data, false) && (!q->knee || query_knees(&knee, r)) && results_table(r);
    buf_free(&sql);
    buf_free(&k.points);
    buf_free(&k.varied);
    buf_free(&k.chosen);
    results_free(&asked);
    return ok;
}
