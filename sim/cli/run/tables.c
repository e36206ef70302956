/* The tables of a report, and the files that they become. */
#include "sim/cli/run/report.h"

#include <string.h>

#include "sim/cli/format.h"

struct table *report_table(struct run_report *r, const char *name, const struct table_column *columns, u32 n) {
    struct report_tables *to = r->into;
    u32 i = 0;
    while (i < to->n && strcmp(to->table[i].name, name) != 0)
        i++;
    if (i == REPORT_TABLES)
        BUG("too many tables");
    if (i == to->n)
        to->table[to->n++] = (struct table){.name = name, .column = columns, .columns = n};
    to->table[i].launch = r->planned > 1 ? r->launches : 0;
    return &to->table[i];
}

void report_quotient(struct table *t, double part, double whole) {
    if (whole > 0)
        table_number(t, part / whole, format_quotient(part, whole));
    else
        table_none(t);
}

void report_tables_clear(struct report_tables *t) {
    for (u32 i = 0; i < t->n; i++)
        table_free(&t->table[i]);
    t->n = 0;
}

void report_tables_free(struct run_report *r) {
    report_tables_clear(&r->shown);
    report_tables_clear(&r->kept);
}

/* Writes several tables with an empty line between them. */
static bool write_tables(const struct run_report *r, void (*write)(const struct table *t, struct buf *out),
                         struct buf *out) {
    for (u32 i = 0; i < r->kept.n; i++)
        if (table_complete(&r->kept.table[i], out) && table_rows(&r->kept.table[i])) {
            if (out->len)
                buf_putc(out, '\n');
            write(&r->kept.table[i], out);
        }
    return !out->failed;
}

bool run_report_csv(const struct run_report *r, struct buf *out) {
    return write_tables(r, table_csv, out);
}

bool run_report_markdown(const struct run_report *r, struct buf *out) {
    return write_tables(r, table_markdown, out);
}
