#include "sim/prove/sum.h"

#include <string.h>

#include "sim/prove/linear.h"

enum {
    ATOMS_OF_WORD = 4, /* a word with bits of more atoms is taken as a whole */
    PARTS_MOVED = 4,   /* a sum of more parts is not looked at as bits */
    PARTS_SHIFTED = 16
};

#define KEY_WHOLE ((u64)1 << 63) /* of words taken as a whole */

/* An atom's bits, each with its factor. */
struct weights {
    u32 atom;
    u64 of[64];
};

/* ---- parts ---- */

/* True if an atom is base * factor, with a constant factor. */
static bool is_multiple(const struct adder *l, u32 atom, struct number *base, u64 *factor) {
    u32 n = l->tree.halves;
    const u32 *list = term_operands(l->tree.e, atom);
    if (term_at(l->tree.e, atom)->code != l->mul)
        return false;
    const struct number b = {{list[n], n == 2 ? list[3] : WORD_NONE}};
    *base = (struct number){{list[0], n == 2 ? list[1] : WORD_NONE}};
    return number_value(l->tree.e, n, b, factor);
}

struct number sum_base(const struct adder *l, struct number v, u64 *factor) {
    struct number base;
    u32 atom = number_atom(l->tree.e, l->tree.halves, v);
    if (atom && is_multiple(l, atom, &base, factor))
        return base;
    *factor = 1;
    return v;
}

static struct number part_make(const struct adder *l, struct number base, u64 factor) {
    struct tree product = l->tree;
    product.op = l->mul;
    return factor == 1 ? base : tree_link(&product, base, number_const(l->tree.e, l->tree.halves, factor));
}

/* Atom whose bits are a base, a run as run_of makes it; 0 for a word that is taken as a whole. */
static u32 base_atom(const struct adder *l, struct number base) {
    u32 bit[64], n = 1;
    number_to_bits(l->tree.e, l->tree.halves, base, bit);
    while (n < l->bits && bit[n] == bit[0] + n)
        n++;
    for (u32 i = n; i < l->bits; i++)
        if (bit[i] != bit[n] || (bit[n] != BIT_0 && bit[n] != bit[n - 1]))
            return 0;
    return bit[0] & BIT_NOT ? 0 : bit_atom(bit[0]);
}

/* A leaf is a part, or a chain of parts of one atom. */
static u64 leaf_key(const struct tree *t, struct number leaf) {
    const struct adder *l = (const struct adder *)(const void *)t;
    struct number operand[2];
    u64 factor;
    struct number base = sum_base(l, tree_operands(t, leaf, operand) ? operand[0] : leaf, &factor);
    u32 atom = base_atom(l, base);
    return atom ? atom : KEY_WHOLE | base.word[0] | (u64)base.word[1] << 26;
}

/* ---- one atom's part: a chain of runs of its bits ---- */

static void weights_add(const struct adder *l, struct weights *w, struct number base, u64 factor) {
    u32 bit[64];
    number_to_bits(l->tree.e, l->tree.halves, base, bit);
    for (u32 i = 0; i < l->bits; i++)
        if (bit_atom(bit[i]))
            w->of[bit[i] & 63] += factor << i;
}

static void weights_add_chain(const struct adder *l, struct weights *w, struct number leaf, u64 times) {
    struct number operand[2];
    u64 factor;
    while (tree_operands(&l->tree, leaf, operand)) {
        struct number base = sum_base(l, operand[0], &factor);
        weights_add(l, w, base, factor * times);
        leaf = operand[1];
    }
    struct number base = sum_base(l, leaf, &factor);
    weights_add(l, w, base, factor * times);
}

/* Bits from `low` on as the low bits of a number, with zeros or copies of the last above them. */
static struct number run_of(const struct adder *l, u32 atom, u32 low, u32 n, bool sign) {
    u32 bit[64], above = sign ? bit_of(atom, low + n - 1) : BIT_0;
    for (u32 i = 0; i < l->bits; i++)
        bit[i] = i < n ? bit_of(atom, low + i) : above;
    return number_from_bits(l->tree.e, l->tree.halves, bit);
}

/* True if the atom is itself a sum of this width, and so is never a part in one piece. */
static bool is_sum(const struct adder *l, u32 atom) {
    struct number base;
    u64 factor;
    return term_at(l->tree.e, atom)->code == l->tree.op || is_multiple(l, atom, &base, &factor);
}

/*
 * Takes the run that begins at the lowest weight. Most of a number's bits count as all of them, so that a bit with
 * another weight, such as the sign, stands apart.
 */
static struct number run_take(const struct adder *l, struct weights *w) {
    u32 low = 0, n = 1;
    while (!(w->of[low] & l->mask))
        low++;
    u64 factor = w->of[low] & l->mask;
    while (low + n < 64 && n < l->bits && factor << n & l->mask && ((w->of[low + n] ^ factor << n) & l->mask) == 0)
        n++;
    bool fades = n == l->bits || !(factor << n & l->mask);
    bool sign = !fades && low + n < 64 && ((w->of[low + n] + (factor << n)) & l->mask) == 0;
    bool whole = low % 32 == 0 && low + l->bits <= term_width(l->tree.e, w->atom);
    if (sign)
        n++;
    else if (whole && (fades || n >= l->bits * 3 / 4))
        n = l->bits;
    if (n == l->bits && is_sum(l, w->atom))
        n = l->bits - 1;
    struct number run = run_of(l, w->atom, low, n, sign);
    weights_add(l, w, run, 0 - factor);
    return part_make(l, run, factor);
}

static bool weights_left(const struct adder *l, const struct weights *w) {
    for (u32 i = 0; i < 64; i++)
        if (w->of[i] & l->mask)
            return true;
    return false;
}

static struct number leaf_of(const struct adder *l, struct weights *w) {
    struct number run[64], chain = sum_zero.tree;
    u32 n = 0;
    while (weights_left(l, w))
        run[n++] = run_take(l, w);
    while (n-- > 0)
        chain = tree_link(&l->tree, run[n], chain);
    return chain;
}

static struct number leaf_same(const struct tree *t, struct number a, struct number b) {
    const struct adder *l = (const struct adder *)(const void *)t;
    u64 fa, fb, key = leaf_key(t, a);
    if (key & KEY_WHOLE) {
        struct number base = sum_base(l, a, &fa);
        sum_base(l, b, &fb);
        return (fa + fb) & l->mask ? part_make(l, base, (fa + fb) & l->mask) : sum_zero.tree;
    }
    struct weights w = {.atom = (u32)key};
    weights_add_chain(l, &w, a, 1);
    weights_add_chain(l, &w, b, 1);
    return leaf_of(l, &w);
}

struct adder sum_adder(struct terms *e, u32 halves) {
    struct adder l = {.tree = {.e = e, .halves = halves, .key = leaf_key, .same = leaf_same}};
    l.tree.op = halves == 2 ? OP_ADD_S64 : OP_ADD_S32;
    l.mul = halves == 2 ? OP_MUL_LO_S64 : OP_MUL_LO_S32;
    l.bits = 32 * halves;
    l.mask = halves == 2 ? ~(u64)0 : 0xffffffff;
    return l;
}

u32 sum_parts(const struct adder *l, struct number tree, struct number *list, u32 most, u32 n) {
    struct number operand[2];
    while (n <= most && tree_operands(&l->tree, tree, operand)) {
        n = sum_parts(l, operand[0], list, most, n);
        tree = operand[1];
    }
    if (n < most)
        list[n] = tree;
    return n <= most && number_is(tree) ? n + 1 : n;
}

/* ---- sums ---- */

struct sum sum_plus(const struct adder *l, struct sum a, struct sum b) {
    return (struct sum){tree_join(&l->tree, a.tree, b.tree), (a.constant + b.constant) & l->mask};
}

/* The low 32 bits of an atom of 64 as a sum of 32 bits. */
static bool low_half(const struct adder *l, u32 atom, struct sum *s) {
    struct terms *e = l->tree.e;
    u32 code = term_at(e, atom)->code, at = code == OP_MUL_WIDE_S32 || code == OP_MUL_WIDE_U32 ? 1 : 2;
    if (l->tree.halves == 2 || (at == 2 && code != OP_ADD_S64 && code != OP_MUL_LO_S64))
        return false;
    const struct number a = {{term_operands(e, atom)[0], WORD_NONE}}, b = {{term_operands(e, atom)[at], WORD_NONE}};
    *s = code == OP_ADD_S64 ? sum_plus(l, sum_of(l, a), sum_of(l, b)) : sum_of(l, linear_product(e, 1, a, b));
    return true;
}

/* Finds the summands of a sum, or of the low half of one, in one piece. */
static bool sum_behind(const struct adder *l, const struct weights *w, struct sum *s) {
    u64 factor = w->of[0] & l->mask;
    bool whole = factor != 0;
    for (u32 i = 0; i < 64 && whole; i++)
        whole = ((w->of[i] ^ (i < l->bits ? factor << i : 0)) & l->mask) == 0;
    if (whole && is_sum(l, w->atom))
        *s = sum_of(l, number_of_atom(l->tree.e, l->tree.halves, w->atom));
    else if (!whole || !low_half(l, w->atom, s))
        return false;
    *s = sum_times(l, *s, factor);
    return true;
}

static struct sum sum_of_weights(const struct adder *l, struct weights *w) {
    struct sum s = sum_zero;
    if (!sum_behind(l, w, &s))
        s.tree = leaf_of(l, w);
    return s;
}

struct sum sum_times(const struct adder *l, struct sum s, u64 factor) {
    struct number part[2];
    struct sum scaled = {sum_zero.tree, s.constant * factor & l->mask};
    factor &= l->mask;
    if (factor == 1 || !number_is(s.tree))
        return factor == 1 ? s : scaled;
    if (factor == 0)
        return sum_zero;
    if (tree_fork(&l->tree, s.tree, part)) {
        struct sum low = sum_times(l, (struct sum){part[0], 0}, factor);
        scaled = sum_plus(l, scaled, sum_plus(l, low, sum_times(l, (struct sum){part[1], 0}, factor)));
        return scaled;
    }
    u64 key = leaf_key(&l->tree, s.tree), was;
    if (key & KEY_WHOLE) {
        struct number base = sum_base(l, s.tree, &was);
        scaled.tree = was * factor & l->mask ? part_make(l, base, was * factor & l->mask) : sum_zero.tree;
        return scaled;
    }
    struct weights w = {.atom = (u32)key};
    weights_add_chain(l, &w, s.tree, factor);
    return sum_plus(l, scaled, sum_of_weights(l, &w));
}

/* Bits of too many atoms: without constants and zeros below, and with the lowest not complemented. */
static struct sum sum_of_whole(const struct adder *l, u32 bit[64]) {
    struct sum s = sum_zero;
    u32 low = 0;
    while (bit_known(bit[low]))
        low++;
    u32 flip = bit[low] & BIT_NOT;
    for (u32 i = 0; i < l->bits; i++) {
        bool one = bit_known(bit[i]) ? bit[i] == BIT_1 : flip;
        s.constant += (u64)one << i;
        bit[i] = bit_known(bit[i]) ? BIT_0 : bit[i] ^ flip;
    }
    for (u32 i = 0; i < l->bits; i++)
        bit[i] = i + low < l->bits ? bit[i + low] : BIT_0;
    u64 factor = (flip ? 0 - ((u64)1 << low) : (u64)1 << low) & l->mask;
    s.constant &= l->mask;
    s.tree = part_make(l, number_from_bits(l->tree.e, l->tree.halves, bit), factor);
    return s;
}

static struct sum sum_of_bits(const struct adder *l, struct number v) {
    struct weights w[ATOMS_OF_WORD];
    struct number part[PARTS_MOVED];
    struct sum s = sum_zero, plain = sum_zero, behind;
    u32 bit[64], n = 0;
    number_to_bits(l->tree.e, l->tree.halves, v, bit);
    for (u32 i = 0; i < l->bits; i++) {
        u32 k = 0, atom = bit_atom(bit[i]);
        while (k < n && w[k].atom != atom)
            k++;
        if (atom && k == ATOMS_OF_WORD)
            return sum_of_whole(l, bit);
        if (atom && k == n)
            w[n++] = (struct weights){.atom = atom};
        if (bit[i] & BIT_NOT)
            s.constant += (u64)1 << i;
        if (atom)
            w[k].of[bit[i] & 63] += bit[i] & BIT_NOT ? 0 - ((u64)1 << i) : (u64)1 << i;
    }
    s.constant &= l->mask;
    for (u32 k = 0; k < n; k++)
        if (sum_behind(l, &w[k], &behind))
            s = sum_plus(l, s, behind);
        else
            plain.tree = tree_join(&l->tree, plain.tree, leaf_of(l, &w[k]));
    return sum_parts(l, plain.tree, part, PARTS_MOVED, 0) > PARTS_MOVED ? sum_of_whole(l, bit) : sum_plus(l, s, plain);
}

struct sum sum_of(const struct adder *l, struct number v) {
    struct sum s = {v, 0};
    struct number operand[2];
    u64 factor;
    u32 atom = number_atom(l->tree.e, l->tree.halves, v);
    if (atom && term_at(l->tree.e, atom)->code == l->tree.op) {
        if (!tree_operands(&l->tree, v, operand)) {
            s.tree = operand[0];
            number_value(l->tree.e, l->tree.halves, operand[1], &s.constant);
        }
        return s;
    }
    sum_base(l, v, &factor);
    return factor != 1 ? s : sum_of_bits(l, v);
}

/* ---- back to a number ---- */

/* One bit of a number, and what it adds to the number where it is 1. */
struct weighed {
    u32 bit;
    u64 weight;
};

static u32 weigh(const struct adder *l, const struct number *part, u32 n, struct weighed *list) {
    enum { PLACES = 2 * PARTS_MOVED * 64 };
    u32 bit[64], count = 0;
    u16 place[PLACES] = {0}; /* of a bit in the list, plus 1 */
    u64 factor;
    for (u32 k = 0; k < n; k++) {
        number_to_bits(l->tree.e, l->tree.halves, sum_base(l, part[k], &factor), bit);
        for (u32 i = 0; i < l->bits; i++) {
            if (!bit_atom(bit[i]) || !(factor << i & l->mask))
                continue;
            u32 at = (bit[i] * 0x9e3779b1u) >> 16 & (PLACES - 1);
            while (place[at] && list[place[at] - 1].bit != bit[i])
                at = (at + 1) & (PLACES - 1);
            if (!place[at]) {
                list[count++] = (struct weighed){bit[i], 0};
                place[at] = (u16)count;
            }
            list[place[at] - 1].weight += factor << i;
        }
    }
    return count;
}

/*
 * True for a sum that only moves, copies and complements bits. From the lowest place on: a bit of odd weight is in it,
 * or its complement where the constant is odd; less that, all is even. Two odd ones are an addition.
 */
static bool sum_moves(const struct adder *l, struct sum s, struct number *v) {
    struct number part[PARTS_MOVED];
    struct weighed list[PARTS_MOVED * 64];
    u32 bit[64], parts = sum_parts(l, s.tree, part, PARTS_MOVED, 0), odd_parts = 0;
    for (u32 k = 0; k < parts && k < PARTS_MOVED; k++) {
        u64 factor;
        number_to_bits(l->tree.e, l->tree.halves, sum_base(l, part[k], &factor), bit);
        odd_parts += factor & 1 && bit_atom(bit[0]);
    }
    if (parts > PARTS_MOVED || odd_parts > 1)
        return false;
    u32 n = weigh(l, part, parts, list);
    for (u32 i = 0; i < l->bits; i++) {
        struct weighed *odd = NULL;
        u64 one = (u64)1 << i, carry = s.constant & one;
        for (u32 k = 0; k < n; k++) {
            if (!(list[k].weight & one))
                continue;
            if (odd)
                return false;
            odd = &list[k];
        }
        bit[i] = (odd ? odd->bit : BIT_0) ^ (carry ? BIT_NOT : 0);
        s.constant -= carry;
        if (odd)
            odd->weight -= carry ? 0 - one : one;
    }
    *v = number_from_bits(l->tree.e, l->tree.halves, bit);
    return true;
}

/* A factor without its n lowest bits, which are 0: of all that give it back, the one next to 0. */
static u64 factor_shifted(const struct adder *l, u64 factor, u32 n) {
    bool minus = factor >> (l->bits - 1) & 1;
    return factor >> n | (minus ? ~(l->mask >> n) & l->mask : 0);
}

/* Replaces the upper bits of a sum by the sum without its lower bits, if that is no longer: x - ((x + y) >> 4 << 4). */
static struct sum sum_whole(const struct adder *l, struct sum s) {
    struct number part[PARTS_MOVED], other[PARTS_MOVED];
    u32 n = sum_parts(l, s.tree, part, PARTS_MOVED, 0);
    u64 factor;
    for (u32 k = 0; k < n && n > 1 && n <= PARTS_MOVED; k++) {
        struct number base = sum_base(l, part[k], &factor);
        u32 bit[64], atom = base_atom(l, base);
        number_to_bits(l->tree.e, l->tree.halves, base, bit);
        u32 low = bit[0] & 63;
        u64 times = factor_shifted(l, factor, low);
        if (!atom || !low || !is_sum(l, atom) || factor & (((u64)1 << low) - 1) || !bit_atom(bit[l->bits - 1 - low]) ||
            !bit_known(bit[l->bits - low]))
            continue;
        struct weights w = {.atom = atom};
        for (u32 i = 0; i < low; i++)
            w.of[i] = 0 - (times << i);
        struct sum instead = sum_of(l, number_of_atom(l->tree.e, l->tree.halves, atom));
        instead = sum_plus(l, sum_times(l, instead, times), (struct sum){leaf_of(l, &w), s.constant});
        for (u32 i = 0; i < n; i++)
            if (i != k)
                instead = sum_plus(l, instead, (struct sum){part[i], 0});
        if (sum_parts(l, instead.tree, other, PARTS_MOVED, 0) <= n)
            return instead;
    }
    return s;
}

/* True if the parts that are not multiples of 2^n move to bits below n, where they and the constant are `low`. */
static bool low_moves(const struct adder *l, struct sum s, u32 n, struct number *low) {
    u32 bit[64];
    bool below = true;
    if (!sum_moves(l, s, low))
        return false;
    number_to_bits(l->tree.e, l->tree.halves, *low, bit);
    for (u32 i = n; i < l->bits && below; i++)
        below = bit[i] == BIT_0;
    return below;
}

/*
 * Takes a sum of multiples of 2^n as a sum that is shifted, with bits below it: its lower bits are known, or are
 * others.
 */
static bool sum_shifts(const struct adder *l, struct sum s, struct number *v) {
    struct number part[PARTS_SHIFTED], low;
    u32 n = sum_parts(l, s.tree, part, PARTS_SHIFTED, 0), shift = l->bits, below[64], above[64];
    u64 factor[PARTS_SHIFTED];
    for (u32 k = 0; k < n && n <= PARTS_SHIFTED; k++)
        part[k] = sum_base(l, part[k], &factor[k]);
    while (n <= PARTS_SHIFTED && shift-- > 1) {
        const u64 some = ((u64)1 << shift) - 1;
        struct sum rest = {sum_zero.tree, s.constant & some}, high = {sum_zero.tree, s.constant >> shift};
        bool least = false;
        for (u32 k = 0; k < n; k++)
            least |= !(factor[k] & some) && factor[k] >> shift & 1;
        if (!least)
            continue; /* the parts would move further, and did not at a larger shift */
        for (u32 k = 0; k < n; k++) {
            bool stays = factor[k] & some;
            u64 times = stays ? factor[k] : factor_shifted(l, factor[k], shift);
            *(stays ? &rest : &high) = sum_plus(l, stays ? rest : high, (struct sum){part_make(l, part[k], times), 0});
        }
        if (!low_moves(l, rest, shift, &low))
            continue;
        number_to_bits(l->tree.e, l->tree.halves, low, below);
        number_to_bits(l->tree.e, l->tree.halves, sum_value(l, high), above);
        for (u32 i = shift; i < l->bits; i++)
            below[i] = above[i - shift];
        *v = number_from_bits(l->tree.e, l->tree.halves, below);
        return true;
    }
    return false;
}

struct number sum_value(const struct adder *l, struct sum s) {
    struct number v;
    if (!number_is(s.tree))
        return number_const(l->tree.e, l->tree.halves, s.constant);
    s = sum_whole(l, s);
    if (sum_moves(l, s, &v) || sum_shifts(l, s, &v))
        return v;
    return s.constant ? tree_link(&l->tree, s.tree, number_const(l->tree.e, l->tree.halves, s.constant)) : s.tree;
}
