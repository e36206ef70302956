/*
 * The summary of a run, the facts needed first, in SUMMARY_LINES lines of at most SUMMARY_WIDTH columns. Sections
 * (sections.def) have the rest.
 *
 *   time     1.44 us (1,437 cycles at 1,000 MHz), and 1.00 us of launch overhead
 *   bound    Mostly bound by DRAM: 5.70 of 8.00 GB/s, 71 % of its peak
 *   busiest  DRAM 71.3 %, instruction issue 53.4 %, L2 17.8 % of peak
 *   dram     71.3 % of peak; 12.0 % read/write turns, 9.1 % activates, 7.0 % idle
 *   stalls   long_scoreboard 49.8 %, short_scoreboard 15.1 % of the time of warps
 *   lines    24  45.0 %  add.f32     v, v, w
 *   try      coalesce accesses, up to 1.8x faster: one touches 9.0 sectors where 4.0 would do (line 20)
 */
#include "sim/cli/run/report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/cli/format.h"
#include "sim/file/computer.h"

enum {
    SUMMARY_WIDTH = 80,
    SUMMARY_LINES = 14,
    LEVELS = 3,
    PARTS = 3,
    STALLS = 2,
    CLASSES = 4,
    LINES = 3,
    SOURCE_BYTES = 48
};

static const struct table_column columns[] = {{"fact", "", TABLE_WORD}, {"text", "", TABLE_PROSE}};

static void put(struct table *t, const char *fact, struct buf *text) {
    table_word(t, fact);
    table_word(t, text->data ? text->data : "");
    t->texts.failed |= text->failed;
    buf_free(text);
    *text = (struct buf){0};
}

/* ---- with a clock ---- */

/* Adds what was timed of a sampled launch, or why it was all. */
static void put_sample(const struct heddle_result *s, struct table *t) {
    struct buf text = {0};
    if (!s->sample)
        return;
    buf_puts(&text, s->sample);
    if (s->sampled)
        buf_printf(&text, ": %s to %s cycles (95 %%)", grouped(s->cycles_low).text, grouped(s->cycles_high).text);
    put(t, "sample", &text);
}

static void put_time(struct run_report *r, const struct heddle_result *s, struct table *t) {
    struct buf text = {0};
    double mhz = report_board_value(r, "clock_mhz");
    buf_printf(&text, "%s (%s cycles at %s MHz)", format_si(s->seconds, "s").text, grouped(s->cycles).text,
               format_number(mhz).text);
    if (s->overhead_cycles)
        buf_printf(&text, ", and %s of launch overhead", format_si((double)s->overhead_cycles / (mhz * 1e6), "s").text);
    put(t, "time", &text);
    put_sample(s, t);
    /* the main bound, before the first ';' of the sentence; the section `time` has all of it */
    buf_append(&text, s->limiter, strcspn(s->limiter, ";"));
    while (text.len && text.data[text.len - 1] == '.')
        text.data[--text.len] = 0;
    put(t, "bound", &text);
}

static const struct heddle_metric *next_level(const struct heddle_result *s, const struct heddle_metric *above) {
    const struct heddle_metric *best = NULL;
    for (u32 i = 0; i < s->nmetrics; i++) {
        const struct heddle_metric *m = &s->metrics[i];
        bool later = !above || m->value < above->value || (m->value == above->value && m > above);
        if (strncmp(m->name, "sol.", 4) == 0 && !m->absent && m->value > 0 && later &&
            (!best || m->value > best->value))
            best = m;
    }
    return best;
}

static void put_levels(const struct heddle_result *s, struct table *t) {
    struct buf text = {0};
    const struct heddle_metric *m = NULL;
    for (u32 i = 0; i < LEVELS && (m = next_level(s, m)); i++)
        buf_printf(&text, "%s%.*s %s", i ? ", " : "", (int)strcspn(m->doc, ":"), m->doc,
                   format_share(m->value, 100).text);
    buf_puts(&text, text.len ? " of peak" : "nothing was issued");
    put(t, "busiest", &text);
}

/* Adds where the time of DRAM's data buses went: its data, and the largest of the other parts. */
static void put_dram(const struct heddle_result *s, struct table *t) {
    struct buf text = {0};
    const struct heddle_metric *m = NULL;
    if (metric_or_zero(s, "dram.busy_cycles") <= 0)
        return;
    buf_printf(&text, "%s of peak", format_share(metric_or_zero(s, "dram_share.busy"), 100).text);
    for (u32 i = 0; i < PARTS && (m = report_dram_part(s, m)) && m->value >= 0.05; i++)
        buf_printf(&text, "%s %s %.*s", i ? "," : ";", format_share(m->value, 100).text, (int)strcspn(m->doc, ","),
                   m->doc);
    put(t, "dram", &text);
}

static void put_stalls(const struct heddle_result *s, struct table *t) {
    struct buf text = {0};
    double all = metric_or_zero(s, "sm.warp_cycles");
    u64 taken = 1; /* one bit each; the first reason is `selected` */
    for (u32 i = 0, best; i < STALLS && (best = report_longest_stall(s, taken)) < s->nstalls; i++) {
        char metric[64];
        snprintf(metric, sizeof metric, "stall.%s", heddle_stall_name(best, NULL));
        buf_printf(&text, "%s%s %s", i ? ", " : "", metric + strlen("stall."),
                   format_share(metric_or_zero(s, metric), all).text);
        taken |= (u64)1 << best;
    }
    if (text.len)
        buf_puts(&text, " of the time of warps");
    put(t, "stalls", &text);
}

static void put_hint(const struct heddle_result *s, struct table *t) {
    struct buf text = {0};
    buf_puts(&text, s->hint);
    put(t, "try", &text);
}

/* ---- without one ---- */

static void put_work(const struct heddle_result *s, struct table *t) {
    struct buf text = {0};
    double lanes = s->warp_instructions ? (double)s->thread_instructions / (double)s->warp_instructions : 0;
    buf_printf(&text, "%s of %s in %s", format_count(s->warp_instructions, "warp-instruction").text,
               format_count(s->warps, "warp").text, format_count(s->blocks, "block").text);
    put(t, "work", &text);
    buf_printf(&text, "%.2f of %u in an instruction, %s", lanes, s->warp, format_share(lanes, s->warp).text);
    put(t, "lanes", &text);
}

static int by_count(const void *a, const void *b) {
    const struct heddle_class_count *x = a, *y = b;
    if (x->warp_instructions == y->warp_instructions)
        return strcmp(x->name, y->name);
    return x->warp_instructions < y->warp_instructions ? 1 : -1;
}

static void put_classes(const struct heddle_result *s, struct table *t) {
    struct buf list = {0}, text = {0};
    buf_append(&list, s->classes, s->nclasses * sizeof *s->classes);
    struct heddle_class_count *class = (struct heddle_class_count *)(void *)list.data;
    if (!list.failed && s->nclasses)
        qsort(class, s->nclasses, sizeof *class, by_count);
    for (u32 i = 0; i < CLASSES && i < s->nclasses && !list.failed; i++)
        buf_printf(&text, "%s%s %s", i ? ", " : "", class[i].name,
                   format_share((double)class[i].warp_instructions, (double)s->warp_instructions).text);
    text.failed |= list.failed;
    put(t, "classes", &text);
    buf_free(&list);
}

/* ---- lines of the source ---- */

struct line {
    const struct line_sum *sum;
    u64 weight; /* cycles of warps, or issues */
};

static int by_weight(const void *a, const void *b) {
    const struct line *x = a, *y = b;
    if (x->weight != y->weight)
        return x->weight < y->weight ? 1 : -1;
    return (x->sum > y->sum) - (x->sum < y->sum);
}

/* Returns "7", or "7 x5" for five rounds. */
static struct short_text label_of(const struct line_sum *sum) {
    struct short_text label = report_line_label(&sum->line);
    size_t len = strlen(label.text);
    if (sum->rounds > 1)
        snprintf(label.text + len, sizeof label.text - len, " x%u", sum->rounds);
    return label;
}

static void put_lines(struct run_report *r, const struct line *line, u32 n, double all, struct table *t) {
    int width = 0;
    for (u32 i = 0; i < n; i++) {
        int len = (int)strlen(label_of(line[i].sum).text);
        width = len > width ? len : width;
    }
    for (u32 i = 0; i < n; i++) {
        struct buf text = {0}, source = {0};
        report_source(r, &line[i].sum->line, &source);
        buf_printf(&text, "%*s %7s  %.*s", width, label_of(line[i].sum).text,
                   format_share((double)line[i].weight, all).text, SOURCE_BYTES, source.data ? source.data : "");
        text.failed |= source.failed;
        buf_free(&source);
        if (line[i].sum->line.used.line)
            buf_printf(&text, " (used in line %u)", line[i].sum->line.used.line);
        put(t, i ? "" : "lines", &text);
    }
}

/* Prints the lines with most of the time, at most `most`. */
static void put_top_lines(struct run_report *r, const struct heddle_result *s, u32 most, struct table *t) {
    struct arena arena = {0};
    double all = 0;
    u32 n = 0;
    const struct line_sum *sums = line_sums(s, false, &arena, &n);
    struct line *list = sums ? arena_alloc(&arena, n * sizeof *list) : NULL;
    for (u32 i = 0; list && i < n; i++) {
        const struct heddle_line_count *l = &sums[i].line;
        list[i] = (struct line){&sums[i], l->stall ? report_line_cycles(s, l) : l->warp_instructions};
        all += (double)list[i].weight;
    }
    if (list && n)
        qsort(list, n, sizeof *list, by_weight);
    n = !list ? 0 : n < most ? n : most;
    while (n && !list[n - 1].weight)
        n--;
    put_lines(r, list, n, all, t);
    t->texts.failed |= !list;
    arena_free(&arena);
}

/* ---- the whole ---- */

static void build(struct run_report *r, const struct heddle_result *s, u32 lines, struct table *t) {
    if (s->timed) {
        put_time(r, s, t);
        put_levels(s, t);
        put_dram(s, t);
        put_stalls(s, t);
    } else {
        put_work(s, t);
        put_classes(s, t);
    }
    if (!s->sampled)
        put_top_lines(r, s, lines, t);
    if (s->timed)
        put_hint(s, t);
}

u32 report_lines_from(const struct buf *text, size_t from) {
    u32 n = 0;
    for (size_t i = from; i < text->len; i++)
        n += text->data[i] == '\n';
    return n;
}

/* Writes the summary; lines of the source take the remaining room. */
void report_summary(struct run_report *r, const struct heddle_result *s, u32 used, struct buf *out) {
    u32 width = terminal_width() < SUMMARY_WIDTH ? terminal_width() : SUMMARY_WIDTH;
    struct table draft = {.column = columns, .columns = COUNT_OF(columns)}, whole = draft;
    struct buf text = {0};
    build(r, s, 0, &draft);
    table_text(&draft, width, &text);
    used += report_lines_from(&text, 0);
    build(r, s, used + LINES <= SUMMARY_LINES ? LINES : used < SUMMARY_LINES ? SUMMARY_LINES - used : 1, &whole);
    table_text(&whole, width, out);
    out->failed |= text.failed;
    table_free(&draft);
    table_free(&whole);
    buf_free(&text);
}
