/* Reads the next line, from the file or from the innermost expansion; starts expansions. */
#include "isa/asm/asm.h"

#include <string.h>

/* ---- the next line ---- */

/* The next round of a repeat. */
static bool next_round(struct assembler *as, struct reader *r) {
    bool empty = r->macro->at == r->macro->end;
    if (r->left <= 1 || (empty && !reader_charge(as, 0)))
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

/* Reads the next line of the innermost body; false at its end. */
static bool body_line(struct assembler *as, struct reader *r) {
    do {
        if (r->at < r->macro->end) {
            const char *text = r->at, *nl = memchr(text, '\n', (size_t)(r->macro->end - text));
            r->at = nl ? nl + 1 : r->macro->end;
            if (!reader_charge(as, (size_t)(r->at - text)))
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
    const struct reader *around = reader_innermost(as);
    if (m->depth == MACRO_DEPTH_MAX)
        return asm_error(as, token_span(word), "macros and repeats nested more than %d deep", MACRO_DEPTH_MAX);
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
