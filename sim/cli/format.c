#include "sim/cli/format.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "sim/file/computer.h"

struct short_text format_dims(const u32 d[3]) {
    struct short_text g;
    if (d[2] > 1)
        snprintf(g.text, sizeof g.text, "%ux%ux%u", d[0], d[1], d[2]);
    else if (d[1] > 1)
        snprintf(g.text, sizeof g.text, "%ux%u", d[0], d[1]);
    else
        snprintf(g.text, sizeof g.text, "%u", d[0]);
    return g;
}

struct short_text format_number(double v) {
    struct short_text g;
    if (v >= 999.5 && v < 1e15)
        return grouped((u64)(v + 0.5));
    snprintf(g.text, sizeof g.text, v >= 99.95 || v == 0 ? "%.0f" : v >= 9.995 ? "%.1f" : "%.2f", v);
    return g;
}

struct short_text format_precise(double v) {
    struct short_text g;
    if (fabs(v) >= 999999.5 && fabs(v) < 1e15)
        return format_number(v);
    snprintf(g.text, sizeof g.text, "%.6g", v);
    return g;
}

struct short_text format_si(double v, const char *unit) {
    static const struct {
        double scale;
        const char *prefix;
    } steps[] = {{1, ""}, {1e-3, "m"}, {1e-6, "u"}, {1e-9, "n"}, {1e-12, "p"}};
    struct short_text g;
    u32 i = 0;
    while (v != 0 && i + 1 < COUNT_OF(steps) && v < steps[i].scale)
        i++;
    snprintf(g.text, sizeof g.text, "%.30s %s%s", format_number(v / steps[i].scale).text, v == 0 ? "" : steps[i].prefix,
             unit);
    return g;
}

struct short_text format_share(double part, double whole) {
    struct short_text g = {"-"};
    if (whole > 0)
        snprintf(g.text, sizeof g.text, "%.1f %%", 100 * part / whole);
    return g;
}

struct short_text format_quotient(double part, double whole) {
    struct short_text g = {"-"};
    if (whole > 0)
        snprintf(g.text, sizeof g.text, "%.2f", part / whole);
    return g;
}

struct short_text format_count(u64 n, const char *what) {
    struct short_text g;
    snprintf(g.text, sizeof g.text, "%.26s %.16s%s", grouped(n).text, what, n == 1 ? "" : "s");
    return g;
}

struct short_text format_bar(double share, u32 width) {
    struct short_text g;
    u32 full = share >= 1 ? width : share > 0 ? (u32)lround(share * width) : 0;
    for (u32 i = 0; i < width; i++)
        g.text[i] = i < full ? '#' : ' ';
    g.text[width] = 0;
    return g;
}

static const struct heddle_metric *find_metric(const struct heddle_result *r, const char *name) {
    for (u32 i = 0; i < r->nmetrics; i++)
        if (strcmp(r->metrics[i].name, name) == 0)
            return &r->metrics[i];
    BUG("no such metric");
}

bool format_metric(const struct heddle_result *r, const char *name, double *value) {
    const struct heddle_metric *m = find_metric(r, name);
    *value = m->value;
    return !m->absent;
}

double metric_or_zero(const struct heddle_result *r, const char *name) {
    double value;
    return format_metric(r, name, &value) ? value : 0;
}

struct short_text format_metric_number(const struct heddle_result *r, const char *name) {
    const struct heddle_metric *m = find_metric(r, name);
    if (m->absent)
        return (struct short_text){"-"};
    return m->whole ? grouped((u64)m->value) : format_number(m->value);
}

void format_folded(const char *text, u32 used, u32 indent, struct buf *out) {
    size_t most = terminal_width() - used;
    while (*text) {
        size_t len = strlen(text);
        if (len > most) {
            for (len = most; len > 0 && text[len] != ' '; len--)
                continue;
            len = len ? len : strcspn(text, " "); /* a word longer than the line */
        }
        buf_printf(out, "%.*s\n", (int)len, text);
        text += len;
        while (*text == ' ')
            text++;
        if (*text)
            buf_printf(out, "%*s", (int)indent, "");
        most = terminal_width() - indent;
    }
}

void format_shell_word(const char *word, struct buf *out) {
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./,:@%";
    if (*word && !word[strspn(word, plain)]) {
        buf_puts(out, word);
        return;
    }
    buf_putc(out, '\'');
    for (; *word; word++)
        if (*word == '\'')
            buf_puts(out, "'\\''");
        else
            buf_putc(out, *word);
    buf_putc(out, '\'');
}
