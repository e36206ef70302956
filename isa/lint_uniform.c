/*
 * Barriers that the lanes of a warp may reach separately: under a guard, or behind a branch, that differs between
 * lanes.
 *
 * Each register and predicate is followed as the same in all lanes, as different between lanes, or as neither known:
 * a value that may be a warp's number (%tid.x / 32) or that cancels out (%tid.x - %laneid). Only what surely differs
 * leads to a warning. A branch on something that differs makes the instructions up to its reconvergence point
 * run for some lanes only, and what they write differ.
 */
#include "isa/lint.h"

#include <string.h>

enum lanes { SAME, UNSURE, DIFFER };

/* Registers and predicates of which that is known; in none of the sets: the same in all lanes. */
struct knowledge {
    struct reg_set unsure, differ;
};

struct uniform {
    struct knowledge *before; /* [blocks] */
    bool *seen;               /* [blocks] */
    u32 *region;              /* [blocks] 1 + instruction of the divergent branch that the block depends on; 0 = none */
    u32 *mark;                /* [blocks] scratch: the round in which a block was visited */
    u32 marks;
    u64 budget; /* of instructions to look at */
};

static enum lanes get(const struct knowledge *k, u32 bit) {
    return set_has(&k->differ, bit) ? DIFFER : set_has(&k->unsure, bit) ? UNSURE : SAME;
}

static void put(struct knowledge *k, u32 bit, enum lanes value) {
    set_remove(&k->differ, bit);
    set_remove(&k->unsure, bit);
    if (value != SAME) {
        set_add(value == DIFFER ? &k->differ : &k->unsure, bit);
    }
}

static enum lanes most(enum lanes a, enum lanes b) {
    return a > b ? a : b;
}

static enum lanes pred_lanes(const struct knowledge *k, u8 pred) {
    pred &= PRED_NEG - 1;
    return pred == PT ? SAME : get(k, SET_PREDS + pred);
}

/* A source operand: of a pair or quad, what is known of all of it. */
static enum lanes operand_lanes(const struct knowledge *k, const struct inst *i, const struct operand *o) {
    enum lanes value = SAME;
    u8 reg = inst_field(i, (enum operand_place)o->place);
    if (o->kind == K_PRED) {
        return pred_lanes(k, inst_pred_field(i, (enum operand_place)o->place));
    }
    for (u32 n = 0; reg != RZ && n < operand_regs(i, o); n++) {
        value = most(value, get(k, reg + n));
    }
    return value;
}

static enum lanes sreg_lanes(u32 sreg) {
    switch ((enum sreg)sreg) {
    case SREG_TID_X:
    case SREG_LANEID:
    case SREG_LANEMASK_EQ:
    case SREG_LANEMASK_LT:
    case SREG_LANEMASK_LE:
    case SREG_LANEMASK_GT:
    case SREG_LANEMASK_GE: return DIFFER;
    case SREG_TID_Y: /* often the number of a warp */
    case SREG_TID_Z:
    case SREG_WARPSIZE: /* the same, but lanes compared with it fall together */
    case SREG_ACTIVEMASK:
    case SREG_CLOCK: return UNSURE;
    default: return SAME;
    }
}

static bool is_shift_right(const struct inst *i) {
    return i->op == OP_SHR_U32 || i->op == OP_SHR_S32 || i->op == OP_SHR_U64 || i->op == OP_SHR_S64 ||
           i->op == OP_DIV_U32 || i->op == OP_DIV_S32 || i->op == OP_DIV_U64 || i->op == OP_DIV_S64 ||
           i->op == OP_BFE_U32 || i->op == OP_BFE_S32;
}

static bool is_comparison(const struct inst *i) {
    return isa_rows[i->op].operand[0].kind == K_PRED && isa_rows[i->op].iclass != CLASS_PRED;
}

/*
 * Arithmetic. One source that differs makes the result differ, unless lanes of a warp may fall together: shifts to the
 * right and the like, masks that clear low bits, comparisons with multiples of 8 or the warp's width.
 */
static enum lanes arithmetic(const struct knowledge *k, const struct inst *i) {
    u32 differ = 0, unsure = 0;
    for (u32 n = 0; n < OPERANDS_MAX; n++) {
        const struct operand *o = &isa_rows[i->op].operand[n];
        if (o->kind != K_NONE && o->place != PLACE_D && o->place != PLACE_IMM) {
            enum lanes source = operand_lanes(k, i, o);
            differ += source == DIFFER;
            unsure += source == UNSURE;
        }
    }
    bool coarse = i->isel != 0 && i->imm != 0 && i->imm % 8 == 0 &&
                  (is_comparison(i) || i->op == OP_AND_B32 || i->op == OP_AND_B64);
    if (differ == 1 && !coarse && !is_shift_right(i) && !(is_comparison(i) && unsure > 0)) {
        return DIFFER;
    }
    return differ + unsure > 0 ? UNSURE : SAME;
}

static enum lanes memory(const struct knowledge *k, const struct inst *i) {
    enum lanes address = operand_lanes(k, i, &(struct operand){.kind = K_MEM, .place = PLACE_A});
    if (isa_rows[i->op].kind == ROW_ATOM) {
        return DIFFER;
    }
    u32 space = inst_mod(i, GROUP_SPACE);
    bool own = space == SPACE_LOCAL || space == SPACE_GENERIC;
    return own ? most(address, UNSURE) : address;
}

static enum lanes warp_result(const struct knowledge *k, const struct inst *i) {
    struct operand a = {.kind = K_REG, .place = PLACE_A};
    switch ((enum op)i->op) {
    case OP_S2R:
    case OP_S2R_B64: return sreg_lanes(i->a);
    case OP_SHFL_IDX_B32: /* from one lane for all, perhaps; sums by shuffles end the same everywhere */
    case OP_SHFL_UP_B32:
    case OP_SHFL_DOWN_B32:
    case OP_SHFL_BFLY_B32: return operand_lanes(k, i, &a) == SAME ? SAME : UNSURE;
    case OP_MATCH_ANY_B32:
    case OP_MATCH_ANY_B64:
    case OP_XEXT: return UNSURE;
    default: return SAME; /* votes, ballots and reductions give all lanes the same */
    }
}

static enum lanes result(const struct knowledge *k, const struct inst *i) {
    const struct isa_row *row = &isa_rows[i->op];
    if (row->kind == ROW_LANE || row->kind == ROW_LANEI) {
        return arithmetic(k, i);
    }
    return row->kind == ROW_ATOM || i->op == OP_LD ? memory(k, i) : warp_result(k, i);
}

/* What lanes write where only some of them are differs afterwards; what they write under an unsure guard may. */
static void step(const struct lint *l, struct knowledge *k, const struct inst *i, bool region) {
    struct reg_set writes = {{0}};
    inst_writes(i, &writes);
    enum lanes value = i->op == OP_CALL ? UNSURE : result(k, i);
    if (i->op == OP_CALL) {
        writes = *l->called_writes;
    }
    enum lanes guard = region ? DIFFER : pred_lanes(k, i->guard);
    for (u32 w = 0; w < SET_WORDS; w++) {
        for (u32 b = 0; writes.word[w] >> b != 0; b++) {
            u32 bit = w * 64 + b;
            if (writes.word[w] >> b & 1) {
                enum lanes old = i->guard != PT ? get(k, bit) : SAME;
                put(k, bit, most(most(value, guard), old));
            }
            if (b == 63) {
                break;
            }
        }
    }
}

static bool knowledge_join(struct knowledge *to, const struct knowledge *from) {
    bool changed = set_join(&to->differ, &from->differ);
    changed |= set_join(&to->unsure, &from->unsure);
    return changed;
}

static void visit_uniform(struct lint *l, void *ctx, u32 block, bool changed[2]) {
    struct uniform *u = ctx;
    struct knowledge k = u->before[block];
    const struct flow_block *b = &l->flow.block[block];
    for (u32 pc = b->first; pc <= b->last; pc++) {
        step(l, &k, &l->flow.inst[pc], u->region[block] != 0);
    }
    for (u32 s = 0; s < 2; s++) {
        u32 to = b->succ[s];
        if (to != FLOW_NONE) {
            changed[s] = knowledge_join(&u->before[to], &k) || !u->seen[to];
            u->seen[to] = true;
        }
    }
}

/* What is known in front of the last instruction of a block. */
static struct knowledge before_last(const struct lint *l, const struct uniform *u, u32 block) {
    struct knowledge k = u->before[block];
    const struct flow_block *b = &l->flow.block[block];
    for (u32 pc = b->first; pc < b->last; pc++) {
        step(l, &k, &l->flow.inst[pc], u->region[block] != 0);
    }
    return k;
}

/* Marks what runs between a divergent branch and its reconvergence point. False when the budget is used up. */
static bool mark_region(struct lint *l, struct uniform *u, u32 block) {
    const struct flow_block *b = &l->flow.block[block];
    u32 meet = inst_reconvergence(&l->flow.inst[b->last]);
    u32 stop = meet == NO_RECONVERGENCE ? FLOW_NONE : l->flow.block_of[meet - l->flow.start];
    u32 depth = 0, round = ++u->marks;
    u32 from[2] = {b->succ[0], b->succ[1]};
    if (from[0] == from[1]) {
        return true;
    }
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
        if (u->budget == 0) {
            return false;
        }
        u->budget--;
    }
    return true;
}

/* Looks for branches that have turned out to be divergent; `known` are those of earlier rounds. */
static bool mark_new_regions(struct lint *l, struct uniform *u, bool *known, bool *any) {
    *any = false;
    for (u32 b = 0; b < l->flow.count; b++) {
        const struct inst *i = &l->flow.inst[l->flow.block[b].last];
        if (i->op != OP_BRA || i->guard == PT || known[b] || !u->seen[b]) {
            continue;
        }
        struct knowledge k = before_last(l, u, b);
        if (pred_lanes(&k, i->guard) == DIFFER) {
            known[b] = true;
            *any = true;
            if (!mark_region(l, u, b)) {
                return false;
            }
        }
    }
    return true;
}

static void warn_barriers(struct lint *l, const struct uniform *u) {
    for (u32 b = 0; b < l->flow.count; b++) {
        struct knowledge k = u->before[b];
        const struct flow_block *block = &l->flow.block[b];
        for (u32 pc = block->first; u->seen[b] && pc <= block->last; pc++) {
            const struct inst *i = &l->flow.inst[pc];
            if (isa_rows[i->op].iclass == CLASS_BAR && u->region[b] != 0) {
                lint_warn(l, pc, "barrier in divergent code: the lanes of a warp part at the branch on line %u",
                          l->p->line[u->region[b] - 1]);
            } else if (isa_rows[i->op].iclass == CLASS_BAR && pred_lanes(&k, i->guard) == DIFFER) {
                lint_warn(l, pc, "barrier under a divergent guard: p%u differs between the lanes of a warp",
                          i->guard & (PRED_NEG - 1u));
            }
            step(l, &k, i, u->region[b] != 0);
        }
    }
}

static bool has_barrier(const struct lint *l) {
    for (u32 pc = l->k->start; pc < l->k->end; pc++) {
        if (isa_rows[l->p->inst[pc].op].iclass == CLASS_BAR) {
            return true;
        }
    }
    return false;
}

void lint_barriers(struct lint *l) {
    u32 n = l->flow.count;
    struct uniform u = {.budget = LINT_BUDGET};
    if (!has_barrier(l)) {
        return;
    }
    u.before = arena_alloc(&l->flow.arena, n * sizeof *u.before);
    u.seen = arena_alloc(&l->flow.arena, n * sizeof *u.seen);
    u.region = arena_alloc(&l->flow.arena, n * sizeof *u.region);
    u.mark = arena_alloc(&l->flow.arena, n * sizeof *u.mark);
    bool *known = arena_alloc(&l->flow.arena, n * sizeof *known);
    if (u.before == NULL || u.seen == NULL || u.region == NULL || u.mark == NULL || known == NULL) {
        return;
    }
    if (l->k->function) {
        memset(&u.before[0].unsure, 0xff, sizeof u.before[0].unsure); /* the caller's values */
    }
    bool any = true;
    u.seen[0] = true;
    while (any) {
        memset(u.seen, 0, n * sizeof *u.seen);
        u.seen[0] = true;
        if (!lint_solve(l, visit_uniform, &u, &u.budget) || !mark_new_regions(l, &u, known, &any)) {
            return;
        }
    }
    warn_barriers(l, &u);
}
