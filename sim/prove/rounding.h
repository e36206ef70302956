/*
 * On one set of data: which results might be others if floating-point sums were taken in another order. A sum is free
 * of that where its summands are multiples of one power of two and together too small to round, or where it has nothing
 * to reorder. What is computed from a sum that is not, is not, either, nor is a sum that takes another that is rounded
 * over by a choice, or with its sign changed.
 *
 *   const bool *loose = rounding_table(e, value, &arena);         value: source_values of that data
 *   loose[bit_atom(bit)]
 */
#ifndef HEDDLE_PROVE_ROUNDING_H
#define HEDDLE_PROVE_ROUNDING_H

#include "sim/base/arena.h"
#include "sim/prove/term.h"

/* Result for each atom; NULL when out of memory. */
bool *rounding_table(const struct terms *e, const u64 *value, struct arena *arena);

#endif
