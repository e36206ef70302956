/* Instructions of several programs as a table. */
#include <stdio.h>
#include <stdlib.h>

#include "sim/cli/diff/diff.h"

static json_int_t cell(const json_t *line, const char *name, size_t side) {
    return json_integer_value(json_array_get(json_object_get(line, name), side));
}

/* Finds the largest difference of cycles between two runs, or of instructions issued if none waited. */
static json_int_t change_of(const json_t *line, size_t n) {
    static const char *const names[] = {"cycles", "warp_instructions"};
    json_int_t change = 0;
    for (size_t i = 0; i < COUNT_OF(names) && !change; i++) {
        json_int_t least = INT64_MAX, most = INT64_MIN;
        for (size_t k = 0; k < n; k++) {
            least = cell(line, names[i], k) < least ? cell(line, names[i], k) : least;
            most = cell(line, names[i], k) > most ? cell(line, names[i], k) : most;
        }
        change = (json_int_t)((u64)most - (u64)least);
    }
    return change;
}

struct weighed {
    const json_t *line;
    json_int_t change;
    size_t at;
};

static int larger(const void *one, const void *other) {
    const struct weighed *a = one, *b = other;
    if (a->change != b->change)
        return a->change > b->change ? -1 : 1;
    return a->at < b->at ? -1 : 1;
}

static bool same_in_all(const json_t *line, const char *name, u32 n) {
    const json_t *values = json_object_get(line, name);
    bool same = true;
    for (u32 k = 1; k < n; k++)
        same &= json_equal(json_array_get(values, 0), json_array_get(values, k)) == 1;
    return same;
}

/* Prints a line number, "38" if all are the same, else "9, -"; "38 x5" for five rounds. */
static void put_place(struct table *t, const json_t *line, u32 n) {
    struct buf text = {0};
    bool same = same_in_all(line, "line", n) && same_in_all(line, "rounds", n);
    for (u32 k = 0; k < (same ? 1 : n); k++) {
        buf_puts(&text, k ? ", " : "");
        if (json_is_integer(json_array_get(json_object_get(line, "line"), k)))
            buf_printf(&text, "%lld", (long long)cell(line, "line", k));
        else
            buf_putc(&text, '-');
        if (cell(line, "rounds", k) > 1)
            buf_printf(&text, " x%lld", (long long)cell(line, "rounds", k));
    }
    table_word(t, text.failed ? "" : text.data);
    t->cells.failed |= text.failed;
    buf_free(&text);
}

static void put_counts(struct table *t, const json_t *line, const char *name, u32 n) {
    for (u32 k = 0; k < n; k++)
        if (json_is_integer(json_array_get(json_object_get(line, name), k)))
            table_number(t, (double)cell(line, name, k), grouped((u64)cell(line, name, k)));
        else
            table_none(t);
}

static void put_columns(const struct compare *c, struct table_column *column, struct short_text *title) {
    static const char *const names[] = {"issued", "cycles"};
    u32 at = 0;
    column[at++] = (struct table_column){"line", "line", TABLE_NUMBER};
    for (size_t i = 0; i < COUNT_OF(names); i++)
        for (u32 k = 0; k < c->n; k++, at++) {
            snprintf(title[at].text, sizeof title[at].text, "%s %s", names[i], c->title[k]);
            column[at] = (struct table_column){names[i], title[at].text, TABLE_NUMBER};
        }
    column[at] = (struct table_column){"instruction", "instruction", TABLE_SOURCE};
}

static void put_table(struct compare *c, const struct weighed *all, size_t shown) {
    struct table_column column[COMPARE_COLUMNS];
    struct short_text title[COMPARE_COLUMNS];
    struct table t = {.name = "lines", .column = column, .columns = 2 * c->n + 2};
    put_columns(c, column, title);
    for (size_t i = 0; i < shown; i++) {
        put_place(&t, all[i].line, c->n);
        put_counts(&t, all[i].line, "warp_instructions", c->n);
        put_counts(&t, all[i].line, "cycles", c->n);
        table_word(&t, json_string_value(json_object_get(all[i].line, "text")));
    }
    compare_table(c, &t);
}

/* Writes CSV, a row of the section "cycles of lines" for each instruction. */
static void put_csv(struct compare *c, const struct weighed *all, size_t n) {
    struct compare_section s = {.name = "cycles of lines", .most = COMPARE_ALL};
    for (size_t i = 0; i < n; i++)
        compare_row(&s, &(struct compare_row){json_string_value(json_object_get(all[i].line, "text")), "cycles",
                                              json_object_get(all[i].line, "cycles"), 0});
    compare_write(c, &s);
}

void diff_write_lines(struct compare *c, const json_t *lines, int most) {
    size_t n = json_array_size(lines), shown = most >= 0 && n > (size_t)most ? (size_t)most : n;
    struct buf order = {0};
    bool differ = false;
    for (size_t i = 0; i < n; i++) {
        const json_t *line = json_array_get(lines, i);
        struct weighed one = {line, change_of(line, c->n), i};
        buf_append(&order, &one, sizeof one);
        for (u32 k = 0; k < c->n; k++)
            differ |= json_is_null(json_array_get(json_object_get(line, "line"), k));
    }
    c->out->failed |= order.failed;
    if (n && !c->out->failed) {
        struct weighed *all = (struct weighed *)(void *)order.data;
        qsort(all, n, sizeof *all, larger);
        if (differ)
            buf_putc(c->out, '\n');
        if (differ)
            compare_line(c, "The programs differ: instructions are compared where their text is the same.");
        if (c->form == COMPARE_CSV)
            put_csv(c, all, n);
        else
            put_table(c, all, shown);
        if (shown < n)
            compare_rest(c, n - shown, 0, NULL);
    }
    buf_free(&order);
}
