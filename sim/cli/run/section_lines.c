/*
 * The source, line by line, with the cost of each instruction. A stalled warp is charged to the instruction that could
 * not issue, not to the one that it waits for.
 */
#include "sim/cli/run/report.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "sim/base/source_file.h"
#include "sim/cli/file.h"
#include "sim/cli/format.h"
#include "sim/file/read.h"

enum { REASONS = 2 }; /* reasons shown for a line */

/* A file with lines of the kernel, besides its own. */
struct quoted {
    const char *file;
    struct buf text; /* empty if it cannot be read */
};

/* Reads a regular file only: a FIFO would wait for a writer. */
static bool read_quoted(const char *path, struct buf *text) {
    struct stat st;
    return stat(path, &st) == 0 && S_ISREG(st.st_mode) && input_read(file_guard(), path, input_text, text);
}

/* Returns the text of a file as named, or beside the kernel's file; empty if neither can be read. */
static const struct buf *quoted_text(struct run_report *r, const char *file) {
    struct quoted *list = (struct quoted *)(void *)r->quoted.data;
    for (size_t i = 0; i < r->quoted.len / sizeof *list; i++)
        if (strcmp(list[i].file, file) == 0)
            return &list[i].text;
    struct quoted *q = buf_push(&r->quoted, sizeof *q);
    struct buf beside = {0};
    if (!q)
        return NULL;
    q->file = file;
    source_file_path(r->file, file, &beside);
    if (!read_quoted(file, &q->text) && !beside.failed)
        read_quoted(beside.data, &q->text);
    buf_free(&beside);
    return &q->text;
}

static void add_source(struct run_report *r, const char *file, const char *text, size_t len) {
    json_t *lines = json_list();
    for (size_t at = 0, size; at < len; at += size + 1) {
        const char *newline = memchr(text + at, '\n', len - at);
        size = newline ? (size_t)(newline - text) - at : len - at;
        json_add(lines, json_text_of(text + at, size));
    }
    json_add(r->sources, json_make("{s:o*,s:o}", "file", file ? json_text(file) : NULL, "lines", lines));
}

void report_add_sources(struct run_report *r, const struct heddle_result *s) {
    if (!r->sources) {
        r->sources = json_list();
        if (r->source)
            add_source(r, NULL, r->source, r->source_len);
    }
    for (u32 i = 0; i < s->nlines; i++) {
        const char *file = s->lines[i].file;
        size_t known = r->quoted.len;
        const struct buf *text = file ? quoted_text(r, file) : NULL;
        if (text && text->len && r->quoted.len > known)
            add_source(r, file, text->data, text->len);
    }
}

void report_lines_free(struct run_report *r) {
    struct quoted *list = (struct quoted *)(void *)r->quoted.data;
    for (size_t i = 0; i < r->quoted.len / sizeof *list; i++)
        buf_free(&list[i].text);
    buf_free(&r->quoted);
}

/* Finds a line of a text, without blanks around it; NULL if there is none. */
static const char *find_line(const char *text, size_t size, u32 number, int *len) {
    const char *at = text, *end = text + size;
    for (u32 n = 1; n < number && at; n++) {
        at = memchr(at, '\n', (size_t)(end - at));
        at = at ? at + 1 : NULL;
    }
    if (!at || at == end || number == 0)
        return NULL;
    while (at < end && (*at == ' ' || *at == '\t'))
        at++;
    const char *newline = memchr(at, '\n', (size_t)(end - at));
    *len = (int)((newline ? newline : end) - at);
    while (*len && (at[*len - 1] == '\r' || at[*len - 1] == ' '))
        --*len;
    return at;
}

void report_source(struct run_report *r, const struct heddle_line_count *l, struct buf *out) {
    int len = 0;
    size_t known;
    bool foreign = l->file && !heddle_program_source(r->program, l->file, &known);
    const struct buf *other = foreign ? quoted_text(r, l->file) : NULL;
    const char *text = other && other->len ? find_line(other->data, other->len, l->line, &len) : NULL;
    const char *ending = l->file ? strrchr(l->file, '.') : NULL;
    if (text && ending && strcmp(ending, ".hd") == 0 && memchr(text, '\\', (size_t)len))
        text = NULL; /* from a macro, whose arguments an object file lacks */
    buf_append(out, text ? text : l->text, text ? (size_t)len : strlen(l->text));
}

/* Returns "12", "find.hd:12" of another file, or "-". */
static struct short_text label_of(const char *file, u32 line) {
    struct short_text t = {"-"};
    const char *slash = file ? strrchr(file, '/') : NULL;
    if (line && file)
        snprintf(t.text, sizeof t.text, "%.20s:%u", slash ? slash + 1 : file, line);
    else if (line)
        snprintf(t.text, sizeof t.text, "%u", line);
    return t;
}

struct short_text report_line_label(const struct heddle_line_count *l) {
    return label_of(l->file, l->line);
}

static double column(const struct heddle_line_count *l, const char *name) {
    return (double)*heddle_line_value(l, name);
}

static const struct table_column untimed_columns[] = {
    {"line", "line", TABLE_NUMBER},     {"used", "used", TABLE_VARIES},     {"rounds", "rounds", TABLE_VARIES},
    {"issued", "issued", TABLE_NUMBER}, {"percent", "share", TABLE_NUMBER}, {"source", "source", TABLE_SOURCE}};

static void put_label(struct table *t, const char *file, u32 line) {
    if (line && !file)
        table_number(t, line, label_of(file, line));
    else if (line)
        table_word(t, label_of(file, line).text);
    else
        table_none(t);
}

static void put_source(struct run_report *r, const struct heddle_line_count *l, struct table *t) {
    struct buf source = {0};
    report_source(r, l, &source);
    table_word(t, source.data ? source.data : "");
    t->texts.failed |= source.failed;
    buf_free(&source);
}

/* Adds the place of a line, of the macro use that made it, and its number of rounds. */
static void put_place(struct table *t, const struct line_sum *sum) {
    put_label(t, sum->line.file, sum->line.line);
    put_label(t, sum->line.used.file, sum->line.used.line);
    table_number(t, sum->rounds, grouped(sum->rounds));
}

static void untimed(struct run_report *r, const struct heddle_result *s, const struct line_sum *list, u32 n) {
    struct table *t = report_table(r, "lines", untimed_columns, COUNT_OF(untimed_columns));
    for (u32 i = 0; i < n; i++) {
        const struct heddle_line_count *l = &list[i].line;
        double issued = (double)l->warp_instructions, all = (double)s->warp_instructions;
        put_place(t, &list[i]);
        table_number(t, issued, grouped(l->warp_instructions));
        table_number(t, all > 0 ? 100 * issued / all : 0, format_share(issued, all));
        put_source(r, l, t);
    }
}

u64 report_line_cycles(const struct heddle_result *s, const struct heddle_line_count *l) {
    u64 sum = 0;
    for (u32 i = 0; i < s->nstalls; i++)
        sum += l->stall[i];
    return sum;
}

/* Adds the main stall reasons of a line: those with a tenth of its cycles. */
static void put_reasons(const struct heddle_result *s, const struct heddle_line_count *l, u64 cycles, struct buf *out) {
    u64 taken = 1; /* one bit each; the first reason is `selected` */
    for (u32 shown = 0; shown < REASONS; shown++) {
        u32 best = s->nstalls;
        for (u32 i = 0; i < s->nstalls; i++)
            if (!(taken >> i & 1) && (best == s->nstalls || l->stall[i] > l->stall[best]))
                best = i;
        if (best == s->nstalls || l->stall[best] * 10 < cycles)
            break;
        taken |= (u64)1 << best;
        buf_printf(out, "%s%s %.0f %%", shown ? ", " : "", heddle_stall_name(best, NULL),
                   100 * (double)l->stall[best] / (double)cycles);
    }
}

static const struct table_column timed_columns[] = {
    {"line", "line", TABLE_NUMBER},
    {"used", "used", TABLE_VARIES},
    {"rounds", "rounds", TABLE_VARIES},
    {"issued", "issued", TABLE_NUMBER},
    {"lanes_per_instruction", "lanes", TABLE_NUMBER},
    {"percent", "stalled", TABLE_NUMBER},
    {"sectors_per_request", "sectors", TABLE_NUMBER},
    {"passes_per_request", "passes", TABLE_NUMBER},
    {"source", "source", TABLE_SOURCE},
    {"reasons", "reasons", TABLE_BELOW},
    {"divergent_branches", "diverged", TABLE_BELOW},
};

static void put_divergence(const struct heddle_line_count *l, struct table *t) {
    double n = column(l, "divergent_branches");
    struct short_text shown = {""};
    if (n > 0)
        snprintf(shown.text, sizeof shown.text, "diverges %.12s of %.12s times", grouped((u64)n).text,
                 grouped(l->warp_instructions).text);
    table_number(t, n, shown);
}

static void put_timed(struct run_report *r, const struct heddle_result *s, const struct line_sum *sum, u64 all,
                      struct table *t) {
    const struct heddle_line_count *l = &sum->line;
    u64 cycles = report_line_cycles(s, l);
    struct buf reasons = {0};
    put_place(t, sum);
    table_number(t, (double)l->warp_instructions, grouped(l->warp_instructions));
    report_quotient(t, (double)l->lanes, (double)l->warp_instructions);
    table_number(t, all ? 100 * (double)cycles / (double)all : 0, format_share((double)cycles, (double)all));
    report_quotient(t, column(l, "sectors"), column(l, "requests"));
    report_quotient(t, column(l, "shared_passes"), column(l, "shared_requests"));
    put_source(r, l, t);
    if (cycles * 100 >= all && cycles > l->stall[0])
        put_reasons(s, l, cycles, &reasons);
    table_word(t, reasons.len ? reasons.data : "");
    put_divergence(l, t);
    t->texts.failed |= reasons.failed;
    buf_free(&reasons);
}

static void timed(struct run_report *r, const struct heddle_result *s, const struct line_sum *list, u32 n) {
    struct table *t = report_table(r, "lines", timed_columns, COUNT_OF(timed_columns));
    u64 all = 0;
    t->caption = "stalled: share of all warp cycles spent before the line issues, with the main reasons; sectors, "
                 "passes: per global or local request, per shared request";
    for (u32 i = 0; i < n; i++)
        all += report_line_cycles(s, &list[i].line);
    for (u32 i = 0; i < n; i++)
        put_timed(r, s, &list[i], all, t);
}

void section_lines(struct run_report *r, const struct heddle_result *s) {
    struct arena arena = {0};
    u32 n;
    const struct line_sum *list = line_sums(s, r->options->details, &arena, &n);
    r->text.failed |= !list;
    if (list && s->timed && !s->sampled)
        timed(r, s, list, n);
    else if (list)
        untimed(r, s, list, n);
    arena_free(&arena);
}
