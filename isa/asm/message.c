/* Messages: placed in the file even for expanded lines, with notes on the uses that led there. */
#include "isa/asm/asm.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

u32 asm_line(const struct assembler *as, u32 line) {
    return line & LINE_MADE ? AT(struct made_line, as->macros.lines, line & ~LINE_MADE)->line : line;
}

struct line_name asm_line_name(const struct assembler *as, u32 line) {
    return line_name(as->diag->included, as->diag->nincluded, asm_line(as, line));
}

static const char *line_end(const char *text, const char *end) {
    const char *nl = memchr(text, '\n', (size_t)(end - text));
    return nl ? nl : end;
}

/* Place in the file of a place in a made line, and its expansion: what replaces a name lies at the name. */
static struct span place_in_file(const struct assembler *as, struct span at, u32 *expansion) {
    *expansion = NONE;
    if (!(at.line & LINE_MADE))
        return at;
    const struct made_line *made = AT(struct made_line, as->macros.lines, at.line & ~LINE_MADE);
    const struct source_file *included = source_file_at(as->diag->included, as->diag->nincluded, made->line);
    const char *text_end = included ? included->text + included->len : as->diag->source + as->diag->source_len;
    const char *end = line_end(made->text, text_end);
    u32 begin = at.col - 1, last = begin + at.len - 1, from = NONE, to = NONE, in_made = 0, in_file = 0;
    struct piece p;
    *expansion = made->expansion;
    while (to == NONE && piece_next(as, made, end, in_file, &p)) {
        if (from == NONE && begin < in_made + p.len)
            from = p.as_written ? in_file + (begin - in_made) : in_file;
        if (last < in_made + p.len)
            to = p.as_written ? in_file + (last - in_made) + 1 : in_file + p.width;
        in_made += p.len;
        in_file += p.width;
    }
    if (from == NONE) /* after the last character */
        from = in_file;
    if (to == NONE)
        to = in_file > from ? in_file : from + 1;
    return (struct span){.line = made->line, .col = from + 1, .len = to - from};
}

/* The use that note n below a message is for, going up: the last note is for the one in the text of the file itself. */
static const struct expansion *noted_use(const struct assembler *as, u32 expansion, u32 n, bool *skips) {
    const struct expansion *x = AT(struct expansion, as->macros.expansions, expansion);
    *skips = n == DIAG_NOTES - 1 && x->parent != NONE;
    while (*skips && x->parent != NONE)
        x = AT(struct expansion, as->macros.expansions, x->parent);
    return x;
}

/* True if an expansion has the same chain of uses as a message, ignoring the rounds of repeats. */
static bool same_uses(const struct assembler *as, const struct diag_message *m, u32 expansion) {
    bool skips;
    for (u32 n = 0; n < m->notes; n++) {
        const struct expansion *x = expansion != NONE ? noted_use(as, expansion, n, &skips) : NULL;
        if (!x || m->note[n].line != asm_line(as, x->use.line))
            return false;
        expansion = x->parent;
    }
    return expansion == NONE;
}

bool asm_suggests(const struct assembler *as) {
    return as->diag->errors + as->macros.repeated < DIAG_MAX;
}

/*
 * Every use of a body would repeat its mistakes, and every round of a repeat with other names. Once suggestions are
 * off, messages of one place no longer differ: one is enough.
 */
static bool is_reported(const struct assembler *as, struct span at, u32 expansion, const char *text) {
    for (u32 i = 0; i < as->diag->kept; i++) {
        const struct diag_message *m = &as->diag->message[i];
        bool same_place = m->at.line == at.line && m->at.col == at.col;
        if (same_place && (!asm_suggests(as) || strcmp(m->text, text) == 0 || same_uses(as, m, expansion)))
            return true;
    }
    return false;
}

static void note_uses(struct assembler *as, u32 expansion) {
    bool skips;
    for (u32 n = 0; expansion != NONE && n < DIAG_NOTES; n++) {
        const struct expansion *x = noted_use(as, expansion, n, &skips);
        const struct token *name = &x->macro->name;
        const char *dots = skips ? "... " : "";
        u32 line = asm_line(as, x->use.line);
        if (x->macro->repeat)
            diag_note(as->diag, line, "%sin round %u of the '.repeat'", dots, x->round);
        else
            diag_note(as->diag, line, "%sin the expansion of '%.*s'", dots, token_shown(name), name->text);
        expansion = x->parent;
    }
}

/* Notes the .include lines that led to a line. */
static void note_includes(struct assembler *as, u32 line) {
    const struct source_file *s;
    while ((s = source_file_at(as->diag->included, as->diag->nincluded, line))) {
        line = as->includes->by[s - as->diag->included];
        diag_note(as->diag, line, "included");
    }
}

void asm_report(struct assembler *as, struct span at, u32 expansion, const char *text) {
    const u32 mistakes = as->diag->errors + as->macros.repeated;
    as->macros.over |= expansion != NONE && mistakes >= MACRO_MISTAKES_MAX;
    if (expansion != NONE && is_reported(as, at, expansion, text)) {
        as->macros.repeated++;
        return;
    }
    diag_error(as->diag, at, "%s", text);
    if (expansion == NONE)
        note_includes(as, at.line);
    else
        note_uses(as, expansion);
}

bool asm_error(struct assembler *as, struct span at, const char *fmt, ...) {
    char text[sizeof as->diag->message[0].text];
    u32 expansion;
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    struct span place = place_in_file(as, at, &expansion);
    asm_report(as, place, expansion, text);
    return false;
}
