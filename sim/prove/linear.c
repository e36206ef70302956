#include "sim/prove/linear.h"

#include "sim/prove/sum.h"

enum { PARTS_PRODUCT = 16 }; /* a product of sums is multiplied out up to this many parts */

/* ---- sums ---- */

struct number linear_add(struct terms *e, u32 halves, struct number a, struct number b, u64 factor) {
    struct adder l = sum_adder(e, halves);
    return sum_value(&l, sum_plus(&l, sum_of(&l, a), sum_times(&l, sum_of(&l, b), factor)));
}

struct number linear_scale(struct terms *e, u32 halves, struct number a, u64 factor) {
    struct adder l = sum_adder(e, halves);
    return sum_value(&l, sum_times(&l, sum_of(&l, a), factor));
}

/* ---- products ---- */

/* 64 bits that are 32, extended by zeros or by the sign. */
static bool is_extended(struct terms *e, struct number v, bool sign) {
    return number_same(v, linear_extend(e, sign, v.word[0]));
}

/* Factors of a wide product, which is one instruction if they are no more than two. */
static struct number factors_of(const struct tree *t, struct number v) {
    u32 atom = number_atom(t->e, t->halves, v), code = term_at(t->e, atom)->code;
    if (!atom || (code != OP_MUL_WIDE_S32 && code != OP_MUL_WIDE_U32))
        return v;
    const u32 x = term_operands(t->e, atom)[0], y = term_operands(t->e, atom)[1];
    bool sign = code == OP_MUL_WIDE_S32;
    return tree_join(t, linear_extend(t->e, sign, x), linear_extend(t->e, sign, y));
}

/* Neither is a sum. */
static struct number simple_product(const struct adder *l, struct number a, struct number b) {
    struct terms *e = l->tree.e;
    struct tree t = l->tree;
    t.op = l->mul;
    t.key = tree_leaf;
    t.same = tree_chain;
    for (u32 sign = 0; sign < 2 && l->tree.halves == 2; sign++)
        if (is_extended(e, a, sign) && is_extended(e, b, sign)) {
            u32 x = a.word[0], y = b.word[0];
            const u32 list[] = {x < y ? x : y, x < y ? y : x};
            return number_of_atom(e, 2, term_atom(e, sign ? OP_MUL_WIDE_S32 : OP_MUL_WIDE_U32, 0, 2, list));
        }
    return tree_join(&t, factors_of(&t, a), factors_of(&t, b));
}

static struct sum sum_product(const struct adder *l, struct sum a, struct sum b) {
    struct number pa[PARTS_PRODUCT], pb[PARTS_PRODUCT];
    struct sum all = sum_plus(l, sum_times(l, (struct sum){a.tree, 0}, b.constant), sum_times(l, b, a.constant));
    u32 na = sum_parts(l, a.tree, pa, PARTS_PRODUCT, 0), nb = sum_parts(l, b.tree, pb, PARTS_PRODUCT, 0);
    for (u32 i = 0; i < na; i++)
        for (u32 k = 0; k < nb; k++) {
            u64 fa, fb;
            struct number base_a = sum_base(l, pa[i], &fa), base_b = sum_base(l, pb[k], &fb);
            struct number product = simple_product(l, base_a, base_b);
            all = sum_plus(l, all, sum_times(l, sum_of(l, product), fa * fb));
        }
    return all;
}

struct number linear_product(struct terms *e, u32 halves, struct number a, struct number b) {
    struct adder l = sum_adder(e, halves);
    struct sum sa = sum_of(&l, a), sb = sum_of(&l, b);
    struct number part[PARTS_PRODUCT];
    u32 na = sum_parts(&l, sa.tree, part, PARTS_PRODUCT, 0), nb = sum_parts(&l, sb.tree, part, PARTS_PRODUCT, 0);
    if (!na || !nb)
        return sum_value(&l, na ? sum_times(&l, sa, sb.constant) : sum_times(&l, sb, sa.constant));
    if ((na + (sa.constant != 0)) * (nb + (sb.constant != 0)) <= PARTS_PRODUCT)
        return sum_value(&l, sum_product(&l, sa, sb));
    return sum_value(&l, sum_of(&l, simple_product(&l, a, b)));
}

struct number linear_extend(struct terms *e, bool sign, u32 word) {
    u32 bit[64];
    term_bits(e, word, bit);
    for (u32 i = 32; i < 64; i++)
        bit[i] = sign ? bit[31] : BIT_0;
    return number_from_bits(e, 2, bit);
}

struct number linear_wide_product(struct terms *e, bool sign, u32 a, u32 b) {
    return linear_product(e, 2, linear_extend(e, sign, a), linear_extend(e, sign, b));
}

/* ---- equations ---- */

void linear_balance(struct terms *e, u32 halves, struct number side[2]) {
    enum { MOST = 64 };
    struct adder l = sum_adder(e, halves);
    struct sum s = sum_plus(&l, sum_of(&l, side[0]), sum_times(&l, sum_of(&l, side[1]), ~(u64)0));
    struct sum half[2] = {sum_zero, sum_zero};
    struct number part[MOST];
    u32 n = sum_parts(&l, s.tree, part, MOST, 0);
    if (n > MOST)
        n = 0, half[0].tree = s.tree;
    for (u32 k = 0; k < n; k++) {
        u64 factor;
        sum_base(&l, part[k], &factor);
        bool minus = factor > l.mask / 2 + 1;
        half[minus] = sum_plus(&l, half[minus], sum_times(&l, (struct sum){part[k], 0}, minus ? ~(u64)0 : 1));
    }
    u32 x = half[0].tree.word[0], y = half[1].tree.word[0];
    u32 first =
        x == WORD_NONE || (y != WORD_NONE && (x > y || (x == y && half[0].tree.word[1] > half[1].tree.word[1])));
    u64 constant = s.constant + half[0].constant - half[1].constant;
    half[first].constant = 0;
    half[1 - first].constant = (first ? constant : 0 - constant) & l.mask;
    side[0] = sum_value(&l, half[first]);
    side[1] = sum_value(&l, half[1 - first]);
}
