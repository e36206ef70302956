/*
 * Minima and maxima of floating-point numbers as sets: a tree over the members (sim/prove/tree.h), where neither order
 * nor repetition counts, and one constant beside it. That is exact for all bits: a result that is NaN has the canonical
 * ones, NaN loses against any number, and -0 is below +0. Instructions with .ftz are a set of their own.
 */
#ifndef HEDDLE_PROVE_EXTREMES_H
#define HEDDLE_PROVE_EXTREMES_H

#include "sim/prove/shadow.h"

/* False where the instruction is none of these. */
bool extremes(struct site *t, u32 op, u32 mods, const struct lane_in *in, struct lane_out *out);

#endif
