/* Random numbers of tests, the same on every computer: xorshift (Marsaglia 2003) of a state that is never 0. */
#ifndef HEDDLE_TESTS_RANDOM_H
#define HEDDLE_TESTS_RANDOM_H

#include "sim/base/types.h"

static inline u64 random_bits(u64 *state) {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

static inline u32 random_below(u64 *state, u32 n) {
    return (u32)(random_bits(state) >> 33) % n;
}

#endif
