/*
 * What the program keeps of its text: the names of registers, predicates and labels, what each instruction looks like
 * when macros are expanded, and which instructions are rounds of one line.
 */
#include "isa/asm/asm.h"

#include <stdlib.h>
#include <string.h>

static void keep(struct assembler *as, struct program_name name, const struct token *text) {
    struct program *p = as->program;
    name.text = arena_strndup(&p->arena, text->text, text->len);
    as->nomem |= !name.text;
    p->names[p->nnames++] = name;
}

static void keep_symbols(struct assembler *as, u32 unit) {
    u32 end = unit + 1 < as->units.count ? asm_unit(as, unit + 1)->first_symbol : as->symbols.count;
    for (u32 i = asm_unit(as, unit)->first_symbol; i < end; i++) {
        const struct symbol *s = asm_symbol(as, i);
        if (s->kind == SYM_REG || s->kind == SYM_PRED)
            keep(as,
                 (struct program_name){.kind = s->kind == SYM_REG ? NAME_REGISTER : NAME_PREDICATE,
                                       .kernel = unit,
                                       .number = s->number,
                                       .count = s->kind == SYM_REG ? s->regs : 1},
                 &s->name);
    }
}

static void names_keep(struct assembler *as) {
    struct program *p = as->program;
    p->names = arena_alloc(&p->arena, (as->symbols.count + as->labels.count) * sizeof *p->names);
    as->nomem |= !p->names;
    for (u32 u = 0; u < as->units.count && !as->nomem; u++)
        keep_symbols(as, u);
    for (u32 i = 0; i < as->labels.count && !as->nomem; i++) {
        const struct label *l = AT(struct label, as->labels, i);
        keep(as, (struct program_name){.kind = NAME_LABEL, .kernel = l->unit, .number = l->target, .count = 1},
             &l->name);
    }
}

/* ---- the text of instructions ---- */

void text_keep(struct assembler *as, u32 index) {
    struct lex lex = AT(struct statement, as->statements, index)->at;
    struct token t;
    const char *end = NULL; /* of the token before */
    as->program->text[index] = (u32)as->texts.len;
    for (lex_next(&lex, &t); t.kind != T_EOL; lex_next(&lex, &t)) {
        buf_puts(&as->texts, end && t.text > end ? " " : "");
        buf_append(&as->texts, t.text, t.len);
        end = t.text + t.len;
    }
    buf_putc(&as->texts, 0);
    as->nomem |= as->texts.failed;
}

static void texts_keep(struct assembler *as) {
    struct program *p = as->program;
    p->texts = arena_alloc(&p->arena, as->texts.len + 1);
    as->nomem |= !p->texts;
    if (p->texts && as->texts.len)
        memcpy(p->texts, as->texts.data, as->texts.len);
}

/* ---- rounds ---- */

/* The place of a statement: its line in the file, and the expansion that it was made for. */
struct place {
    const struct assembler *as;
    u32 line, expansion;
    u32 index; /* of the instruction */
};

static void set_line(struct place *p, u32 line) {
    p->expansion = line & LINE_MADE ? AT(struct made_line, p->as->macros.lines, line & ~LINE_MADE)->expansion : NONE;
    p->line = asm_line(p->as, line);
}

/* Orders by line and those of the uses that led to it; so the rounds of a repeat are equal, and then by their order. */
static int by_place(const void *a, const void *b) {
    struct place x = *(const struct place *)a, y = *(const struct place *)b;
    for (;;) {
        if (x.line != y.line)
            return x.line < y.line ? -1 : 1;
        if (x.expansion == NONE || y.expansion == NONE)
            return (x.expansion == NONE) - (y.expansion == NONE);
        set_line(&x, AT(struct expansion, x.as->macros.expansions, x.expansion)->use.line);
        set_line(&y, AT(struct expansion, y.as->macros.expansions, y.expansion)->use.line);
    }
}

static int by_place_and_index(const void *a, const void *b) {
    const struct place *x = a, *y = b;
    int order = by_place(a, b);
    return order ? order : (x->index > y->index) - (x->index < y->index);
}

/* The line of the outermost use of a macro around a place; 0: there is none. */
static u32 line_of_use(struct place at) {
    u32 line = 0;
    while (at.expansion != NONE) {
        const struct expansion *x = AT(struct expansion, at.as->macros.expansions, at.expansion);
        set_line(&at, x->use.line);
        line = x->macro->repeat ? line : at.line;
    }
    return line;
}

static void rounds_keep(struct assembler *as) {
    struct program *p = as->program;
    struct buf list = {0};
    for (u32 i = 0; i < p->ninst; i++) {
        struct place place = {.as = as, .index = i};
        p->first[i] = i;
        set_line(&place, AT(struct statement, as->statements, i)->at.line);
        p->used[i] = line_of_use(place);
        if (place.expansion != NONE)
            buf_append(&list, &place, sizeof place);
    }
    size_t n = list.len / sizeof(struct place);
    struct place *all = (struct place *)(void *)list.data;
    if (n && !list.failed)
        qsort(all, n, sizeof *all, by_place_and_index);
    for (size_t k = 1; k < n && !list.failed; k++)
        if (by_place(&all[k - 1], &all[k]) == 0)
            p->first[all[k].index] = p->first[all[k - 1].index];
    as->nomem |= list.failed;
    buf_free(&list);
}

void text_keep_all(struct assembler *as) {
    names_keep(as);
    if (!as->nomem)
        texts_keep(as);
    if (!as->nomem)
        rounds_keep(as);
}
