/* First reading: directives, labels, and where the instructions stand. */
#include "isa/asm/asm.h"

static void declare_label(struct assembler *as, const struct token *name) {
    if (as->unit == NONE) {
        asm_error(as, token_span(name), "a label outside a kernel: '.kernel NAME' must come first");
        return;
    }
    if (!names_check_length(as, name))
        return;
    u32 old = names_find(as, NAMES_LABELS, as->unit, name);
    if (old != NONE) {
        asm_error(as, token_span(name), "label '%.*s' is already on %s", token_shown(name), name->text,
                  asm_line_name(as, AT(struct label, as->labels, old)->name.line).text);
        return;
    }
    u32 index = as->labels.count;
    struct label *l = list_push(as, &as->labels, sizeof *l);
    if (l) {
        *l = (struct label){.name = *name, .unit = as->unit, .target = as->statements.count};
        names_add(as, NAMES_LABELS, as->unit, name, index);
    }
}

/* Calls are noted on the first reading, because places of local data depend on who calls whom. */
static void note_call(struct assembler *as) {
    struct lex lex = as->lex;
    struct token t = as->tok;
    if (t.kind == '@') {
        lex_next(&lex, &t);
        if (t.kind == '!')
            lex_next(&lex, &t);
        lex_next(&lex, &t);
    }
    if (t.kind != T_NAME || !token_is(&t, "call"))
        return;
    lex_next(&lex, &t);
    struct call *c = t.kind == T_NAME ? list_push(as, &as->calls, sizeof *c) : NULL;
    if (c) {
        c->name = t;
        c->callee = NONE;
        asm_unit(as, as->unit)->ncalls++;
    }
}

static void declare_instruction(struct assembler *as, const struct lex *at) {
    if (as->unit == NONE) {
        asm_error(as, token_span(&as->tok), "an instruction outside a kernel: '.kernel NAME' must come first");
        return;
    }
    if (as->statements.count == CODE_MAX) {
        asm_error(as, token_span(&as->tok), "more than %s instructions in one file", grouped(CODE_MAX).text);
        return;
    }
    u32 line = as->has_file ? as->loc : asm_line(as, as->tok.line);
    note_call(as);
    struct statement *s = list_push(as, &as->statements, sizeof *s);
    if (s)
        *s = (struct statement){.at = *at, .unit = as->unit, .line = line};
}

/*
 * Skips the rest of a list with a mistake, including its continuation lines, which would cause an error each.
 */
static void skip_list(struct assembler *as) {
    for (;;) {
        while (as->tok.kind != T_EOL)
            asm_next(as);
        if (as->last.kind != ',')
            return;
        do {
            if (!asm_newline(as))
                return;
            asm_next(as);
        } while (as->tok.kind == T_EOL);
    }
}

static void declare_line(struct assembler *as) {
    struct lex before = as->lex;
    asm_next(as);
    while (as->tok.kind == T_NAME) {
        struct lex ahead = as->lex;
        struct token colon;
        lex_next(&ahead, &colon);
        if (colon.kind != ':')
            break;
        declare_label(as, &as->tok);
        asm_next(as);
        before = as->lex;
        asm_next(as);
    }
    if (as->tok.kind == T_EOL)
        return;
    if (as->tok.kind == T_NAME && as->tok.text[0] == '.') {
        bool is_list = token_is(&as->tok, ".const") || token_is(&as->tok, ".global");
        if (!directive(as) && is_list)
            skip_list(as);
    } else if (as->tok.kind == T_NAME && macro_use(as)) {
        return;
    } else if (as->tok.kind == T_NAME || as->tok.kind == '@') {
        declare_instruction(as, &before);
    } else {
        asm_unexpected(as, "an instruction, a label or a directive");
    }
}

void asm_declare(struct assembler *as) {
    do
        declare_line(as);
    while (!as->nomem && asm_newline(as));
    if (as->macros.over)
        return;
    blocks_close(as, 0);
    asm_finish_unit(as);
    if (as->units.count == 0 && as->diag->errors == as->errors_before)
        asm_error(as, (struct span){0}, "no .kernel in this file");
}
