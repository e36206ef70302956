/* Numbers that look random, and hashes that are kept apart: splitmix64 (Steele, Lea and Flood, 2014) and FNV-1a. */
#ifndef HEDDLE_BASE_MIX_H
#define HEDDLE_BASE_MIX_H

#include "sim/base/types.h"

#define SPLITMIX_STEP 0x9e3779b97f4a7c15u

/* Mixes all bits; of n * SPLITMIX_STEP it is the n-th number of splitmix64. */
static inline u64 splitmix(u64 z) {
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

/* The next number of splitmix64. */
static inline u64 splitmix_next(u64 *state) {
    return splitmix(*state += SPLITMIX_STEP);
}

#define FNV_BASIS 0xcbf29ce484222325u

/* Continues the hash `h`, which begins as FNV_BASIS. */
static inline u64 fnv_1a(u64 h, const char *bytes, size_t len) {
    for (size_t i = 0; i < len; i++)
        h = (h ^ (u8)bytes[i]) * 0x100000001b3u;
    return h;
}

#endif
