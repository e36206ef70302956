/* The current token, what is expected of it, and growing lists. */
#include "isa/asm/asm.h"

void asm_next(struct assembler *as) {
    as->last = as->tok;
    lex_next(&as->lex, &as->tok);
}

void asm_seek(struct assembler *as, struct lex at) {
    as->lex = at;
    as->tok = (struct token){.kind = T_EOL};
    asm_next(as);
}

bool asm_accept(struct assembler *as, u32 kind) {
    if (as->tok.kind != kind)
        return false;
    asm_next(as);
    return true;
}

bool asm_unexpected(struct assembler *as, const char *what) {
    const struct token *t = &as->tok;
    struct span at = token_span(t);
    if (t->kind == T_EOL)
        asm_error(as, at, "expected %s, found the end of the line", what);
    else if (t->kind == T_BAD && *t->text == '"')
        asm_error(as, at, "unterminated string");
    else if (t->kind == T_BAD && t->len == 1 && (u8)*t->text < 0x80 && (u8)*t->text > ' ')
        asm_error(as, at, "unexpected '%c'", *t->text);
    else if (t->kind == T_BAD)
        asm_error(as, at, "unexpected byte 0x%02x", (u8)*t->text);
    else
        asm_error(as, at, "expected %s, found '%.*s'", what, token_shown(t), t->text);
    return false;
}

bool asm_expect(struct assembler *as, u32 kind, const char *what) {
    return asm_accept(as, kind) || asm_unexpected(as, what);
}

bool asm_end_of_line(struct assembler *as) {
    return as->tok.kind == T_EOL || asm_unexpected(as, "the end of the line");
}

void *list_push(struct assembler *as, struct list *list, size_t size) {
    void *element = list->count < NONE - 1 ? buf_push(&list->bytes, size) : NULL;
    if (element)
        list->count++;
    else
        as->nomem = true;
    return element;
}
