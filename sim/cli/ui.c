#include "sim/cli/ui.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sim/base/buf.h"
#include "sim/base/diag.h"

static enum { COLOR_AUTO, COLOR_ALWAYS, COLOR_NEVER } mode;

#define RED "\033[1;31m"
#define YELLOW "\033[1;33m"
#define GREEN "\033[1;32m"
#define PLAIN "\033[0m"

bool ui_set_color(const char *when) {
    static const char *const names[] = {"auto", "always", "never"};
    for (u32 i = 0; i < COUNT_OF(names); i++)
        if (strcmp(names[i], when) == 0) {
            mode = i;
            return true;
        }
    return false;
}

bool ui_color(FILE *stream) {
    const char *no = getenv("NO_COLOR"), *term = getenv("TERM");
    if (mode != COLOR_AUTO)
        return mode == COLOR_ALWAYS;
    return !(no && *no) && !(term && strcmp(term, "dumb") == 0) && isatty(fileno(stream));
}

/* True for a line under a source line: blanks and then a caret. */
static bool is_caret_line(const char *line, size_t len) {
    size_t i = 0;
    while (i < len && strchr(" \t|", line[i]))
        i++;
    return i < len && line[i] == '^';
}

static void show_line(FILE *stream, const char *line, size_t len) {
    static const struct {
        const char *word, *color;
    } words[] = {{" error: ", RED}, {" fault: ", RED}, {" warning: ", YELLOW}};
    const char *end = line + len;
    for (u32 i = 0; i < COUNT_OF(words); i++) {
        size_t n = strlen(words[i].word);
        const char *at = memmem(line, len, words[i].word, n);
        if (!at)
            continue;
        fprintf(stream, "%.*s%s%.*s" PLAIN "%.*s", (int)(at - line), line, words[i].color, (int)n, at,
                (int)(end - at - (ptrdiff_t)n), at + n);
        return;
    }
    if (is_caret_line(line, len))
        fprintf(stream, GREEN "%.*s" PLAIN, (int)len, line);
    else
        fprintf(stream, "%.*s", (int)len, line);
}

enum { COLUMNS = 100, HANGING = 4 }; /* of the rows of a long line */

void ui_put_rows(struct buf *out, const char *line, size_t len, u32 indent) {
    for (size_t at = 0, n; at < len; at += n + 1) {
        const size_t margin = indent + (at ? HANGING : 0), most = COLUMNS - margin;
        for (n = len - at < most ? len - at : most; n > 1 && at + n < len && line[at + n] != ' '; n--)
            ;
        if (n == 1) /* a word that is wider */
            n = strcspn(line + at + 1, " \n") + 1;
        buf_printf(out, "%s%*s", at ? "\n" : "", (int)margin, "");
        buf_append(out, line + at, n);
    }
}

/* Folds the lines that name a fault. */
static void put_folded(struct buf *out, const char *lines) {
    while (*lines) {
        size_t len = strcspn(lines, "\n"), end = len + (lines[len] != 0);
        if (memmem(lines, len, " fault: ", 8))
            ui_put_rows(out, lines, len, 0);
        else
            buf_append(out, lines, len);
        buf_append(out, lines + len, end - len);
        lines += end;
    }
}

void ui_show(FILE *stream, const char *text) {
    struct buf folded = {0};
    put_folded(&folded, text);
    const char *lines = folded.failed || !folded.data ? text : folded.data;
    if (stream == stderr)
        fflush(stdout);
    if (!ui_color(stream))
        fputs(lines, stream);
    while (*lines && ui_color(stream)) {
        size_t len = strcspn(lines, "\n");
        show_line(stream, lines, len);
        lines += len;
        if (*lines) {
            fputc('\n', stream);
            lines++;
        }
    }
    buf_free(&folded);
}

static void show_error(const char *who, const char *fmt, va_list ap) {
    char text[1000];
    struct buf line = {0};
    vsnprintf(text, sizeof text, fmt, ap);
    diag_put_text(&line, who, strlen(who));
    buf_puts(&line, ": error: ");
    diag_put_text(&line, text, strlen(text));
    buf_putc(&line, '\n');
    ui_show(stderr, line.data ? line.data : "heddle: error: out of memory\n");
    buf_free(&line);
}

bool ui_error_as(const char *who, const char *fmt, ...) {
    va_list ap;
    va_start(ap, fmt);
    show_error(who, fmt, ap);
    va_end(ap);
    return false;
}

bool ui_error(const char *fmt, ...) {
    va_list ap;
    va_start(ap, fmt);
    show_error("heddle", fmt, ap);
    va_end(ap);
    return false;
}

bool ui_no_memory(void) {
    return ui_error("out of memory");
}

static ui_place *place_of;
static const void *place_ctx;

void ui_set_place(ui_place *place, const void *ctx) {
    place_of = place;
    place_ctx = ctx;
}

/* Shows an error in an option; a long value is cut before or after the marked part. */
bool ui_option_error(const char *option, const char *value, size_t at, size_t len, const char *fmt, ...) {
    char text[1000];
    struct buf out = {0};
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    if (place_of && place_of(place_ctx, &(struct ui_mark){option, value, at, len}, text))
        return false;
    ui_error_as(option, "%s", text);
    size_t width = strlen(value), cut = at < TEXT_WIDEST / 2 ? 0 : at - TEXT_WIDEST / 2,
           most = TEXT_WIDEST - (at - cut);
    buf_printf(&out, "    %s ", option);
    diag_put_text(&out, value + cut, width - cut);
    buf_printf(&out, "\n    %*s", (int)(strlen(option) + 1 + at - cut), "");
    buf_putc(&out, '^');
    for (size_t i = 1; i < len && i < most; i++)
        buf_putc(&out, '~');
    buf_putc(&out, '\n');
    if (!out.failed)
        ui_show(stderr, out.data);
    buf_free(&out);
    return false;
}
