/* What an SM has in flight to global memory, for a look at whether anything can still change (sim/gpu/deadlock.c). */
#include "sim/time/lsu.h"

/* Calls `see` for each request in flight and each line that found no room, until it returns false; false then. */
static bool each(const struct sm *s, bool (*see)(struct deferred *d, u32 block, void *ctx), void *ctx) {
    for (u32 i = 0; i < s->misses.len / sizeof(struct miss); i++) {
        const struct miss *m = miss_at(s, i);
        if (m->deferred && !see(m->deferred, m->block, ctx))
            return false;
    }
    for (u32 id = s->first_access; id != NONE; id = access_at(s, id)->next) {
        const struct lsu_access *a = access_at(s, id);
        for (u32 i = a->at; i < a->lines; i++)
            if (a->deferred[i] && !see(a->deferred[i], a->block, ctx))
                return false;
    }
    return true;
}

static bool leaves_memory(struct deferred *d, u32 block, void *ctx) {
    (void)block;
    (void)ctx;
    return !deferred_changes(d);
}

bool sm_leaves_memory(const struct sm *s) {
    return each(s, leaves_memory, NULL);
}

static bool give(struct deferred *d, u32 block, void *ctx) {
    if (block == *(const u32 *)ctx)
        deferred_give(d);
    return true;
}

void sm_give_results(const struct sm *s, u32 block) {
    each(s, give, &block);
}
