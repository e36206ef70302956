/* Instructions of the whole warp: values that change lanes, votes, transit registers, barriers, special registers. */
#include "sim/prove/shadow.h"

#include "isa/laws.h"
#include "isa/shapes.h"
#include "isa/shuffle.h"
#include "sim/prove/logic.h"
#include "sim/prove/sizes.h"

#include <string.h>

/* A data-dependent member mask: whether the machine faults is data-dependent, too. */
static void mask_depends(struct site *t) {
    for (u64 left = t->exec; t->u->masked && left; left &= left - 1)
        for (u32 h = 0; h < 2; h++)
            site_depends_word(t, DEPEND_MASK, site_source(t, PLACE_C, h, first_lane(left)));
}

/* ---- shuffled values: the executor is given their lane numbers ---- */

static void shuffle(struct site *t) {
    struct eval *v = t->s->warp;
    const bool segments = t->row->operand[4].kind == K_REG; /* in a register, not in the instruction */
    u32 word[WARP_MAX];
    for (u32 l = 0; l < t->width; l++) {
        v->a[l] = l;
        v->b[l] = t->exec >> l & 1 ? site_value(t, PLACE_B, 0, l) : 0;
        v->c[l] = segments && t->exec >> l & 1 ? site_value(t, PLACE_C, 0, l) : 0;
    }
    for (u64 left = t->exec; left; left &= left - 1) {
        site_depends_word(t, DEPEND_LANE, site_source(t, PLACE_B, 0, first_lane(left)));
        if (segments)
            site_depends_word(t, DEPEND_LANE, site_source(t, PLACE_C, 0, first_lane(left)));
    }
    if (!eval_run(v, t->i->op, t->u, t->exec)) {
        site_faults(t, first_lane(t->exec));
        return;
    }
    for (u64 left = t->exec; left; left &= left - 1)
        word[first_lane(left)] = site_source(t, PLACE_A, 0, (u32)v->d[first_lane(left)]);
    for (u64 left = t->exec; left; left &= left - 1) {
        u32 l = first_lane(left);
        site_set_predicate(t, t->i->pd, l, v->pd >> l & 1 ? BIT_1 : BIT_0);
        site_set(t, t->i->d, l, word[l]);
    }
}

/* Word `place` of a transit register: a lane's in each of the slots in turn. */
static u32 transit(struct site *t, u32 x, u32 place) {
    u32 *word = &t->sw->x[x * TRANSIT_SLOTS * t->width + place];
    if (*word == WORD_NONE)
        *word = site_fresh(t, FRESH_TRANSIT, x, place & (t->width - 1));
    return *word;
}

static void push(struct site *t) {
    struct eval *v = t->s->warp;
    u32 all = TRANSIT_SLOTS * t->width, first = t->i->d * all;
    u32 word[TRANSIT_SLOTS * WARP_MAX];
    for (u32 i = 0; i < all; i++)
        v->x[first + i] = i;
    for (u32 l = 0; l < t->width; l++)
        v->a[l] = all + l;
    if (!eval_run(v, t->i->op, t->u, t->exec)) {
        site_faults(t, first_lane(t->exec));
        return;
    }
    for (u32 i = 0; i < all; i++) {
        u32 from = v->x[first + i], lane = first_lane(t->exec);
        word[i] = from < all ? transit(t, t->i->d, from) : site_source(t, PLACE_A, 0, from - all);
        if (t->guard[lane] != BIT_1) /* the same for all lanes */
            word[i] = site_choice(t, lane, word[i], transit(t, t->i->d, i));
    }
    memcpy(&t->sw->x[first], word, all * sizeof *word);
}

static void extract(struct site *t) {
    struct eval *v = t->s->warp;
    u32 all = TRANSIT_SLOTS * t->width, first = t->i->a * all;
    for (u32 i = 0; i < all; i++)
        v->x[first + i] = i;
    if (!eval_run(v, t->i->op, t->u, t->exec)) {
        site_faults(t, first_lane(t->exec));
        return;
    }
    for (u32 l = 0; l < t->width; l++)
        site_set(t, t->i->d, l, transit(t, t->i->a, (u32)v->d[l]));
}

/* ---- special registers ---- */

/* Word that a proof has for a special register: an unknown one if the run decides it, or a board that was not given. */
static u32 special_word(struct site *t, u32 lane, u32 half, u32 value) {
    const struct isa_named *row = &isa_sregs[t->i->a];
    struct fresh f = {.kind = FRESH_SPECIAL, .number = t->i->a, .side = t->s->side, .value = value};
    if (half && row->bits == 32)
        return term_const(t->s->e, 0);
    u32 sized = t->s->sizes ? sizes_special(t) : WORD_NONE;
    if (sized != WORD_NONE)
        return sized;
    switch ((enum sreg_by)row->by) {
    case BY_LAUNCH:
    case BY_LANES: return term_const(t->s->e, value);
    case BY_BOARD: return t->s->launch.any_board ? term_of_board(t->s->e, t->i->a, value) : term_const(t->s->e, value);
    case BY_RUN:
    case BY_TIME: break;
    }
    f.block = (u32)t->block->number;
    f.warp = t->w->index;
    f.lane = lane;
    return term_fresh(t->s->e, &f);
}

static void special(struct site *t) {
    struct warp *w = t->w;
    const struct kernel *k = t->s->launch.kernel;
    struct uop u = *t->u;
    u32 halves = t->i->op == OP_S2R_B64 ? 2 : 1;
    u.d = k->regs * t->width; /* the rows after the registers, which are never read */
    w->exec = t->exec;
    w->clock++;
    u.fn(w, &u);
    w->clock--;
    for (u64 left = t->exec; left; left &= left - 1)
        for (u32 h = 0; h < halves && t->i->d != RZ; h++) {
            u32 l = first_lane(left), value = w->base[0][u.d + h * t->width + l];
            site_set(t, t->i->d + h, l, special_word(t, l, h, value));
        }
}

/* ---- what all lanes decide together ---- */

static void vote(struct site *t) {
    u32 bit[WARP_MAX], none[WARP_MAX], n = 0, of_lane[64] = {0};
    u8 table = 0;
    for (u64 left = t->exec; left; left &= left - 1) {
        u32 l = first_lane(left);
        bit[n] = of_lane[l] = site_predicate(t, t->i->pa, l);
        none[n++] = of_lane[l] ^ BIT_NOT;
    }
    /* Tables of a function's first and second argument, so that a row's result becomes the table of the vote. */
    const u32 yes = 0xf0, no = 0xcc;
    switch (t->i->op) {
#define VOTE(id, of) \
    case OP_VOTE_##id: \
        table = (u8)(of); \
        break;
#include "isa/laws.def"
    case OP_BALLOT_B32:
    case OP_BALLOT_B64: break;
    default: BUG("a vote that sim/prove does not know");
    }
    const u32 some[] = {logic_all(t->s->e, none, n) ^ BIT_NOT, logic_all(t->s->e, bit, n) ^ BIT_NOT, BIT_0};
    u32 result = logic_function(t->s->e, table, some);
    for (u64 left = t->exec; left; left &= left - 1) {
        u32 l = first_lane(left);
        if (t->i->op == OP_BALLOT_B32 || t->i->op == OP_BALLOT_B64) {
            for (u32 h = 0; h < (t->i->op == OP_BALLOT_B64 ? 2u : 1u) && t->i->d != RZ; h++)
                site_set(t, t->i->d + h, l, term_word(t->s->e, of_lane + 32 * h));
        } else {
            site_set_predicate(t, t->i->pd, l, result);
        }
    }
}

static void elect(struct site *t) {
    u32 chosen = first_lane(t->exec);
    for (u64 left = t->exec; left; left &= left - 1) {
        u32 l = first_lane(left);
        site_set_predicate(t, t->i->pd, l, l == chosen ? BIT_1 : BIT_0);
        site_set(t, t->i->d, l, term_const(t->s->e, chosen));
    }
}

/* ---- matches and reductions ---- */

static bool all_known(struct site *t, u32 halves) {
    struct eval *v = t->s->warp;
    bool known = true;
    for (u64 left = t->exec; left; left &= left - 1) {
        u32 l = first_lane(left), value[2] = {0};
        for (u32 h = 0; h < halves; h++)
            known &= term_value(t->s->e, site_source(t, PLACE_A, h, l), &value[h]);
        v->a[l] = value[0] | (u64)value[1] << 32;
    }
    return known;
}

/* A match: an operation on the values of all lanes that execute, and on the own lane. */
static u32 match_atom(struct site *t, u32 halves, u32 asking) {
    u32 list[OPERANDS], n = 0;
    for (u64 left = t->exec; left; left &= left - 1)
        for (u32 h = 0; h < halves; h++)
            list[n++] = site_source(t, PLACE_A, h, first_lane(left));
    list[n++] = (u32)t->exec;
    list[n++] = (u32)(t->exec >> 32);
    list[n++] = asking;
    return term_atom(t->s->e, t->i->op, 0, n, list);
}

static void match(struct site *t) {
    enum { NOBODY = WARP_MAX };
    struct terms *e = t->s->e;
    struct eval *v = t->s->warp;
    bool any = t->i->op == OP_MATCH_ANY_B32 || t->i->op == OP_MATCH_ANY_B64;
    u32 halves = t->i->op == OP_MATCH_ANY_B64 || t->i->op == OP_MATCH_ALL_B64 ? 2 : 1;
    bool known = all_known(t, halves) && eval_run(v, t->i->op, t->u, t->exec);
    u32 word[WARP_MAX][2], bit[WARP_MAX];
    for (u64 left = t->exec; left; left &= left - 1) {
        u32 l = first_lane(left), atom = known ? 0 : match_atom(t, halves, any ? l : NOBODY);
        bit[l] = known ? (v->pd >> l & 1 ? BIT_1 : BIT_0) : bit_of(atom, l);
        for (u32 h = 0; h < 2; h++)
            word[l][h] = known ? term_const(e, (u32)(v->d[l] >> 32 * h)) : term_slice(e, atom, 32 * h);
    }
    for (u64 left = t->exec; left; left &= left - 1) {
        u32 l = first_lane(left);
        if (!any)
            site_set_predicate(t, t->i->pd, l, bit[l]); /* of match.all: whether the own bit is in the mask */
        for (u32 h = 0; h < 2u && t->i->d != RZ; h++)
            site_set(t, t->i->d + h, l, word[l][h]);
    }
}

static void reduce(struct site *t) {
    const struct law_redux law = law_redux(t->i->op);
    struct lane_in in = {.bit = {BIT_0, BIT_0, BIT_0}};
    if (law.bits)
        in.word[0][0] = term_const(t->s->e, law.start);
    for (u64 left = t->exec; left; left &= left - 1) {
        in.word[1][0] = site_source(t, PLACE_A, 0, first_lane(left));
        if (law.bits && ~law.bits)
            in.word[1][0] = lane_value(t, OP_ABS_F32, &(struct lane_in){.word = {{in.word[1][0]}}}).word[0];
        struct lane_out both = {.word = {in.word[1][0]}};
        if (in.word[0][0] != WORD_NONE)
            both = lane_value(t, law_applied(t->i->op), &in);
        in.word[0][0] = both.word[0];
    }
    for (u64 left = t->exec; left; left &= left - 1)
        site_set(t, t->i->d, first_lane(left), in.word[0][0]);
}

/* ---- matrix products: the chain of fma.f32 over converted elements of isa/shapes.def ---- */

/* Index of an element: product by product, row by row. */
static u32 cell_index(const struct isa_matrix *m, u32 product, struct cell at) {
    return (product * m->rows + at.row) * m->columns + at.column;
}

/* The instruction that makes an fp32 of an element; OP_COUNT where its bits are one. */
static u32 to_fp32(enum element type) {
    switch (type) {
    case ELEMENT_F16: return OP_CVT_F32_F16;
    case ELEMENT_BF16: return OP_CVT_F32_BF16;
    case ELEMENT_TF32: return OP_COUNT;
    case ELEMENT_NONE: break;
    }
    BUG("a type of matrix elements that sim/prove does not know");
}

/* An fp32 of the matrix: element `at` of those that a lane holds. */
static u32 matrix_element(struct site *t, enum operand_place place, const struct isa_matrix *m, u32 at, u32 lane) {
    u32 op = to_fp32((enum element)t->row->element), bit[32], own[32],
        seen = matrix_bits(m, ~0u << at * m->bits % 32, at);
    term_bits(t->s->e, site_source(t, place, matrix_register(m, at), lane), bit);
    for (u32 i = 0; i < 32; i++)
        own[i] = seen >> i & 1 ? bit[at * m->bits % 32 + i] : BIT_0;
    u32 word = term_word(t->s->e, own);
    return op == OP_COUNT ? word : lane_value(t, op, &(struct lane_in){.word[0] = {word}}).word[0];
}

static void matrix_elements(struct site *t, enum operand_place place, const struct isa_matrix *m, u32 lanes,
                            u32 to[WARP_MAX * MMA_ELEMENTS]) {
    for (u32 l = 0; l < t->width; l++)
        for (u32 i = 0; i < m->elements; i++)
            to[cell_index(m, l / lanes, m->cell(l % lanes, i))] = matrix_element(t, place, m, i, l);
}

static void matrix(struct site *t) {
    const struct isa_shape *s = &isa_shapes[t->row->shape];
    u32 a[WARP_MAX * MMA_ELEMENTS], b[WARP_MAX * MMA_ELEMENTS], sum[WARP_MAX][MMA_ELEMENTS] = {{0}};
    if (t->exec != t->w->run->full || t->width < s->lanes) {
        site_faults(t, first_lane(t->exec));
        return;
    }
    matrix_elements(t, PLACE_A, &s->a, s->lanes, a);
    matrix_elements(t, PLACE_B, &s->b, s->lanes, b);
    for (u32 l = 0; l < t->width; l++)
        for (u32 i = 0; i < s->c.elements; i++) {
            struct cell at = s->c.cell(l % s->lanes, i);
            sum[l][i] = site_source(t, PLACE_C, i, l);
            for (u32 k = 0; k < s->a.columns; k++) {
                struct lane_in in = {.word = {{a[cell_index(&s->a, l / s->lanes, (struct cell){at.row, k})]},
                                              {b[cell_index(&s->b, l / s->lanes, (struct cell){k, at.column})]},
                                              {sum[l][i]}}};
                sum[l][i] = lane_value(t, OP_FMA_F32, &in).word[0];
            }
        }
    for (u32 l = 0; l < t->width && t->i->d != RZ; l++)
        for (u32 i = 0; i < s->c.elements; i++)
            site_set(t, t->i->d + i, l, sum[l][i]);
}

static void barrier(struct site *t) {
    t->s->joined |= t->u->reduces != REDUCES_NOTHING;
    if (t->s->joined && t->s->depends.kind == DEPEND_NONE)
        t->s->depends = (struct depend){.kind = DEPEND_JOINED, .pc = t->pc, .bit = BIT_1};
    for (u64 left = t->u->reduces ? t->exec : 0; left; left &= left - 1) { /* unknown */
        if (t->u->reduces == REDUCES_POPC && t->i->d != RZ)
            t->sw->r[t->i->d * t->width + first_lane(left)] = WORD_NONE;
        if ((t->i->pd & PT) != PT)
            t->sw->p[t->i->pd * t->width + first_lane(left)] = BIT_UNSET;
    }
    for (u64 left = t->exec; t->u->counted && left; left &= left - 1)
        site_depends_word(t, DEPEND_THREADS, site_source(t, PLACE_B, 0, first_lane(left)));
}

/* By name, too: one that took its target from data would need a case of its own. */
static bool directs(u32 op) {
    return op == OP_BRA || op == OP_CALL || op == OP_RET || op == OP_EXIT || op == OP_TRAP || op_idles(op);
}

void site_warp(struct site *t) {
    mask_depends(t);
    if (directs(t->i->op) || op_memory(t->i->op) == MEMORY_FENCE) /* the machine's, path.c's, or the checkers' */
        return;
    switch (t->i->op) { /* by instruction: of a class, each does something of its own */
    case OP_S2R:
    case OP_S2R_B64: special(t); return;
    case OP_SHFL_IDX_B32:
    case OP_SHFL_UP_B32:
    case OP_SHFL_DOWN_B32:
    CASES_SHFL_CLAMP:
    case OP_SHFL_BFLY_B32: shuffle(t); return;
    case OP_XPUSH: push(t); return;
    case OP_XEXT: extract(t); return;
#define VOTE(id, result) case OP_VOTE_##id:
#include "isa/laws.def"
    case OP_BALLOT_B32:
    case OP_BALLOT_B64: vote(t); return;
    case OP_ELECT: elect(t); return;
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
        matrix(t);
        return;
    case OP_BAR_SYNC:
    case OP_BAR_ARRIVE:
    CASES_BAR_RED:
    case OP_BAR_WARP: barrier(t); return;
    case OP_NANOSLEEP:     /* the order of warps is any */
    case OP_PRINT: return; /* leaves nothing that a kernel reads */
    default: BUG("an instruction of the whole warp that sim/prove does not know");
    }
}
