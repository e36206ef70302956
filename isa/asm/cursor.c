/* The position of the next line, in the file or in the innermost expansion; and the limits of expansions. */
#include "isa/asm/asm.h"

#include <string.h>

struct cursor reader_next(const struct assembler *as) {
    const struct reader *r = reader_innermost(as);
    if (r)
        return (struct cursor){.at = r->at, .end = r->macro->end, .line = r->line};
    const struct lex *l = &as->lex;
    const char *nl = l->at < l->end ? memchr(l->at, '\n', (size_t)(l->end - l->at)) : NULL;
    return (struct cursor){.at = nl ? nl + 1 : l->end, .end = l->end, .line = l->line + 1};
}

void reader_set_next(struct assembler *as, const struct cursor *next) {
    struct reader *r = reader_innermost(as);
    if (r) {
        r->at = next->at;
        r->line = next->line;
    } else { /* on the preceding newline */
        const char *at = next->at < next->end ? next->at - 1 : next->end;
        as->lex = (struct lex){.at = at, .end = next->end, .line_start = at, .line = next->line - 1};
    }
}

bool reader_charge(struct assembler *as, size_t bytes) {
    struct macros *m = &as->macros;
    m->lines_read++;
    m->bytes_read += bytes < MACRO_BYTES_MAX ? (u32)bytes : MACRO_BYTES_MAX;
    if (m->lines_read <= MACRO_LINES_MAX && m->bytes_read <= MACRO_BYTES_MAX)
        return true;
    struct span use = AT(struct expansion, m->expansions, m->reader[0].expansion)->use;
    asm_error(as, use, "macros and repeats expand to more than %s lines, or %d MiB of them, in this file",
              grouped(MACRO_LINES_MAX).text, MACRO_BYTES_MAX >> 20);
    m->over = true;
    return false;
}
