#include "sim/cli/sweep/sweep.h"

#include <stdio.h>

#include "sim/base/diag.h"
#include "sim/cli/command.h"
#include "sim/cli/sweep/ask/results.h"
#include "sim/cli/ui.h"
#include "sim/file/computer.h"
#include "sim/sweep/condition.h"

enum answer { NO, YES, UNKNOWN };

/* One combination of the other axes' values: the change is between two values of the axis. */
struct group {
    u64 base;      /* the point with the first value of the axis, and of the two compared */
    u32 low, high; /* known values, by number */
    enum answer at_low, at_high;
};

struct work {
    const struct bisect *b;
    const struct sweep *s;
    const struct sweep_work *w;
    u32 other;         /* the axis of two values; s->naxes = none */
    struct buf groups; /* list of struct group */
    struct buf points; /* list of struct sweep_point of this round */
    u32 run;           /* points of all rounds */
    struct results columns;
};

/* ---- points ---- */

static const struct axis *axis_of(const struct work *k) {
    return &k->s->axis[k->b->axis].axis;
}

/* Returns how much the number of a point grows with the index of an axis's value. */
static u64 stride(const struct sweep *s, u32 axis) {
    u64 n = 1;
    for (u32 i = axis + 1; i < s->naxes; i++)
        n *= s->axis[i].leader == i ? s->axis[i].axis.n : 1;
    return n;
}

static const struct sweep_point *point_of(const struct work *k, const struct group *g, u32 value, u32 other) {
    u64 number = g->base + value * stride(k->s, k->b->axis);
    return sweep_point_at(k->s, (u32)(number + (other ? other * stride(k->s, k->other) : 0)));
}

static bool is_first(const struct sweep *s, u64 number, u32 axis) {
    return axis == s->naxes || number / stride(s, axis) % s->axis[axis].axis.n == 0;
}

static void list_groups(struct work *k) {
    for (u32 i = 0; i < sweep_point_count(k->s); i++)
        if (is_first(k->s, i, k->b->axis) && is_first(k->s, i, k->other)) {
            const struct group g = {i, 0, axis_of(k)->n - 1, UNKNOWN, UNKNOWN};
            buf_append(&k->groups, &g, sizeof g);
        }
}

BUF_LIST(group, struct work, groups, struct group)

/* ---- answers ---- */

static bool take_number(void *ctx, u32 n, const struct store_value *v) {
    struct store_value *to = ctx;
    if (n)
        *to = (struct store_value){.kind = v->kind, .number = v->number};
    return true;
}

/* An expression over columns, and the option that gives it. */
struct expression {
    struct buf sql;
    const char *option, *given;
};

/* Evaluates an SQL expression at a point; STORE_NULL if it has no result. False after a message. */
static bool ask(const struct work *k, const struct expression *e, const struct sweep_point *p,
                struct store_value *value) {
    const struct store_reader reader = {NULL, take_number, value};
    struct buf question = {0}, why = {0};
    int at;
    buf_printf(&question, "SELECT (%s\n) FROM point WHERE key = '%s' AND state IN ('done', 'fault')", e->sql.data,
               p->is.key.text);
    bool ok = !question.failed && store_ask(k->w->store, question.data, &reader, &at, &why);
    if (!ok && (question.failed || why.failed || !why.len))
        ui_no_memory();
    else if (!ok)
        ui_option_error(e->option, e->given, 0, strlen(e->given), "%s", why.data);
    buf_free(&question);
    buf_free(&why);
    return ok;
}

/* Reads the columns of the store, which grow with the points. */
static bool read_columns(struct work *k) {
    results_free(&k->columns);
    k->columns = (struct results){.store = k->w->store};
    return results_rows(&k->columns, "SELECT * FROM point LIMIT 0", false);
}

static bool answer_until(const struct work *k, const struct group *g, u32 value, enum answer *answer) {
    struct store_value v = {.kind = STORE_NULL};
    struct expression until = {.option = "--until", .given = k->b->until};
    condition_sql(until.given, query_resolve, &k->columns, &until.sql);
    bool ok = !until.sql.failed ? ask(k, &until, point_of(k, g, value, 0), &v) : ui_no_memory();
    if (ok)
        *answer = v.kind == STORE_NULL ? UNKNOWN : v.number != 0 ? YES : NO;
    buf_free(&until.sql);
    return ok;
}

/* Finds whether the second of the two values is better. */
static bool answer_crossover(const struct work *k, const struct group *g, u32 value, enum answer *answer) {
    struct store_value v[2] = {{.kind = STORE_NULL}, {.kind = STORE_NULL}};
    struct expression of = {.option = "--objective", .given = bisect_objective(k->b)};
    condition_sql(of.given, query_resolve, &k->columns, &of.sql);
    bool ok = !of.sql.failed || ui_no_memory();
    for (u32 i = 0; i < 2 && ok; i++)
        ok = ask(k, &of, point_of(k, g, value, i), &v[i]);
    if (ok)
        *answer = v[0].kind == STORE_NULL || v[1].kind == STORE_NULL ? UNKNOWN
                  : bisect_most(k->b)                                ? v[1].number > v[0].number
                  : v[1].number < v[0].number                        ? YES
                                                                     : NO;
    buf_free(&of.sql);
    return ok;
}

static bool answer_at(const struct work *k, const struct group *g, u32 value, enum answer *answer) {
    return k->b->until ? answer_until(k, g, value, answer) : answer_crossover(k, g, value, answer);
}

/* ---- rounds ---- */

static bool is_open(const struct group *g) {
    return g->at_low != UNKNOWN && g->at_high != UNKNOWN && g->at_low != g->at_high && g->high - g->low > 1;
}

static void want(struct work *k, const struct group *g, u32 value) {
    for (u32 i = 0; i < (k->other < k->s->naxes ? 2 : 1); i++)
        buf_append(&k->points, point_of(k, g, value, i), sizeof(struct sweep_point));
}

/* Runs the points of the round. */
static int run_round(struct work *k) {
    struct sweep part = *k->s;
    struct sweep_work w = *k->w;
    if (k->points.failed || k->groups.failed) {
        ui_no_memory();
        return EXIT_INPUT;
    }
    part.points = k->points;
    w.part = true;
    k->run += sweep_point_count(&part);
    int status = sweep_work(&part, &w);
    k->points.len = 0;
    return status == EXIT_OK || status == EXIT_FAULT ? (read_columns(k) ? status : EXIT_INPUT) : status;
}

static int run_ends(struct work *k) {
    for (u32 i = 0; i < group_count(k); i++) {
        want(k, group_at(k, i), 0);
        want(k, group_at(k, i), group_at(k, i)->high);
    }
    int status = run_round(k);
    bool ok = status == EXIT_OK || status == EXIT_FAULT;
    for (u32 i = 0; i < group_count(k) && ok; i++) {
        struct group *g = group_at(k, i);
        ok = answer_at(k, g, g->low, &g->at_low) && answer_at(k, g, g->high, &g->at_high);
        status = ok ? status : EXIT_INPUT;
    }
    return status;
}

static u32 middle(const struct group *g) {
    return g->low + (g->high - g->low) / 2;
}

/* Runs one more value of each open group. *more: there was one. */
static int run_middles(struct work *k, bool *more) {
    *more = false;
    for (u32 i = 0; i < group_count(k); i++)
        if (is_open(group_at(k, i))) {
            want(k, group_at(k, i), middle(group_at(k, i)));
            *more = true;
        }
    if (!*more)
        return EXIT_OK;
    int status = run_round(k);
    bool ok = status == EXIT_OK || status == EXIT_FAULT;
    for (u32 i = 0; i < group_count(k) && ok; i++) {
        struct group *g = group_at(k, i);
        enum answer answer = UNKNOWN;
        if (!is_open(g))
            continue;
        ok = answer_at(k, g, middle(g), &answer);
        status = ok ? status : EXIT_INPUT;
        if (answer == g->at_low)
            g->low = middle(g);
        else if (answer == g->at_high)
            g->high = middle(g);
        else
            g->at_high = UNKNOWN;
    }
    return status;
}

/* ---- the findings ---- */

/* Appends "board=v100 sms=40: ". */
static void put_group(const struct work *k, const struct group *g, struct buf *out) {
    const struct sweep_point *p = point_of(k, g, 0, 0);
    size_t before = out->len;
    for (u32 i = 0; i < k->s->naxes; i++)
        if (k->s->axis[i].leader != k->b->axis && k->s->axis[i].leader != k->other)
            buf_printf(out, "%s%s=%s", out->len > before ? " " : "", k->s->axis[i].axis.name, sweep_value(k->s, p, i));
    buf_puts(out, out->len > before ? ": " : "");
}

/* Appends "kernel=b.hd has less seconds than kernel=a.hd". */
static void put_question(const struct work *k, struct buf *out) {
    enum { SHOWN = 80 }; /* bytes of a condition shown */
    if (k->b->until) {
        bool whole = strlen(k->b->until) <= SHOWN;
        diag_put_text(out, k->b->until, whole ? strlen(k->b->until) : SHOWN);
        buf_puts(out, whole ? "" : "...");
        return;
    }
    const struct axis *a = &k->s->axis[k->other].axis;
    buf_printf(out, "%s of %s=%s is %s than that of %s", bisect_objective(k->b), a->name, a->value[1],
               bisect_most(k->b) ? "more" : "less", a->value[0]);
}

static void put_answer(const struct work *k, const struct group *g, struct buf *out) {
    const struct axis *a = axis_of(k);
    const char *low = a->value[g->low], *high = a->value[g->high];
    put_group(k, g, out);
    if (g->at_low == UNKNOWN || g->at_high == UNKNOWN)
        buf_printf(out, "not known, because a point between %s=%s and %s has no such result", a->name, low, high);
    else if (g->at_low == g->at_high)
        buf_printf(out, "no change from %s=%s to %s: it is %s that ", a->name, low, high,
                   g->at_low ? "true" : "not true");
    else if (g->at_high)
        buf_printf(out, "from %s=%s on, and not yet at %s, ", a->name, high, low);
    else
        buf_printf(out, "up to %s=%s, and no longer at %s, ", a->name, low, high);
    if (g->at_low != UNKNOWN && g->at_high != UNKNOWN)
        put_question(k, out);
    buf_puts(out, "\n");
}

static int show(const struct work *k, double seconds) {
    struct buf out = {0};
    bool known = true;
    for (u32 i = 0; i < group_count(k); i++) {
        const struct group *g = group_at(k, i);
        known &= g->at_low != UNKNOWN && g->at_high != UNKNOWN;
        put_answer(k, g, &out);
    }
    if (out.failed)
        ui_no_memory();
    else
        printf("%s", out.data ? out.data : "");
    printf("%s of %s points in %s; %.1f s\n", grouped(k->run).text, grouped(sweep_point_count(k->s)).text, k->w->path,
           seconds);
    buf_free(&out);
    return known ? EXIT_OK : EXIT_FAULT;
}

int bisect_work(const struct bisect *b, const struct sweep *s, const struct sweep_work *w) {
    struct work k = {.b = b, .s = s, .w = w, .other = bisect_other(b, s)};
    double start = stopwatch_now();
    bool more = true, failed;
    list_groups(&k);
    int status = run_ends(&k);
    failed = status == EXIT_FAULT;
    while (more && (status == EXIT_OK || status == EXIT_FAULT)) {
        status = run_middles(&k, &more);
        failed |= status == EXIT_FAULT;
    }
    if (status == EXIT_OK || status == EXIT_FAULT) {
        status = show(&k, stopwatch_now() - start);
        status = failed ? EXIT_FAULT : status;
    }
    results_free(&k.columns);
    buf_free(&k.groups);
    buf_free(&k.points);
    return status;
}
