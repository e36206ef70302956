/*
 * The source, line by line, with the cost of each instruction. A stalled warp is charged to the instruction that could
 * not issue, not to the one that it waits for.
 */
#include "sim/cli/run_report.h"

#include <stdio.h>
#include <string.h>

#include "sim/base/diag.h"
#include "sim/cli/format.h"

enum {
    REASONS = 2,      /* shown for a line */
    SOURCE_WIDTH = 47 /* bytes of the source beside timed columns */
};

/* Line `number` of the source, without leading blanks. */
static const char *source_line(const struct run_report *r, u32 number, int *len) {
    const char *at = r->source, *end = r->source + r->source_len;
    for (u32 n = 1; n < number && at; n++) {
        at = memchr(at, '\n', (size_t)(end - at));
        at = at ? at + 1 : NULL;
    }
    if (!at || number == 0)
        return NULL;
    while (at < end && (*at == ' ' || *at == '\t'))
        at++;
    const char *newline = memchr(at, '\n', (size_t)(end - at));
    *len = (int)((newline ? newline : end) - at);
    while (*len && (at[*len - 1] == '\r' || at[*len - 1] == ' '))
        --*len;
    return at;
}

static void put_source(const struct run_report *r, const struct heddle_line_count *l, int most, struct buf *out) {
    int len = 0;
    const char *text = r->source ? source_line(r, l->line, &len) : NULL;
    if (!text) {
        text = l->text;
        len = (int)strlen(text);
    }
    diag_put_text(out, text, (size_t)(len < most ? len : most));
    buf_putc(out, '\n');
}

static struct text line_number(u32 line) {
    struct text t = {"-"};
    if (line)
        snprintf(t.text, sizeof t.text, "%u", line);
    return t;
}

static double column(const struct heddle_line_count *l, const char *name) {
    return (double)*heddle_line_value(l, name);
}

static void untimed(const struct run_report *r, const struct heddle_result *s, struct buf *out) {
    buf_printf(out, "\n  %6s %16s  %8s  %s\n", "line", "issued", "share", "source");
    for (u32 i = 0; i < s->nlines; i++) {
        const struct heddle_line_count *l = &s->lines[i];
        double share = s->warp_instructions ? (double)l->warp_instructions / (double)s->warp_instructions : 0;
        buf_printf(out, "  %6s %16s  %6.2f %%  ", line_number(l->line).text, format_count(l->warp_instructions).text,
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

static void timed(const struct run_report *r, const struct heddle_result *s, struct buf *out) {
    u64 all = 0;
    for (u32 i = 0; i < s->nlines; i++)
        all += resident(s, &s->lines[i]);
    buf_printf(out, "\n  %5s %12s %6s %8s %8s %7s  %s\n", "line", "issued", "lanes", "stalled", "sectors", "passes",
               "source");
    for (u32 i = 0; i < s->nlines; i++) {
        const struct heddle_line_count *l = &s->lines[i];
        u64 cycles = resident(s, l);
        buf_printf(out, "  %5s %12s %6s %8s %8s %7s  ", line_number(l->line).text,
                   format_count(l->warp_instructions).text,
                   format_quotient((double)l->lanes, (double)l->warp_instructions).text,
                   format_share((double)cycles, (double)all).text,
                   format_quotient(column(l, "sectors"), column(l, "requests")).text,
                   format_quotient(column(l, "shared_passes"), column(l, "shared_requests")).text);
        put_source(r, l, SOURCE_WIDTH, out);
        if (cycles * 100 >= all && cycles > l->stall[0]) {
            struct buf reasons = {0};
            put_reasons(s, l, cycles, &reasons);
            if (reasons.len)
                buf_printf(out, "  %51s  %s\n", "", reasons.data);
            out->failed |= reasons.failed;
            buf_free(&reasons);
        }
    }
    buf_puts(out, "  stalled: share of all warp cycles spent before the line issues, with the main reasons\n"
                  "  sectors, passes: per global or local request, per shared request\n");
}

void run_profile_text(const struct run_report *r, const struct heddle_result *s, struct buf *out) {
    if (s->timed)
        timed(r, s, out);
    else
        untimed(r, s, out);
}
