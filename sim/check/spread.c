#include "sim/check/spread.h"

#include <string.h>

#include "isa/laws.h"
#include "sim/base/bits.h"

/* ---- what laws.def knows ---- */

enum form { FORM_OPERATION, FORM_BITWISE, FORM_ROUTES, FORM_MONOTONE, FORM_FUSED };

enum { CONTROL_A, CONTROL_B, CONTROL_C, CONTROL_NONE };

struct law {
    u8 form, control;
    u16 first, then;  /* of FORM_FUSED */
    u64 control_bits; /* that count */
};

static const struct law laws[OP_COUNT] = {
#define BITWISE(id) [OP_##id] = {.form = FORM_BITWISE},
#define ROUTES(id, which, bits) [OP_##id] = {.form = FORM_ROUTES, .control = CONTROL_##which, .control_bits = (bits)},
#define MONOTONE(id) [OP_##id] = {.form = FORM_MONOTONE},
#define FUSED(id, one, two) [OP_##id] = {.form = FORM_FUSED, .first = OP_##one, .then = OP_##two},
#include "isa/laws.def"
};

static const struct {
    u8 how, halves; /* enum whole; registers of an operand */
    bool sign;
} wholes[OP_COUNT] = {
#define WHOLE(id, like, halves, sign) [OP_##id] = {WHOLE_##like, halves, sign},
#include "isa/laws.def"
};

/* For other rows: enum halves, or OTHER_LOWEST. */
enum { OTHER_LOWEST = HALVES_CONVERT + 1 };

static const u8 others[OP_COUNT] = {
#define HALVES(id, like) [OP_##id] = HALVES_##like,
#define LOWEST(id) [OP_##id] = OTHER_LOWEST,
#include "isa/laws.def"
};

bool spread_copies(u16 op) {
    return laws[op].form == FORM_BITWISE && isa_rows[op].operand[2].kind == K_NONE;
}

/* ---- bits and numbers ---- */

/* All bits of the operand or result. */
static u64 all_of(const struct operand *o) {
    return o->kind == K_REG2 ? ~(u64)0 : o->kind == K_REG ? UINT32_MAX : o->kind == K_PRED ? 1 : 0;
}

/* The bits from the highest of `v` down. */
static u64 fill_below(u64 v) {
    for (u32 n = 1; n < 64; n *= 2)
        v |= v >> n;
    return v;
}

/* Zeros below the lowest bit; 64 for 0. */
static u32 count_trailing(u64 v) {
    return v ? ones_of((v & -v) - 1) : 64;
}

static bool is_power(u64 v) {
    return v && !(v & (v - 1));
}

/* ---- one instruction ---- */

/* Operands, and the values between which they lie. */
struct operands {
    u16 op;
    u64 all;     /* bits of the result */
    u64 sign;    /* the bit of a whole number's sign */
    bool any[3]; /* undefined in some lane */
    bool same;   /* a and b are */
    u64 value[3][WARP_MAX], undefined[3][WARP_MAX], low[3][WARP_MAX], high[3][WARP_MAX];
};

static void apply(struct spread *s, u16 op, const u64 *const from[3], u64 *d) {
    struct eval *v = &s->eval;
    const struct isa_row *row = &isa_rows[op];
    u64 *to[3] = {v->a, v->b, v->c}, *bits[3] = {&v->pa, &v->pb, &v->pc}, all = all_of(&row->operand[0]);
    for (u32 k = 0; k < 3; k++) {
        memcpy(to[k], from[k], v->width * sizeof *to[k]);
        *bits[k] = 0;
        for (u32 l = 0; l < v->width && row->operand[k + 1].kind == K_PRED; l++)
            *bits[k] |= from[k][l] << l;
    }
    if (!eval_run(v, op, s->u, v->run.full))
        BUG("an instruction of one lane faults");
    for (u32 l = 0; l < v->width; l++)
        d[l] = (row->operand[0].kind == K_PRED ? v->pd >> l : v->d[l]) & all;
}

/* Signed numbers have their smallest value with the sign. */
static void find_range(struct operands *x, u32 width, u64 sign) {
    for (u32 k = 0; k < 3; k++)
        for (u32 l = 0; l < width && x->any[k]; l++) {
            u64 undefined = x->undefined[k][l], flip = undefined & sign;
            x->low[k][l] = (x->value[k][l] & ~undefined) | flip;
            x->high[k][l] = (x->value[k][l] | undefined) & ~flip;
        }
}

static void find_operands(struct operands *x, u16 op, const struct spread_lanes *const in[3], u32 width) {
    const struct isa_row *row = &isa_rows[op];
    size_t size = width * sizeof x->value[0][0];
    x->op = op;
    x->all = all_of(&row->operand[0]);
    x->sign = wholes[op].halves == 2 ? (u64)1 << 63 : (u64)1 << 31;
    for (u32 k = 0; k < 3; k++) {
        u64 all = all_of(&row->operand[k + 1]), any = 0;
        for (u32 l = 0; l < width; l++) {
            x->value[k][l] = in[k]->value[l] & all;
            x->undefined[k][l] = in[k]->undefined[l] & all;
            any |= x->undefined[k][l];
        }
        x->any[k] = any != 0;
        memcpy(x->low[k], x->value[k], size);
        memcpy(x->high[k], x->value[k], size);
    }
    find_range(x, width, 0);
}

/* A bit is undefined if it is 0 for some values of the undefined bits in its place, and 1 for others. */
static void undefine_bitwise(struct spread *s, const struct operands *x, const u8 like[3], u64 *out) {
    u64 ones[WARP_MAX] = {0}, zeros[WARP_MAX] = {0}, d[WARP_MAX];
    u32 varies = (u32)x->any[0] | (u32)x->any[1] << 1 | (u32)x->any[2] << 2;
    for (u32 m = 0; m < 8; m++) {
        bool unlike = false; /* the same register has the same bits */
        for (u32 k = 0; k < 3; k++)
            unlike |= like[k] != k && ((m >> k ^ m >> like[k]) & 1);
        if (m & ~varies || unlike)
            continue;
        apply(s, x->op,
              (const u64 *[]){m & 1 ? x->high[0] : x->low[0], m & 2 ? x->high[1] : x->low[1],
                              m & 4 ? x->high[2] : x->low[2]},
              d);
        for (u32 l = 0; l < s->eval.width; l++) {
            ones[l] |= d[l];
            zeros[l] |= ~d[l];
        }
    }
    for (u32 l = 0; l < s->eval.width; l++)
        out[l] = ones[l] & zeros[l];
}

/* Undefined bits of a routing: by a given control each bit of the result is one of the operands'. */
static void undefine_routed(struct spread *s, const struct operands *x, u32 control, u64 *out) {
    u64 flipped[3][WARP_MAX], p[2][WARP_MAX], q[2][WARP_MAX];
    const u64 *value[3], *flip[3];
    u32 width = s->eval.width;
    for (u32 k = 0; k < 3; k++) {
        for (u32 l = 0; l < width; l++)
            flipped[k][l] = x->value[k][l] ^ x->undefined[k][l];
        value[k] = x->value[k];
        flip[k] = k == control ? x->value[k] : flipped[k];
    }
    bool chosen = control < 3 && x->any[control] && isa_rows[x->op].iclass == CLASS_SEL;
    for (u32 n = 0; n < (chosen ? 2u : 1u); n++) { /* a select of either operand */
        if (chosen)
            value[control] = flip[control] = n ? x->high[control] : x->low[control];
        apply(s, x->op, (const u64 *[]){value[0], value[1], value[2]}, p[n]);
        apply(s, x->op, (const u64 *[]){flip[0], flip[1], flip[2]}, q[n]);
    }
    for (u32 l = 0; l < width; l++) {
        out[l] = p[0][l] ^ q[0][l];
        if (chosen)
            out[l] |= (p[1][l] ^ q[1][l]) | (p[0][l] ^ p[1][l]);
        else if (control < 3 && x->undefined[control][l] & laws[x->op].control_bits)
            out[l] = x->all;
    }
}

/* ---- whole numbers ---- */

/* Undefined bits of a product from where on: 64 for none. */
static u32 find_product_start(u64 a, u64 ua, u64 b, u64 ub) {
    u32 by_a = count_trailing(ua) + count_trailing(b | ub), by_b = count_trailing(ub) + count_trailing(a | ua);
    u32 least = by_a < by_b ? by_a : by_b;
    return least < 64 ? least : 64;
}

/* True if the largest product fits, so that a product is between the smallest and the largest. */
static bool product_fits(u16 op, u64 a, u64 b) {
    if (wholes[op].how != WHOLE_MUL)
        return !wholes[op].sign;
    return wholes[op].halves == 1 ? a * b <= UINT32_MAX : !a || b <= UINT64_MAX / a;
}

static u64 find_product_bits(const struct operands *x, u32 l, u64 low, u64 high) {
    u64 a = x->value[0][l], b = x->value[1][l], ua = x->undefined[0][l], ub = x->undefined[1][l], bits = x->all;
    if (wholes[x->op].how != WHOLE_MUL_HIGH) {
        u32 from = find_product_start(a, ua, b, ub);
        bits &= from < 64 ? ~(u64)0 << from : 0;
    }
    return product_fits(x->op, x->high[0][l], x->high[1][l]) ? bits & fill_below(low ^ high) : bits;
}

static bool moves(const struct operands *x, u32 k, u32 l) {
    u64 v = x->value[k][l];
    return !x->undefined[k][l] && is_power(v) && !(wholes[x->op].sign && v == x->sign);
}

/* Undefined bits of a product: by a power of two bits only move. */
static void undefine_product(struct spread *s, const struct operands *x, u64 *out) {
    u64 by_b[WARP_MAX], by_a[WARP_MAX], low[WARP_MAX], high[WARP_MAX];
    apply(s, x->op, (const u64 *[]){x->undefined[0], x->value[1], x->value[2]}, by_b);
    apply(s, x->op, (const u64 *[]){x->value[0], x->undefined[1], x->value[2]}, by_a);
    apply(s, x->op, (const u64 *[]){x->low[0], x->low[1], x->low[2]}, low);
    apply(s, x->op, (const u64 *[]){x->high[0], x->high[1], x->high[2]}, high);
    for (u32 l = 0; l < s->eval.width; l++)
        out[l] = moves(x, 1, l) ? by_b[l] : moves(x, 0, l) ? by_a[l] : find_product_bits(x, l, low[l], high[l]);
}

static void undefine_quotient(struct spread *s, const struct operands *x, u64 *out) {
    u64 moved[WARP_MAX], low[WARP_MAX], high[WARP_MAX];
    apply(s, x->op, (const u64 *[]){x->undefined[0], x->value[1], x->value[2]}, moved);
    apply(s, x->op, (const u64 *[]){x->low[0], x->high[1], x->value[2]}, low);
    apply(s, x->op, (const u64 *[]){x->high[0], x->low[1], x->value[2]}, high);
    for (u32 l = 0; l < s->eval.width; l++) {
        bool negative = wholes[x->op].sign && (x->high[0][l] | x->high[1][l]) & x->sign;
        if (negative || x->low[1][l] == 0)
            out[l] = x->all;
        else if (moves(x, 1, l))
            out[l] = moved[l];
        else if (wholes[x->op].how == WHOLE_DIV)
            out[l] = fill_below(low[l] ^ high[l]);
        else
            out[l] = fill_below(min_u64(x->high[0][l], x->high[1][l] - 1));
    }
}

/* Bits between the results p of some extremes and q of the opposite ones. */
static u64 find_between(const struct operands *x, u32 l, u64 p, u64 q) {
    u64 undefined = x->undefined[0][l] | x->undefined[1][l], unlike = x->value[0][l] ^ x->value[1][l];
    if (x->same && (wholes[x->op].how == WHOLE_SUB || wholes[x->op].how >= WHOLE_EQ))
        return 0;
    if (x->same && (wholes[x->op].how == WHOLE_MIN || wholes[x->op].how == WHOLE_MAX))
        return undefined;
    switch ((enum whole)wholes[x->op].how) {
    case WHOLE_ADD:
    case WHOLE_SUB:
    case WHOLE_NEG: return (p ^ q) | undefined; /* carries */
    case WHOLE_ABS: return undefined & x->sign ? x->all : (p ^ q) | undefined;
    case WHOLE_MIN:
    case WHOLE_MAX: return fill_below(p ^ q) & (undefined | unlike);
    case WHOLE_EQ:
    case WHOLE_NE: return !(unlike & ~undefined);
    case WHOLE_LT:
    case WHOLE_LE:
    case WHOLE_GT:
    case WHOLE_GE: return p ^ q;
    case WHOLE_NONE:
    case WHOLE_SAD:
    case WHOLE_MUL:
    case WHOLE_MUL_WIDE:
    case WHOLE_MUL_HIGH:
    case WHOLE_SHL:
    case WHOLE_DIV:
    case WHOLE_REM:
    case WHOLE_LOW:
    case WHOLE_CHOOSE:
    case WHOLE_CHOOSE_SIGN: return x->all;
    }
    return x->all;
}

static void undefine_extremes(struct spread *s, struct operands *x, u64 *out) {
    u64 p[WARP_MAX], q[WARP_MAX];
    u8 how = wholes[x->op].how;
    bool against = how == WHOLE_SUB || how >= WHOLE_EQ; /* grows with a, falls with b, or the other way round */
    if (wholes[x->op].sign && how != WHOLE_ABS)
        find_range(x, s->eval.width, x->sign);
    apply(s, x->op, (const u64 *[]){x->low[0], against ? x->high[1] : x->low[1], x->low[2]}, p);
    apply(s, x->op, (const u64 *[]){x->high[0], against ? x->low[1] : x->high[1], x->high[2]}, q);
    for (u32 l = 0; l < s->eval.width; l++)
        out[l] = find_between(x, l, p[l], q[l]);
}

/* Undefined bits of a row of whole numbers; false for other rows. */
static bool undefine_whole(struct spread *s, struct operands *x, u64 *out) {
    switch ((enum whole)wholes[x->op].how) {
    case WHOLE_ADD:
    case WHOLE_SUB:
    case WHOLE_NEG:
    case WHOLE_ABS:
    case WHOLE_MIN:
    case WHOLE_MAX:
    case WHOLE_EQ:
    case WHOLE_NE:
    case WHOLE_LT:
    case WHOLE_LE:
    case WHOLE_GT:
    case WHOLE_GE: undefine_extremes(s, x, out); return true;
    case WHOLE_MUL:
    case WHOLE_MUL_WIDE:
    case WHOLE_MUL_HIGH: undefine_product(s, x, out); return true;
    case WHOLE_DIV:
    case WHOLE_REM: undefine_quotient(s, x, out); return true;
    case WHOLE_CHOOSE: undefine_routed(s, x, CONTROL_C, out); return true;
    case WHOLE_NONE:
    case WHOLE_SAD:
    case WHOLE_SHL:
    case WHOLE_LOW:
    case WHOLE_CHOOSE_SIGN: return false;
    }
    return false;
}

/* ---- the others ---- */

static void undefine_monotone(struct spread *s, const struct operands *x, u64 *out) {
    u64 p[WARP_MAX], q[WARP_MAX];
    apply(s, x->op, (const u64 *[]){x->low[0], x->low[1], x->low[2]}, p);
    apply(s, x->op, (const u64 *[]){x->high[0], x->high[1], x->high[2]}, q);
    for (u32 l = 0; l < s->eval.width; l++)
        out[l] = fill_below(p[l] ^ q[l]);
}

/* Undefined bits of an operation of its own: all, or those of the halves that depend on an undefined one. */
static u64 find_operation_bits(const struct operands *x, u32 l) {
    const u64 low = 0xffff, high = 0xffff0000;
    u64 a = x->undefined[0][l], b = x->undefined[1][l], any = a | b | x->undefined[2][l];
    switch (others[x->op]) {
    case HALVES_EACH: return (any & low ? low : 0) | (any & high ? high : 0);
    case HALVES_PACK: return (a ? low : 0) | (b ? high : 0);
    case HALVES_FROM: return a & low ? x->all : 0;
    case HALVES_INTO: return any ? low : 0;
    case HALVES_CONVERT: return any & low ? low : 0;
    case OTHER_LOWEST: return count_trailing(x->value[0][l] & ~a) < count_trailing(a) ? 0 : fill_below(64);
    case HALVES_NONE: return any ? x->all : 0;
    default: BUG("a law that the checker of unwritten values does not know");
    }
}

/* ---- any of them ---- */

static void run_one(struct spread *s, u16 op, const struct spread_lanes *const in[3], const u8 like[3],
                    struct spread_lanes *out) {
    struct operands x;
    u32 width = s->eval.width;
    find_operands(&x, op, in, width);
    x.same = like[1] == 0;
    apply(s, op, (const u64 *[]){x.value[0], x.value[1], x.value[2]}, out->value);
    if (laws[op].form == FORM_BITWISE)
        undefine_bitwise(s, &x, like, out->undefined);
    else if (laws[op].form == FORM_ROUTES)
        undefine_routed(s, &x, laws[op].control, out->undefined);
    else if (laws[op].form == FORM_MONOTONE)
        undefine_monotone(s, &x, out->undefined);
    else if (!undefine_whole(s, &x, out->undefined))
        for (u32 l = 0; l < width; l++)
            out->undefined[l] = find_operation_bits(&x, l);
    for (u32 l = 0; l < width; l++)
        out->undefined[l] = x.undefined[0][l] | x.undefined[1][l] | x.undefined[2][l] ? out->undefined[l] & x.all : 0;
}

void spread_run(struct spread *s, u16 op, const struct uop *u) {
    const struct spread_lanes *const in[3] = {&s->in[0], &s->in[1], &s->in[2]};
    const struct spread_lanes *const then[3] = {&s->first, &s->in[2], &s->in[0]}; /* which has two operands */
    const u8 unlike[3] = {0, 1, 2};
    s->u = u;
    if (laws[op].form == FORM_FUSED) {
        run_one(s, laws[op].first, in, s->like, &s->first);
        run_one(s, laws[op].then, then, unlike, &s->out);
    } else {
        run_one(s, op, in, s->like, &s->out);
    }
}

bool spread_init(struct spread *s, struct arena *arena, enum engine engine, u32 width) {
    return eval_init(&s->eval, arena, engine, width);
}
