/*
 * Finds blocks that wait for ever, as at a barrier over the grid when some of its blocks have no place. Looked for at
 * certain cycles, so that it does not matter where windows end, and seldom enough to cost under a hundredth of the
 * time.
 */
#include "sim/arch/deadlock.h"
#include "sim/gpu/launch_state.h"

enum {
    LOOK_SPACING = 8, /* least wait between looks: the cycles so far / this */
    LOOK_SHARE = 128  /* instructions issued between looks, for each of the last look's effort */
};

/* `effort`: of the last look. */
static void look_later(struct launch_state *ls, u64 effort) {
    u64 issued = launch_issued(ls->gpu), rate = issued / (ls->now + 1) + 1;
    u64 wait = max_u64(ls->now / LOOK_SPACING, LOOK_SHARE * effort / rate);
    ls->look = ls->now + (ls->launch->look ? ls->launch->look : max_u64(wait, LOOK_FIRST));
}

/* True if no SM has a block to start, or room for one, and nothing in flight changes memory. */
static bool is_quiet(const struct launch_state *ls) {
    const struct gpu *g = ls->gpu;
    for (u32 i = 0; i < g->begun; i++) {
        const struct sm *s = &g->sm[i];
        if (s->fresh_count || (ls->next < ls->blocks && s->taken < ls->occupancy.blocks) || !sm_leaves_memory(s))
            return false;
    }
    return true;
}

/* The block in the machine's place of that number; NULL: the place is free. */
static struct block *block_at(const struct launch_state *ls, u32 place) {
    const struct sm *s = &ls->gpu->sm[place / ls->occupancy.blocks];
    u32 i = place % ls->occupancy.blocks;
    return s->begun && i < s->blocks && s->block[i].end == TIME_NEVER ? s->block[i].block : NULL;
}

static enum verdict judge(struct launch_state *ls, struct deadlock *d, u32 place) {
    struct block *b = block_at(ls, place);
    if (!b)
        return DEADLOCK_WAITS;
    if (!b->left) /* its last loads are coming */
        return DEADLOCK_NONE;
    ls->resident++;
    deadlock_keep(d, b);
    sm_give_results(&ls->gpu->sm[place / ls->occupancy.blocks], place % ls->occupancy.blocks);
    return deadlock_judge(d, b);
}

bool launch_is_dead(struct launch_state *ls, struct fault *fault) {
    const u32 places = ls->gpu->board.sms * ls->occupancy.blocks;
    enum verdict v = DEADLOCK_WAITS;
    u32 any = 0;
    look_later(ls, 0);
    while (any < places && !block_at(ls, any))
        any++;
    if (any == places || !is_quiet(ls))
        return false;
    ls->resident = 0;
    struct deadlock *d = deadlock_begin(&ls->run, block_at(ls, any), &ls->past);
    for (u32 k = 0, first = ls->past.place; k < places && d && v == DEADLOCK_WAITS; k++) {
        ls->past.place = (first + k) % places;
        v = judge(ls, d, ls->past.place);
    }
    bool dead = d && v != DEADLOCK_NONE;
    const struct deadlock_places p = {ls->blocks, ls->next, ls->resident, "as many as fit"};
    if (dead) {
        deadlock_fault(deadlock_found(d), &p, ls->launch, fault);
        fault->timed = true;
        fault->cycle = ls->now;
    }
    deadlock_end(d);
    look_later(ls, ls->past.effort);
    return dead;
}
