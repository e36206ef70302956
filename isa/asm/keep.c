/* What the program keeps of the names in its text: those of registers, predicates and labels. */
#include "isa/asm/asm.h"

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

void names_keep(struct assembler *as) {
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
