/* The pane of the source: each line with its breakpoints and the warps that issue from it next. */
#include <stdio.h>
#include <string.h>

#include "sim/cli/debug/screen_state.h"

/* Prints the warps of a line in `columns` columns: "0-3,7"; `+` = and more. */
static void put_places(const struct buf *places, u32 line, u32 columns, struct buf *out) {
    const struct place_of *at = (const struct place_of *)(const void *)places->data;
    size_t warps = places->len / sizeof *at, n = 0;
    char text[LINE_BYTES] = "";
    for (size_t i = 0, last; i < warps && n + 24 < sizeof text; i = last + 1) {
        for (last = i; at[last].line == line && last + 1 < warps && at[last + 1].line == line; last++)
            ;
        if (at[i].line != line)
            continue;
        n += (size_t)snprintf(text + n, sizeof text - n, last > i ? "%s%u-%u" : "%s%u", n ? "," : "", at[i].warp,
                              at[last].warp);
    }
    if (n > columns)
        snprintf(text + columns - 1, 2, "+");
    buf_printf(out, "%-*s", (int)columns, text);
}

/* True if a breakpoint is at that line. */
static bool stops_at(const struct debug *d, const char *file, u32 line) {
    const struct stop *p = (const struct stop *)(const void *)d->stops.data;
    for (size_t n = d->stops.len / sizeof *p; n--; p++) {
        const struct heddle_instruction_info *l =
            p->kind == STOP_LINE || p->kind == STOP_PC ? debug_instruction(d, (u32)p->from) : NULL;
        if (l && l->line == line && debug_same_file(l->file, file))
            return true;
    }
    return false;
}

/* Prints a line of the source; squeezed: with fewer blanks, to show more of it. */
static void put_line(const char *text, const char *end, bool squeezed, struct buf *out) {
    enum { INDENT = 4 };
    const char *code = text + strspn(text, " ");
    if (!squeezed) {
        buf_append(out, text, (size_t)(end - text));
        return;
    }
    for (ptrdiff_t n = code < end ? (code - text) / INDENT : 0; n; n--)
        buf_putc(out, ' ');
    for (text = code; text < end; text++)
        if (*text != ' ' || text[1] != ' ')
            buf_putc(out, *text);
}

void pane_list(struct screen *s, struct pane *p) {
    enum { NARROW = 66, FEW = 5, MANY = 10 };
    const struct debug *d = s->d;
    struct heddle_state state;
    size_t len = 0;
    const struct heddle_instruction_info *l = debug_state(s->d, &state) ? debug_instruction(d, state.pc) : NULL;
    const char *file = l ? l->file : NULL, *text = heddle_program_source(d->program, file, &len);
    if (!text) {
        pane_wrapped(s, p, "list");
        return;
    }
    struct buf places = {0};
    bool narrow = p->box.cols < NARROW;
    debug_places(s->d, file, &places);
    snprintf(p->title, sizeof p->title, file ? "list: %.40s" : "list", file);
    u32 line = 1;
    for (const char *end = text + len; text < end; line++) {
        const char *eol = memchr(text, '\n', (size_t)(end - text));
        bool here = l && !state.ended && l->line == line;
        buf_printf(&p->text, "%c%c%4u ", here ? '>' : ' ', stops_at(d, file, line) ? '*' : ' ', line);
        put_places(&places, line, narrow ? FEW : MANY, &p->text);
        buf_putc(&p->text, ' ');
        put_line(text, eol ? eol : end, narrow, &p->text);
        buf_putc(&p->text, '\n');
        text = eol ? eol + 1 : end;
    }
    p->lines = line - 1;
    p->at = l ? (s32)l->line - 1 : NO_LINE;
    p->title[sizeof p->title - 1] = '\0';
    buf_free(&places);
}
