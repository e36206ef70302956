/* Ones of a mask, where the compiler has no instruction for it and would call a function; minimum and maximum. */
#ifndef HEDDLE_BASE_BITS_H
#define HEDDLE_BASE_BITS_H

#include "sim/base/types.h"

static inline u32 ones_of(u64 v) {
    v -= v >> 1 & 0x5555555555555555;
    v = (v & 0x3333333333333333) + (v >> 2 & 0x3333333333333333);
    return (u32)(((v + (v >> 4)) & 0x0f0f0f0f0f0f0f0f) * 0x0101010101010101 >> 56);
}

/* Ones among the lowest four bits: sectors of a set. */
static inline u32 ones_of_four(u32 v) {
    return (u32)(0x4332322132212110u >> (v & 15) * 4) & 7;
}

/* The highest one of a number, alone; 0 of 0. */
static inline u64 highest_bit(u64 v) {
    while (v & (v - 1))
        v &= v - 1;
    return v;
}

static inline u64 min_u64(u64 a, u64 b) {
    return a < b ? a : b;
}

static inline u64 max_u64(u64 a, u64 b) {
    return a > b ? a : b;
}

#endif
