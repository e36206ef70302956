/* Whose line comes next: the file's, or that of the innermost expansion; and how expansions start. */
#include "isa/asm/asm.h"

#include <string.h>

/* ---- the next line ---- */

static struct reader *innermost(const struct assembler *as) {
    u32 n = as->macros.depth;
    return n ? (struct reader *)&as->macros.reader[n - 1] : NULL;
}

struct cursor reader_next(const struct assembler *as) {
    const struct reader *r = innermost(as);
    if (r)
        return (struct cursor){.at = r->at, .end = r->macro->end, .line = r->line};
    const struct lex *l = &as->lex;
    const char *nl = l->at < l->end ? memchr(l->at, '\n', (size_t)(l->end - l->at)) : NULL;
    return (struct cursor){.at = nl ? nl + 1 : l->end, .end = l->end, .line = l->line + 1};
}

void reader_set_next(struct assembler *as, const struct cursor *next) {
    struct reader *r = innermost(as);
    if (r) {
        r->at = next->at;
        r->line = next->line;
    } else { /* on the newline before it */
        const char *at = next->at < next->end ? next->at - 1 : next->end;
        as->lex = (struct lex){.at = at, .end = next->end, .line_start = at, .line = next->line - 1};
    }
}

bool reader_pay(struct assembler *as, size_t bytes) {
    struct macros *m = &as->macros;
    m->lines_read++;
    m->bytes_read += bytes < MACRO_BYTES_MAX ? (u32)bytes : MACRO_BYTES_MAX;
    if (m->lines_read <= MACRO_LINES_MAX && m->bytes_read <= MACRO_BYTES_MAX)
        return true;
    struct span use = AT(struct expansion, m->expansions, m->reader[0].expansion)->use;
    asm_error(as, use, "macros and repeats come to more than %d lines, or %d MiB of them, in this file",
              MACRO_LINES_MAX, MACRO_BYTES_MAX >> 20);
    m->over = true;
    return false;
}

/* The next round of a repeat. */
static bool next_round(struct assembler *as, struct reader *r) {
    bool empty = r->macro->at == r->macro->end;
    if (r->left <= 1 || (empty && !reader_pay(as, 0)))
        return false;
    const struct expansion before = *AT(struct expansion, as->macros.expansions, r->expansion);
    u32 index = as->macros.expansions.count;
    struct expansion *x = list_push(as, &as->macros.expansions, sizeof *x);
    if (!x)
        return false;
    *x = before;
    x->round++;
    if (!x->in_macro)
        x->number = as->macros.numbers++;
    r->expansion = index;
    r->at = r->macro->at;
    r->line = r->macro->line;
    r->left--;
    return true;
}

/* The next line of the innermost body; false when that has been read. */
static bool body_line(struct assembler *as, struct reader *r) {
    do {
        if (r->at < r->macro->end) {
            const char *text = r->at, *nl = memchr(text, '\n', (size_t)(r->macro->end - text));
            r->at = nl ? nl + 1 : r->macro->end;
            if (!reader_pay(as, (size_t)(r->at - text)))
                return false;
            expand_line(as, r->expansion, text, nl ? nl : r->macro->end, r->line++);
            return true;
        }
        blocks_close(as, r->blocks);
    } while (next_round(as, r));
    return false;
}

bool asm_newline(struct assembler *as) {
    struct macros *m = &as->macros;
    while (m->depth && !m->over) {
        if (body_line(as, &m->reader[m->depth - 1]))
            return true;
        if (--m->depth == 0)
            as->lex = m->file;
    }
    return !m->over && include_newline(as);
}

/* ---- starting an expansion ---- */

bool reader_start(struct assembler *as, const struct token *word, const struct macro *macro, const struct token *arg,
                  u32 rounds) {
    struct macros *m = &as->macros;
    const struct reader *around = innermost(as);
    if (m->depth == MACRO_DEPTH_MAX) {
        asm_error(as, token_span(word), "more than %d macros and repeats in one another", MACRO_DEPTH_MAX);
        return false;
    }
    u32 index = m->expansions.count, parent = around ? around->expansion : NONE;
    struct expansion *x = list_push(as, &m->expansions, sizeof *x);
    if (!x)
        return false;
    const struct expansion *outside = around ? AT(struct expansion, m->expansions, parent) : NULL;
    bool inherits = macro->repeat && outside && outside->in_macro;
    *x = (struct expansion){.macro = macro,
                            .arg = arg,
                            .number = inherits ? outside->number : m->numbers++,
                            .in_macro = !macro->repeat || inherits,
                            .parent = parent,
                            .use = token_span(word)};
    if (m->depth == 0)
        m->file = as->lex;
    m->reader[m->depth++] = (struct reader){.macro = macro,
                                            .expansion = index,
                                            .at = macro->at,
                                            .line = macro->line,
                                            .left = rounds,
                                            .blocks = m->blocks.count};
    return true;
}
