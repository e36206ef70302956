/* Expands lines of bodies: the text with its arguments inserted. */
#include "isa/asm/asm.h"

#include <stdio.h>
#include <string.h>

enum { ROOM = 64 * 1024 };

bool expand_knows(const struct assembler *as, const struct token *name) {
    const struct macros *m = &as->macros;
    u32 e = m->depth ? m->reader[m->depth - 1].expansion : NONE, param;
    return piece_param(as, e, name->text, name->len, &param) != NULL;
}

/* Copies text to memory that lives as long as the assembler. */
static char *keep(struct assembler *as, const char *text, u32 len) {
    struct macros *m = &as->macros;
    if (!m->room || m->room_left < len) {
        m->room = arena_alloc(&as->scratch, ROOM);
        m->room_left = ROOM;
    }
    if (!m->room) {
        as->nomem = true;
        return NULL;
    }
    char *kept = m->room;
    memcpy(kept, text, len);
    m->room += len;
    m->room_left -= len;
    return kept;
}

enum { COPY = 48 };

static const char *copied(const void *ctx, size_t i) {
    return (const char *)ctx + i * COPY;
}

/* Reports an undefined \NAME, with the nearest defined one. */
static void unknown_name(struct assembler *as, u32 expansion, struct span at, const char *name, u32 len) {
    char known[MACRO_PARAMS_MAX + MACRO_DEPTH_MAX][COPY] = {0}, word[COPY] = "", text[200];
    u32 n = 0;
    for (u32 e = expansion; e != NONE;) {
        const struct expansion *x = AT(struct expansion, as->macros.expansions, e);
        for (u32 i = 0; i < x->macro->nparams && n < COUNT_OF(known); i++)
            if (x->macro->param[i].len < COPY)
                memcpy(known[n++], x->macro->param[i].text, x->macro->param[i].len);
        e = x->macro->repeat ? x->parent : NONE;
    }
    memcpy(word, name, len < COPY ? len : 0);
    const char *near = len > 1 && asm_suggests(as) ? nearest_name(word, n, copied, known) : NULL;
    if (len == 0)
        snprintf(text, sizeof text, "expected a parameter's name, '@' or '()' after '\\'");
    else
        snprintf(text, sizeof text, "'\\%.*s' is not a parameter or counter here%s%s%s", (int)(len < 40 ? len : 40),
                 name, near ? "; did you mean '\\" : "", near ? near : "", near ? "'?" : "");
    asm_report(as, at, expansion, text);
}

/* ---- lines ---- */

/* Assembles the pieces of a line. False after reporting. */
static bool fill_in(struct assembler *as, const struct made_line *made, const char *end, char *out, u32 *len) {
    static const char too_long[] = "the arguments make the line longer than 4,096 characters";
    _Static_assert(MACRO_LINE_MAX == 4096, "the message says so");
    struct piece p;
    *len = 0;
    for (u32 at = 0; piece_next(as, made, end, at, &p); at += p.width) {
        struct span place = {.line = made->line, .col = at + 1, .len = p.width};
        if (p.unknown) {
            unknown_name(as, made->expansion, place, made->text + at + 1, p.width - 1);
            return false;
        }
        if (p.len > MACRO_LINE_MAX - *len) {
            asm_report(as, place, made->expansion, too_long);
            return false;
        }
        memcpy(out + *len, p.text, p.len);
        *len += p.len;
    }
    return true;
}

void expand_line(struct assembler *as, u32 expansion, const char *text, const char *end, u32 line) {
    const struct made_line made = {.text = text, .line = line, .expansion = expansion};
    u32 index = as->macros.lines.count, len;
    struct made_line *kept = list_push(as, &as->macros.lines, sizeof *kept);
    as->lex = (struct lex){.at = text, .end = end, .line_start = text, .line = kept ? LINE_MADE | index : line};
    if (kept)
        *kept = made;
    if (!kept || !memchr(text, '\\', (size_t)(end - text)))
        return;
    char out[MACRO_LINE_MAX];
    const char *made_text = fill_in(as, &made, end, out, &len) ? keep(as, out, len) : NULL;
    if (made_text) {
        as->lex.at = as->lex.line_start = made_text;
        as->lex.end = made_text + len;
        as->macros.bytes_read += len;
    } else {
        as->lex.at = end; /* empty line */
    }
}
