#include "sim/cli/doc/doc.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "sim/base/meaning.h"
#include "sim/cli/option.h"
#include "sim/cli/ui.h"

/* Prints a formula as compiled, with names as they are printed elsewhere: unit.FMA, stall.WAIT. */
void doc_counters_formula(const char *formula, struct buf *out) {
    static const char *const owners[] = {"unit.", "stall.", "lanes."};
    for (const char *at = formula; *at;) {
        bool name = at == formula || !(isalnum((unsigned char)at[-1]) || strchr("._", at[-1]));
        size_t len = 0;
        for (u32 i = 0; i < COUNT_OF(owners) && name; i++)
            if (strncmp(at, owners[i], strlen(owners[i])) == 0)
                len = strlen(owners[i]);
        if (!len) {
            buf_putc(out, *at++);
            continue;
        }
        for (; isalnum((unsigned char)*at) || *at == '_' || *at == '.'; at++)
            buf_putc(out, (char)tolower((unsigned char)*at));
    }
}

static void put_formula(const char *formula) {
    struct buf text = {0};
    doc_counters_formula(formula, &text);
    fputs(text.data ? text.data : "", stdout);
    buf_free(&text);
}

static void put_text(const struct heddle_metric *m) {
    printf("%-40s %-22s %s\n", m->name, *m->unit ? m->unit : "-", m->doc);
    if (!*m->formula)
        return;
    printf("%-40s = ", "");
    put_formula(m->formula);
    putchar('\n');
}

static bool counted(const struct heddle_metric *m) {
    return !*m->formula;
}

/* True if both have the same first word, "l1" in "l1.hits", and both are counted, or both derived. */
static bool same_table(const struct heddle_metric *a, const struct heddle_metric *b) {
    size_t len = strcspn(a->name, ".");
    return counted(a) == counted(b) && len == strcspn(b->name, ".") && strncmp(a->name, b->name, len) == 0;
}

static void put_row(const struct heddle_metric *m) {
    printf("| `%s` | %s | %s", m->name, m->unit, m->doc);
    if (!counted(m)) {
        fputs("<br>`= ", stdout);
        put_formula(m->formula);
        putchar('`');
    }
    puts(" |");
}

/* Writes a table for each first word, at its first row. */
static void put_markdown(const struct heddle_metric *list, size_t n) {
    for (size_t i = 0; i < n; i++) {
        size_t first = 0;
        while (!same_table(&list[first], &list[i]))
            first++;
        if (first < i)
            continue;
        if (i == 0 || counted(&list[i]) != counted(&list[i - 1]))
            printf("%s## %s\n\n", i ? "\n" : "", counted(&list[i]) ? "Counted" : "Derived");
        else
            putchar('\n');
        puts("| name | unit | meaning |\n|---|---|---|");
        for (size_t k = i; k < n; k++)
            if (same_table(&list[k], &list[i]))
                put_row(&list[k]);
    }
}

static const char *nth_metric(const void *ctx, size_t i) {
    return ((const struct heddle_metric *)ctx)[i].name;
}

static void unknown(const char *name, const struct buf *all) {
    const struct heddle_metric *list = (const struct heddle_metric *)(const void *)all->data;
    const struct meaning near = meaning_of(name, all->len / sizeof *list, nth_metric, list);
    ui_error("there is no metric '%s'%s", name, *near.text ? near.text : "; 'heddle doc counters' lists them");
}

/* Selects the named counters; raw counts before derived metrics. */
static void choose(const struct buf *all, const char *name, struct buf *chosen) {
    const struct heddle_metric *list = (const struct heddle_metric *)(const void *)all->data;
    for (u32 derived = 0; derived < 2; derived++)
        for (size_t i = 0; i < all->len / sizeof *list; i++)
            if ((!name || metric_meant(list[i].name, name, strlen(name))) && counted(&list[i]) == !derived)
                buf_append(chosen, &list[i], sizeof list[i]);
}

/* Lists columns of buffers and of instructions after the metrics, like raw counts. */
static void list_column(struct arena *a, const char *owner, const struct heddle_column_info *column, struct buf *all) {
    struct buf name = {0};
    buf_printf(&name, "%s.%s", owner, column->name);
    struct heddle_metric m = {.name = name.failed ? NULL : arena_strndup(a, name.data, name.len),
                              .unit = column->unit,
                              .doc = column->doc,
                              .formula = ""};
    buf_free(&name);
    if (m.name)
        buf_append(all, &m, sizeof m);
    else
        all->failed = true;
}

void doc_counters_list(struct arena *a, struct buf *all) {
    struct heddle_metric m;
    struct heddle_column_info column;
    for (u32 i = 0; heddle_metric_row(i, &m); i++)
        buf_append(all, &m, sizeof m);
    for (u32 i = 0; heddle_traffic_column(i, &column); i++)
        list_column(a, "traffic", &column, all);
    for (u32 i = 0; heddle_line_column(i, &column); i++)
        list_column(a, "line", &column, all);
}

bool doc_counters(const char *name, bool markdown) {
    struct arena arena = {0};
    struct buf all = {0}, chosen = {0};
    doc_counters_list(&arena, &all);
    choose(&all, name, &chosen);
    const struct heddle_metric *list = (const struct heddle_metric *)(const void *)chosen.data;
    size_t n = chosen.len / sizeof *list;
    bool ok = n > 0 && !all.failed && !chosen.failed;
    if (ok && markdown)
        put_markdown(list, n);
    for (size_t i = 0; i < n && ok && !markdown; i++)
        put_text(&list[i]);
    if (all.failed || chosen.failed)
        ui_error("out of memory");
    else if (!ok)
        unknown(name ? name : "", &all);
    buf_free(&all);
    buf_free(&chosen);
    arena_free(&arena);
    return ok;
}
