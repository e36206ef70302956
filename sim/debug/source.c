/* Lines: the line of an instruction, its text, and the source around it. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/debug/debug.h"

/* ---- a line ---- */

/* Returns the text from line `line` on, up to `end`; NULL if it has fewer lines. */
static const char *line_at(const char *text, const char *end, u32 line) {
    for (u32 i = 1; text && i < line; i++) {
        text = memchr(text, '\n', (size_t)(end - text));
        text = text ? text + 1 : NULL;
    }
    return text;
}

u32 debug_line(const struct debug *d, u32 pc, char *text, size_t size) {
    const struct heddle_instruction_info *l = debug_instruction(d, pc);
    snprintf(text, size, "%s", l ? l->text : "");
    return l ? l->line : 0;
}

/* Returns the end of a path, its most telling part, which `until` and `break` accept as well. */
static const char *path_end(const char *path, size_t most) {
    size_t n = strlen(path);
    const char *end = n > most ? path + n - most : path, *slash = n > most ? strchr(end, '/') : NULL;
    return slash ? slash + 1 : end;
}

struct short_text debug_place(const struct debug *d, u32 pc) {
    enum { MOST = 28 };
    const struct heddle_instruction_info *l = debug_instruction(d, pc);
    struct short_text place;
    if (l && l->file)
        snprintf(place.text, sizeof place.text, "line %u of %s", l->line, path_end(l->file, MOST));
    else
        snprintf(place.text, sizeof place.text, "line %u", l ? l->line : 0);
    return place;
}

bool debug_same_file(const char *a, const char *b) {
    return a == b || (a && b && strcmp(a, b) == 0);
}

/* True if `name` is a path or its end: "find.hd" of "../lib/find.hd". */
static bool ends_path(const char *path, const char *name, size_t len) {
    size_t n = strlen(path);
    return len && len <= n && strncmp(path + n - len, name, len) == 0 && (n == len || path[n - len - 1] == '/');
}

bool debug_is_at(const struct heddle_instruction_info *l, const struct line_spec *at) {
    return l->line == at->line && (at->len ? l->file && ends_path(l->file, at->file, at->len) : !l->file);
}

enum spec debug_line_spec(const struct debug *d, const char *word, struct line_spec *at) {
    const char *colon = strrchr(word, ':'), *number = colon ? colon + 1 : word;
    char *end;
    unsigned long long line = strtoull(number, &end, 10);
    if (*number < '0' || *number > '9' || *end)
        return SPEC_NONE;
    *at = (struct line_spec){word, colon ? (size_t)(colon - word) : 0, (u32)line, 0};
    if (line == 0 || line > UINT32_MAX)
        return SPEC_EMPTY;
    const struct heddle_instruction_info *l;
    for (u32 pc = 0; (l = debug_instruction(d, pc)) != NULL; pc++)
        if (debug_is_at(l, at)) {
            at->pc = pc;
            return SPEC_LINE;
        }
    return SPEC_EMPTY;
}

/* ---- the source ---- */

bool debug_places(struct debug *d, const char *file, struct buf *places) {
    struct heddle_state s;
    const struct warp_of *w = (const struct warp_of *)(const void *)d->warps.data;
    for (size_t n = d->warps.len / sizeof *w; n--; w++) {
        if (w->block != d->block)
            continue;
        bool there = heddle_state(d->h, w->block, w->warp, d->at, &s) && !s.ended;
        const struct heddle_instruction_info *l = there ? debug_instruction(d, s.pc) : NULL;
        struct place_of place = {w->warp, l && debug_same_file(l->file, file) ? l->line : 0};
        buf_append(places, &place, sizeof place);
    }
    return !places->failed;
}

/* Prints the warps at this line: "0, 3". */
static void put_places(struct debug *d, const struct buf *places, u32 line) {
    const struct place_of *p = (const struct place_of *)(const void *)places->data;
    const char *before = "  <- warp ";
    for (size_t n = places->len / sizeof *p; n--; p++) {
        if (p->line != line)
            continue;
        buf_printf(&d->out, "%s%u", before, p->warp);
        before = ", ";
    }
}

/* Counts the lines of a text; text after the last newline is one. */
static u64 count_lines(const char *text, size_t len) {
    u64 lines = 0;
    for (size_t i = 0; i < len; i++)
        lines += text[i] == '\n' || i + 1 == len;
    return lines;
}

bool debug_list(struct debug *d, struct words *w) {
    char word[32], *end = word;
    struct heddle_state s;
    size_t len = 0;
    bool asked = *words_next(w, word, sizeof word);
    const struct heddle_instruction_info *l = debug_state(d, &s) ? debug_instruction(d, s.pc) : NULL;
    const char *file = l && !asked ? l->file : NULL, *text = heddle_program_source(d->program, file, &len);
    u32 here = l && debug_same_file(l->file, file) ? l->line : 0;
    u64 middle = asked ? strtoull(word, &end, 10) : here ? here : 1;
    if (!text && !file)
        return debug_refuse(d, "the kernel was loaded from an object file, which has no source");
    if (!text)
        return debug_answer(d, "the warp's line is in another file, %s, which cannot be shown; `list 1` shows this one",
                            file);
    u64 lines = count_lines(text, len);
    if (*end || (asked && *word == '-') || !middle || middle > lines)
        return debug_refuse(d, "'%s' is not a line: there are 1 to %" PRIu64, word, lines);
    if (file)
        buf_printf(&d->out, "%s\n", file);
    struct buf places = {0};
    d->out.failed |= !debug_places(d, file, &places);
    u32 line = middle > 6 ? (u32)middle - 6 : 1;
    for (const char *p = line_at(text, text + len, line), *stop = text + len; p < stop && line < middle + 7; line++) {
        const char *eol = memchr(p, '\n', (size_t)(stop - p));
        size_t n = (size_t)((eol ? eol : stop) - p);
        buf_printf(&d->out, "%c%5u%s%.*s", line == here ? '>' : ' ', line, n ? "  " : "", (int)(n < 100 ? n : 100), p);
        put_places(d, &places, line);
        buf_putc(&d->out, '\n');
        p = eol ? eol + 1 : stop;
    }
    buf_free(&places);
    return true;
}
