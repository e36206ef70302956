/*
 * Inside of sim/prove/linear.c: a number as a constant and a tree of parts, and back. A part is a base, or a constant
 * times one; a base is a run of an atom's bits, a product, or a word that is taken as a whole.
 *
 *   struct adder l = sum_adder(e, 1);
 *   struct sum s = sum_plus(&l, sum_of(&l, a), sum_times(&l, sum_of(&l, b), 3));
 *   use(sum_value(&l, s));                                                          a + 3 * b
 */
#ifndef HEDDLE_PROVE_SUM_H
#define HEDDLE_PROVE_SUM_H

#include "sim/prove/tree.h"

/* Sums of one width. */
struct adder {
    struct tree tree; /* of additions */
    u16 mul;
    u32 bits;
    u64 mask;
};

/* constant + tree; no tree is 0. */
struct sum {
    struct number tree;
    u64 constant;
};

static const struct sum sum_zero = {{{WORD_NONE, WORD_NONE}}, 0};

/* Of one (32 bits) or two halves. */
struct adder sum_adder(struct terms *e, u32 halves);

struct sum sum_of(const struct adder *l, struct number v);
struct number sum_value(const struct adder *l, struct sum s);

struct sum sum_plus(const struct adder *l, struct sum a, struct sum b);
struct sum sum_times(const struct adder *l, struct sum s, u64 factor);

/* Parts of the tree, at most `most` of them after the `n` in the list; more are counted as `most` + 1. */
u32 sum_parts(const struct adder *l, struct number tree, struct number *list, u32 most, u32 n);

/* Base of a part, with its factor, which is 1 if it has none. */
struct number sum_base(const struct adder *l, struct number v, u64 *factor);

#endif
