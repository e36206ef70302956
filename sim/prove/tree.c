#include "sim/prove/tree.h"

#include "sim/base/bits.h"

/* ---- numbers ---- */

struct number number_const(struct terms *e, u32 halves, u64 value) {
    struct number v = {{term_const(e, (u32)value), WORD_NONE}};
    if (halves == 2)
        v.word[1] = term_const(e, (u32)(value >> 32));
    return v;
}

bool number_value(const struct terms *e, u32 halves, struct number v, u64 *value) {
    u32 low, high = 0;
    bool known = term_value(e, v.word[0], &low) && (halves == 1 || term_value(e, v.word[1], &high));
    *value = low | (u64)high << 32;
    return known;
}

void number_to_bits(const struct terms *e, u32 halves, struct number v, u32 bit[64]) {
    for (u32 h = 0; h < halves; h++)
        term_bits(e, v.word[h], bit + 32 * h);
}

struct number number_from_bits(struct terms *e, u32 halves, const u32 bit[64]) {
    struct number v = {{term_word(e, bit), WORD_NONE}};
    if (halves == 2)
        v.word[1] = term_word(e, bit + 32);
    return v;
}

u32 number_atom(const struct terms *e, u32 halves, struct number v) {
    u32 low, high;
    if (!term_neighbours(e, v.word[0], &low) || low & 63)
        return 0;
    if (halves == 2 && (!term_neighbours(e, v.word[1], &high) || high != low + 32))
        return 0;
    return bit_atom(low);
}

struct number number_of_atom(struct terms *e, u32 halves, u32 atom) {
    return (struct number){{term_slice(e, atom, 0), halves == 2 ? term_slice(e, atom, 32) : WORD_NONE}};
}

/* ---- trees ---- */

bool tree_operands(const struct tree *t, struct number v, struct number operand[2]) {
    u64 value;
    u32 atom = number_atom(t->e, t->halves, v);
    if (!atom || term_at(t->e, atom)->code != t->op || term_at(t->e, atom)->mods != t->mods)
        return false;
    const u32 *list = term_operands(t->e, atom);
    for (u32 k = 0; k < 2; k++)
        operand[k] = (struct number){{list[k * t->halves], t->halves == 2 ? list[k * 2 + 1] : WORD_NONE}};
    return t->numbers || !number_value(t->e, t->halves, operand[1], &value);
}

static u64 key_of(const struct tree *t, struct number v) {
    struct number operand[2];
    while (tree_operands(t, v, operand))
        v = operand[0];
    return t->key(t, v);
}

bool tree_fork(const struct tree *t, struct number v, struct number part[2]) {
    return tree_operands(t, v, part) && key_of(t, part[0]) != key_of(t, part[1]);
}

struct number tree_link(const struct tree *t, struct number a, struct number b) {
    if (!number_is(a) || !number_is(b))
        return number_is(a) ? a : b;
    const u32 two[] = {a.word[0], b.word[0]}, four[] = {a.word[0], a.word[1], b.word[0], b.word[1]};
    u32 atom = term_atom(t->e, t->op, t->mods, 2 * t->halves, t->halves == 2 ? four : two);
    return number_of_atom(t->e, t->halves, atom);
}

/* Highest bit where keys of the parts differ, as a power of two; 0 for a leaf. */
static u64 branch_of(const struct tree *t, struct number v, struct number part[2]) {
    if (!tree_operands(t, v, part))
        return 0;
    return highest_bit(key_of(t, part[0]) ^ key_of(t, part[1]));
}

/* True if `other` belongs in a tree with such a branch and a key `key`. */
static bool covers(u64 key, u64 branch, u64 other) {
    return branch ? ((key ^ other) & ~(2 * branch - 1)) == 0 : key == other;
}

struct number tree_join(const struct tree *t, struct number a, struct number b) {
    if (!number_is(a) || !number_is(b))
        return number_is(a) ? a : b;
    struct number pa[2], pb[2];
    u64 ka = key_of(t, a), kb = key_of(t, b), at_a = branch_of(t, a, pa), at_b = branch_of(t, b, pb);
    if (at_a == at_b && covers(ka, at_a, kb))
        return at_a ? tree_link(t, tree_join(t, pa[0], pb[0]), tree_join(t, pa[1], pb[1])) : t->same(t, a, b);
    if (at_a < at_b)
        return covers(kb, at_b, ka) ? tree_join(t, b, a) : ka < kb ? tree_link(t, a, b) : tree_link(t, b, a);
    if (!covers(ka, at_a, kb))
        return ka < kb ? tree_link(t, a, b) : tree_link(t, b, a);
    return kb & at_a ? tree_link(t, pa[0], tree_join(t, pa[1], b)) : tree_link(t, tree_join(t, pa[0], b), pa[1]);
}

bool tree_canonical(const struct tree *t, struct number v) {
    u32 atom = number_atom(t->e, t->halves, v);
    if (!atom || term_at(t->e, atom)->code >= OP_COUNT)
        return false;
    u32 literal = isa_rows[term_at(t->e, atom)->code].operand[0].literal, ftz = 1u << isa_groups[GROUP_FTZ].shift;
    return literal == isa_rows[t->op].operand[0].literal && (literal == LIT_F32 || literal == LIT_F64) &&
           (term_at(t->e, atom)->mods & ftz) >= (t->mods & ftz);
}

u64 tree_leaf(const struct tree *t, struct number leaf) {
    (void)t;
    return leaf.word[0] | (u64)leaf.word[1] << 26;
}

struct number tree_once(const struct tree *t, struct number a, struct number b) {
    (void)t;
    (void)b;
    return a;
}

struct number tree_chain(const struct tree *t, struct number a, struct number b) {
    struct number operand[2];
    while (tree_operands(t, a, operand)) {
        b = tree_link(t, operand[0], b);
        a = operand[1];
    }
    return tree_link(t, a, b);
}
