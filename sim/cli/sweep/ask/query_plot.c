/* --plot: columns over another. */
#include <string.h>

#include "sim/cli/sweep/ask/results.h"
#include "sim/cli/ui.h"
#include "sim/sweep/condition.h"

/* Names curves: "sms=40 arg.n=1024". */
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

bool query_plot(struct query *k, struct buf *sql) {
    const char *column[3] = {NULL}, *list = k->q->plot;
    struct buf curves = {0};
    u32 n = 0;
    for (const char *at = list;; at++) {
        char word[100];
        size_t len = query_word(at, word, sizeof word);
        column[n] = query_resolve(k->all, word);
        if (!column[n]) {
            query_unknown(k, "--plot", list, (size_t)(at - list), word);
            return false;
        }
        at += len;
        if (!*at || ++n == COUNT_OF(column))
            break;
    }
    if (n == 0 || n == COUNT_OF(column))
        return ui_option_error("--plot", list, 0, strlen(list), "expected X,Y or X,Y,SERIES");
    bool ok = column[2] || query_curves(k, column[0], &curves);
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
    query_order(k, sql);
    buf_free(&curves);
    return ok;
}
