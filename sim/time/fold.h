/*
 * Spreading addresses evenly, over the sets of a cache or the slices of L2: unit n of memory, a line or an interleave,
 * is at place (n + the folded bits of n / places) modulo places. Each run of `places` units, from a multiple of
 * `places` on, is thus rotated as a whole: it takes every place once, and strides of powers of two spread as well.
 */
#ifndef HEDDLE_TIME_FOLD_H
#define HEDDLE_TIME_FOLD_H

#include "sim/base/types.h"

/* Bits of a place's number, at least 1. */
static inline u32 fold_width(u32 places) {
    u32 bits = 1;
    while (1u << bits < places)
        bits++;
    return bits;
}

/* XOR of the groups of `bits` bits of `v`. */
static inline u32 fold(u64 v, u32 bits) {
    u64 folded = 0;
    for (; v; v >>= bits)
        folded ^= v;
    return (u32)folded & ((1u << bits) - 1);
}

/* v / by: a narrow division, which takes a fraction of the time of a wide one, when it will do. */
static inline u64 fold_divide(u64 v, u32 by) {
    return v >> 32 ? v / by : (u32)v / by;
}

/* The place of the unit with that run = n / places and rest = n % places. */
static inline u32 fold_place(u64 run, u32 rest, u32 places, u32 bits) {
    u32 place = rest + fold(run, bits);
    while (place >= places)
        place -= places;
    return place;
}

#endif
