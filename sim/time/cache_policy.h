/*
 * Replacement policies: what a set keeps beside its order of use, and the line that it gives up. Each is a row of the
 * choice `replacement` and a case in each function here. Ways that are free or have sectors in flight are the cache's
 * business: a policy is given the candidates, one bit each, and the order of use.
 *
 *      lru      the order alone: the last of it
 *      plru     a bit a way, set by a use; when all are set, all others are cleared. Gives up the first way without it,
 *               as bit-PLRU does (Malamy et al., US 5353425); a tree would want a power of two of ways
 *      fifo     the order, which a use leaves alone
 *      random   any: the n-th line that the set gives up follows from n, the set and the cache's seed
 *      rrip     a number of two bits a way (SRRIP, Jaleel et al., ISCA 2010): 2 when a line comes, 0 when it is used;
 *               gives up the greatest, of equals the first way, after which all are raised as that one was to 3
 */
#ifndef HEDDLE_TIME_CACHE_POLICY_H
#define HEDDLE_TIME_CACHE_POLICY_H

#include "sim/base/bits.h"
#include "sim/base/mix.h"
#include "sim/board/board.h"

enum { POLICY_WORDS_MAX = 2 };

/* Words that a set keeps. */
static inline u32 policy_words(enum replacement replacement) {
    switch (replacement) {
    case replacement_LRU:
    case replacement_FIFO: return 0;
    case replacement_PLRU:
    case replacement_RANDOM: return 1;
    case replacement_RRIP: return 2;
    }
    BUG("a replacement that keeps nothing");
}

/* Begins an empty set; `number` is that of the set, with the seed. */
static inline void policy_begin(enum replacement replacement, u64 *state, u64 number) {
    for (u32 i = 0; i < policy_words(replacement); i++)
        state[i] = replacement == replacement_RANDOM ? splitmix(number * SPLITMIX_STEP) : 0;
}

/* Notes that a way's line is used; `all`: the ways of the set. True if it is first in the order from now on. */
static inline bool policy_use(enum replacement replacement, u64 *state, u32 way, u64 all) {
    u64 bit = 1ull << way;
    switch (replacement) {
    case replacement_LRU:
    case replacement_RANDOM: return true;
    case replacement_FIFO: return false;
    case replacement_PLRU: state[0] = (state[0] | bit) == all ? bit : state[0] | bit; return true;
    case replacement_RRIP:
        state[0] &= ~bit;
        state[1] &= ~bit;
        return true;
    }
    BUG("a replacement that uses nothing");
}

/* Raises all numbers as many times as takes this way's to 3. */
static inline void policy_age(u64 *state, u32 way) {
    for (u32 left = 3 - (u32)((state[1] >> way & 1) << 1 | (state[0] >> way & 1)); left--;) {
        u64 carry = state[0];
        state[0] = ~carry | (carry & state[1]); /* 3 stays 3 */
        state[1] |= carry;
    }
}

/* Notes that a way has a new line; `full`: it replaces another one. */
static inline void policy_take(enum replacement replacement, u64 *state, u32 way, u64 all, bool full) {
    u64 bit = 1ull << way;
    switch (replacement) {
    case replacement_LRU:
    case replacement_FIFO: return;
    case replacement_PLRU: policy_use(replacement, state, way, all); return;
    case replacement_RANDOM: state[0] = full ? splitmix(state[0] + SPLITMIX_STEP) : state[0]; return;
    case replacement_RRIP:
        if (full)
            policy_age(state, way);
        state[0] &= ~bit;
        state[1] |= bit;
        return;
    }
}

/* The lowest one of a mask, alone. */
static inline u64 policy_first(u64 ways) {
    return ways & (~ways + 1);
}

/* Of the candidates, those that the policy gives up first; among them the last in the order of use goes. */
static inline u64 policy_victims(enum replacement replacement, const u64 *state, u64 candidates) {
    switch (replacement) {
    case replacement_LRU:
    case replacement_FIFO: return candidates;
    case replacement_PLRU: return policy_first(candidates & ~state[0] ? candidates & ~state[0] : candidates);
    case replacement_RANDOM:
        for (u32 n = candidates ? (u32)(state[0] % ones_of(candidates)) : 0; n--;)
            candidates &= candidates - 1;
        return policy_first(candidates);
    case replacement_RRIP:
        for (u32 number = 4; number-- > 1;) {
            u64 here = candidates & (number >> 1 ? state[1] : ~state[1]) & (number & 1 ? state[0] : ~state[0]);
            if (here)
                return policy_first(here);
        }
        return policy_first(candidates);
    }
    BUG("a replacement that gives up nothing");
}

#endif
