#include "sim/base/diag.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void heddle_bug(const char *file, int line, const char *what) {
    fprintf(stderr, "%s:%d: heddle has a bug: %s\n", file, line, what);
    abort();
}

static void add(struct diag *diag, enum severity severity, struct span at, const char *fmt, va_list ap) {
    if (severity == SEV_ERROR)
        diag->errors++;
    else
        diag->warnings++;
    u32 slot = diag->kept;
    diag->last = DIAG_MAX;
    if (slot == DIAG_MAX) {
        /* An error is worth more than a warning: it takes the place of the last warning kept. */
        if (severity == SEV_WARNING)
            return;
        while (slot > 0 && diag->message[slot - 1].severity == SEV_ERROR)
            slot--;
        if (slot == 0)
            return;
        slot--;
    } else {
        diag->kept++;
    }
    struct diag_message *m = &diag->message[slot];
    m->at = at;
    m->severity = severity;
    m->notes = 0;
    diag->last = slot;
    vsnprintf(m->text, sizeof m->text, fmt, ap);
}

bool diag_error(struct diag *diag, struct span at, const char *fmt, ...) {
    va_list ap;
    va_start(ap, fmt);
    add(diag, SEV_ERROR, at, fmt, ap);
    va_end(ap);
    return false;
}

void diag_warn(struct diag *diag, struct span at, const char *fmt, ...) {
    va_list ap;
    va_start(ap, fmt);
    add(diag, SEV_WARNING, at, fmt, ap);
    va_end(ap);
}

void diag_note(struct diag *diag, u32 line, const char *fmt, ...) {
    struct diag_message *m = diag->last < diag->kept ? &diag->message[diag->last] : NULL;
    if (!m || m->notes == DIAG_NOTES)
        return;
    struct diag_note *note = &m->note[m->notes++];
    va_list ap;
    va_start(ap, fmt);
    note->line = line;
    vsnprintf(note->text, sizeof note->text, fmt, ap);
    va_end(ap);
}

/* A mark of the byte order at the start of a text is no part of its first line. */
static bool find_line(const char *source, size_t len, u32 line, const char **start, size_t *width) {
    const char *p = source, *end = source + len;
    for (u32 n = 1; n < line; n++) {
        const char *nl = p < end ? memchr(p, '\n', (size_t)(end - p)) : NULL;
        if (!nl)
            return false;
        p = nl + 1;
    }
    const char *nl = p < end ? memchr(p, '\n', (size_t)(end - p)) : NULL;
    if (line == 1 && end - p >= 3 && memcmp(p, "\xef\xbb\xbf", 3) == 0)
        p += 3;
    *start = p;
    *width = (size_t)((nl ? nl : end) - p);
    if (*width && p[*width - 1] == '\r')
        --*width;
    return true;
}

/* Bytes of the character at p: 1 to 4; 0 when it begins none that a terminal should see. */
static size_t character(const char *p, size_t left) {
    u8 c = (u8)*p;
    if (c < 0x80)
        return (c >= ' ' && c != 0x7f) || c == '\t';
    size_t n = c < 0xc2 ? 0 : c < 0xe0 ? 2 : c < 0xf0 ? 3 : c < 0xf5 ? 4 : 0;
    if (n == 0 || n > left)
        return 0;
    u32 code = c & (0x7fu >> n);
    for (size_t i = 1; i < n; i++) {
        if (((u8)p[i] & 0xc0) != 0x80)
            return 0;
        code = code << 6 | ((u8)p[i] & 0x3f);
    }
    /* Excludes the control characters above ASCII, overlong spellings, surrogates, and what is beyond Unicode. */
    static const u32 least[] = {0, 0, 0xa0, 0x800, 0x10000};
    return code < least[n] || (code >= 0xd800 && code < 0xe000) || code > 0x10ffff ? 0 : n;
}

/* Bytes that are shown as one character. */
static size_t step(const char *p, size_t left) {
    size_t n = character(p, left);
    return n ? n : 1;
}

void diag_put_text(struct buf *out, const char *text, size_t len) {
    size_t shown = len < TEXT_WIDEST ? len : TEXT_WIDEST;
    for (size_t i = 0; i < shown; i += step(text + i, shown - i)) {
        size_t n = character(text + i, shown - i);
        buf_append(out, n ? text + i : "?", n ? n : 1);
    }
}

enum { SOURCE_WIDTH = 90 };

/* Returns the length of a wide line, without the comment unless the caret stands in it. */
static size_t without_comment(const char *line, size_t width, u32 col) {
    const char *comment = width > SOURCE_WIDTH ? memchr(line, ';', width) : NULL;
    size_t n = comment ? (size_t)(comment - line) : 0;
    if (!n || (col > n && col <= width))
        return width;
    while (n && (line[n - 1] == ' ' || line[n - 1] == '\t'))
        n--;
    return n ? n : width;
}

void diag_render_line(const char *source, size_t len, struct span at, struct buf *out) {
    const char *line;
    size_t width;
    if (!source || at.line == 0 || !find_line(source, len, at.line, &line, &width))
        return;
    width = without_comment(line, width, at.col);
    size_t shown = width < TEXT_WIDEST ? width : TEXT_WIDEST, i = 0;
    buf_printf(out, "%6u | ", at.line);
    diag_put_text(out, line, width);
    buf_puts(out, "\n");
    size_t col = at.col ? at.col - 1 : 0;
    if (col > shown)
        return;
    /* The padding repeats the line's own tabs, so that the caret stands under its column. */
    buf_puts(out, "       | ");
    for (; i < col; i += step(line + i, shown - i))
        buf_putc(out, line[i] == '\t' ? '\t' : ' ');
    buf_putc(out, '^');
    for (i += i < shown ? step(line + i, shown - i) : 1; i < col + at.len && i < shown; i += step(line + i, shown - i))
        buf_putc(out, '~');
    buf_puts(out, "\n");
}

/* The text that holds a line. */
static struct source_file text_of(const struct diag *diag, u32 line) {
    const struct source_file *s = source_file_at(diag->included, diag->nincluded, line);
    return s ? *s : (struct source_file){.file = diag->file, .text = diag->source, .len = diag->source_len};
}

static void render_message(const struct diag *diag, const struct diag_message *m, struct buf *out) {
    struct source_file s = text_of(diag, m->at.line);
    struct span at = m->at;
    at.line -= s.first;
    buf_printf(out, "%s:", s.file);
    if (at.line)
        buf_printf(out, "%u:%u:", at.line, at.col);
    buf_puts(out, m->severity == SEV_ERROR ? " error: " : " warning: ");
    diag_put_text(out, m->text, strlen(m->text));
    buf_putc(out, '\n');
    diag_render_line(s.text, s.len, at, out);
    for (u32 n = 0; n < m->notes; n++) {
        s = text_of(diag, m->note[n].line);
        buf_puts(out, "  ");
        diag_put_text(out, m->note[n].text, strlen(m->note[n].text));
        buf_printf(out, ", %s:%u\n", s.file, m->note[n].line - s.first);
    }
}

void diag_render(const struct diag *diag, struct buf *out) {
    u32 order[DIAG_MAX];
    for (u32 i = 0; i < diag->kept; i++) {
        u32 j = i;
        for (; j > 0; j--) {
            const struct span *a = &diag->message[order[j - 1]].at, *b = &diag->message[i].at;
            if (a->line < b->line || (a->line == b->line && a->col <= b->col))
                break;
            order[j] = order[j - 1];
        }
        order[j] = i;
    }
    for (u32 i = 0; i < diag->kept; i++)
        render_message(diag, &diag->message[order[i]], out);
    u32 all = diag->errors + diag->warnings;
    if (all > diag->kept)
        buf_printf(out, "%s: %u more message%s not shown\n", diag->file, all - diag->kept,
                   all - diag->kept == 1 ? "" : "s");
}

/* Optimal string alignment: insert, delete, replace, or swap two neighbours, each costing 1. */
static size_t edit_distance(const char *a, size_t na, const char *b, size_t nb) {
    enum { LONGEST = 48 };
    size_t d[LONGEST + 1][LONGEST + 1];
    if (na > LONGEST || nb > LONGEST)
        return SIZE_MAX;
    for (size_t i = 0; i <= na; i++)
        for (size_t j = 0; j <= nb; j++) {
            if (i == 0 || j == 0) {
                d[i][j] = i + j;
                continue;
            }
            size_t best = d[i - 1][j - 1] + (a[i - 1] != b[j - 1]);
            if (d[i - 1][j] + 1 < best)
                best = d[i - 1][j] + 1;
            if (d[i][j - 1] + 1 < best)
                best = d[i][j - 1] + 1;
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] && d[i - 2][j - 2] + 1 < best)
                best = d[i - 2][j - 2] + 1;
            d[i][j] = best;
        }
    return d[na][nb];
}

/* The shortest of the names that begin with the word, which is no slip of the pen: 'clock_mhz' for "clock". */
static const char *begun_by(const char *word, size_t n, const char *(*name)(const void *ctx, size_t i),
                            const void *ctx) {
    enum { LEAST = 3 };
    size_t len = strlen(word);
    const char *found = NULL;
    for (size_t i = 0; i < n && len >= LEAST; i++) {
        const char *candidate = name(ctx, i);
        if (candidate && strncmp(candidate, word, len) == 0 && (!found || strlen(candidate) < strlen(found)))
            found = candidate;
    }
    return found;
}

const char *nearest_name(const char *word, size_t n, const char *(*name)(const void *ctx, size_t i), const void *ctx) {
    size_t len = strlen(word), limit = len / 3 + (len < 3), best = limit + 1;
    const char *found = NULL;
    for (size_t i = 0; i < n; i++) {
        const char *candidate = name(ctx, i);
        if (!candidate)
            continue;
        size_t distance = edit_distance(word, len, candidate, strlen(candidate));
        if (distance < best) {
            best = distance;
            found = candidate;
        }
    }
    return found ? found : begun_by(word, n, name, ctx);
}
