/*
 * Sums of floating-point numbers as if their order did not matter, which rounding makes untrue: for proofs that assume
 * it (struct terms, `reassociate`). A sum is a tree over its summands (sim/prove/tree.h) and the sum of its constants;
 * of a fused multiply-add the summands are a product that is not rounded, fma(a, b, -0.0), and c. x + 0.0 is not x
 * here, either; x + -0.0 is.
 */
#ifndef HEDDLE_PROVE_REASSOCIATE_H
#define HEDDLE_PROVE_REASSOCIATE_H

#include "sim/prove/shadow.h"

/* The arithmetic of one type: a FLOAT row of laws.def. */
struct sums {
    u16 add, sub, mul, div, fma;
    u8 halves;
    u8 bits, fraction; /* of a number */
    u64 signs;         /* the highest bit of each number; as numbers, -0.0 */
};

/* NULL for what is no arithmetic. */
const struct sums *sums_type(u32 op);

/* NULL where the instruction is no such sum: clamped, or rounded in another way. */
const struct sums *sums_of(u32 op, u32 mods);

/* False where the instruction is no such sum. */
bool reassociate(struct site *site, u32 op, u32 mods, const struct lane_in *in, struct lane_out *out);

#endif
