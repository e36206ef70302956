/*
 * Operations on any number of operands whose order does not matter: trees of one instruction whose shape follows from
 * the operands alone, so that equal sets of operands are one term. A shape is that of a Patricia tree over the keys of
 * the operands: an operand more is a few new atoms, and two sums share what they have in common.
 *
 *   add(add(x[0], x[1]), add(x[2], x[3]))                    however the four were added
 */
#ifndef HEDDLE_PROVE_TREE_H
#define HEDDLE_PROVE_TREE_H

#include "sim/prove/term.h"

/* 32 bits, or 64 with a high word; nothing at all with WORD_NONE in both. */
struct number {
    u32 word[2];
};

struct tree {
    struct terms *e;
    u16 op, mods;
    u32 halves;   /* words of a number */
    bool numbers; /* constants are operands like others, and do not stand apart */
    /* Key of a leaf; operands that are not distinguished have the same. */
    u64 (*key)(const struct tree *t, struct number leaf);
    /* Join of two leaves of one key; may be nothing. */
    struct number (*same)(const struct tree *t, struct number a, struct number b);
};

/* All operands of both; either may be nothing. */
struct number tree_join(const struct tree *t, struct number a, struct number b);

/* The two operands that the top instruction of a tree has. False for a leaf, and where a constant stands apart. */
bool tree_operands(const struct tree *t, struct number v, struct number operand[2]);

/* True if the tree has two parts of different keys. */
bool tree_fork(const struct tree *t, struct number v, struct number part[2]);

/* op(a, b) as it stands. */
struct number tree_link(const struct tree *t, struct number a, struct number b);

/* True if an instruction gives a number with the canonical bits where it is NaN, and flushed where a tree's flushes. */
bool tree_canonical(const struct tree *t, struct number v);

/* Usual key: leaves that are distinguished differ. Two usual `same`: equal leaves are one, or a chain. */
u64 tree_leaf(const struct tree *t, struct number leaf);
struct number tree_once(const struct tree *t, struct number a, struct number b);
struct number tree_chain(const struct tree *t, struct number a, struct number b);

/* ---- numbers ---- */

static inline bool number_is(struct number v) {
    return v.word[0] != WORD_NONE;
}

static inline bool number_same(struct number a, struct number b) {
    return a.word[0] == b.word[0] && a.word[1] == b.word[1];
}

struct number number_const(struct terms *e, u32 halves, u64 value);
bool number_value(const struct terms *e, u32 halves, struct number v, u64 *value);

/* 32 or 64 bits, the lowest first. */
void number_to_bits(const struct terms *e, u32 halves, struct number v, u32 bit[64]);
struct number number_from_bits(struct terms *e, u32 halves, const u32 bit[64]);

/* Atom whose result the number is; 0 if it is none. */
u32 number_atom(const struct terms *e, u32 halves, struct number v);
struct number number_of_atom(struct terms *e, u32 halves, u32 atom);

#endif
