/*
 * Which ready warp issues: one function for each policy, chosen by its row in the board's table. Inline, because most
 * often one warp is ready.
 */
#ifndef HEDDLE_TIME_ISSUE_POLICY_H
#define HEDDLE_TIME_ISSUE_POLICY_H

#include "sim/time/sm.h"

/* First ready warp after the one that issued last, round and round. */
static inline u32 choose_lrr(u32 last, u64 ready) {
    u64 later = last + 1 < PLACES_MAX ? ready & ~(u64)0 << (last + 1) : 0;
    return first_lane(later ? later : ready);
}

/* Last warp while it is ready, else the oldest, or the youngest, that is ready. */
static inline u32 choose_greedy(u32 last, const u64 *age, bool oldest, u64 ready) {
    u32 best = first_lane(ready);
    if (last < PLACES_MAX && ready >> last & 1)
        return last;
    for (u64 left = ready & (ready - 1); left; left &= left - 1) {
        u32 i = first_lane(left);
        if ((age[i] < age[best]) == oldest)
            best = i;
    }
    return best;
}

/* Places that a sub-core which stays with a warp may choose: all, once that has ended or is at a barrier. */
static inline u64 policy_single(const struct sub_core *c, const struct core_warp *first, u32 cores, u64 ready) {
    bool held = c->last < PLACES_MAX && c->held >> c->last & 1;
    bool stays = held && first[c->last * cores].gate != (WHEN_NEVER | STALL_BARRIER);
    return stays ? ready & (u64)1 << c->last : ready;
}

/* The place, among those in `ready`, that the policy chooses. */
static inline u32 policy_choose(const struct sub_core *c, enum policy policy, u64 ready) {
    switch (policy) {
    case policy_LRR: return choose_lrr(c->last, ready);
    case policy_GTO: return choose_greedy(c->last, c->age, true, ready);
    case policy_CGGTY: return choose_greedy(c->last, c->age, false, ready);
    case policy_SINGLE: return choose_greedy(c->last, c->age, true, ready);
    }
    BUG("a policy that chooses no warp");
}

#endif
