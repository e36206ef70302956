#include "sim/prove/floats.h"

#include <string.h>

#include "sim/prove/logic.h"
#include "sim/prove/reassociate.h"
#include "sim/prove/tree.h"

/* An operation that is rewritten. */
struct rewrite {
    struct site *t;
    const struct sums *s;
    u32 op, mods;
    struct number in[3];
    u64 constant[3]; /* where `is` */
    bool is[3];
};

static void put(struct rewrite *r, u32 k, struct number v) {
    r->in[k] = v;
    r->is[k] = number_value(r->t->s->e, r->s->halves, v, &r->constant[k]);
}

/* The operand with the sign of each number changed whose highest bit is in `signs`. */
static struct number flipped(const struct rewrite *r, u32 k, u64 signs) {
    u32 bit[64];
    number_to_bits(r->t->s->e, r->s->halves, r->in[k], bit);
    for (u32 i = 0; i < 32u * r->s->halves; i++)
        bit[i] ^= signs >> i & 1 ? BIT_NOT : 0;
    return number_from_bits(r->t->s->e, r->s->halves, bit);
}

/* Exponent of 1. */
static u64 bias(const struct sums *s) {
    return ((u64)1 << (s->bits - 2 - s->fraction)) - 1;
}

/* True if each number of a constant is a power of two, or its negative, with that exponent. */
static bool is_power(const struct rewrite *r, u32 k, u64 exponent) {
    u64 each = 0;
    for (u32 at = 0; at < 32u * r->s->halves; at += r->s->bits)
        each |= exponent << r->s->fraction << at;
    return r->is[k] && (r->constant[k] & ~r->s->signs) == each;
}

static bool is_minus_zero(const struct rewrite *r, u32 k) {
    return r->is[k] && r->constant[k] == r->s->signs;
}

static bool rounds_down(const struct rewrite *r) {
    return (r->mods >> isa_groups[GROUP_RF].shift & 3) == RM;
}

/* 1 / c of each number of a constant c that is a power of two; false where one is none, or is no normal number. */
static bool reciprocal(const struct sums *s, u64 c, u64 *of) {
    *of = c & s->signs;
    for (u32 at = 0; at < 32u * s->halves; at += s->bits) {
        u64 v = c >> at & (((u64)1 << (s->bits - 1)) - 1), exponent = v >> s->fraction;
        if (v != exponent << s->fraction || exponent == 0 || exponent >= 2 * bias(s))
            return false;
        *of |= (2 * bias(s) - exponent) << s->fraction << at;
    }
    return true;
}

/* True if all numbers of an operand are NaN. */
static bool is_nan(const struct rewrite *r, u32 k) {
    bool all = r->is[k];
    for (u32 at = 0; at < 32u * r->s->halves; at += r->s->bits) {
        u64 v = r->constant[k] >> at & (((u64)1 << (r->s->bits - 1)) - 1);
        all &= v > (2 * bias(r->s) + 1) << r->s->fraction;
    }
    return all;
}

/* Signs of the first two operands, as one of the second; of those that may change places, the constant or the newer. */
static void move_signs(struct rewrite *r) {
    u32 bit[64];
    u64 odd = 0;
    u32 to = 1;
    for (u32 k = 0; k < 2; k++) {
        u64 negative = 0;
        number_to_bits(r->t->s->e, r->s->halves, r->in[k], bit);
        for (u32 i = 0; i < 32u * r->s->halves; i++)
            negative |= r->s->signs >> i & 1 && bit[i] & BIT_NOT ? (u64)1 << i : 0;
        put(r, k, negative ? flipped(r, k, negative) : r->in[k]);
        odd ^= negative;
    }
    if (r->op != r->s->div && !r->is[1] && (r->is[0] || tree_leaf(NULL, r->in[0]) > tree_leaf(NULL, r->in[1])))
        to = 0;
    put(r, to, odd ? flipped(r, to, odd) : r->in[to]);
}

static void rewrite(struct rewrite *r) {
    const struct sums *s = r->s;
    u64 of;
    if (r->op == s->sub) {
        put(r, 1, flipped(r, 1, s->signs));
        r->op = s->add;
    }
    if (r->op != s->add)
        move_signs(r);
    if (r->op == s->div && r->is[1] && reciprocal(s, r->constant[1], &of)) {
        put(r, 1, number_const(r->t->s->e, s->halves, of));
        r->op = s->mul;
    }
    if ((r->op == s->mul || r->op == s->fma) && r->is[0]) {
        struct number b = r->in[1];
        put(r, 1, r->in[0]);
        put(r, 0, b);
    }
    if (r->op == s->fma && is_power(r, 1, bias(s))) {
        put(r, 0, flipped(r, 0, r->constant[1] & s->signs));
        put(r, 1, r->in[2]);
        r->op = s->add;
    } else if (r->op == s->fma && is_minus_zero(r, 2) && !rounds_down(r) && !r->t->s->e->reassociate) {
        r->op = s->mul;
    }
    bool twice = r->op == s->mul && is_power(r, 1, bias(s) + 1);
    if (twice || (r->op == s->mul && is_power(r, 1, bias(s)) && !rounds_down(r))) {
        put(r, 0, flipped(r, 0, r->constant[1] & s->signs));
        put(r, 1, twice ? r->in[0] : number_const(r->t->s->e, s->halves, s->signs));
        r->op = s->add;
    }
}

/* The instruction with NaN as one operand: others, here zeros, do not matter, and modifiers do. */
static void with_nan(const struct rewrite *r, struct lane_out *out) {
    struct eval *v = r->t->s->lanes;
    u64 *of[] = {v->a, v->b, v->c};
    for (u32 k = 0; k < 3; k++)
        of[k][0] = r->is[k] ? r->constant[k] : 0;
    eval_run(v, (u16)r->op, r->t->u, 1);
    struct number nan = number_const(r->t->s->e, r->s->halves, v->d[0]);
    memcpy(out->word, nan.word, sizeof nan.word);
}

static bool arithmetic(struct rewrite *r, struct lane_in *in, struct lane_out *out) {
    const u32 operands = r->op == r->s->fma ? 3 : 2, h = r->s->halves;
    for (u32 k = 0; k < operands; k++)
        put(r, k, (struct number){{in->word[k][0], h == 2 ? in->word[k][1] : WORD_NONE}});
    for (u32 k = 0; k < operands; k++)
        if (is_nan(r, k)) {
            with_nan(r, out);
            return true;
        }
    rewrite(r);
    for (u32 k = 0; k < 3; k++)
        memcpy(in->word[k], r->in[k].word, sizeof in->word[k]);
    const struct tree t = {.e = r->t->s->e, .op = (u16)r->op, .mods = (u16)r->mods, .halves = h};
    bool sat = r->mods >> isa_groups[GROUP_SAT].shift & 1;
    for (u32 k = 0; k < 2; k++)
        if (r->op == r->s->add && is_minus_zero(r, 1 - k) && !sat && !rounds_down(r) && tree_canonical(&t, r->in[k])) {
            memcpy(out->word, r->in[k].word, sizeof out->word);
            return true;
        }
    return false;
}

/* Bit that is 1 where a number is no NaN, whatever its sign. */
static u32 no_nan(struct site *t, u32 test, u32 halves, const u32 word[2]) {
    struct terms *e = t->s->e;
    struct number v = {{word[0], halves == 2 ? word[1] : WORD_NONE}};
    u32 bit[64];
    u64 value;
    if (number_value(e, halves, v, &value))
        return site_constant(t, (u16)test, value, value) ? BIT_1 : BIT_0;
    number_to_bits(e, halves, v, bit);
    bit[32 * halves - 1] &= ~BIT_NOT;
    v = number_from_bits(e, halves, bit);
    const u32 list[] = {v.word[0], v.word[halves - 1], v.word[0], v.word[1]};
    return bit_of(term_atom(e, test, 0, 2 * halves, list), 0);
}

static bool with_itself(struct site *t, u32 op, const struct lane_in *in, struct lane_out *out) {
    static const struct {
        u16 num;
        bool holds;
    } rows[OP_COUNT] = {
#define ITSELF(id, holds, num) [OP_##id] = {OP_##num, holds},
#include "isa/laws.def"
    };
    const u32 n = isa_rows[op].operand[1].kind == K_REG2 ? 2 : 1;
    if (rows[op].num && memcmp(in->word[0], in->word[1], n * sizeof(u32)) == 0) {
        out->bit = rows[op].holds ? no_nan(t, rows[op].num, n, in->word[0]) : BIT_0;
        return true;
    }
    if (op && rows[op].num == op) {
        const u32 both[] = {no_nan(t, op, n, in->word[0]), no_nan(t, op, n, in->word[1]), BIT_1};
        out->bit = logic_function(t->s->e, 0x80, both);
    }
    return op && rows[op].num == op;
}

bool floats(struct site *t, u32 *op, u32 mods, struct lane_in *in, struct lane_out *out) {
    struct rewrite r = {.t = t, .s = sums_type(*op), .op = *op, .mods = mods};
    if (!r.s)
        return with_itself(t, *op, in, out);
    bool done = arithmetic(&r, in, out);
    *op = r.op;
    return done;
}
