
#include <stdio.h>
#include <string.h>

#include "sim/base/decimal.h"
#include "sim/cli/sweep/ask/results.h"
#include "sim/cli/ui.h"
#include "sim/file/computer.h"

/* Finds an axis by any of its names. */
static const struct sweep_axis *find(const struct sweep *s, const char *name) {
    for (u32 i = 0; i < s->naxes; i++)
        if (strcmp(s->axis[i].axis.name, name) == 0 || strcmp(s->axis[i].column, name) == 0)
            return &s->axis[i];
    return NULL;
}

/* True if the store has the value as a number, including a board's value with its unit. */
static bool is_number(const struct sweep_axis *a, const char *value) {
    double number;
    return a->form == SWEEP_SET ? axis_number(value, &number) || axis_is_multiple(value)
                                : decimal_read(value + (*value == '-'), &number);
}

bool knee_check(const struct sweep *s, const char *name) {
    const struct sweep_axis *a = find(s, name);
    if (!a)
        return ui_option_error("--knee", name, 0, strlen(name), "there is no axis '%s': --over %s=VALUES", name, name);
    for (u32 i = 0; i < a->axis.n; i++)
        if (!is_number(a, a->axis.value[i]))
            return ui_option_error("--knee", name, 0, strlen(name),
                                   "'%s' is no number, so that none of its values is the smallest", a->axis.value[i]);
    return true;
}

bool knee_show(const struct sweep *s, struct store *store, const char *name, const char *objective) {
    struct results r = {.store = store};
    struct buf where = {0}, text = {0};
    sweep_put_keys(s, &where);
    const struct results_question q = {.where = where.data,
                                       .knee = find(s, name)->column,
                                       .objective = objective,
                                       .within = RESULTS_WITHIN};
    bool ok = !where.failed || ui_no_memory();
    ok = ok && results_question(&r, &q);
    if (ok)
        table_text(&r.table, terminal_width(), &text);
    ok = ok && (!text.failed || ui_no_memory());
    printf("%s", ok && text.data ? text.data : "");
    buf_free(&where);
    buf_free(&text);
    results_free(&r);
    return ok;
}
