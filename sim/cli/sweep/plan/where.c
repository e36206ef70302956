/* The condition that the points of a sweep meet. */
#include <string.h>

#include "sim/cli/sweep/sweep.h"
#include "sim/cli/ui.h"
#include "sim/sweep/condition.h"

static const char *resolve(const void *ctx, const char *name) {
    const struct sweep *s = ctx;
    for (u32 i = 0; i < s->naxes; i++)
        if (strcmp(s->axis[i].axis.name, name) == 0)
            return s->axis[i].axis.name;
    return NULL;
}

static bool take_answer(void *ctx, u32 n, const struct store_value *values) {
    bool *meets = ctx;
    *meets = n && values[0].number != 0;
    return true;
}

static const char head[] = "SELECT (";

/* Appends "SELECT (condition) FROM (SELECT 8 AS "dram.channels", ...)". */
static void put_question(const struct sweep *s, const struct sweep_point *p, struct buf *sql) {
    buf_puts(sql, head);
    condition_sql(s->where, resolve, s, sql);
    buf_puts(sql, "\n) FROM (SELECT "); /* ends a comment, too */
    for (u32 i = 0; i < s->naxes; i++) {
        buf_puts(sql, i ? ", " : "");
        condition_value(sweep_value(s, p, i), sql);
        buf_puts(sql, " AS ");
        condition_name(s->axis[i].axis.name, sql);
    }
    buf_puts(sql, s->naxes ? ")" : "0)");
}

static void complain(const struct sweep *s, int at, const char *why) {
    size_t place =
               at < (int)sizeof head - 1 ? 0 : condition_place(s->where, resolve, s, (size_t)at - (sizeof head - 1)),
           len = at < 0 ? strlen(s->where) : strcspn(s->where + place, " ,()\n");
    ui_option_error("--where", s->where, place, len, "%s", why);
}

static bool meets(const struct sweep *s, const struct sweep_point *p, struct store *scratch, bool *answer) {
    const struct store_reader reader = {NULL, take_answer, answer};
    struct buf sql = {0}, why = {0};
    int at;
    put_question(s, p, &sql);
    bool ok = !sql.failed && store_ask(scratch, sql.data, &reader, &at, &why);
    if (sql.failed || why.failed)
        ui_error("out of memory");
    else if (!ok)
        complain(s, at, why.data ? why.data : "");
    buf_free(&sql);
    buf_free(&why);
    return ok;
}

bool sweep_filter(struct sweep *s) {
    struct buf why = {0};
    struct store *scratch = store_scratch(&why);
    u32 kept = 0, n = sweep_point_count(s);
    size_t wrong;
    bool ok = scratch != NULL, answer;
    if (ok && !condition_is_one(s->where, &wrong)) {
        ui_option_error("--where", s->where, wrong, 1, "%s", CONDITION_CLOSES);
        ok = false;
    }
    ui_show(stderr, scratch || !why.data ? "" : why.data);
    for (u32 i = 0; i < n && ok; i++) {
        answer = false;
        ok = meets(s, sweep_point_at(s, i), scratch, &answer);
        if (ok && answer)
            *sweep_point_at(s, kept++) = *sweep_point_at(s, i);
    }
    s->points.len = kept * sizeof(struct sweep_point);
    if (ok && !kept)
        ui_option_error("--where", s->where, 0, strlen(s->where), "no point meets this condition");
    store_close(scratch);
    buf_free(&why);
    return ok && kept;
}
