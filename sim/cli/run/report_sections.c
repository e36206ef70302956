/*
 * The sections of a report: of each launch as text, and over all launches as CSV or Markdown. Files have the requested
 * sections and metrics; by default all metrics, or without a clock the section `work`.
 */
#include "sim/cli/format.h"
#include "sim/cli/option.h"
#include "sim/cli/run/report.h"
#include "sim/file/computer.h"

static const struct {
    void (*add)(struct run_report *r, const struct heddle_result *s);
    bool clock;
} sections[] = {
#define SECTION(name, clock, doc) {section_##name, clock},
#include "sim/cli/run/sections.def"
};

/* ---- metrics ---- */

static const struct table_column metric_columns[] = {{"metric", "metric", TABLE_WORD},
                                                     {"value", "value", TABLE_NUMBER},
                                                     {"unit", "unit", TABLE_WORD}};

struct metric_rows {
    struct table *table;
    const struct heddle_result *result;
};

static void put_metric(void *ctx, u32 i) {
    const struct metric_rows *to = ctx;
    const struct heddle_metric *m = &to->result->metrics[i];
    table_word(to->table, m->name);
    if (m->absent)
        table_none(to->table);
    else
        table_number(to->table, m->value, m->whole ? grouped((u64)m->value) : format_precise(m->value));
    table_word(to->table, m->unit);
}

/* Adds the named metrics, or all. */
static void add_metrics(struct run_report *r, const struct heddle_result *s) {
    const struct buf *names = &r->options->metrics;
    struct metric_rows to = {report_table(r, "metrics", metric_columns, COUNT_OF(metric_columns)), s};
    if (names->len)
        metrics_each(names, put_metric, &to);
    for (u32 i = 0; i < s->nmetrics && !names->len; i++)
        put_metric(&to, i);
}

/* ---- a launch ---- */

static const struct table_column sample_columns[] = {{"sample", "sample", TABLE_WORD},
                                                     {"value", "value", TABLE_NUMBER}};

/* Adds what figures of a sampled launch are from, before all others. */
static void add_sample(struct run_report *r, const struct heddle_result *s) {
    struct table *t = report_table(r, "sample", sample_columns, COUNT_OF(sample_columns));
    const struct {
        const char *name;
        u64 value;
    } rows[] = {{"blocks timed", s->sample_blocks},
                {"blocks", s->blocks},
                {"cycles, low end of 95 %", s->cycles_low},
                {"cycles, high end of 95 %", s->cycles_high}};
    for (u32 i = 0; i < COUNT_OF(rows); i++) {
        table_word(t, rows[i].name);
        table_number(t, (double)rows[i].value, grouped(rows[i].value));
    }
}

static void add(struct run_report *r, const struct heddle_result *s, u32 chosen) {
    for (u32 i = 0; i < COUNT_OF(sections); i++)
        if (chosen >> i & 1 && (s->timed || !sections[i].clock) && !(s->sampled && i == SECTION_advice))
            sections[i].add(r, s);
}

void report_sections(struct run_report *r, const struct heddle_result *s) {
    const struct run_options *o = r->options;
    r->into = &r->shown;
    if (s->sampled && (o->metrics.len || o->sections.chosen))
        add_sample(r, s);
    if (o->metrics.len)
        add_metrics(r, s);
    add(r, s, o->sections.chosen | (o->profile ? 1u << SECTION_lines : 0));
    for (u32 i = 0; i < r->shown.n; i++)
        if (table_complete(&r->shown.table[i], &r->text) && table_rows(&r->shown.table[i])) {
            buf_putc(&r->text, '\n');
            table_text(&r->shown.table[i], terminal_width(), &r->text);
        }
    report_tables_clear(&r->shown);
}

/* ---- files ---- */

void report_keep(struct run_report *r, const struct heddle_result *s) {
    const struct run_options *o = r->options;
    bool any = o->sections.chosen || o->metrics.len;
    if (!o->csv && !o->markdown)
        return;
    r->into = &r->kept;
    if (s->sampled)
        add_sample(r, s);
    if (o->metrics.len || (!any && s->timed))
        add_metrics(r, s);
    add(r, s, any || s->timed ? o->sections.chosen : 1u << SECTION_work);
}
