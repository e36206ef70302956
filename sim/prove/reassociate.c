#include "sim/prove/reassociate.h"

#include "sim/prove/tree.h"

static const struct sums types[] = {
#define FLOAT(type, halves, bits, fraction, signs) \
    {OP_ADD_##type, OP_SUB_##type, OP_MUL_##type, OP_DIV_##type, OP_FMA_##type, halves, bits, fraction, signs},
#include "isa/laws.def"
};

const struct sums *sums_type(u32 op) {
    enum {
#define FLOAT(type, ...) TYPE_##type,
#include "isa/laws.def"
    };
    static const u8 of[OP_COUNT] = {
#define FLOAT(type, ...) \
    [OP_ADD_##type] = TYPE_##type + 1, [OP_SUB_##type] = TYPE_##type + 1, [OP_MUL_##type] = TYPE_##type + 1, \
    [OP_DIV_##type] = TYPE_##type + 1, [OP_FMA_##type] = TYPE_##type + 1,
#include "isa/laws.def"
    };
    return op < OP_COUNT && of[op] ? &types[of[op] - 1] : NULL;
}

const struct sums *sums_of(u32 op, u32 mods) {
    const struct sums *s = sums_type(op);
    bool is = s && (op == s->add || op == s->sub || op == s->fma);
    return is && !(mods & ~(1u << isa_groups[GROUP_FTZ].shift)) ? s : NULL;
}

static struct number negative(const struct tree *t, const struct sums *s, struct number v) {
    u32 bit[64];
    number_to_bits(t->e, t->halves, v, bit);
    for (u32 i = s->bits - 1u; i < 32 * t->halves; i += s->bits)
        bit[i] ^= BIT_NOT;
    return number_from_bits(t->e, t->halves, bit);
}

/* True if the sign bit of the number is a complement, as after a negation. */
static bool is_negative(const struct tree *t, struct number v) {
    u32 bit[64];
    number_to_bits(t->e, t->halves, v, bit);
    return bit[32 * t->halves - 1] & BIT_NOT;
}

/* a * b, not rounded: the older first, with the sign of both. */
static struct number product(const struct tree *t, const struct sums *s, struct number a, struct number b) {
    bool minus = false;
    if (is_negative(t, a))
        a = negative(t, s, a), minus = !minus;
    if (is_negative(t, b))
        b = negative(t, s, b), minus = !minus;
    if (tree_leaf(t, a) > tree_leaf(t, b)) {
        struct number swap = a;
        a = b;
        b = swap;
    }
    a = minus ? negative(t, s, a) : a;
    const struct number c = number_const(t->e, t->halves, s->signs);
    const u32 words[] = {a.word[0], b.word[0], c.word[0]};
    const u32 pairs[] = {a.word[0], a.word[1], b.word[0], b.word[1], c.word[0], c.word[1]};
    return number_of_atom(t->e, t->halves,
                          term_atom(t->e, s->fma, t->mods, 3 * t->halves, t->halves == 2 ? pairs : words));
}

/* True for a product that is not rounded; `of`: its factors. */
static bool is_product(const struct tree *t, const struct sums *s, struct number v, struct number of[2]) {
    u32 atom = number_atom(t->e, t->halves, v), n = t->halves;
    if (!atom || term_at(t->e, atom)->code != s->fma || term_at(t->e, atom)->mods != t->mods)
        return false;
    const u32 *list = term_operands(t->e, atom);
    for (u32 k = 0; k < 2; k++)
        of[k] = (struct number){{list[k * n], n == 2 ? list[k * 2 + 1] : WORD_NONE}};
    const struct number c = {{list[2 * n], n == 2 ? list[5] : WORD_NONE}};
    return number_same(c, number_const(t->e, t->halves, s->signs));
}

/* A sum: its summands that are not constant, and the sum of those that are, if any is. */
struct parts {
    struct number summands;
    u64 constant;
    bool has_constant;
};

static struct number subtracted(const struct tree *t, const struct sums *s, struct number v) {
    struct number part[2];
    if (tree_operands(t, v, part)) {
        struct number low = subtracted(t, s, part[0]);
        return tree_join(t, low, subtracted(t, s, part[1]));
    }
    if (is_product(t, s, v, part))
        return product(t, s, negative(t, s, part[0]), part[1]);
    return negative(t, s, v);
}

static struct parts parts_subtracted(const struct tree *t, const struct sums *s, struct parts p) {
    p.constant ^= s->signs;
    p.summands = number_is(p.summands) ? subtracted(t, s, p.summands) : p.summands;
    return p;
}

static struct parts parts_of(const struct tree *t, const struct sums *s, struct number v) {
    struct parts p = {v, 0, false};
    struct number operand[2];
    u32 atom = number_atom(t->e, t->halves, v);
    p.has_constant = number_value(t->e, t->halves, v, &p.constant);
    if (p.has_constant)
        p.summands = (struct number){{WORD_NONE, WORD_NONE}};
    else if (is_negative(t, v))
        return parts_subtracted(t, s, parts_of(t, s, negative(t, s, v)));
    if (!atom || term_at(t->e, atom)->code != t->op || term_at(t->e, atom)->mods != t->mods ||
        tree_operands(t, v, operand))
        return p;
    p.summands = operand[0];
    p.has_constant = number_value(t->e, t->halves, operand[1], &p.constant);
    return p;
}

/* Adds two sums. -0.0 in a sum of others is left out: they give the same with it and without it, bit for bit. */
static struct number sum(struct site *site, const struct tree *t, const struct sums *s, struct parts a,
                         struct parts b) {
    struct number all = tree_join(t, a.summands, b.summands), part[2];
    u64 constant = a.has_constant ? a.constant : b.constant;
    if (a.has_constant && b.has_constant)
        constant = site_constant(site, t->op, a.constant, b.constant);
    if (!a.has_constant && !b.has_constant)
        return all;
    if (constant == s->signs && number_is(all) && tree_operands(t, all, part))
        return all;
    return tree_link(t, all, number_const(t->e, t->halves, constant));
}

bool reassociate(struct site *site, u32 op, u32 mods, const struct lane_in *in, struct lane_out *out) {
    const struct sums *s = sums_of(op, mods);
    struct number v[3];
    struct parts of[2];
    if (!s)
        return false;
    struct tree t = {.e = site->s->e, .op = s->add, .mods = (u16)mods, .halves = s->halves};
    t.key = tree_leaf;
    t.same = tree_chain;
    for (u32 k = 0; k < 3; k++)
        v[k] = (struct number){{in->word[k][0], s->halves == 2 ? in->word[k][1] : WORD_NONE}};
    of[0] = parts_of(&t, s, op == s->fma ? product(&t, s, v[0], v[1]) : v[0]);
    of[1] = parts_of(&t, s, op == s->fma ? v[2] : v[1]);
    if (op == s->sub)
        of[1] = parts_subtracted(&t, s, of[1]);
    v[0] = sum(site, &t, s, of[0], of[1]);
    out->word[0] = v[0].word[0];
    out->word[1] = v[0].word[1];
    return true;
}
