/*
 * The knee of a curve: how much of something is enough. It is the first value whose result is within a share of the
 * best one of the curve (docs/sweep.md).
 *
 *   struct knee k;
 *   if (knee_find(seconds, n, 0.05, false, &k))
 *       ... from the value k.first on, up to k.last, the results are within 5 % of the least ...
 */
#ifndef HEDDLE_BASE_KNEE_H
#define HEDDLE_BASE_KNEE_H

#include "sim/base/types.h"

struct knee {
    u32 first;
    u32 last; /* of the results after it that are all as near; beyond, the curve leaves its best again */
    u32 best;
};

/* Finds the knee of `n` results, by value; `most`: the greatest is the best, not the least. False: no results. */
bool knee_find(const double *result, u32 n, double within, bool most, struct knee *knee);

#endif
