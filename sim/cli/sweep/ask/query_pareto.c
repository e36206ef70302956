/* --pareto: points that no other point dominates. */
#include <string.h>

#include "sim/cli/sweep/ask/results.h"
#include "sim/sweep/condition.h"

/* Conditions that a point q is as good as p in all objectives, and better in one. */
struct dominance {
    struct buf as_good, better, there; /* there: p has all of them */
    struct buf columns;                /* of the objectives: list of const char * */
};

static void add_objective(struct dominance *d, const char *column, bool most) {
    bool first = !d->columns.len;
    query_choose(&d->columns, column);
    buf_printf(&d->as_good, "%sq.", first ? "" : " AND ");
    condition_name(column, &d->as_good);
    buf_puts(&d->as_good, most ? " >= p." : " <= p.");
    condition_name(column, &d->as_good);
    buf_printf(&d->better, "%sq.", first ? "" : " OR ");
    condition_name(column, &d->better);
    buf_puts(&d->better, most ? " > p." : " < p.");
    condition_name(column, &d->better);
    buf_puts(&d->there, " AND p.");
    condition_name(column, &d->there);
    buf_puts(&d->there, " IS NOT NULL");
}

static bool add_objectives(struct query *k, struct dominance *d) {
    const char *list = k->q->pareto;
    for (const char *at = list;; at += strcspn(at, ",") + 1) {
        bool most;
        const char *column = query_objective(k, "--pareto", list, at, &most);
        if (!column)
            return false;
        add_objective(d, column, most);
        if (!at[strcspn(at, ",")])
            return true;
    }
}

/* Selects the points that no other equals in all objectives and betters in one. */
bool query_pareto(struct query *k, struct buf *sql) {
    struct dominance d = {0};
    bool ok = add_objectives(k, &d) && query_columns(k);
    if (ok && !k->q->columns)
        for (size_t i = 0; i < d.columns.len / sizeof(char *); i++)
            query_choose(&k->chosen, ((const char *const *)(const void *)d.columns.data)[i]);
    sql->failed |= d.as_good.failed || d.better.failed || d.there.failed;
    if (ok && !sql->failed) {
        buf_printf(sql, "WITH q AS (%s AND state = 'done') SELECT ", k->points.data);
        query_list(sql, &k->chosen, ", ");
        buf_printf(sql, " FROM q AS p WHERE NOT EXISTS (SELECT 1 FROM q WHERE %s AND (%s))%s", d.as_good.data,
                   d.better.data, d.there.data);
        query_order(k, sql);
    }
    buf_free(&d.as_good);
    buf_free(&d.better);
    buf_free(&d.there);
    buf_free(&d.columns);
    return ok;
}
