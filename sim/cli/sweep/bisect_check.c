/* Checks that the options of a bisection, or of a knee, agree and are valid. */
#include <string.h>

#include "sim/cli/sweep/sweep.h"
#include "sim/cli/sweep/plan/plan.h"
#include "sim/cli/ui.h"
#include "sim/sweep/condition.h"

bool bisect_most(const struct bisect *b) {
    return b->objective && strncmp(b->objective, "max:", 4) == 0;
}

const char *bisect_objective(const struct bisect *b) {
    return !b->objective ? "seconds" : b->objective + (bisect_most(b) ? 4 : 0);
}

u32 bisect_other(const struct bisect *b, const struct sweep *s) {
    for (u32 i = 0; b->crossover && i < s->naxes; i++)
        if (strcmp(s->axis[i].axis.name, b->crossover) == 0)
            return s->axis[i].leader;
    return s->naxes;
}

/* Lists the columns that points of `heddle run` have, before the first point. */
static void put_known(const struct sweep *s, const struct buf *columns, struct buf *sql) {
    const char *const *name = (const char *const *)(const void *)columns->data;
    for (size_t i = 0; i < columns->len / sizeof *name; i++) {
        buf_puts(sql, i ? ", 0 AS " : "0 AS ");
        condition_name(name[i], sql);
    }
    for (u32 i = 0; i < s->naxes; i++) {
        buf_puts(sql, ", 0 AS ");
        condition_name(s->axis[i].column, sql);
    }
}

/* Resolves names of a condition with all columns of boards present, as query_resolve. */
struct known {
    const struct buf *columns;
    const struct sweep *s;
};

static const char *resolve(const void *ctx, const char *name) {
    const struct known *k = ctx;
    const char *const *column = (const char *const *)(const void *)k->columns->data;
    for (u32 i = 0; i < k->s->naxes; i++)
        if (strcmp(k->s->axis[i].column, name) == 0)
            return k->s->axis[i].column;
    for (u32 board = 0; board < 2; board++)
        for (size_t i = 0; i < k->columns->len / sizeof *column; i++) {
            size_t before = board && strncmp(column[i], "board.", 6) == 0 ? 6 : 0;
            if (strcmp(column[i] + before, name) == 0)
                return column[i];
        }
    return NULL;
}

/* Checks that SQL accepts the condition, or the name of a column, before anything runs. */
static bool check_sql(const struct sweep *s, const char *option, const char *text) {
    const struct store_reader reader = {NULL, NULL, NULL};
    static const char head[] = "SELECT (";
    struct buf columns = {0}, sql = {0}, why = {0};
    struct arena arena = {0};
    int at = -1;
    size_t wrong;
    if (!condition_is_one(text, &wrong))
        return ui_option_error(option, text, wrong, 1, "%s", CONDITION_CLOSES);
    bool ok = columns_list(&arena, true, &columns);
    const struct known known = {&columns, s};
    struct store *scratch = ok ? store_scratch(&why) : NULL;
    buf_puts(&sql, head);
    condition_sql(text, resolve, &known, &sql);
    buf_puts(&sql, "\n) FROM (SELECT ");
    put_known(s, &columns, &sql);
    buf_puts(&sql, ")");
    if (scratch && !sql.failed && !store_ask(scratch, sql.data, &reader, &at, &why)) {
        size_t first = sizeof head - 1;
        size_t place = at > (int)first ? condition_place(text, resolve, &known, (size_t)at - first) : 0;
        ui_option_error(option, text, place, strcspn(text + place, " ,()\n"), "%s", why.data ? why.data : "");
        ok = false;
    }
    ok = ok && ((scratch && !sql.failed) || ui_no_memory());
    store_close(scratch);
    buf_free(&columns);
    buf_free(&sql);
    buf_free(&why);
    arena_free(&arena);
    return ok;
}

static bool refuse(const char *text) {
    return ui_error("%s", text);
}

bool bisect_check(const struct bisect *b, const struct sweep *s) {
    u32 other = bisect_other(b, s);
    if (b->given && b->knee)
        return refuse("--knee and --bisect do not go together");
    if (!b->given && (b->until || b->crossover))
        return refuse("--until and --crossover are for --bisect NAME=VALUES");
    if (b->objective && !b->crossover && !b->knee)
        return refuse("--objective is for --crossover and --knee");
    if (!b->given)
        return !b->objective || !sweep_is_run(s) || check_sql(s, "--objective", bisect_objective(b));
    if (!b->until == !b->crossover)
        return refuse("--bisect needs --until CONDITION or --crossover NAME, one of them");
    if (s->axis[b->axis].axis.n < 2)
        return refuse("--bisect needs an axis of several values: --bisect arg.n=1024..65536/x2");
    if (s->where)
        return refuse("--where and --bisect do not go together");
    if (b->crossover && other == s->naxes)
        return ui_option_error("--crossover", b->crossover, 0, strlen(b->crossover),
                               "there is no axis '%s'; expected one of two values: --over %s=A,B", b->crossover,
                               b->crossover);
    if (b->crossover && (s->axis[other].axis.n != 2 || other == b->axis)) {
        return ui_option_error(s->axis[other].given_by, s->axis[other].axis.given, 0, strlen(s->axis[other].axis.given),
                               "--crossover compares two values of an axis, and this one has %u",
                               s->axis[other].axis.n);
    }
    return !sweep_is_run(s) ||
           check_sql(s, b->until ? "--until" : "--objective", b->until ? b->until : bisect_objective(b));
}
