#include "sim/prove/algebra.h"

#include <stdlib.h>
#include <string.h>

#include "isa/laws.h"
#include "sim/prove/linear.h"
#include "sim/prove/logic.h"
#include "sim/prove/winner.h"

/* ---- what a number may be ---- */

/* The smallest and the largest value, for order's sake: of a signed number with its sign bit flipped. */
struct range {
    u64 low, high;
};

/* Operations on 32 or 64 bits, as not signed or signed. */
struct kind {
    struct terms *e;
    u32 halves;
    bool sign;
};

static u64 mask_of(const struct kind *k) {
    return k->halves == 2 ? ~(u64)0 : 0xffffffff;
}

/* Difference that turns a signed number into one that compares as unsigned. */
static u64 bias_of(const struct kind *k) {
    return k->sign ? (u64)1 << (32 * k->halves - 1) : 0;
}

static u16 order_op(const struct kind *k, bool max) {
    static const u16 ops[2][2][2] = {{{OP_MIN_U32, OP_MAX_U32}, {OP_MIN_S32, OP_MAX_S32}},
                                     {{OP_MIN_U64, OP_MAX_U64}, {OP_MIN_S64, OP_MAX_S64}}};
    return ops[k->halves - 1][k->sign][max];
}

static u16 less_op(const struct kind *k) {
    static const u16 ops[2][2] = {{OP_SETP_LT_U32, OP_SETP_LT_S32}, {OP_SETP_LT_U64, OP_SETP_LT_S64}};
    return ops[k->halves - 1][k->sign];
}

static struct number operand_of(const struct kind *k, u32 atom, u32 i) {
    const u32 *list = term_operands(k->e, atom);
    return (struct number){{list[i * k->halves], k->halves == 2 ? list[2 * i + 1] : WORD_NONE}};
}

static struct range range_of(const struct kind *k, struct number v) {
    struct range r = {0, 0};
    u32 bit[64], atom = number_atom(k->e, k->halves, v);
    u64 value;
    number_to_bits(k->e, k->halves, v, bit);
    for (u32 i = 0; i < 32 * k->halves; i++) {
        bool known = bit_known(bit[i]), one = bit[i] == BIT_1, top = k->sign && i == 32 * k->halves - 1;
        r.low |= (u64)(known && one != top) << i;
        r.high |= (u64)(!known || one != top) << i;
    }
    for (u32 max = 0; atom && max < 2; max++)
        if (term_at(k->e, atom)->code == order_op(k, max) &&
            number_value(k->e, k->halves, operand_of(k, atom, 1), &value)) {
            value ^= bias_of(k);
            r.low = max && value > r.low ? value : r.low;
            r.high = !max && value < r.high ? value : r.high;
        }
    return r;
}

/* ---- comparisons ---- */

static int ascending(const void *a, const void *b) {
    u32 x = *(const u32 *)a & ~BIT_NOT, y = *(const u32 *)b & ~BIT_NOT;
    return (x > y) - (x < y);
}

static u32 equality(const struct kind *k, struct number a, struct number b) {
    u32 atom, list[] = {a.word[0], b.word[0]}, pairs[] = {a.word[0], a.word[1], b.word[0], b.word[1]};
    atom = k->halves == 2 ? term_atom(k->e, OP_SETP_EQ_S64, 0, 4, pairs) : term_atom(k->e, OP_SETP_EQ_S32, 0, 2, list);
    return bit_of(atom, 0);
}

/*
 * Bit that is 1 where all of some bits are 1. Up to three are a function; more, side by side in one order, are compared
 * with a constant whose bits are 0 for complements.
 */
static u32 all_ones(struct terms *e, u32 *bit, u32 n) {
    struct kind wide = {.e = e, .halves = n > 32 ? 2 : 1};
    u32 packed[64] = {0}, kept = 0;
    u64 want = 0;
    qsort(bit, n, sizeof *bit, ascending);
    for (u32 i = 0; i < n; i++) {
        if (kept && ((bit[kept - 1] ^ bit[i]) & ~BIT_NOT) == 0) {
            if (bit[kept - 1] != bit[i])
                return BIT_0;
            continue;
        }
        bit[kept++] = bit[i];
    }
    if (kept <= 3) {
        const u32 abc[] = {kept > 0 ? bit[0] : BIT_1, kept > 1 ? bit[1] : BIT_1, kept > 2 ? bit[2] : BIT_1};
        return logic_function(e, 0x80, abc);
    }
    for (u32 i = 0; i < kept; i++) {
        packed[i] = bit[i] & ~BIT_NOT;
        want |= (u64) !(bit[i] & BIT_NOT) << i;
    }
    wide.halves = kept > 32 ? 2 : 1;
    return equality(&wide, number_from_bits(e, wide.halves, packed), number_const(e, wide.halves, want));
}

static u32 equal(const struct kind *k, struct number x, struct number y) {
    struct number side[2] = {x, y};
    u32 a[64], b[64], all[64], n = 0;
    bool open = false;
    linear_balance(k->e, k->halves, side);
    number_to_bits(k->e, k->halves, side[0], a);
    number_to_bits(k->e, k->halves, side[1], b);
    for (u32 i = 0; i < 32 * k->halves; i++) {
        if (a[i] == b[i])
            continue;
        if ((a[i] ^ b[i]) == BIT_NOT)
            return BIT_0;
        open |= !bit_known(a[i]) && !bit_known(b[i]);
        all[n++] = bit_known(b[i]) ? a[i] ^ (~b[i] & BIT_NOT) : b[i] ^ (~a[i] & BIT_NOT);
    }
    return open ? equality(k, side[0], side[1]) : all_ones(k->e, all, n);
}

/* True if a < b is decided by what is known of both. */
static bool less_known(const struct kind *k, struct number a, struct number b, u32 *bit) {
    struct range ra = range_of(k, a), rb = range_of(k, b);
    *bit = ra.high < rb.low ? BIT_1 : BIT_0;
    return ra.high < rb.low || ra.low >= rb.high || number_same(a, b);
}

/* a < c */
static bool less_than(const struct kind *k, struct number a, u64 c, u32 *bit) {
    u64 order = c ^ bias_of(k);
    u32 of[64], all[64], n = 0;
    number_to_bits(k->e, k->halves, a, of);
    if (order == 1 || order == mask_of(k)) {
        u64 only = order == 1 ? c ^ 1 : c;
        *bit = equal(k, a, number_const(k->e, k->halves, only)) ^ (order == 1 ? BIT_0 : BIT_NOT);
        return true;
    }
    if (order & (order - 1))
        return false;
    for (u32 i = 32 * k->halves; i-- > 0 && (u64)1 << i >= order;)
        if (of[i] != BIT_0 || (bias_of(k) >> i & 1))
            all[n++] = of[i] ^ BIT_NOT ^ (bias_of(k) >> i & 1 ? BIT_NOT : 0);
    for (u32 i = 0; i < n; i++)
        if (bit_known(all[i]))
            return false;
    *bit = all_ones(k->e, all, n);
    return true;
}

/* True if both are known to have the same sign, so that it does not matter. Sets and comparisons agree on it. */
static bool same_sign(const struct kind *k, struct number a, struct number b) {
    u32 top_a[32], top_b[32];
    term_bits(k->e, a.word[k->halves - 1], top_a);
    term_bits(k->e, b.word[k->halves - 1], top_b);
    return bit_known(top_a[31]) && top_a[31] == top_b[31];
}

static u32 less(const struct kind *asked, struct number a, struct number b) {
    struct kind k = *asked;
    u32 bit;
    u64 c;
    if (k.halves == 2 && a.word[1] == b.word[1]) {
        k = (struct kind){.e = k.e, .halves = 1};
        a.word[1] = b.word[1] = WORD_NONE;
    }
    if (less_known(&k, a, b, &bit))
        return bit;
    k.sign = k.sign && !same_sign(&k, a, b);
    if (number_value(k.e, k.halves, b, &c) && less_than(&k, a, c, &bit))
        return bit;
    if (number_value(k.e, k.halves, a, &c))
        return less(&k, b, number_const(k.e, k.halves, c + 1)) ^ BIT_NOT;
    const u32 list[] = {a.word[0], b.word[0]}, pairs[] = {a.word[0], a.word[1], b.word[0], b.word[1]};
    return bit_of(term_atom(k.e, less_op(&k), 0, 2 * k.halves, k.halves == 2 ? pairs : list), 0);
}

/* ---- minima and maxima ---- */

/* The members but for the constant one. */
static struct number set_of(const struct tree *t, struct number v, bool *has_constant, u64 *constant) {
    struct number operand[2];
    *has_constant = number_value(t->e, t->halves, v, constant);
    if (*has_constant)
        return (struct number){{WORD_NONE, WORD_NONE}};
    u32 atom = number_atom(t->e, t->halves, v);
    if (!atom || term_at(t->e, atom)->code != t->op || tree_operands(t, v, operand))
        return v;
    *has_constant = number_value(t->e, t->halves, operand[1], constant);
    return operand[0];
}

static struct number extreme(const struct kind *asked, bool max, struct number a, struct number b) {
    struct kind kind = *asked;
    const struct kind *k = &kind;
    kind.sign = kind.sign && !same_sign(k, a, b);
    struct tree t = {.e = k->e, .op = order_op(k, max), .halves = k->halves, .key = tree_leaf, .same = tree_once};
    struct range ra = range_of(k, a), rb = range_of(k, b);
    if (ra.high <= rb.low)
        return max ? b : a;
    if (rb.high <= ra.low)
        return max ? a : b;
    u64 ca, cb, bias = bias_of(k);
    bool has_a, has_b;
    struct number all = tree_join(&t, set_of(&t, a, &has_a, &ca), set_of(&t, b, &has_b, &cb));
    if (has_a && has_b)
        ca = ((ca ^ bias) < (cb ^ bias)) != max ? ca : cb;
    else if (has_b)
        ca = cb;
    return has_a || has_b ? tree_link(&t, all, number_const(k->e, k->halves, ca)) : all;
}

/* ---- divisions by constants ---- */

static u32 log_of(u64 power) {
    u32 n = 0;
    while (power >> n > 1)
        n++;
    return n;
}

/* Bits from `low` to `high` of a number, with `above` beyond them. */
static struct number bits_of(const struct kind *k, struct number v, u32 low, u32 high, u32 above) {
    u32 bit[64], result[64];
    number_to_bits(k->e, k->halves, v, bit);
    for (u32 i = 0; i < 32 * k->halves; i++)
        result[i] = low + i < high ? bit[low + i] : above;
    return number_from_bits(k->e, k->halves, result);
}

/* Divides towards zero: a negative number has the divisor less one added, and is then shifted. */
static bool divide(const struct kind *k, bool remainder, struct number a, u64 by, struct number *v) {
    u32 width = 32 * k->halves, bit[64], ones[64];
    u64 top = (u64)1 << (width - 1), power = k->sign && by & top ? (0 - by) & mask_of(k) : by;
    if (!power || power & (power - 1) || (k->sign && power == top))
        return false;
    u32 n = log_of(power);
    if (!k->sign) {
        *v = remainder ? bits_of(k, a, 0, n, BIT_0) : bits_of(k, a, n, width, BIT_0);
        return true;
    }
    number_to_bits(k->e, k->halves, a, bit);
    for (u32 i = 0; i < width; i++)
        ones[i] = i < n ? bit[width - 1] : BIT_0;
    struct number bias = number_from_bits(k->e, k->halves, ones), sum = linear_add(k->e, k->halves, a, bias, 1);
    if (remainder) {
        *v = linear_add(k->e, k->halves, bits_of(k, sum, 0, n, BIT_0), bias, ~(u64)0);
        return true;
    }
    number_to_bits(k->e, k->halves, sum, bit);
    *v = bits_of(k, sum, n, width, bit[width - 1]);
    *v = by & top ? linear_scale(k->e, k->halves, *v, ~(u64)0) : *v;
    return true;
}

/* ---- choices ---- */

static bool is_constant(const struct kind *k, struct number v, u64 *value) {
    return number_value(k->e, k->halves, v, value);
}

/* Chooses a < b ? yes : no as a minimum or maximum. A constant that is one less is as good: of x < 5 ? x : 4. */
static bool choose_less(const struct kind *k, u32 less, struct number yes, struct number no, struct number *v) {
    const struct number a = operand_of(k, less, 0), b = operand_of(k, less, 1);
    u64 c, other;
    for (u32 max = 0; max < 2; max++) {
        struct number low = max ? no : yes, high = max ? yes : no; /* of x < y ? x : y */
        bool near = is_constant(k, b, &c) && is_constant(k, high, &other) && other == ((c - 1) & mask_of(k));
        if (!number_same(low, a) || (!number_same(high, b) && !near))
            continue;
        *v = extreme(k, max, a, high);
        return true;
    }
    return false;
}

/* x < 0 ? other : x, or the other way round; the condition is the highest bit of x, and the other is 0, -1 or -x. */
static bool choose_sign(const struct kind *k, u32 condition, struct number yes, struct number no, struct number *v) {
    u64 c;
    for (u32 swap = 0; swap < 2; swap++) {
        struct number x = swap ? yes : no, other = swap ? no : yes;
        u32 bit[64];
        number_to_bits(k->e, k->halves, x, bit);
        u32 top = bit[32 * k->halves - 1];
        if ((top ^ condition) & ~BIT_NOT)
            continue;
        bool negated = number_same(other, linear_scale(k->e, k->halves, x, ~(u64)0));
        if (!negated && (!is_constant(k, other, &c) || (c + 1) & mask_of(k) & ~(u64)1))
            continue;
        *v = extreme(k, swap != (top == condition), x, other);
        return true;
    }
    return false;
}

/* Chooses as a minimum or a maximum; the condition is unknown and not complemented, here and below. */
static bool choose_order(const struct kind *k, u32 condition, struct number yes, struct number no, struct number *v) {
    u32 atom = bit_atom(condition), code = term_at(k->e, atom)->code;
    for (u32 sign = 0; sign < 2; sign++) {
        struct kind s = {.e = k->e, .halves = k->halves, .sign = sign};
        if (code == less_op(&s) && choose_less(&s, atom, yes, no, v))
            return true;
        if (sign && choose_sign(&s, condition, yes, no, v))
            return true;
    }
    return false;
}

static struct number choose(const struct kind *k, u32 condition, struct number yes, struct number no) {
    u32 a[64], b[64];
    struct number v;
    u32 atom = bit_atom(condition), code = term_at(k->e, atom)->code;
    if (choose_order(k, condition, yes, no, &v))
        return v;
    if (code == (k->halves == 2 ? OP_SETP_EQ_S64 : OP_SETP_EQ_S32)) {
        struct number x = operand_of(k, atom, 0), y = operand_of(k, atom, 1);
        yes = number_same(yes, x) ? y : yes; /* where they are equal, the constant if one is */
        if (number_same(yes, y) && (number_same(no, x) || number_same(no, y)))
            return no;
    }
    number_to_bits(k->e, k->halves, yes, a);
    number_to_bits(k->e, k->halves, no, b);
    for (u32 i = 0; i < 32 * k->halves; i++)
        a[i] = logic_choose(k->e, condition, a[i], b[i]);
    return number_from_bits(k->e, k->halves, a);
}

/* Bits that a condition compares with a constant, all known where it is 1; how many. */
static u32 compared_bits(const struct kind *k, u32 condition, u32 *bit, u64 *constant) {
    u32 atom = bit_atom(condition), code = term_at(k->e, atom)->code;
    const struct kind wide = {.e = k->e, .halves = code == OP_SETP_EQ_S64 ? 2 : 1};
    if ((code != OP_SETP_EQ_S32 && code != OP_SETP_EQ_S64) ||
        !number_value(k->e, wide.halves, operand_of(&wide, atom, 1), constant))
        return 0;
    number_to_bits(k->e, wide.halves, operand_of(&wide, atom, 0), bit);
    return 32 * wide.halves;
}

/*
 * The number where the condition has a value: its bits that are functions, such as a choice by the same condition, and
 * those that it compares.
 */
static struct number under(const struct kind *k, u32 condition, u32 value, struct number n) {
    u32 bit[64], compared[64];
    u64 constant = 0;
    u32 known = value ? compared_bits(k, condition, compared, &constant) : 0;
    bool changed = false;
    number_to_bits(k->e, k->halves, n, bit);
    for (u32 i = 0; i < 32 * k->halves; i++) {
        u32 was = bit[i];
        for (u32 j = 0; j < known && !bit_known(bit[i]); j++)
            if (((bit[i] ^ compared[j]) & ~BIT_NOT) == 0)
                bit[i] = (constant >> j & 1 ? BIT_1 : BIT_0) ^ ((bit[i] ^ compared[j]) & BIT_NOT);
        if (logic_is(k->e, bit_atom(was)) && bit[i] == was)
            bit[i] = logic_given(k->e, was, condition, value);
        changed |= bit[i] != was;
    }
    return changed ? number_from_bits(k->e, k->halves, bit) : n;
}

static struct number chosen(const struct kind *k, u32 condition, struct number yes, struct number no) {
    struct number v;
    if (bit_known(condition) || number_same(yes, no))
        return condition == BIT_0 ? no : yes;
    if (condition & BIT_NOT)
        return chosen(k, condition ^ BIT_NOT, no, yes);
    if (choose_order(k, condition, yes, no, &v)) /* before the condition is taken out of the compared values */
        return v;
    if (k->halves == 1 && winner(k->e, condition, yes.word[0], no.word[0], &v.word[0]))
        return (struct number){{v.word[0], WORD_NONE}};
    yes = under(k, condition, 1, yes);
    no = under(k, condition, 0, no);
    if (number_same(yes, no))
        return yes;
    return choose(k, condition, yes, no);
}

u32 algebra_choose(struct terms *e, u32 condition, u32 yes, u32 no) {
    const struct kind k = {.e = e, .halves = 1};
    return chosen(&k, condition, (struct number){{yes, WORD_NONE}}, (struct number){{no, WORD_NONE}}).word[0];
}

/* ---- instructions ---- */

static bool compared(const struct kind *k, enum whole how, struct number a, struct number b, u32 *bit) {
    bool swap = how == WHOLE_GT || how == WHOLE_LE, flip = how == WHOLE_NE || how == WHOLE_GE || how == WHOLE_LE;
    if (how < WHOLE_EQ)
        return false;
    *bit = how <= WHOLE_NE ? equal(k, a, b) : swap ? less(k, b, a) : less(k, a, b);
    *bit ^= flip ? BIT_NOT : BIT_0;
    return true;
}

/* `condition`: what the instruction chooses by, if it does. */
static bool computed(const struct kind *k, enum whole how, const struct number in[3], u32 condition,
                     struct lane_out *out) {
    struct terms *e = k->e;
    const u32 n = k->halves;
    const u64 minus = ~(u64)0;
    struct number v = in[0];
    u32 bit[32];
    u64 c;
    switch (how) {
    case WHOLE_ADD: v = linear_add(e, n, in[0], in[1], 1); break;
    case WHOLE_SUB: v = linear_add(e, n, in[0], in[1], minus); break;
    case WHOLE_NEG: v = linear_scale(e, n, in[0], minus); break;
    case WHOLE_ABS: v = extreme(k, true, in[0], linear_scale(e, n, in[0], minus)); break;
    case WHOLE_SAD:
        v = linear_add(e, n, extreme(k, true, in[0], in[1]), extreme(k, false, in[0], in[1]), minus);
        v = linear_add(e, n, v, in[2], 1);
        break;
    case WHOLE_MUL: v = linear_product(e, n, in[0], in[1]); break;
    case WHOLE_MUL_WIDE: v = linear_wide_product(e, k->sign, in[0].word[0], in[1].word[0]); break;
    case WHOLE_MUL_HIGH: v.word[0] = linear_wide_product(e, k->sign, in[0].word[0], in[1].word[0]).word[1]; break;
    case WHOLE_SHL: /* by a word, also of a pair */
        if (!term_value(e, in[1].word[0], bit))
            return false;
        v = linear_scale(e, n, in[0], bit[0] < 32 * n ? (u64)1 << bit[0] : 0);
        break;
    case WHOLE_DIV:
    case WHOLE_REM:
        if (!number_value(e, n, in[1], &c) || !divide(k, how == WHOLE_REM, in[0], c, &v))
            return false;
        break;
    case WHOLE_MIN: v = extreme(k, false, in[0], in[1]); break;
    case WHOLE_MAX: v = extreme(k, true, in[0], in[1]); break;
    case WHOLE_LOW: v = linear_scale(e, 1, (struct number){{in[0].word[0], WORD_NONE}}, 1); break;
    case WHOLE_CHOOSE: v = chosen(k, condition, in[0], in[1]); break;
    case WHOLE_CHOOSE_SIGN:
        term_bits(e, in[0].word[0], bit);
        v = chosen(k, bit[31], in[1], in[2]);
        break;
    default: return compared(k, how, in[0], in[1], &out->bit);
    }
    memcpy(out->word, v.word, sizeof v.word);
    return true;
}

bool algebra(struct terms *e, u32 op, const struct lane_in *in, struct lane_out *out) {
    static const struct {
        u8 like, halves;
        bool sign;
    } rows[OP_COUNT] = {
#define WHOLE(id, like, halves, sign) [OP_##id] = {WHOLE_##like, halves, sign},
#include "isa/laws.def"
    };
    if (rows[op].like == WHOLE_NONE)
        return false;
    const struct kind k = {.e = e, .halves = rows[op].halves, .sign = rows[op].sign};
    struct number number[3];
    for (u32 i = 0; i < 3; i++)
        number[i] = (struct number){{in->word[i][0], k.halves == 2 ? in->word[i][1] : WORD_NONE}};
    return computed(&k, (enum whole)rows[op].like, number, in->bit[2], out);
}
