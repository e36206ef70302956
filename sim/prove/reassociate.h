/*
 * Sums of floating-point numbers as if their order did not matter, which rounding makes untrue: for proofs that assume
 * it (struct terms, `reassociate`). A sum is a tree over its summands (sim/prove/tree.h); of a fused multiply-add the
 * summands are a product that is not rounded, fma(a, b, -0.0), and c. x + 0.0 is not x here, either; x + -0.0 is.
 */
#ifndef HEDDLE_PROVE_REASSOCIATE_H
#define HEDDLE_PROVE_REASSOCIATE_H

#include "sim/prove/algebra.h"

/* False where the instruction is no such sum. */
bool reassociate(struct terms *e, u32 op, u32 mods, const struct lane_in *in, struct lane_out *out);

#endif
