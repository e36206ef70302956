/* The questions of `heddle results` in SQL. */
#include <stdio.h>
#include <string.h>

#include "sim/base/diag.h"
#include "sim/cli/metrics_option.h"
#include "sim/cli/sweep/results.h"
#include "sim/cli/ui.h"
#include "sim/sweep/condition.h"

/* What a question is made of. */
struct query {
    const struct results *all; /* its names are the columns of the store */
    struct results *asked;     /* for questions about the points */
    const struct results_question *q;
    struct buf points; /* SQL: those that are meant */
    struct buf varied; /* const char * each: columns of the configuration in which they differ */
    struct buf chosen; /* likewise, what is shown */
    bool failures;     /* some have no result */
};

static bool no_memory(void) {
    ui_error("out of memory");
    return false;
}

/* ---- names ---- */

/* As it is mostly written. */
static const char *nth_column(const void *ctx, size_t i) {
    const char *name = results_column(ctx, (u32)i);
    return strncmp(name, "board.", 6) == 0 ? name + 6 : name;
}

static const char *find_column(const struct results *r, const char *before, const char *name) {
    size_t len = strlen(before);
    for (u32 i = 0; i < results_columns(r); i++)
        if (strncmp(results_column(r, i), before, len) == 0 && strcmp(results_column(r, i) + len, name) == 0)
            return results_column(r, i);
    return NULL;
}

/* A column, or a key of the board without its "board.". */
static const char *resolve(const void *ctx, const char *name) {
    const char *column = find_column(ctx, "", name);
    return column ? column : find_column(ctx, "board.", name);
}

static void unknown(const struct query *k, const char *option, const char *text, size_t at, const char *word) {
    const char *near = nearest_name(word, results_columns(k->all), nth_column, k->all);
    ui_option_error(option, text, at, strlen(word), "there is no column '%s'%s%s%s", word,
                    near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
}

/* The word at `at` in a list separated by commas; its length. */
static size_t next_word(const char *at, char *word, size_t size) {
    size_t len = strcspn(at, ",");
    snprintf(word, size, "%.*s", len < size ? (int)len : (int)size - 1, at);
    return len;
}

static void choose(struct buf *chosen, const char *name) {
    const char *const *before = (const char *const *)(const void *)chosen->data;
    for (size_t i = 0; i < chosen->len / sizeof name; i++)
        if (strcmp(before[i], name) == 0)
            return;
    buf_append(chosen, &name, sizeof name);
}

static void put_list(struct buf *sql, const struct buf *list, const char *separator) {
    const char *const *name = (const char *const *)(const void *)list->data;
    for (size_t i = 0; i < list->len / sizeof *name; i++) {
        buf_puts(sql, i ? separator : "");
        condition_name(name[i], sql);
    }
}

/* ---- columns that points differ in ---- */

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

/* Those with several values, and those that not every point has. */
static bool find_varied(struct query *k) {
    struct buf sql = {0};
    const char *separator = "SELECT ";
    for (u32 i = 0; i < results_columns(k->all); i++)
        if (is_configuration(results_column(k->all, i))) {
            buf_puts(&sql, separator);
            buf_puts(&sql, "count(DISTINCT ");
            condition_name(results_column(k->all, i), &sql);
            buf_puts(&sql, ") + (count(");
            condition_name(results_column(k->all, i), &sql);
            buf_puts(&sql, ") NOT IN (0, count(*)))");
            separator = ", ";
        }
    buf_printf(&sql, " FROM (%s) WHERE state IN ('done', 'fault')", k->points.data);
    bool ok = sql.failed ? no_memory() : results_rows(k->asked, sql.data, false);
    for (u32 i = 0, n = 0; i < results_columns(k->all) && ok; i++)
        if (is_configuration(results_column(k->all, i)) && results_value(k->asked, n++)->number > 1)
            choose(&k->varied, results_column(k->all, i));
    buf_free(&sql);
    return ok;
}

static bool find_failures(struct query *k) {
    struct buf sql = {0};
    buf_printf(&sql, "SELECT count(*) FROM (%s) WHERE state <> 'done'", k->points.data);
    bool ok = sql.failed ? no_memory() : results_rows(k->asked, sql.data, false);
    k->failures = ok && results_value(k->asked, 0)->number > 0;
    buf_free(&sql);
    return ok;
}

/* ---- the points that are meant ---- */

static const char head[] = "SELECT * FROM point WHERE state <> 'running'";
static const char also[] = " AND (";

/* A mistake in the condition is found here, where its place is known. */
static bool list_points(struct query *k) {
    const char *where = k->q->where;
    const struct store_reader none = {NULL, NULL, NULL};
    struct buf why = {0};
    int at = -1;
    buf_puts(&k->points, head);
    if (!where)
        return !k->points.failed || no_memory();
    buf_puts(&k->points, also);
    condition_sql(where, resolve, k->all, &k->points);
    buf_puts(&k->points, "\n)");
    bool ok = k->points.failed ? no_memory() : store_ask(k->all->store, k->points.data, &none, &at, &why);
    if (!ok && why.len) {
        size_t before = sizeof head - 1 + sizeof also - 1,
               place = (size_t)at > before ? condition_place(where, resolve, k->all, (size_t)at - before) : 0;
        ui_option_error("--where", where, at < 0 ? 0 : place, at < 0 ? strlen(where) : strcspn(where + place, " ,()\n"),
                        "%s", why.data);
    }
    buf_free(&why);
    return ok;
}

/* ---- what is chosen ---- */

/* One word of --columns: a column, "l2" for all that begin so, or with * and ?. */
static u32 choose_word(struct query *k, const char *before, const char *word) {
    char full[140];
    u32 found = 0;
    snprintf(full, sizeof full, "%s%s", before, word);
    for (u32 i = 0; i < results_columns(k->all); i++)
        if (metric_meant(results_column(k->all, i), full, strlen(full))) {
            choose(&k->chosen, results_column(k->all, i));
            found++;
        }
    return found;
}

static bool choose_wanted(struct query *k) {
    const char *list = k->q->columns;
    for (const char *at = list;; at++) {
        char word[100];
        size_t len = next_word(at, word, sizeof word);
        const char *column = resolve(k->all, word);
        if (column)
            choose(&k->chosen, column);
        else if (!choose_word(k, "", word) && !choose_word(k, "board.", word)) {
            unknown(k, "--columns", list, (size_t)(at - list), word);
            return false;
        }
        at += len;
        if (!*at)
            return true;
    }
}

/* An objective: "max:" before it turns it round. NULL after a message. */
static const char *objective(const struct query *k, const char *option, const char *text, const char *at, bool *most) {
    char word[100];
    *most = strncmp(at, "max:", 4) == 0;
    at += *most ? 4 : 0;
    next_word(at, word, sizeof word);
    const char *column = resolve(k->all, word);
    if (!column)
        unknown(k, option, text, (size_t)(at - text), word);
    return column;
}

static bool choose_columns(struct query *k) {
    static const char *const usual[] = {"cycles", "seconds", "state", "message"};
    if (k->q->columns)
        return choose_wanted(k);
    if (k->q->all)
        for (u32 i = 0; i < results_columns(k->all); i++)
            choose(&k->chosen, results_column(k->all, i));
    else
        buf_append(&k->chosen, k->varied.data, k->varied.len);
    for (u32 i = 0; !k->q->all && i < (k->failures ? 4 : 2); i++)
        choose(&k->chosen, usual[i]);
    return true;
}

/* ---- the questions ---- */

static void put_order(const struct query *k, struct buf *sql) {
    buf_puts(sql, " ORDER BY ");
    put_list(sql, &k->varied, ", ");
    buf_puts(sql, k->varied.len ? ", id" : "id");
}

static bool ask_points(struct query *k, struct buf *sql) {
    bool most = false;
    const char *o = k->q->objective, *column = o ? objective(k, "--objective", o, o, &most) : NULL;
    if ((o && !column) || !choose_columns(k))
        return false;
    if (column && !k->q->columns)
        choose(&k->chosen, column);
    buf_puts(sql, "SELECT ");
    put_list(sql, &k->chosen, ", ");
    buf_printf(sql, " FROM (%s)", k->points.data);
    if (!column) {
        put_order(k, sql);
        return true;
    }
    buf_puts(sql, " ORDER BY ");
    condition_name(column, sql);
    buf_puts(sql, most ? " DESC NULLS LAST, id" : " NULLS LAST, id");
    return true;
}

/* Whether every value of `axis` has one of `column`: they vary together. */
static bool follows(struct query *k, const char *column, const char *axis, bool *answer) {
    struct buf sql = {0};
    buf_puts(&sql, "SELECT count(*) FROM (SELECT 1 FROM (");
    buf_printf(&sql, "%s) GROUP BY ", k->points.data);
    condition_name(axis, &sql);
    buf_puts(&sql, " HAVING count(DISTINCT ");
    condition_name(column, &sql);
    buf_puts(&sql, ") > 1)");
    bool ok = sql.failed ? no_memory() : results_rows(k->asked, sql.data, false);
    *answer = ok && results_value(k->asked, 0)->number < 1;
    buf_free(&sql);
    return ok;
}

/* The columns that tell one curve over the axis from another. */
static bool find_curves(struct query *k, const char *axis, struct buf *curves) {
    const char *const *name = (const char *const *)(const void *)k->varied.data;
    bool together = false, ok = true;
    for (size_t i = 0; i < k->varied.len / sizeof *name && ok; i++) {
        ok = follows(k, name[i], axis, &together);
        if (ok && !together)
            choose(curves, name[i]);
    }
    return ok;
}

/* Of each curve the point with the smallest value whose objective is near enough to the best of the curve. */
static void put_knee(const struct query *k, const char *axis, const char *of, bool most, const struct buf *curves,
                     struct buf *sql) {
    struct buf by = {0}, best = {0};
    if (curves->len)
        buf_puts(&by, "PARTITION BY ");
    put_list(&by, curves, ", ");
    buf_puts(&by, " ");
    buf_printf(&best, "%s%s", RESULTS_BEST, of);
    sql->failed |= by.failed || best.failed;
    if (sql->failed) {
        buf_free(&by);
        buf_free(&best);
        return;
    }
    buf_puts(sql, "SELECT ");
    put_list(sql, curves, ", ");
    buf_puts(sql, curves->len ? ", " : "");
    condition_name(axis, sql);
    buf_puts(sql, ", ");
    condition_name(of, sql);
    buf_puts(sql, ", ");
    condition_name(best.data, sql);
    buf_printf(sql, " FROM (SELECT *, row_number() OVER (%sORDER BY ", by.data);
    condition_name(axis, sql);
    buf_printf(sql, ") AS place FROM (SELECT *, %s(", most ? "max" : "min");
    condition_name(of, sql);
    buf_printf(sql, ") OVER (%s) AS ", by.data);
    condition_name(best.data, sql);
    buf_printf(sql, " FROM (%s) WHERE state = 'done') WHERE ", k->points.data);
    condition_name(of, sql);
    buf_puts(sql, most ? " >= " : " <= ");
    condition_name(best.data, sql);
    buf_printf(sql, " * %.17g) WHERE place = 1", most ? 1 - k->q->within : 1 + k->q->within);
    if (curves->len)
        buf_puts(sql, " ORDER BY ");
    put_list(sql, curves, ", ");
    buf_free(&by);
    buf_free(&best);
}

static bool ask_knee(struct query *k, struct buf *sql) {
    const char *o = k->q->objective ? k->q->objective : "seconds", *axis = resolve(k->all, k->q->knee);
    struct buf curves = {0};
    bool most, ok = axis != NULL;
    if (!ok)
        unknown(k, "--knee", k->q->knee, 0, k->q->knee);
    const char *of = ok ? objective(k, "--objective", o, o, &most) : NULL;
    ok = of && find_curves(k, axis, &curves);
    if (ok)
        put_knee(k, axis, of, most, &curves, sql);
    buf_free(&curves);
    return ok;
}

/* Points of which no other is at least as good in all objectives, and better in one. */
static bool ask_pareto(struct query *k, struct buf *sql) {
    const char *list = k->q->pareto;
    struct buf as_good = {0}, better = {0}, there = {0}, of = {0};
    bool ok = true;
    for (const char *at = list; ok; at += strcspn(at, ",") + 1) {
        bool most;
        const char *column = objective(k, "--pareto", list, at, &most);
        if (!column) {
            ok = false;
            break;
        }
        choose(&of, column);
        buf_printf(&as_good, "%sq.", at == list ? "" : " AND ");
        condition_name(column, &as_good);
        buf_puts(&as_good, most ? " >= p." : " <= p.");
        condition_name(column, &as_good);
        buf_printf(&better, "%sq.", at == list ? "" : " OR ");
        condition_name(column, &better);
        buf_puts(&better, most ? " > p." : " < p.");
        condition_name(column, &better);
        buf_puts(&there, " AND p.");
        condition_name(column, &there);
        buf_puts(&there, " IS NOT NULL");
        if (!at[strcspn(at, ",")])
            break;
    }
    ok = ok && choose_columns(k);
    if (ok && !k->q->columns)
        for (size_t i = 0; i < of.len / sizeof(char *); i++)
            choose(&k->chosen, ((const char *const *)(const void *)of.data)[i]);
    sql->failed |= as_good.failed || better.failed || there.failed;
    if (ok && !sql->failed) {
        buf_printf(sql, "WITH q AS (%s AND state = 'done') SELECT ", k->points.data);
        put_list(sql, &k->chosen, ", ");
        buf_printf(sql, " FROM q AS p WHERE NOT EXISTS (SELECT 1 FROM q WHERE %s AND (%s))%s", as_good.data,
                   better.data, there.data);
        put_order(k, sql);
    }
    buf_free(&as_good);
    buf_free(&better);
    buf_free(&there);
    buf_free(&of);
    return ok;
}

/* The curves by their own names: "sms=40 arg.n=1024". */
static void put_curve_name(const struct buf *curves, struct buf *sql) {
    const char *const *name = (const char *const *)(const void *)curves->data;
    buf_puts(sql, "''");
    for (size_t i = 0; i < curves->len / sizeof *name; i++) {
        struct buf label = {0};
        buf_printf(&label, "%s%s=", i ? " " : "", strncmp(name[i], "board.", 6) == 0 ? name[i] + 6 : name[i]);
        buf_puts(sql, " || ");
        condition_value(label.failed ? "" : label.data, sql);
        buf_puts(sql, " || coalesce(");
        condition_name(name[i], sql);
        buf_puts(sql, ", '-')");
        buf_free(&label);
    }
}

static bool ask_plot(struct query *k, struct buf *sql) {
    const char *column[3] = {NULL}, *list = k->q->plot;
    struct buf curves = {0};
    u32 n = 0;
    for (const char *at = list;; at++) {
        char word[100];
        size_t len = next_word(at, word, sizeof word);
        column[n] = resolve(k->all, word);
        if (!column[n]) {
            unknown(k, "--plot", list, (size_t)(at - list), word);
            return false;
        }
        at += len;
        if (!*at || ++n == COUNT_OF(column))
            break;
    }
    if (n == 0 || n == COUNT_OF(column)) {
        ui_option_error("--plot", list, 0, strlen(list), "expected X,Y or X,Y,SERIES");
        return false;
    }
    bool ok = column[2] || find_curves(k, column[0], &curves);
    buf_puts(sql, "SELECT ");
    condition_name(column[0], sql);
    buf_puts(sql, " AS x, ");
    condition_name(column[1], sql);
    buf_puts(sql, " AS y, ");
    if (column[2])
        condition_name(column[2], sql);
    else
        put_curve_name(&curves, sql);
    buf_printf(sql, " AS series FROM (%s) WHERE state = 'done' AND x IS NOT NULL AND y IS NOT NULL", k->points.data);
    put_order(k, sql);
    buf_free(&curves);
    return ok;
}

bool results_query(struct results *r, const struct results_question *q, struct buf *sql) {
    struct results asked = {.store = r->store};
    struct query k = {.all = r, .asked = &asked, .q = q};
    bool ok = results_rows(r, "SELECT * FROM point LIMIT 0", false) && list_points(&k) && find_varied(&k) &&
              find_failures(&k);
    if (ok)
        ok = q->plot     ? ask_plot(&k, sql)
             : q->knee   ? ask_knee(&k, sql)
             : q->pareto ? ask_pareto(&k, sql)
                         : ask_points(&k, sql);
    if (ok && (sql->failed || k.varied.failed || k.chosen.failed))
        ok = no_memory();
    buf_free(&k.points);
    buf_free(&k.varied);
    buf_free(&k.chosen);
    results_free(&asked);
    return ok;
}
