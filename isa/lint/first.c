/*
 * Registers that a loop reads before it writes them, the first time round, and that nothing wrote before:
 *
 *   again:  add.s32 sum, sum, i
 *           ...
 *   @p      bra     again
 *
 * On every way to such a read it is the first that is done with the register. A read under a guard, or on one side of a
 * branch, may wait for the second round; so may predicates, which start as false.
 */
#include "isa/lint/lint.h"

/* Registers that some way to here leaves untouched, and those that one wrote before it read them. */
struct first_use {
    struct reg_set untouched, written;
};

static void step_first(const struct lint *l, const struct inst *i, struct first_use *u) {
    struct reg_set reads = {{0}}, writes = {{0}};
    if (!inst_clears(i))
        inst_reads(i, &reads);
    inst_writes(i, &writes);
    if (i->op == OP_CALL)
        set_join(&writes, l->called_writes);
    bool always = i->guard == PT && i->op != OP_CALL;
    for (u32 w = 0; w < SET_WORDS; w++) {
        u->untouched.word[w] &= ~(always ? reads.word[w] : 0);
        u->written.word[w] |= u->untouched.word[w] & writes.word[w];
        u->untouched.word[w] &= ~(always ? writes.word[w] : 0);
    }
}

/* ctx: for each block, what may be before it. */
static void visit_first(struct lint *l, void *ctx, u32 block, bool changed[2]) {
    struct first_use *before = ctx;
    struct first_use u = before[block];
    const struct flow_block *b = &l->flow.block[block];
    for (u32 pc = b->first; pc <= b->last; pc++)
        step_first(l, &l->flow.inst[pc], &u);
    for (u32 s = 0; s < 2; s++) {
        u32 to = b->succ[s];
        if (to != FLOW_NONE) {
            changed[s] = !l->reached[to];
            l->reached[to] = true;
            changed[s] |= set_join(&before[to].untouched, &u.untouched);
            changed[s] |= set_join(&before[to].written, &u.written);
        }
    }
}

static void warn_first(struct lint *l, u32 pc, const struct first_use *u, const struct reg_set *later,
                       struct reg_set *told) {
    const struct inst *i = &l->flow.inst[pc];
    struct reg_set reads = {{0}};
    if (i->guard != PT || inst_clears(i))
        return;
    inst_reads(i, &reads);
    for (u32 bit = 0; bit < SET_PREDS; bit++) {
        bool first = set_has(&reads, bit) && set_has(&u->untouched, bit) && !set_has(&u->written, bit);
        if (first && set_has(later, bit) && !set_has(told, bit)) {
            lint_warn(l, LINT_ITERATION, pc, "%s is read here before it is written, in the first iteration",
                      lint_name(l, pc, bit).text);
            set_add(told, bit);
        }
    }
}

void lint_first_reads(struct lint *l, const struct reg_set *written) {
    struct first_use *before = arena_alloc(&l->flow.arena, l->flow.count * sizeof *before);
    struct reg_set told = {{0}};
    u64 budget = LINT_BUDGET;
    if (before == NULL)
        return;
    for (u32 b = 0; b < l->flow.count; b++)
        l->reached[b] = b == 0;
    for (u32 bit = 0; bit < SET_PREDS; bit++)
        set_add(&before[0].untouched, bit);
    if (!lint_solve(l, visit_first, before, &budget))
        return;
    for (u32 b = 0; b < l->flow.count; b++) {
        struct first_use u = before[b];
        struct reg_set may = written[b];
        for (u32 pc = l->flow.block[b].first; l->reached[b] && pc <= l->flow.block[b].last; pc++) {
            const struct inst *i = &l->flow.inst[pc];
            warn_first(l, pc, &u, &may, &told);
            step_first(l, i, &u);
            inst_writes(i, &may);
        }
    }
}
