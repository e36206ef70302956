/*
 * Which ready warp issues: one function for each policy, chosen by its row in the board's table.
 */
#include "sim/time/sm.h"

/* The ready warp behind the one that issued last, round and round. */
static u32 choose_lrr(const struct sub_core *c, u64 now) {
    for (u32 i = 1; i <= c->warps; i++) {
        u32 place = c->last + i < c->warps ? c->last + i : c->last + i - c->warps;
        if (c->order[place] <= now)
            return place;
    }
    return NONE;
}

/* The same warp while it is ready, else the oldest, or the youngest, that is. */
static u32 choose_greedy(const struct sub_core *c, const struct core_warp *warp, u32 stride, bool oldest, u64 now) {
    u32 best = NONE;
    if (c->order[c->last] <= now)
        return c->last;
    for (u32 i = 0; i < c->warps; i++) {
        if (c->order[i] > now)
            continue;
        if (best == NONE || (warp[i * stride].age < warp[best * stride].age) == oldest)
            best = i;
    }
    return best;
}

u32 policy_choose(const struct sub_core *c, const struct core_warp *warp, u32 stride, u32 policy, u64 now) {
    switch (policy) {
    case policy_LRR: return choose_lrr(c, now);
    case policy_GTO: return choose_greedy(c, warp, stride, true, now);
    default: return choose_greedy(c, warp, stride, false, now);
    }
}
