/*
 * Which ready warp issues: one function for each policy, chosen by its row in the board's table.
 */
#include "sim/time/sm.h"

/* The ready warp behind the one that issued last, round and round. */
static u32 choose_lrr(u32 last, u64 ready) {
    u64 behind = last + 1 < PLACES_MAX ? ready & ~(u64)0 << (last + 1) : 0;
    return first_lane(behind ? behind : ready);
}

/* The same warp while it is ready, else the oldest, or the youngest, that is. */
static u32 choose_greedy(u32 last, const struct core_warp *warp, u32 stride, bool oldest, u64 ready) {
    u32 best = first_lane(ready);
    if (last < PLACES_MAX && ready >> last & 1)
        return last;
    for (u64 left = ready & (ready - 1); left; left &= left - 1) {
        u32 i = first_lane(left);
        if ((warp[i * stride].age < warp[best * stride].age) == oldest)
            best = i;
    }
    return best;
}

u32 policy_choose(const struct sub_core *c, const struct core_warp *warp, u32 stride, u32 policy, u64 ready) {
    switch (policy) {
    case policy_LRR: return choose_lrr(c->last, ready);
    case policy_GTO: return choose_greedy(c->last, warp, stride, true, ready);
    default: return choose_greedy(c->last, warp, stride, false, ready);
    }
}
