/* Words of a command line, and its answers. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/ascii.h"
#include "sim/debug/debug.h"

const char *words_next(struct words *w, char *word, size_t size) {
    size_t n = 0;
    w->rest += strspn(w->rest, " \t");
    w->rest = w->end && w->rest > w->end ? w->end : w->rest;
    for (; *w->rest && w->rest != w->end && *w->rest != ' ' && *w->rest != '\t'; w->rest++)
        if (n + 1 < size)
            word[n++] = *w->rest;
    word[n] = '\0';
    return word;
}

bool debug_index(const char *digits, u64 *number) {
    char *end;
    *number = strtoull(digits, &end, 10);
    return is_digit(*digits) && strcmp(end, "]") == 0;
}

const char *debug_unguarded(const char *text) {
    const char *blank = *text == '@' ? strchr(text, ' ') : NULL;
    return blank ? blank + 1 : text;
}

bool debug_refuse(struct debug *d, const char *format, ...) {
    char text[512];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    d->error.len = 0;
    buf_puts(&d->error, text);
    return false;
}

bool debug_answer(struct debug *d, const char *format, ...) {
    char text[512];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    buf_printf(&d->out, "%s\n", text);
    return true;
}
