/* What instructions that look at other lanes do with undefined bits. */
#include "sim/check/init.h"

#include <string.h>

#include "isa/laws.h"
#include "isa/shapes.h"
#include "isa/shuffle.h"

/* ---- shuffles ---- */

/* The lane whose value a lane gets: isa.md. */
static u32 source_lane(const struct site *t, u32 lane) {
    u32 s = t->u->seg && 1u << t->u->seg < t->width ? 1u << t->u->seg : t->width, i = lane & (s - 1), first = lane - i;
    u32 b = t->w->base[t->u->bsel][t->u->b + lane], c = t->w->base[t->u->csel][t->u->c + lane];
    bool exists;
    switch (t->i->op) {
    case OP_SHFL_IDX_B32: return first + (b & (s - 1));
    case OP_SHFL_UP_B32: return b <= i ? lane - b : lane;
    case OP_SHFL_DOWN_B32: return b < s - i ? lane + b : lane;
    case OP_SHFL_BFLY_B32:
        return (i ^ b) < s ? first + (i ^ b) : lane;
    CASES_SHFL_CLAMP:
        return shuffle_clamped((struct shuffle_clamped){t->i->op, t->width, lane, b, c}, &exists);
    default: BUG("a shuffle that the checker of unwritten values does not know");
    }
}

static void shuffle(struct site *t) {
    u32 a = t->t->first[PLACE_A], d = t->t->first[PLACE_D], bits[WARP_MAX] = {0}, origin[WARP_MAX] = {0};
    u64 from = t->t->count[PLACE_A] ? t->cw->any[a] : 0;
    init_require(t, PLACE_C, FOUND_INIT_OPERAND); /* the member mask, or the segments */
    init_require(t, PLACE_B, FOUND_INIT_OPERAND);
    for (u64 left = from ? t->exec : 0; left; left &= left - 1) {
        u32 l = first_lane(left), s = source_lane(t, l);
        bits[l] = init_bits(t, a, s);
        origin[l] = bits[l] ? origin_of_register(t, a, s) : 0;
    }
    init_set_results(t, 0);
    for (u64 left = from && t->t->count[PLACE_D] ? t->exec : 0; left; left &= left - 1) {
        u32 l = first_lane(left);
        if (!bits[l])
            continue;
        init_set_bits(t, d, l, bits[l]);
        origin_set(t, d, left & -left, origin[l]);
    }
}

/* ---- transit registers ---- */

static void push(struct site *t) {
    struct check_warp *w = t->cw;
    u32 first = t->i->d * TRANSIT_SLOTS, last = first + TRANSIT_SLOTS - 1, a = t->t->first[PLACE_A];
    u64 any = t->t->count[PLACE_A] ? w->any[a] : 0, part = any ? w->part[a] & any : 0, moves = 0;
    for (u32 slot = first; slot < last; slot++) {
        w->transit[slot] = w->transit[slot + 1];
        w->transit_part[slot] = w->transit_part[slot + 1];
        moves |= w->transit_part[slot];
    }
    w->transit[last] = any;
    w->transit_part[last] = 0;
    if (!moves && !part)
        return;
    u32 *bits = init_rows(t, &w->transit_bits, TRANSIT_COUNT * TRANSIT_SLOTS);
    if (!bits)
        return;
    memmove(bits + first * t->width, bits + (first + 1) * t->width, (TRANSIT_SLOTS - 1) * t->width * sizeof *bits);
    w->transit_part[last] = part;
    for (u64 left = part; left; left &= left - 1)
        bits[last * t->width + first_lane(left)] = init_bits(t, a, first_lane(left));
}

/* Extracts as the machine does: exec_xext in sim/arch/exec_warp.h draws the four slots. */
static void extract(struct site *t) {
    const u64 *x = &t->cw->transit[t->i->a * TRANSIT_SLOTS], *part = &t->cw->transit_part[t->i->a * TRANSIT_SLOTS];
    const struct origin o = {.kind = FROM_TRANSIT, .number = t->i->a, .pc = t->pc};
    u32 k = t->width / 4;
    init_set_results(t, 0);
    for (u32 l = 0; l < t->width && (x[0] | x[1] | x[2] | x[3]) && t->t->count[PLACE_D]; l++) {
        u32 y = 2 * (l / k) + (t->i->b >> 1 & 1u), column = 2 * (l % k) + (t->i->b & 1u);
        u32 slot = (y >= 4 ? 2u : 0u) + (column >= k ? 1u : 0u), place = y % 4 * k + column % k;
        if (!(x[slot] >> place & 1))
            continue;
        u32 row = t->i->a * TRANSIT_SLOTS + slot;
        init_set_bits(t, t->t->first[PLACE_D], l,
                      part[slot] >> place & 1 ? t->cw->transit_bits[row * t->width + place] : UINT32_MAX);
        origin_set(t, t->t->first[PLACE_D], (u64)1 << l, origin_new(t->c, &o));
    }
}

/* ---- votes and reductions ---- */

/* Lanes whose operand is undefined. */
static u64 undefined_lanes(const struct site *t) {
    return init_undefined(t, PLACE_A) | init_undefined_predicates(t);
}

static bool is_alone(const struct site *t) {
    return !(t->exec & (t->exec - 1));
}

/* The bits of all results in the lanes that execute; `bad` has those that an operand is undefined in. */
static void give_all(struct site *t, u64 bad, u64 undefined) {
    u32 origin = bad ? origin_of_operand(t, first_lane(bad)) : 0;
    init_require(t, PLACE_C, FOUND_INIT_OPERAND); /* the member mask */
    init_set_results(t, 0);
    for (u64 left = undefined ? t->exec : 0; left; left &= left - 1)
        for (u32 i = 0; i < t->t->count[PLACE_D]; i++)
            init_set_bits(t, t->t->first[PLACE_D] + i, first_lane(left), (u32)(undefined >> 32 * i));
    for (u32 left = undefined ? t->t->results : 0; left; left &= left - 1)
        t->cw->predicates[first_lane(left)] |= t->exec;
    if (undefined)
        origin_set_results(t, t->exec, origin);
}

static void vote(struct site *t) {
    u8 p = inst_pred_field(t->i, PLACE_A);
    u64 bad = undefined_lanes(t);
    u64 held = t->w->p[p & PT] ^ (p & PRED_NEG ? ~(u64)0 : 0), known = t->exec & ~bad;
    /* A bit for each case of the undefined lanes: all of them, none, some hold, of which one lane has two. */
    const u32 cases = bad & (bad - 1) ? 7 : 3;
    const u32 yes = known & held ? 7 : 5, no = known & ~held ? 7 : 6;
    u32 may = 0;
    switch (t->i->op) {
#define VOTE(id, result) \
    case OP_VOTE_##id: \
        may = (result)&cases; \
        break;
#include "isa/laws.def"
    default: BUG("a vote that laws.def does not have");
    }
    give_all(t, bad, bad && may != 0 && may != cases);
}

static void ballot(struct site *t) {
    u64 bad = undefined_lanes(t);
    give_all(t, bad, bad);
}

/* Any bit may decide, but that a lane alone equals itself. */
static void match(struct site *t) {
    u64 bad = undefined_lanes(t);
    give_all(t, bad, bad && !is_alone(t) ? ~(u64)0 : 0);
}

static void reduce(struct site *t) {
    const u32 *value = t->w->base[t->u->asel] + t->u->a, lane = law_applied(t->i->op);
    u64 bad = undefined_lanes(t);
    u32 any = 0, zero = 0, one = 0;
    for (u64 left = bad ? t->exec : 0; left; left &= left - 1) {
        u32 l = first_lane(left), lost = bad >> l & 1 ? init_bits(t, t->t->first[PLACE_A], l) : 0;
        any |= lost;
        zero |= ~value[l] & ~lost;
        one |= value[l] & ~lost;
    }
    u32 undefined = any ? UINT32_MAX : 0;
    if ((is_alone(t) && !law_redux(t->i->op).bits) || lane == OP_XOR_B32)
        undefined = any; /* the result is the value of a lane alone, not a NaN in its place */
    else if (lane == OP_AND_B32)
        undefined = any & ~zero;
    else if (lane == OP_OR_B32)
        undefined = any & ~one;
    else if (lane == OP_ADD_S32)
        undefined = any | (0 - any);
    give_all(t, bad, undefined);
}

/* Other warps get the result, too: an undefined predicate is reported here, and the result taken for defined. */
static void wait_for(struct site *t) {
    u64 bad = init_undefined_predicates(t);
    init_require(t, PLACE_B, FOUND_INIT_OPERAND);
    if (!op_reduces(t->i->op))
        return;
    if (bad)
        init_report(t, FOUND_INIT_OPERAND, bad, origin_of_predicate(t, t->t->predicates, first_lane(bad)));
    init_set_results(t, 0);
}

/* ---- matrix products ---- */

/* Rows of A and columns of B that have undefined elements, in each product of the warp; then each element of D. */
static void matrix_product(struct site *t) {
    const struct isa_shape *shape = &isa_shapes[t->row->shape];
    const struct check_inst *r = t->t;
    u32 row[WARP_MAX / 8] = {0}, column[WARP_MAX / 8] = {0}, origin = 0;
    u64 bad[MMA_ELEMENTS] = {0};
    if (!(init_undefined(t, PLACE_A) | init_undefined(t, PLACE_B) | init_undefined(t, PLACE_C))) {
        init_set_results(t, 0);
        return;
    }
    for (u32 l = 0; l < t->width; l++) {
        for (u32 e = 0; e < shape->a.elements && r->count[PLACE_A]; e++)
            if (matrix_bits(&shape->a, init_bits(t, r->first[PLACE_A] + matrix_register(&shape->a, e), l), e))
                row[l / shape->lanes] |= 1u << shape->a.cell(l % shape->lanes, e).row;
        for (u32 e = 0; e < shape->b.elements && r->count[PLACE_B]; e++)
            if (matrix_bits(&shape->b, init_bits(t, r->first[PLACE_B] + matrix_register(&shape->b, e), l), e))
                column[l / shape->lanes] |= 1u << shape->b.cell(l % shape->lanes, e).column;
        if (!origin)
            origin = origin_of_operand(t, l);
    }
    for (u32 l = 0; l < t->width; l++)
        for (u32 e = 0; e < shape->c.elements; e++) {
            struct cell at = shape->c.cell(l % shape->lanes, e);
            bool own = r->count[PLACE_C] && init_bits(t, r->first[PLACE_C] + e, l);
            bool lost = own || row[l / shape->lanes] >> at.row & 1 || column[l / shape->lanes] >> at.column & 1;
            bad[e] |= (u64)lost << l;
        }
    init_set_results(t, 0);
    for (u32 e = 0; e < r->count[PLACE_D]; e++)
        if (bad[e] & t->exec) {
            init_undefine(t, r->first[PLACE_D] + e, bad[e] & t->exec);
            origin_set(t, r->first[PLACE_D] + e, bad[e] & t->exec, origin);
        }
}

/* ---- any of them ---- */

static void print(struct site *t) {
    for (u32 place = PLACE_A; place <= PLACE_C; place++)
        init_require(t, (enum operand_place)place, FOUND_INIT_OPERAND);
}

void init_warp(struct site *t) {
    if (t->row->iclass == CLASS_BRANCH || op_memory(t->i->op) == MEMORY_FENCE)
        return;         /* but for the guard, they read nothing */
    switch (t->i->op) { /* by instruction: of a class, each does something of its own */
    case OP_S2R:
    case OP_S2R_B64: init_set_results(t, 0); return;
    case OP_SHFL_IDX_B32:
    case OP_SHFL_UP_B32:
    case OP_SHFL_DOWN_B32:
    CASES_SHFL_CLAMP:
    case OP_SHFL_BFLY_B32: shuffle(t); return;
    case OP_XPUSH: push(t); return;
    case OP_XEXT: extract(t); return;
#define VOTE(id, result) case OP_VOTE_##id:
#include "isa/laws.def"
        vote(t);
        return;
    case OP_BALLOT_B32:
    case OP_BALLOT_B64: ballot(t); return;
    case OP_ELECT: give_all(t, 0, 0); return;
    case OP_MATCH_ANY_B32:
    case OP_MATCH_ANY_B64:
    case OP_MATCH_ALL_B32:
    case OP_MATCH_ALL_B64: match(t); return;
#define REDUX(id, lane, type, join) case OP_REDUX_##id:
#include "isa/laws.def"
        reduce(t);
        return;
#define PRODUCT(code, id, ...) case OP_##id:
#include "isa/shapes.def"
        matrix_product(t);
        return;
    case OP_BAR_SYNC:
    case OP_BAR_ARRIVE:
    CASES_BAR_RED:
    case OP_NANOSLEEP: wait_for(t); return;
    case OP_BAR_WARP: init_require(t, PLACE_C, FOUND_INIT_OPERAND); return;
    case OP_PRINT: print(t); return;
    default: BUG("an instruction of the whole warp that the checker of unwritten values does not know");
    }
}
