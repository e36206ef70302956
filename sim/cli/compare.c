#include "sim/cli/compare.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/cli/format.h"
#include "sim/cli/ui.h"
#include "sim/file/computer.h"

struct short_text compare_stem(const char *file) {
    const char *slash = strrchr(file, '/'), *name = slash ? slash + 1 : file, *dot = strrchr(name, '.');
    size_t len = dot && dot > name ? (size_t)(dot - name) : strlen(name);
    struct short_text t;
    snprintf(t.text, sizeof t.text, "%.*s", (int)(len < sizeof t.text ? len : sizeof t.text - 1), name);
    return t;
}

/* ---- cells ---- */

bool compare_prefixed(const char *unit) {
    return strcmp(unit, "s") == 0 || strcmp(unit, "J") == 0;
}

static bool is_whole(double v) {
    return v == floor(v) && v >= 0 && v < 0x1p53;
}

/* Formats a number. Prefixes are for seconds and joules alone: "2.26 m" instructions per cycle would confuse. */
struct short_text compare_number(double v, const char *unit, bool exact) {
    struct short_text t;
    if (compare_prefixed(unit))
        return format_si(v, unit);
    if (is_whole(v))
        return grouped((u64)v);
    if (exact)
        snprintf(t.text, sizeof t.text, "%.12g", v);
    else if (v < 0.1)
        snprintf(t.text, sizeof t.text, "%.3g", v);
    else
        return format_number(v);
    return t;
}

static struct short_text dims_text(const json_t *v) {
    struct short_text t;
    snprintf(t.text, sizeof t.text, "%lldx%lldx%lld", (long long)json_integer_value(json_array_get(v, 0)),
             (long long)json_integer_value(json_array_get(v, 1)), (long long)json_integer_value(json_array_get(v, 2)));
    return t;
}

static void put_value(struct table *t, const json_t *v, const char *unit, bool exact) {
    if (json_is_number(v))
        table_number(t, json_number_value(v), compare_number(json_number_value(v), unit, exact));
    else if (json_is_string(v))
        table_word(t, json_string_value(v));
    else if (json_is_array(v))
        table_word(t, dims_text(v).text);
    else
        table_none(t);
}

/* Prints a ratio with enough digits to show that it is not 1. */
static struct short_text ratio_text(double ratio) {
    struct short_text t;
    int digits = 3;
    do
        snprintf(t.text, sizeof t.text, "x %.*g", digits, ratio);
    while (strcmp(t.text, "x 1") == 0 && ratio != 1 && ++digits < 17);
    if (ratio >= 999.5 && ratio < 1e15)
        snprintf(t.text, sizeof t.text, "x %.30s", grouped((u64)(ratio + 0.5)).text);
    return t;
}

struct short_text compare_change(const json_t *base, const json_t *value, const char *unit) {
    struct short_text t = {""};
    double a = json_number_value(base), b = json_number_value(value);
    if (!json_is_number(base) || !json_is_number(value))
        return t;
    if (strcmp(unit, "%") == 0)
        snprintf(t.text, sizeof t.text, "%+.*f points", fabs(b - a) < 0.05 ? 4 : 1, b - a);
    else if (a != 0 && b != a)
        return ratio_text(b / a);
    else if (a != 0)
        snprintf(t.text, sizeof t.text, "=");
    return t;
}

double compare_weight(const json_t *values, const char *unit) {
    double least = INFINITY, most = -INFINITY, largest = 0;
    size_t i;
    json_t *v;
    json_array_foreach((json_t *)(uintptr_t)values, i, v) {
        if (!json_is_number(v))
            continue;
        least = fmin(least, json_number_value(v));
        most = fmax(most, json_number_value(v));
        largest = fmax(largest, fabs(json_number_value(v)));
    }
    if (most <= least)
        return 0;
    return fmin(1, strcmp(unit, "%") == 0 ? (most - least) / 100 : (most - least) / largest);
}

/* ---- rows ---- */

struct ordered {
    struct compare_row row;
    size_t at;
};

static int heavier(const void *one, const void *other) {
    const struct ordered *a = one, *b = other;
    if (a->row.weight != b->row.weight)
        return a->row.weight > b->row.weight ? -1 : 1;
    return a->at < b->at ? -1 : 1;
}

void compare_row(struct compare_section *s, const struct compare_row *row) {
    struct ordered one = {*row, s->rows.len / sizeof one};
    buf_append(&s->rows, &one, sizeof one);
}

static const struct ordered *row_at(const struct compare_section *s, size_t i) {
    return &((const struct ordered *)(const void *)s->rows.data)[i];
}

/* ---- CSV ---- */

static void begin_csv(struct compare *c) {
    static const char *const names[] = {"launch", "section", "name", "unit"};
    u32 n = 0;
    for (u32 i = !c->launches; i < COUNT_OF(names); i++)
        c->csv_column[n++] = (struct table_column){names[i], "", TABLE_WORD};
    for (u32 i = 0; i < c->n; i++)
        c->csv_column[n++] = (struct table_column){c->title[i], "", TABLE_NUMBER};
    c->csv.column = c->csv_column;
    c->csv.columns = n;
}

static void add_csv(struct compare *c, const struct compare_section *s, size_t n) {
    if (!c->csv.columns)
        begin_csv(c);
    for (size_t i = 0; i < n; i++) {
        const struct compare_row *r = &row_at(s, i)->row;
        if (c->launch)
            table_number(&c->csv, c->launch, grouped(c->launch));
        else if (c->launches)
            table_none(&c->csv);
        table_word(&c->csv, s->name);
        table_word(&c->csv, r->name);
        table_word(&c->csv, r->unit);
        for (u32 k = 0; k < c->n; k++)
            put_value(&c->csv, json_array_get(r->values, k), "", true);
    }
}

void compare_end(struct compare *c) {
    if (c->form == COMPARE_CSV && c->csv.columns)
        table_csv(&c->csv, c->out);
    table_free(&c->csv);
}

/* ---- text and Markdown ---- */

/* Makes the columns: name, values, changes (not of the first), unit. Text has the unit only if there is room. */
static u32 columns_of(const struct compare *c, const char *title, bool units, struct table_column *column) {
    u32 n = 0;
    column[n++] = (struct table_column){"name", title, TABLE_WORD};
    for (u32 i = 0; i < c->n; i++) {
        column[n++] = (struct table_column){"value", c->title[i], TABLE_NUMBER};
        if (i)
            column[n++] = (struct table_column){"change", "change", TABLE_WORD};
    }
    if (units)
        column[n++] = (struct table_column){"unit", "unit", c->form == COMPARE_TEXT ? TABLE_BAR : TABLE_WORD};
    return n;
}

static void put_row(struct table *t, const struct compare *c, const struct compare_row *r, bool exact, bool units) {
    table_word(t, r->name);
    for (u32 i = 0; i < c->n; i++) {
        put_value(t, json_array_get(r->values, i), r->unit, exact);
        if (i)
            table_word(t, compare_change(json_array_get(r->values, 0), json_array_get(r->values, i), r->unit).text);
    }
    if (units)
        table_word(t, compare_prefixed(r->unit) ? "" : r->unit);
}

static size_t idle_from(const struct compare_section *s, size_t from, size_t n) {
    size_t idle = 0;
    for (size_t i = from; i < n && s->idle; i++)
        idle += row_at(s, i)->row.weight == 0;
    return idle;
}

void compare_line(struct compare *c, const char *line) {
    if (c->form == COMPARE_CSV)
        return;
    buf_puts(c->out, c->form == COMPARE_MARKDOWN ? "\n" : "  ");
    buf_printf(c->out, "%s\n", line);
}

void compare_rest(struct compare *c, size_t more, size_t idle, const char *what) {
    struct buf line = {0};
    buf_printf(&line, "... and %zu more", more);
    if (idle && idle < more)
        buf_printf(&line, ", %zu of them%s", idle, what);
    else if (idle)
        buf_printf(&line, ",%s", what);
    buf_printf(&line, ": %s", c->more);
    c->out->failed |= line.failed;
    if (!line.failed)
        compare_line(c, line.data);
    buf_free(&line);
}

void compare_table(struct compare *c, struct table *t) {
    buf_putc(c->out, '\n');
    if (c->form == COMPARE_TEXT)
        table_text(t, terminal_width(), c->out);
    else
        table_markdown(t, c->out);
    table_free(t);
}

/* Counts the rows shown: at most `most`, and none of weight 0 after the first. */
static size_t shown_of(const struct compare_section *s, size_t n) {
    size_t shown = 0;
    while (shown < n && (s->most < 0 || (shown < (size_t)s->most && (!shown || row_at(s, shown)->row.weight > 0))))
        shown++;
    return shown;
}

static void put_table(struct compare *c, const struct compare_section *s, size_t n) {
    struct table_column column[COMPARE_COLUMNS];
    size_t shown = shown_of(s, n);
    bool units = false;
    for (size_t i = 0; i < shown; i++)
        units |= *row_at(s, i)->row.unit && !compare_prefixed(row_at(s, i)->row.unit);
    struct table t = {.name = s->name,
                      .column = column,
                      .columns = columns_of(c, s->title ? s->title : s->name, units, column)};
    for (size_t i = 0; i < shown; i++)
        put_row(&t, c, &row_at(s, i)->row, s->exact, units);
    compare_table(c, &t);
    if (shown < n)
        compare_rest(c, n - shown, idle_from(s, shown, n), s->idle);
}

void compare_write(struct compare *c, struct compare_section *s) {
    size_t n = s->rows.len / sizeof(struct ordered);
    c->out->failed |= s->rows.failed;
    if (n && !c->out->failed) {
        qsort(s->rows.data, n, sizeof(struct ordered), heavier);
        if (c->form == COMPARE_CSV)
            add_csv(c, s, n);
        else
            put_table(c, s, n);
    }
    buf_free(&s->rows);
    s->rows = (struct buf){0};
}

/* ---- files ---- */

enum { FORMS = 3 };

struct form {
    const char *option, *file;
    enum compare_form form;
};

static void list_forms(const struct compare_output *o, struct form form[FORMS]) {
    form[0] = (struct form){"--json", o->json, COMPARE_JSON};
    form[1] = (struct form){"--csv", o->csv, COMPARE_CSV};
    form[2] = (struct form){"--markdown", o->markdown, COMPARE_MARKDOWN};
}

bool compare_output_promise(const struct compare_output *o) {
    struct form form[FORMS];
    bool ok = true;
    list_forms(o, form);
    for (u32 i = 0; i < FORMS && ok; i++)
        ok = !form[i].file || file_promise(form[i].option, form[i].file, form[i].file);
    return ok;
}

bool compare_output_write(const struct compare_output *o, compare_put *put, const void *ctx) {
    struct form form[FORMS];
    struct buf list = {0}, made[FORMS] = {{0}}, text = {0};
    bool taken = false, ok = true;
    list_forms(o, form);
    buf_append(&list, o->files, o->count * sizeof *o->files);
    for (u32 i = 0; i < o->count; i++)
        taken |= strcmp(o->files[i].path, "-") == 0;
    for (u32 i = 0; i < FORMS && ok; i++) {
        if (!form[i].file)
            continue;
        taken |= strcmp(form[i].file, "-") == 0;
        ok = put(ctx, form[i].form, &made[i]);
        const struct file_output one = {form[i].file, made[i].data, made[i].len};
        buf_append(&list, &one, sizeof one);
    }
    ok = ok && (taken || put(ctx, COMPARE_TEXT, &text)) && !list.failed;
    if (!ok)
        ui_error("out of memory");
    ok = ok && file_write_all((const struct file_output *)(const void *)list.data,
                              (u32)(list.len / sizeof(struct file_output)));
    if (ok && text.len)
        fwrite(text.data, 1, text.len, stdout);
    for (u32 i = 0; i < FORMS; i++)
        buf_free(&made[i]);
    buf_free(&text);
    buf_free(&list);
    return ok;
}
