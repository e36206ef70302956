/* --knee: how much is enough on each curve (sim/base/knee.h). */
#include <string.h>

#include "sim/base/knee.h"
#include "sim/cli/sweep/plan/plan.h"
#include "sim/cli/sweep/ask/results.h"
#include "sim/cli/ui.h"
#include "sim/sweep/condition.h"

static bool is_same(const struct store_value *a, const struct store_value *b) {
    return a->kind == b->kind && (a->kind == STORE_TEXT ? strcmp(a->text, b->text) == 0
                                                        : !(a->number < b->number) && !(a->number > b->number));
}

/* Counts the rows from `at` on of one curve, by its columns, which are the first. */
static size_t curve_length(const struct results *r, u32 curves, size_t at, size_t rows) {
    u32 n = results_columns(r);
    size_t end = at + 1;
    for (bool same = true; same && end < rows; end += same)
        for (u32 i = 0; i < curves && same; i++)
            same = is_same(results_value(r, at * n + i), results_value(r, end * n + i));
    return end - at;
}

/* Notes that a knee at an end of the tried values may lie beyond it. */
static const char *edge(const char *said, const struct knee *knee, size_t n) {
    if (n > 1 && knee->first == n - 1)
        return "The largest value tried is the first that is enough: larger ones may be better still.";
    if (n > 1 && knee->first == 0 && !said)
        return "Where the smallest value tried is enough, smaller ones may be, too.";
    return said;
}

/* Adds a row of the answer: the curve, the knee, its result, the best, and how far it stays as near. */
static bool add_knee(const struct query_knee *q, struct results *r, size_t at, size_t n, struct buf *out) {
    struct buf result = {0};
    struct knee knee;
    u32 columns = results_columns(r);
    for (size_t i = at; i < at + n; i++)
        buf_append(&result, &results_value(r, i * columns + columns - 1)->number, sizeof(double));
    bool ok = !result.failed && knee_find((const double *)(const void *)result.data, (u32)n, q->within, q->most, &knee);
    buf_free(&result);
    if (!ok)
        return ui_no_memory();
    r->caption = edge(r->caption, &knee, n);
    buf_append(out, results_value(r, (at + knee.first) * columns), columns * sizeof(struct store_value));
    buf_append(out, results_value(r, (at + knee.best) * columns + columns - 1), sizeof(struct store_value));
    buf_append(out, results_value(r, (at + knee.last) * columns + columns - 2), sizeof(struct store_value));
    return true;
}

static bool no_order(const struct results *r, const char *value) {
    const char *axis = results_column(r, results_columns(r) - 2);
    return ui_option_error("--knee", axis, 0, strlen(axis),
                           "'%s' is no number, so that none of its values is the smallest", value);
}

bool query_knees(const struct query_knee *q, struct results *r) {
    struct buf out = {0}, best = {0};
    u32 n = results_columns(r);
    size_t rows = r->values.len / sizeof(struct store_value) / n;
    bool ok = true;
    for (size_t at = 0; at < rows; at++)
        if (results_value(r, at * n + n - 2)->kind == STORE_TEXT)
            return no_order(r, results_value(r, at * n + n - 2)->text);
    for (size_t at = 0, len; at < rows && ok; at += len) {
        len = curve_length(r, q->curves, at, rows);
        ok = add_knee(q, r, at, len, &out);
    }
    buf_printf(&best, "%s%s", RESULTS_BEST, results_column(r, n - 1));
    const char *more[] = {best.failed ? NULL : arena_strndup(&r->arena, best.data, best.len), "up to"};
    buf_append(&r->names, more, sizeof more);
    ok = ok && more[0] && !out.failed && !r->names.failed;
    buf_free(&r->values);
    buf_free(&best);
    r->values = out;
    return ok || ui_no_memory();
}

/* Appends the curves one after another, each in the order of the axis. */
static void put_points(const struct query *k, const char *axis, const char *of, const struct buf *curves,
                       struct buf *sql) {
    buf_puts(sql, "SELECT ");
    query_list(sql, curves, ", ");
    buf_puts(sql, curves->len ? ", " : "");
    condition_name(axis, sql);
    buf_puts(sql, ", ");
    condition_name(of, sql);
    buf_printf(sql, " FROM (%s) WHERE state = 'done' AND ", k->points.data);
    condition_name(axis, sql);
    buf_puts(sql, " IS NOT NULL AND ");
    condition_name(of, sql);
    buf_puts(sql, " IS NOT NULL ORDER BY ");
    query_list(sql, curves, ", ");
    buf_puts(sql, curves->len ? ", " : "");
    condition_name(axis, sql);
}

bool query_knee(struct query *k, struct buf *sql, struct query_knee *knee) {
    const char *o = k->q->objective ? k->q->objective : "seconds", *axis = query_resolve(k->all, k->q->knee);
    struct buf curves = {0};
    bool ok = axis && column_is_configuration(axis);
    if (!axis)
        query_unknown(k, "--knee", k->q->knee, 0, k->q->knee);
    else if (!ok)
        ui_option_error("--knee", k->q->knee, 0, strlen(k->q->knee),
                        "'%s' is measured, not given; expected a key of the board or an argument, with --objective %s",
                        k->q->knee, k->q->knee);
    const char *of = ok ? query_objective(k, "--objective", o, o, &knee->most) : NULL;
    ok = of && query_curves(k, axis, &curves);
    if (ok)
        put_points(k, axis, of, &curves, sql);
    knee->within = k->q->within;
    knee->curves = (u32)(curves.len / sizeof(char *));
    buf_free(&curves);
    return ok;
}
