/* Columns that vary over the points of a question, and the curves that they form. */
#include <string.h>

#include "sim/cli/sweep/plan/plan.h"
#include "sim/cli/sweep/ask/results.h"
#include "sim/cli/ui.h"
#include "sim/sweep/condition.h"

#define BOARD "board."

/* True if points that agree in `names` also agree in `column`: it varies with them. */
static bool follows_all(struct query *k, const char *column, const struct buf *names, bool *answer) {
    struct buf sql = {0};
    buf_puts(&sql, "SELECT count(*) FROM (SELECT 1 FROM (");
    buf_printf(&sql, "%s) GROUP BY ", k->points.data);
    query_list(&sql, names, ", ");
    buf_puts(&sql, " HAVING count(DISTINCT ");
    condition_name(column, &sql);
    buf_puts(&sql, ") > 1)");
    bool ok = sql.failed ? ui_no_memory() : results_rows(k->asked, sql.data, false);
    *answer = ok && results_value(k->asked, 0)->number < 1;
    buf_free(&sql);
    return ok;
}

static bool follows(struct query *k, const char *column, const char *axis, bool *answer) {
    struct buf names = {0};
    query_choose(&names, axis);
    bool ok = names.failed ? ui_no_memory() : follows_all(k, column, &names, answer);
    buf_free(&names);
    return ok;
}

/* True if the command of a point sets the key of the board: "--set dram.gbs=500". */
static bool is_given(struct query *k, const char *key, bool *answer) {
    struct buf sql = {0}, word = {0};
    buf_printf(&word, "%s=", key);
    buf_printf(&sql, "SELECT count(*) FROM (%s) WHERE instr(command, ", k->points.data);
    condition_value(word.failed ? "" : word.data, &sql);
    buf_puts(&sql, ")");
    bool ok = sql.failed || word.failed ? ui_no_memory() : results_rows(k->asked, sql.data, false);
    *answer = ok && results_value(k->asked, 0)->number > 0;
    buf_free(&sql);
    buf_free(&word);
    return ok;
}

/* Lists the columns that commands set: no hashes, of the board only keys in commands; `peak`: one of them is a peak. */
static bool given_columns(struct query *k, struct buf *given, bool *peak) {
    const char *const *name = (const char *const *)(const void *)k->varied.data;
    bool ok = true, is = true;
    *peak = false;
    for (size_t i = 0; i < k->varied.len / sizeof *name && ok; i++) {
        bool key = strncmp(name[i], BOARD, sizeof BOARD - 1) == 0;
        is = !key && !column_is_hash(name[i]);
        ok = !key || is_given(k, name[i] + sizeof BOARD - 1, &is);
        if (is)
            query_choose(given, name[i]);
        *peak |= is && column_is_peak(name[i]);
    }
    return ok;
}

static bool is_in(const struct buf *list, const char *word) {
    const char *const *name = (const char *const *)(const void *)list->data;
    for (size_t i = 0; i < list->len / sizeof *name; i++)
        if (strcmp(name[i], word) == 0)
            return true;
    return false;
}

/* Keeps a peak that a command sets, and drops the keys of the board that vary because of it. */
static bool without_scaled(struct query *k) {
    struct buf all = k->varied, given = {0};
    const char *const *name = (const char *const *)(const void *)all.data;
    bool peak = false, ok = given_columns(k, &given, &peak), together = false;
    k->varied = (struct buf){0};
    for (size_t i = 0; i < all.len / sizeof *name && ok; i++) {
        together = column_is_peak(name[i]);
        if (!is_in(&given, name[i]) && peak && !together && strncmp(name[i], BOARD, sizeof BOARD - 1) == 0)
            ok = follows_all(k, name[i], &given, &together);
        if (ok && (!together || is_in(&given, name[i])))
            query_choose(&k->varied, name[i]);
    }
    buf_free(&all);
    buf_free(&given);
    return ok;
}

/* Drops most keys of boards when boards differ: only those that vary on one board stay. */
static bool without_board_keys(struct query *k) {
    struct buf all = k->varied;
    const char *const *name = (const char *const *)(const void *)all.data;
    size_t n = all.len / sizeof *name;
    bool boards = false, together = false, ok = true;
    for (size_t i = 0; i < n; i++)
        boards |= strcmp(name[i], "board") == 0;
    if (!boards)
        return true;
    k->varied = (struct buf){0};
    for (size_t i = 0; i < n && ok; i++) {
        bool key = strncmp(name[i], BOARD, sizeof BOARD - 1) == 0 || strcmp(name[i], "board_hash") == 0;
        ok = !key || follows(k, name[i], "board", &together);
        if (ok && !(key && together))
            query_choose(&k->varied, name[i]);
    }
    buf_free(&all);
    return ok;
}

/* Finds the columns with several values, and those that some points lack. */
bool query_varied(struct query *k) {
    struct buf sql = {0};
    const char *separator = "SELECT ";
    for (u32 i = 0; i < results_columns(k->all); i++)
        if (column_is_configuration(results_column(k->all, i))) {
            buf_puts(&sql, separator);
            buf_puts(&sql, "count(DISTINCT ");
            condition_name(results_column(k->all, i), &sql);
            buf_puts(&sql, ") + (count(");
            condition_name(results_column(k->all, i), &sql);
            buf_puts(&sql, ") NOT IN (0, count(*)))");
            separator = ", ";
        }
    buf_printf(&sql, " FROM (%s) WHERE state IN ('done', 'fault')", k->points.data);
    bool ok = sql.failed ? ui_no_memory() : results_rows(k->asked, sql.data, false);
    for (u32 hashes = 0; hashes < 2 && ok; hashes++) /* hashes, which have no order, are last */
        for (u32 i = 0, n = 0; i < results_columns(k->all); i++)
            if (column_is_configuration(results_column(k->all, i)) && results_value(k->asked, n++)->number > 1 &&
                column_is_hash(results_column(k->all, i)) == hashes)
                query_choose(&k->varied, results_column(k->all, i));
    buf_free(&sql);
    return ok && without_board_keys(k) && without_scaled(k);
}

bool query_failures(struct query *k) {
    struct buf sql = {0};
    buf_printf(&sql, "SELECT count(*) FROM (%s) WHERE state <> 'done'", k->points.data);
    bool ok = sql.failed ? ui_no_memory() : results_rows(k->asked, sql.data, false);
    k->failures = ok && results_value(k->asked, 0)->number > 0;
    buf_free(&sql);
    return ok;
}

/* Finds the columns that distinguish curves over the axis. */
bool query_curves(struct query *k, const char *axis, struct buf *curves) {
    const char *const *name = (const char *const *)(const void *)k->varied.data;
    bool together = false, ok = true;
    for (size_t i = 0; i < k->varied.len / sizeof *name && ok; i++) {
        ok = follows(k, name[i], axis, &together);
        if (ok && together && strcmp(name[i], "board") == 0) /* boards may have no value of the axis in common */
            ok = follows(k, axis, name[i], &together);
        if (ok && !together)
            query_choose(curves, name[i]);
    }
    return ok;
}
