/* --pareto: points that no other is better than. */
#include <string.h>

#include "sim/cli/sweep/ask/query.h"
#include "sim/sweep/condition.h"

/* Points of which no other is at least as good in all objectives, and better in one. */
bool query_pareto(struct query *k, struct buf *sql) {
    const char *list = k->q->pareto;
    struct buf as_good = {0}, better = {0}, there = {0}, of = {0};
    bool ok = true;
    for (const char *at = list; ok; at += strcspn(at, ",") + 1) {
        bool most;
        const char *column = query_objective(k, "--pareto", list, at, &most);
        if (!column) {
            ok = false;
            break;
        }
        query_choose(&of, column);
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
    ok = ok && query_columns(k);
    if (ok && !k->q->columns)
        for (size_t i = 0; i < of.len / sizeof(char *); i++)
            query_choose(&k->chosen, ((const char *const *)(const void *)of.data)[i]);
    sql->failed |= as_good.failed || better.failed || there.failed;
    if (ok && !sql->failed) {
        buf_printf(sql, "WITH q AS (%s AND state = 'done') SELECT ", k->points.data);
        query_list(sql, &k->chosen, ", ");
        buf_printf(sql, " FROM q AS p WHERE NOT EXISTS (SELECT 1 FROM q WHERE %s AND (%s))%s", as_good.data,
                   better.data, there.data);
        query_order(k, sql);
    }
    buf_free(&as_good);
    buf_free(&better);
    buf_free(&there);
    buf_free(&of);
    return ok;
}
