/*
 * Addresses that are always misaligned. Of each register the low bits that are the same in every lane and every time
 * are followed, up to eight of them; a pair's are those of its low register. Buffers start at multiples of 256.
 */
#include "isa/lint/lint.h"

#include <string.h>

enum { LOW_BITS = 8, STATE_MAX = 64 * 1024 * 1024 }; /* bytes; larger kernels are skipped */

/* The lowest n bits are those of k; the rest of k is 0. */
struct low {
    u8 n, k;
};

struct align {
    struct low *state; /* [blocks][regs] before each block */
    bool *seen;        /* [blocks] */
    u32 regs;
};

static const struct low unknown = {0, 0};

static struct low low_of(u32 n, u32 k) {
    n = n < LOW_BITS ? n : LOW_BITS;
    return (struct low){(u8)n, (u8)(k & ((1u << n) - 1))};
}

static u32 min_u32(u32 a, u32 b) {
    return a < b ? a : b;
}

/* Zeros below the lowest one; many for 0. */
static u32 zeros(u32 v) {
    u32 n = 0;
    while (n < 32 && !(v >> n & 1))
        n++;
    return n;
}

static struct low low_join(struct low a, struct low b) {
    return low_of(min_u32(min_u32(a.n, b.n), zeros((u32)(a.k ^ b.k))), a.k);
}

static struct low low_add(struct low a, struct low b) {
    return low_of(min_u32(a.n, b.n), (u32)a.k + b.k);
}

static struct low low_sub(struct low a, struct low b) {
    return low_of(min_u32(a.n, b.n), (u32)a.k - b.k);
}

/* (ka + 2^na x)(kb + 2^nb y): each product but the first one is a multiple of some power of 2. */
static struct low low_mul(struct low a, struct low b) {
    u32 n = min_u32(min_u32(a.n + zeros(b.k), b.n + zeros(a.k)), (u32)a.n + b.n);
    return low_of(n, (u32)a.k * b.k);
}

static struct low low_shl(struct low a, struct low count, bool immediate) {
    if (!immediate)
        return unknown;
    return count.k >= LOW_BITS ? low_of(LOW_BITS, 0) : low_of((u32)a.n + count.k, (u32)a.k << count.k);
}

static struct low low_shr(struct low a, struct low count, bool immediate) {
    return immediate && count.k < a.n ? low_of((u32)a.n - count.k, (u32)a.k >> count.k) : unknown;
}

/* and, or: a bit is also known when one side alone decides it. */
static struct low low_logic(struct low a, struct low b, bool is_and) {
    u32 n = 0;
    for (; n < LOW_BITS; n++) {
        bool decided_a = n < a.n && (a.k >> n & 1) != is_and;
        bool decided_b = n < b.n && (b.k >> n & 1) != is_and;
        if (!decided_a && !decided_b && (n >= a.n || n >= b.n))
            break;
    }
    return low_of(n, is_and ? (u32)(a.k & b.k) : (u32)(a.k | b.k));
}

static struct low source(const struct align *a, const struct low *state, const struct inst *i, u32 place) {
    if (i->isel == place)
        return low_of(LOW_BITS, (u32)i->imm);
    u8 reg = inst_field(i, (enum operand_place)place);
    return reg == RZ ? low_of(LOW_BITS, 0) : reg < a->regs ? state[reg] : unknown;
}

/* The address of a buffer is a multiple of 256. */
static struct low loaded(const struct lint *l, const struct inst *i) {
    for (u32 n = 0; n < l->k->nparams && i->a == RZ && inst_mod(i, GROUP_SPACE) == SPACE_PARAM; n++)
        if (l->k->param[n].buffer && l->k->param[n].offset == (u32)i->imm)
            return low_of(LOW_BITS, 0);
    return unknown;
}

/* True if the low register of the result is the one of source a. */
static bool is_copy(enum op op) {
    switch (op) {
    case OP_MOV_B32:
    case OP_MOV_B64:
    case OP_CVT_S64_S32:
    case OP_CVT_U64_U32:
    case OP_CVT_U32_U64:
    case OP_PACK_B64:
    case OP_CVTA_SHARED:
    case OP_CVTA_LOCAL:
    case OP_CVTA_CONST:
    case OP_CVTA_PARAM:
    case OP_CVTA_TO_SHARED:
    case OP_CVTA_TO_LOCAL:
    case OP_CVTA_TO_CONST:
    case OP_CVTA_TO_PARAM: return true;
    default: return false;
    }
}

static struct low result(const struct lint *l, const struct align *x, const struct low *state, const struct inst *i) {
    struct low a = source(x, state, i, PLACE_A), b = source(x, state, i, PLACE_B), c = source(x, state, i, PLACE_C);
    if (is_copy((enum op)i->op))
        return a;
    switch ((enum op)i->op) {
    case OP_MOVI_B64: return low_of(LOW_BITS, (u32)(i->imm & 255));
    case OP_ADD_S32:
    case OP_ADD_S64: return low_add(a, b);
    case OP_SUB_S32:
    case OP_SUB_S64: return low_sub(a, b);
    case OP_NEG_S32:
    case OP_NEG_S64: return low_sub(low_of(LOW_BITS, 0), a);
    case OP_MUL_LO_S32:
    case OP_MUL_LO_S64:
    case OP_MUL_WIDE_S32:
    case OP_MUL_WIDE_U32: return low_mul(a, b);
    case OP_MAD_LO_S32:
    case OP_MAD_LO_S64:
    case OP_MAD_WIDE_S32:
    case OP_MAD_WIDE_U32: return low_add(low_mul(a, b), c);
    case OP_SHL_B32:
    case OP_SHL_B64: return i->imm > 31 ? unknown : low_shl(a, b, i->isel == PLACE_B);
    case OP_SHR_U32:
    case OP_SHR_S32:
    case OP_SHR_U64:
    case OP_SHR_S64: return i->imm > 31 ? unknown : low_shr(a, b, i->isel == PLACE_B);
    case OP_AND_B32:
    case OP_AND_B64: return low_logic(a, b, true);
    case OP_OR_B32:
    case OP_OR_B64: return low_logic(a, b, false);
    case OP_XOR_B32:
    case OP_XOR_B64: return low_of(min_u32(a.n, b.n), (u32)(a.k ^ b.k));
    case OP_SEL_B32:
    case OP_SEL_B64: return low_join(a, b);
    case OP_SEL_MSB_B32:
    case OP_SEL_MSB_B64: return low_join(b, c);
    case OP_LD: return loaded(l, i);
    default: return unknown;
    }
}

/* The high registers of a result that is a copy; unknown ones otherwise. */
static struct low high_result(const struct align *x, const struct low *state, const struct inst *i) {
    switch ((enum op)i->op) {
    case OP_MOVI_B64: return low_of(LOW_BITS, (u32)(i->imm >> 32) & 255);
    case OP_PACK_B64: return source(x, state, i, PLACE_B);
    case OP_MOV_B64: return i->isel == 0 && i->a < x->regs ? state[i->a + 1] : unknown;
    default: return unknown;
    }
}

static void step(const struct lint *l, const struct align *x, struct low *state, const struct inst *i) {
    if (i->op == OP_CALL) {
        memset(state, 0, x->regs * sizeof *state);
        return;
    }
    const struct operand *o = &isa_rows[i->op].operand[0];
    if (o->place != PLACE_D || operand_regs(i, o) == 0 || i->d == RZ)
        return;
    struct low value[4] = {result(l, x, state, i), high_result(x, state, i), unknown, unknown};
    for (u32 n = 0; n < operand_regs(i, o) && i->d + n < x->regs; n++) {
        struct low *to = &state[i->d + n];
        *to = i->guard == PT ? value[n] : low_join(*to, value[n]);
    }
}

static void visit_align(struct lint *l, void *ctx, u32 block, bool changed[2]) {
    struct align *x = ctx;
    struct low state[REG_COUNT];
    const struct flow_block *b = &l->flow.block[block];
    memcpy(state, &x->state[(size_t)block * x->regs], x->regs * sizeof *state);
    for (u32 pc = b->first; pc <= b->last; pc++)
        step(l, x, state, &l->flow.inst[pc]);
    for (u32 s = 0; s < 2; s++) {
        u32 to = b->succ[s];
        if (to == FLOW_NONE)
            continue;
        struct low *before = &x->state[(size_t)to * x->regs];
        changed[s] = !x->seen[to];
        for (u32 r = 0; r < x->regs; r++) {
            struct low joined = x->seen[to] ? low_join(before[r], state[r]) : state[r];
            changed[s] |= joined.n != before[r].n;
            before[r] = joined;
        }
        x->seen[to] = true;
    }
}

static void check(struct lint *l, const struct align *x, const struct low *state, u32 pc) {
    const struct inst *i = &l->flow.inst[pc];
    u32 bytes = inst_access_bytes(i);
    if (bytes == 1)
        return;
    struct low base = i->a == RZ ? low_of(LOW_BITS, 0) : i->a < x->regs ? state[i->a] : unknown;
    struct low address = low_add(base, low_of(LOW_BITS, (u32)(i->imm & 255)));
    struct low needed = low_of(min_u32(address.n, zeros(bytes)), address.k);
    if (needed.k != 0) {
        lint_warn(l, LINT_MISALIGNED, pc,
                  "misaligned: the address is %u more than a multiple of %u, and %u bytes are moved", needed.k,
                  1u << needed.n, bytes);
    }
}

static void check_block(struct lint *l, const struct align *x, u32 block) {
    struct low state[REG_COUNT];
    const struct flow_block *b = &l->flow.block[block];
    memcpy(state, &x->state[(size_t)block * x->regs], x->regs * sizeof *state);
    for (u32 pc = b->first; pc <= b->last; pc++) {
        check(l, x, state, pc);
        step(l, x, state, &l->flow.inst[pc]);
    }
}

void lint_alignment(struct lint *l) {
    u64 budget = LINT_BUDGET;
    struct align x = {.regs = l->k->regs < REG_COUNT ? l->k->regs : REG_COUNT};
    size_t bytes = (size_t)l->flow.count * x.regs * sizeof *x.state;
    if (bytes > STATE_MAX)
        return;
    x.state = arena_alloc(&l->flow.arena, bytes);
    x.seen = arena_alloc(&l->flow.arena, l->flow.count * sizeof *x.seen);
    if (x.state == NULL || x.seen == NULL)
        return;
    x.seen[0] = true;
    if (!lint_solve(l, visit_align, &x, &budget))
        return;
    for (u32 b = 0; b < l->flow.count; b++)
        if (x.seen[b])
            check_block(l, &x, b);
}
