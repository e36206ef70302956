/*
 * Sums and products of whole numbers, modulo 2^32 or 2^64, in normal form:
 *
 *   constant + c1 * t1 + c2 * t2 + ...
 *
 * A t is a run of an atom's bits, or a product, or a word of many atoms' bits. A word is the sum of its bits, each
 * times a power of two, so that shifts, masks and complements by constants are sums, too, and a sum that only moves
 * bits is those bits:
 *
 *   x + x                 x << 1
 *   ~x + 1                -x
 *   x - (x & 15)          x with four bits cleared
 *   (x << 4) + (y & 15)   their bits side by side
 */
#ifndef HEDDLE_PROVE_LINEAR_H
#define HEDDLE_PROVE_LINEAR_H

#include "sim/prove/tree.h"

/* a + factor * b */
struct number linear_add(struct terms *e, u32 halves, struct number a, struct number b, u64 factor);
struct number linear_scale(struct terms *e, u32 halves, struct number a, u64 factor);
struct number linear_product(struct terms *e, u32 halves, struct number a, struct number b);

/* 64 bits from two times 32; not signed or signed. */
struct number linear_wide_product(struct terms *e, bool sign, u32 a, u32 b);

/* 32 bits, extended to 64 by zeros or by copies of the sign. */
struct number linear_extend(struct terms *e, bool sign, u32 word);

/*
 * Rewrites a == b as left == right without what they have in common, in an order that does not depend on theirs. Where
 * one is a constant, it is the right one.
 */
void linear_balance(struct terms *e, u32 halves, struct number side[2]);

#endif
