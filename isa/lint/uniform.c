/*
 * Barriers that the lanes of a warp may reach separately: under a guard, or after a branch, that differs between lanes,
 * also in a function called so; and exits of some threads before a barrier that waits for every thread.
 *
 * Only what surely differs between lanes (lanes.c) leads to a warning. A branch on something that differs makes
 * the instructions up to its reconvergence point run for some lanes only, and what they write differ.
 */
#include "isa/lint/lanes.h"

#include <stdio.h>
#include <string.h>

struct uniform {
    struct knowledge *before; /* [blocks] */
    bool *seen;               /* [blocks] */
    u32 *region;              /* [blocks] 1 + instruction of the divergent branch that the block depends on; 0 = none */
    u32 *mark;                /* [blocks] scratch: the round of a block's last visit */
    u32 marks;
    u64 budget; /* instructions left to visit */
};

static void visit_uniform(struct lint *l, void *ctx, u32 block, bool changed[2]) {
    struct uniform *u = ctx;
    struct knowledge k = u->before[block];
    const struct flow_block *b = &l->flow.block[block];
    for (u32 pc = b->first; pc <= b->last; pc++)
        knowledge_step(l, &k, &l->flow.inst[pc], u->region[block] != 0);
    for (u32 s = 0; s < 2; s++) {
        u32 to = b->succ[s];
        if (to != FLOW_NONE) {
            changed[s] = knowledge_join(&u->before[to], &k) || !u->seen[to];
            u->seen[to] = true;
        }
    }
}

/* Knowledge before the last instruction of a block. */
static struct knowledge before_last(const struct lint *l, const struct uniform *u, u32 block) {
    struct knowledge k = u->before[block];
    const struct flow_block *b = &l->flow.block[block];
    for (u32 pc = b->first; pc < b->last; pc++)
        knowledge_step(l, &k, &l->flow.inst[pc], u->region[block] != 0);
    return k;
}

/* Marks what runs between a divergent branch and its reconvergence point. False when the budget is used up. */
static bool mark_region(struct lint *l, struct uniform *u, u32 block) {
    const struct flow_block *b = &l->flow.block[block];
    u32 meet = inst_reconvergence(&l->flow.inst[b->last]);
    u32 stop = meet == NO_RECONVERGENCE ? FLOW_NONE : l->flow.block_of[meet - l->flow.start];
    u32 depth = 0, round = ++u->marks;
    u32 from[2] = {b->succ[0], b->succ[1]};
    if (from[0] == from[1])
        return true;
    for (u32 s = 0; s < 2; s++) {
        if (from[s] != FLOW_NONE && from[s] != stop && u->mark[from[s]] != round) {
            u->mark[from[s]] = round;
            l->queue[depth++] = from[s];
        }
    }
    while (depth > 0) {
        u32 at = l->queue[--depth];
        u->region[at] = u->region[at] != 0 ? u->region[at] : b->last + 1;
        for (u32 s = 0; s < 2; s++) {
            u32 to = l->flow.block[at].succ[s];
            if (to != FLOW_NONE && to != stop && u->mark[to] != round) {
                u->mark[to] = round;
                l->queue[depth++] = to;
            }
        }
        if (u->budget == 0)
            return false;
        u->budget--;
    }
    return true;
}

/* Finds branches that are now known to diverge; `known` are those of earlier rounds. */
static bool mark_new_regions(struct lint *l, struct uniform *u, bool *known, bool *any) {
    *any = false;
    for (u32 b = 0; b < l->flow.count; b++) {
        const struct inst *i = &l->flow.inst[l->flow.block[b].last];
        if (i->op != OP_BRA || i->guard == PT || known[b] || !u->seen[b])
            continue;
        struct knowledge k = before_last(l, u, b);
        if (pred_lanes(&k, i->guard) == DIFFER) {
            known[b] = true;
            *any = true;
            if (!mark_region(l, u, b))
                return false;
        }
    }
    return true;
}

/* Name of the function called here; NULL for a barrier. */
static const char *called(const struct lint *l, const struct inst *i) {
    const struct kernel *f = i->op == OP_CALL ? program_at(l->p, inst_target(i)) : NULL;
    return f != NULL ? f->name : NULL;
}

static bool needs_all_lanes(const struct inst *i) {
    return op_lanes(i->op) == LANES_ALL;
}

/* Something that all lanes of a warp must do together, and that some may reach without the others. */
static void warn_parted(struct lint *l, const struct uniform *u, u32 block, u32 pc, bool guarded) {
    const struct inst *i = &l->flow.inst[pc];
    const char *name = called(l, i);
    char what[128] = "barrier";
    if (name != NULL)
        snprintf(what, sizeof what, "call of '%.60s', which has a barrier,", name);
    else if (needs_all_lanes(i))
        snprintf(what, sizeof what, "%s, which needs all lanes of the warp,", isa_rows[i->op].name);
    if (u->region[block] != 0) {
        lint_warn(l, LINT_DIVERGENT, pc, "%s in divergent code: the lanes of a warp diverge at the branch on %s", what,
                  program_line(l->p, l->p->line[u->region[block] - 1]).text);
    } else if (guarded) {
        lint_warn(l, LINT_DIVERGENT, pc, "%s under a divergent guard: %s differs between the lanes of a warp", what,
                  lint_name(l, pc, SET_PREDS + (i->guard & (PRED_NEG - 1u))).text);
    }
}

static void warn_exit(struct lint *l, u32 pc, u32 barrier) {
    lint_warn(l, LINT_EXIT, pc, "some threads exit here, and the barrier on %s waits for every thread of the block",
              program_line(l->p, barrier).text);
}

static bool is_exit(const struct lint *l, const struct inst *i) {
    return i->op == OP_EXIT || (i->op == OP_RET && !l->k->function);
}

/* Warns of a divergent branch if one side exits and the rest reaches such a barrier after reconvergence. */
static void warn_branched_exit(struct lint *l, const u32 *ahead, u32 block) {
    const struct flow_block *b = &l->flow.block[block];
    u32 meet = inst_reconvergence(&l->flow.inst[b->last]);
    u32 rest = meet == NO_RECONVERGENCE ? FLOW_NONE : l->flow.block_of[meet - l->flow.start];
    for (u32 s = 0; s < 2 && rest != FLOW_NONE; s++) {
        u32 side = b->succ[s];
        u32 end = side != FLOW_NONE ? l->flow.block[side].last : 0;
        bool leaves = side != FLOW_NONE && side != rest && is_exit(l, &l->flow.inst[end]);
        if (leaves && l->flow.inst[end].guard == PT && ahead[side] == 0 && ahead[rest] != 0)
            warn_exit(l, end, ahead[rest]);
    }
}

static void warn_separate(struct lint *l, const struct uniform *u, const u32 *ahead) {
    for (u32 b = 0; b < l->flow.count; b++) {
        struct knowledge k = u->before[b];
        const struct flow_block *block = &l->flow.block[b];
        for (u32 pc = block->first; u->seen[b] && pc <= block->last; pc++) {
            const struct inst *i = &l->flow.inst[pc];
            bool guarded = pred_lanes(&k, i->guard) == DIFFER;
            u32 barrier = guarded && is_exit(l, i) ? lint_ahead_of(l, ahead, b, pc) : 0;
            if (inst_meets(l->p, i, l->meets) || needs_all_lanes(i))
                warn_parted(l, u, b, pc, guarded);
            else if (barrier != 0)
                warn_exit(l, pc, barrier);
            else if (guarded && i->op == OP_BRA)
                warn_branched_exit(l, ahead, b);
            knowledge_step(l, &k, i, u->region[b] != 0);
        }
    }
}

void lint_barriers(struct lint *l) {
    u32 n = l->flow.count;
    struct uniform u = {.budget = LINT_BUDGET};
    bool asked = l->meets[l->k - l->p->kernel];
    for (u32 pc = l->k->start; pc < l->k->end && !asked; pc++)
        asked = needs_all_lanes(&l->p->inst[pc]);
    if (!asked)
        return;
    u.before = arena_alloc(&l->flow.arena, n * sizeof *u.before);
    u.seen = arena_alloc(&l->flow.arena, n * sizeof *u.seen);
    u.region = arena_alloc(&l->flow.arena, n * sizeof *u.region);
    u.mark = arena_alloc(&l->flow.arena, n * sizeof *u.mark);
    bool *known = arena_alloc(&l->flow.arena, n * sizeof *known);
    u32 *ahead = arena_alloc(&l->flow.arena, n * sizeof *ahead);
    if (ahead == NULL || u.before == NULL || u.seen == NULL || u.region == NULL || u.mark == NULL || known == NULL)
        return;
    if (l->k->function)
        memset(&u.before[0].unsure, 0xff, sizeof u.before[0].unsure); /* the caller's values */
    bool any = true;
    u.seen[0] = true;
    while (any) {
        memset(u.seen, 0, n * sizeof *u.seen);
        u.seen[0] = true;
        if (!lint_solve(l, visit_uniform, &u, &u.budget) || !mark_new_regions(l, &u, known, &any))
            return;
    }
    if (lint_ahead(l, ahead))
        warn_separate(l, &u, ahead);
}
