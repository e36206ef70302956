/* The assembler's driver: reads twice, numbers, and makes the program. Overview in asm.h. */
#include "isa/asm/asm.h"
#include "isa/asm/foreign.h"

#include <string.h>

#include "isa/check.h"

/* ---- the program ---- */

/* The variables of a unit; false when out of memory. */
static bool make_variables(struct assembler *as, u32 unit, struct kernel *k) {
    struct program *p = as->program;
    u32 first = asm_unit(as, unit)->first_symbol;
    u32 end = unit + 1 < as->units.count ? asm_unit(as, unit + 1)->first_symbol : as->symbols.count;
    for (u32 i = first; i < end; i++)
        k->nvariables += asm_symbol(as, i)->variable != NULL;
    k->variable = arena_alloc(&p->arena, k->nvariables * sizeof *k->variable);
    if (!k->variable)
        return false;
    u32 n = 0;
    for (u32 i = first; i < end; i++) {
        struct symbol *s = asm_symbol(as, i);
        if (!s->variable)
            continue;
        struct variable *v = &k->variable[n];
        *v = *s->variable;
        v->offset = (u32)s->offset;
        v->name = arena_strndup(&p->arena, s->name.text, s->name.len);
        if (!v->name)
            return false;
        s->param = n++;
    }
    return true;
}

static bool make_kernels(struct assembler *as) {
    struct program *p = as->program;
    p->nkernels = as->units.count;
    p->kernel = arena_alloc(&p->arena, p->nkernels * sizeof *p->kernel);
    struct param *params = arena_alloc(&p->arena, as->params.count * sizeof *params);
    if (!p->kernel || !params)
        return false;
    for (u32 i = 0; i < as->params.count; i++)
        params[i] = AT(struct asm_param, as->params, i)->param;
    for (u32 i = 0; i < p->nkernels; i++) {
        const struct body *u = asm_unit(as, i);
        p->kernel[i] = (struct kernel){.name = arena_strndup(&p->arena, u->name.text, u->name.len),
                                       .function = u->function,
                                       .start = u->start,
                                       .end = u->end,
                                       .regs = u->regs_min,
                                       .shared = (u32)u->shared_end,
                                       .local = (u32)u->local_end,
                                       .param_bytes = u->param_bytes,
                                       .warps = u->warps,
                                       .line = u->line,
                                       .nparams = u->nparams,
                                       .param = params + u->first_param};
        if (!p->kernel[i].name || !make_variables(as, i, &p->kernel[i]))
            return false;
    }
    for (u32 i = 0; i < as->named.count; i++) {
        const struct named_access *n = AT(struct named_access, as->named, i);
        p->base[n->inst] = asm_symbol(as, n->symbol)->param + 1;
    }
    return true;
}

/* The position of a problem of the finished program. */
static struct span problem_span(struct assembler *as, const struct problem *problem) {
    switch (problem->place) {
    case PROBLEM_INST: {
        asm_seek(as, AT(struct statement, as->statements, problem->index)->at);
        return token_span(&as->tok);
    }
    case PROBLEM_KERNEL:
    case PROBLEM_PARAM:
    case PROBLEM_VARIABLE: return token_span(&asm_unit(as, problem->index)->name);
    case PROBLEM_MODULE:
    case PROBLEM_FILE: break;
    }
    return (struct span){0};
}

/* Takes over constants, module variables and messages; false when out of memory. */
static bool make_module(struct assembler *as) {
    struct program *p = as->program;
    p->const_bytes = (u32)as->consts.len;
    p->consts = arena_alloc(&p->arena, as->consts.len + 1);
    p->data_bytes = (u32)as->data.len;
    p->data = arena_alloc(&p->arena, as->data.len + 1);
    p->nmodule = as->module.count;
    p->module = arena_alloc(&p->arena, p->nmodule * sizeof *p->module);
    p->nmessages = as->messages.count;
    p->message = arena_alloc(&p->arena, p->nmessages * sizeof *p->message);
    if (!p->consts || !p->data || !p->module || !p->message)
        return false;
    for (u32 i = 0; i < p->nmessages; i++)
        p->message[i] = *AT(const char *, as->messages, i);
    if (as->consts.len)
        memcpy(p->consts, as->consts.data, as->consts.len);
    if (as->data.len)
        memcpy(p->data, as->data.data, as->data.len);
    for (u32 i = 0; i < p->nmodule; i++)
        p->module[i] = *AT(struct module_variable, as->module, i);
    return true;
}

static void finish(struct assembler *as) {
    struct program *p = as->program;
    struct problem problem;
    if (!make_module(as) || !make_kernels(as) || !include_keep(as) || !program_close_calls(p) ||
        !program_reconverge(p)) {
        as->nomem = true;
        return;
    }
    /* The assembler has reported most violations with better words; this check is the rule. */
    if (!program_check(p, &problem))
        asm_error(as, problem_span(as, &problem), "%s", problem.text);
}

static void assemble(struct assembler *as) {
    struct program *p = as->program;
    asm_declare(as);
    if (as->macros.over)
        return;
    if (!as->nomem)
        calls_resolve(as);
    if (!as->nomem)
        calls_place_data(as);
    p->ninst = as->statements.count;
    p->inst = arena_alloc(&p->arena, p->ninst * sizeof *p->inst);
    p->line = arena_alloc(&p->arena, p->ninst * sizeof *p->line);
    p->base = arena_alloc(&p->arena, p->ninst * sizeof *p->base);
    p->text = arena_alloc(&p->arena, p->ninst * sizeof *p->text);
    p->first = arena_alloc(&p->arena, p->ninst * sizeof *p->first);
    p->used = arena_alloc(&p->arena, p->ninst * sizeof *p->used);
    as->nomem |= !p->inst || !p->line || !p->base || !p->text || !p->first || !p->used;
    if (!as->nomem)
        asm_emit(as);
    if (!as->nomem && !as->macros.over)
        registers_allocate(as);
    if (!as->nomem && as->diag->errors == as->errors_before)
        finish(as);
    if (!as->nomem && as->diag->errors == as->errors_before)
        text_keep_all(as);
}

static void release(struct assembler *as) {
    struct list *lists[] = {
        &as->units,         &as->symbols,   &as->labels, &as->calls,      &as->statements,        &as->holes,
        &as->params,        &as->mnemonics, &as->slots,  &as->macros.all, &as->macros.expansions, &as->macros.lines,
        &as->macros.blocks, &as->files,     &as->named,  &as->module,     &as->messages};
    for (size_t i = 0; i < COUNT_OF(lists); i++)
        buf_free(&lists[i]->bytes);
    buf_free(&as->consts);
    buf_free(&as->data);
    buf_free(&as->texts);
    arena_free(&as->scratch);
}

static struct program *new_program(const char *file, const char *text, size_t len) {
    struct arena arena = {0};
    struct program *p = arena_alloc(&arena, sizeof *p);
    if (!p)
        return NULL;
    p->name = p->file = arena_strndup(&arena, file, strlen(file));
    p->source = arena_strndup(&arena, text, len);
    p->source_len = len;
    bool ok = p->file && p->source;
    p->arena = arena;
    if (ok)
        return p;
    program_free(p);
    return NULL;
}

struct program *program_assemble(const char *file, const char *text, size_t len, struct includes *includes,
                                 struct diag *diag) {
    diag->file = file;
    diag->source = text;
    diag->source_len = len;
    if (len > SOURCE_MAX) {
        diag_error(diag, (struct span){0}, "the file is larger than %s bytes", grouped(SOURCE_MAX).text);
        return NULL;
    }
    struct assembler as = {.program = new_program(file, text, len),
                           .diag = diag,
                           .includes = includes,
                           .unit = NONE,
                           .errors_before = diag->errors};
    as.lex = lex_start(text, len);
    if (as.program)
        assemble(&as);
    if (!as.program || as.nomem)
        diag_error(diag, (struct span){0}, "out of memory");
    if (as.has_file && as.program)
        as.program->source = NULL; /* line records refer to another text */
    release(&as);
    if (as.program && diag->errors > as.errors_before) {
        if (!as.nomem && !as.errors_before)
            foreign_explain(diag);
        program_free(as.program);
        return NULL;
    }
    return as.program;
}
