/*
 * The source, line by line, with the cost of each instruction. A stalled warp is charged to the instruction that could
 * not issue, not to the one that it waits for.
 */
#include "sim/cli/run_report.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "sim/base/diag.h"
#include "sim/cli/file.h"
#include "sim/cli/format.h"
#include "sim/file/read.h"

enum {
    REASONS = 2,      /* shown for a line */
    SOURCE_WIDTH = 47 /* bytes of the source beside timed columns */
};

/* A file that lines lie in, besides the one that was run. */
struct quoted {
    const char *file;
    struct buf text; /* empty when it cannot be read */
};

/* Only a regular file is quoted: a FIFO would wait for a writer. */
static bool read_quoted(const char *path, struct buf *text) {
    struct stat st;
    return stat(path, &st) == 0 && S_ISREG(st.st_mode) && input_read(file_guard(), path, input_text, text);
}

/* The text of a file as it is named, or beside the file that was run; empty when neither can be read. */
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

void run_report_profile_free(struct run_report *r) {
    struct quoted *list = (struct quoted *)(void *)r->quoted.data;
    for (size_t i = 0; i < r->quoted.len / sizeof *list; i++)
        buf_free(&list[i].text);
    buf_free(&r->quoted);
}

/* A line of a text, without blanks around it; NULL when there is none. */
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

static void put_source(struct run_report *r, const struct heddle_line_count *l, int most, struct buf *out) {
    int len = 0;
    const struct buf *other = l->file ? quoted_text(r, l->file) : NULL;
    const char *text = NULL;
    if (other && other->len)
        text = find_line(other->data, other->len, l->line, &len);
    else if (!l->file && r->source)
        text = find_line(r->source, r->source_len, l->line, &len);
    if (!text) {
        text = l->text;
        len = (int)strlen(text);
    }
    diag_put_text(out, text, (size_t)(len < most ? len : most));
    buf_putc(out, '\n');
}

/* "12", "find.hd:12" of another file, or "-" */
static struct short_text line_label(const struct heddle_line_count *l) {
    struct short_text t = {"-"};
    const char *slash = l->file ? strrchr(l->file, '/') : NULL;
    if (l->line && l->file)
        snprintf(t.text, sizeof t.text, "%.20s:%u", slash ? slash + 1 : l->file, l->line);
    else if (l->line)
        snprintf(t.text, sizeof t.text, "%u", l->line);
    return t;
}

/* Columns of the labels, at least `least`. */
static int label_width(const struct heddle_result *s, int least) {
    int width = least;
    for (u32 i = 0; i < s->nlines; i++) {
        int len = (int)strlen(line_label(&s->lines[i]).text);
        width = len > width ? len : width;
    }
    return width;
}

static double column(const struct heddle_line_count *l, const char *name) {
    return (double)*heddle_line_value(l, name);
}

static void untimed(struct run_report *r, const struct heddle_result *s, struct buf *out) {
    int width = label_width(s, 6);
    buf_printf(out, "\n  %*s %16s  %8s  %s\n", width, "line", "issued", "share", "source");
    for (u32 i = 0; i < s->nlines; i++) {
        const struct heddle_line_count *l = &s->lines[i];
        double share = s->warp_instructions ? (double)l->warp_instructions / (double)s->warp_instructions : 0;
        buf_printf(out, "  %*s %16s  %6.2f %%  ", width, line_label(l).text, grouped(l->warp_instructions).text,
                   100 * share);
        put_source(r, l, TEXT_WIDEST, out);
    }
}

static u64 resident(const struct heddle_result *s, const struct heddle_line_count *l) {
    u64 sum = 0;
    for (u32 i = 0; i < s->nstalls; i++)
        sum += l->stall[i];
    return sum;
}

/* The main stall reasons of a line: those with a tenth of its cycles. */
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

static void timed(struct run_report *r, const struct heddle_result *s, struct buf *out) {
    u64 all = 0;
    for (u32 i = 0; i < s->nlines; i++)
        all += resident(s, &s->lines[i]);
    int width = label_width(s, 5);
    buf_printf(out, "\n  %*s %12s %6s %8s %8s %7s  %s\n", width, "line", "issued", "lanes", "stalled", "sectors",
               "passes", "source");
    for (u32 i = 0; i < s->nlines; i++) {
        const struct heddle_line_count *l = &s->lines[i];
        u64 cycles = resident(s, l);
        buf_printf(out, "  %*s %12s %6s %8s %8s %7s  ", width, line_label(l).text, grouped(l->warp_instructions).text,
                   format_quotient((double)l->lanes, (double)l->warp_instructions).text,
                   format_share((double)cycles, (double)all).text,
                   format_quotient(column(l, "sectors"), column(l, "requests")).text,
                   format_quotient(column(l, "shared_passes"), column(l, "shared_requests")).text);
        put_source(r, l, SOURCE_WIDTH, out);
        if (cycles * 100 >= all && cycles > l->stall[0]) {
            struct buf reasons = {0};
            put_reasons(s, l, cycles, &reasons);
            if (reasons.len)
                buf_printf(out, "  %*s  %s\n", width + 46, "", reasons.data);
            out->failed |= reasons.failed;
            buf_free(&reasons);
        }
    }
    buf_puts(out, "  stalled: share of all warp cycles spent before the line issues, with the main reasons\n"
                  "  sectors, passes: per global or local request, per shared request\n");
}

void run_report_profile(struct run_report *r, const struct heddle_result *s, struct buf *out) {
    if (s->timed)
        timed(r, s, out);
    else
        untimed(r, s, out);
}
