/*
 * Warnings about code that assembles but is likely wrong. Silence on correct kernels is the first rule: what cannot be
 * known is taken to be fine.
 */
#include "isa/lint/lint.h"

#include <string.h>

#include "isa/shapes.h"

const struct lint_class_row lint_classes[LINT_COUNT] = {
#define LINT(id, name, doc) {name, doc},
#include "isa/lints.def"
};

/* ---- code that no path reaches ---- */

static void visit_reachable(struct lint *l, void *ctx, u32 block, bool changed[2]) {
    (void)ctx;
    l->reached[block] = true;
    for (u32 s = 0; s < 2; s++) {
        u32 to = l->flow.block[block].succ[s];
        changed[s] = to != FLOW_NONE && !l->reached[to];
    }
}

static void lint_unreachable(struct lint *l) {
    for (u32 b = 1; b < l->flow.count; b++)
        if (!l->reached[b] && l->reached[b - 1])
            lint_warn(l, LINT_UNREACHABLE, l->flow.block[b].first, "unreachable code in '%.60s'", l->k->name);
}

/* ---- registers that nothing has written ---- */

static void step_written(const struct lint *l, const struct inst *i, struct reg_set *written) {
    inst_writes(i, written);
    if (i->op == OP_CALL)
        set_join(written, l->called_writes);
}

/* ctx: for each block, what may have been written before it. */
static void visit_written(struct lint *l, void *ctx, u32 block, bool changed[2]) {
    struct reg_set *before = ctx;
    struct reg_set written = before[block];
    const struct flow_block *b = &l->flow.block[block];
    for (u32 pc = b->first; pc <= b->last; pc++)
        step_written(l, &l->flow.inst[pc], &written);
    for (u32 s = 0; s < 2; s++) {
        if (b->succ[s] != FLOW_NONE) {
            bool first = !l->reached[b->succ[s]];
            l->reached[b->succ[s]] = true;
            changed[s] = set_join(&before[b->succ[s]], &written) || first;
        }
    }
}

static void warn_unwritten(struct lint *l, const struct inst *i, u32 pc, const struct reg_set *written,
                           struct reg_set *told) {
    struct reg_set reads = {{0}};
    inst_reads(i, &reads);
    for (u32 w = 0; w < SET_WORDS; w++)
        reads.word[w] &= ~written->word[w] & ~told->word[w];
    for (u32 bit = 0; bit < SET_BITS; bit++) {
        if (set_has(&reads, bit)) {
            lint_warn(l, LINT_UNWRITTEN, pc, "%s is read here, but it was never written", lint_name(l, pc, bit).text);
            set_add(told, bit);
        }
    }
}

static void lint_unwritten(struct lint *l) {
    struct reg_set *before = arena_alloc(&l->flow.arena, l->flow.count * sizeof *before);
    struct reg_set told = {{0}};
    u64 budget = LINT_BUDGET;
    if (before == NULL || l->k->function)
        return; /* callers set a function's arguments */
    memset(l->reached, 0, l->flow.count * sizeof *l->reached);
    l->reached[0] = true;
    if (!lint_solve(l, visit_written, before, &budget))
        return;
    for (u32 b = 0; b < l->flow.count; b++) {
        struct reg_set written = before[b];
        const struct flow_block *block = &l->flow.block[b];
        for (u32 pc = block->first; l->reached[b] && pc <= block->last; pc++) {
            const struct inst *i = &l->flow.inst[pc];
            if (!inst_clears(i))
                warn_unwritten(l, i, pc, &written, &told);
            step_written(l, i, &written);
        }
    }
    lint_first_reads(l, before);
}

/* ---- widths ---- */

/* Warns of products of more lanes than the narrowest warp that the kernel allows. */
static void lint_widths(struct lint *l) {
    for (u32 pc = l->k->start; pc < l->k->end; pc++) {
        u32 op = l->p->inst[pc].op, lanes = isa_shapes[isa_rows[op].shape].lanes;
        u32 width = 8;
        while (width < lanes && !(l->k->warps & width / 8)) /* bit 0 = 8, 1 = 16, ... */
            width *= 2;
        if (width < lanes)
            lint_warn(l, LINT_WIDTH, pc, "%s is a product of %u lanes, and .warp names %u", isa_rows[op].name, lanes,
                      width);
    }
}

/* ---- variables ---- */

/* Accesses at a fixed address outside of the variable that they name. */
static void lint_variables(struct lint *l) {
    for (u32 pc = l->k->start; pc < l->k->end; pc++) {
        const struct inst *i = &l->p->inst[pc];
        const struct variable *v = program_base(l->p, pc);
        s64 first = v ? (s64)(s32)(u32)i->imm - v->offset : 0;
        if (v && !v->dynamic && i->a == RZ && (first < 0 || (u64)first + inst_access_bytes(i) > variable_bytes(v)))
            lint_warn(l, LINT_VARIABLE, pc, "the access leaves '%.60s', which has %s bytes", v->name,
                      grouped(variable_bytes(v)).text);
    }
}

/* ---- the whole ---- */

static void lint_kernel(struct lint *l) {
    u64 budget = LINT_BUDGET;
    if (!flow_build(&l->flow, l->p->inst, l->k->start, l->k->end))
        return;
    l->reached = arena_alloc(&l->flow.arena, l->flow.count * sizeof *l->reached);
    l->queued = arena_alloc(&l->flow.arena, l->flow.count * sizeof *l->queued);
    l->queue = arena_alloc(&l->flow.arena, l->flow.count * sizeof *l->queue);
    if (l->reached != NULL && l->queued != NULL && l->queue != NULL && lint_solve(l, visit_reachable, NULL, &budget)) {
        lint_unreachable(l);
        lint_unwritten(l);
        lint_barriers(l);
        lint_alignment(l);
        lint_widths(l);
        lint_variables(l);
        lint_parameters(l);
    }
    flow_free(&l->flow);
}

void program_lint(const struct program *p, const struct lint_allowed *allowed, struct diag *diag) {
    struct reg_set called_writes = {{0}};
    for (u32 k = 0; k < p->nkernels; k++)
        for (u32 pc = p->kernel[k].start; p->kernel[k].function && pc < p->kernel[k].end; pc++)
            inst_writes(&p->inst[pc], &called_writes);
    struct arena arena = {0};
    bool *meets = arena_alloc(&arena, p->nkernels * sizeof *meets);
    if (meets != NULL)
        lint_meetings(p, meets);
    for (u32 k = 0; meets != NULL && k < p->nkernels; k++) {
        struct lint l = {.p = p,
                         .k = &p->kernel[k],
                         .called_writes = &called_writes,
                         .meets = meets,
                         .allowed = allowed,
                         .diag = diag};
        lint_kernel(&l);
    }
    arena_free(&arena);
}
