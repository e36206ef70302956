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
    u64 issued = launch_issued(ls), rate = issued / (ls->now + 1) + 1;
    u64 wait = max_u64(ls->now / LOOK_SPACING, LOOK_SHARE * effort / rate);
    ls->look = ls->now + (ls->launch->look ? ls->launch->look : max_u64(wait, LOOK_FIRST));
}

/* True if no SM has a block to start, or room for one, and nothing in flight changes memory. */
static bool is_quiet(const struct launch_state *ls) {
    const struct gpu *g = ls->gpu;
    for (u32 i = 0; i < g->begun; i++) {
        const struct sm *s = &g->sm[i];
        const struct gpu_launch *l = ls->of[i];
        bool room = l->next < l->blocks ? s->taken < l->occupancy.blocks : launch_is_drained(ls, i);
        if (s->fresh_count || (ls->next < ls->blocks && room) || !sm_leaves_memory(s))
            return false;
    }
    return true;
}

/* The block of the launch in the machine's place of that number; NULL: the place is free, or another launch's. */
static struct block *block_at(const struct launch_state *ls, const struct gpu_launch *l, u32 place) {
    u32 sm = place / l->occupancy.blocks, i = place % l->occupancy.blocks;
    const struct sm *s = &ls->gpu->sm[sm];
    return ls->of[sm] == l && i < s->blocks && s->block[i].end == TIME_NEVER ? s->block[i].block : NULL;
}

static enum verdict judge(struct launch_state *ls, struct gpu_launch *l, struct deadlock *d, u32 place) {
    struct block *b = block_at(ls, l, place);
    if (!b)
        return DEADLOCK_WAITS;
    if (!b->left) /* its last loads are coming */
        return DEADLOCK_NONE;
    ls->resident++;
    deadlock_keep(d, b);
    sm_give_results(&ls->gpu->sm[place / l->occupancy.blocks], place % l->occupancy.blocks);
    return deadlock_judge(d, b);
}

/* Judges the resident blocks of a launch; `any`: a place that has one. Fills in the fault, if they wait for ever. */
static enum verdict judge_all(struct launch_state *ls, struct gpu_launch *l, u32 any, struct fault *fault) {
    const u32 places = ls->gpu->board.sms * l->occupancy.blocks;
    enum verdict v = DEADLOCK_WAITS;
    ls->resident = 0;
    struct deadlock *d = deadlock_begin(&l->run, block_at(ls, l, any), &l->past);
    for (u32 k = 0, first = l->past.place; k < places && d && v == DEADLOCK_WAITS; k++) {
        l->past.place = (first + k) % places;
        v = judge(ls, l, d, l->past.place);
    }
    v = d ? v : DEADLOCK_NONE;
    const struct deadlock_places p = {l->blocks, l->next, ls->resident, "as many as fit", "refuses more at the start"};
    if (v != DEADLOCK_NONE) {
        deadlock_fault(deadlock_found(d), &p, l->launch, fault);
        fault->timed = true;
        fault->cycle = ls->now;
        ls->faulted = (u32)(l - ls->all);
    }
    deadlock_end(d);
    return v;
}

/* The launch waits as long as all do, and for ever if a warp of one of them loops whatever others do. */
bool launch_is_dead(struct launch_state *ls, struct fault *fault) {
    enum verdict v = DEADLOCK_NONE;
    u64 effort = 0;
    look_later(ls, 0);
    if (!is_quiet(ls))
        return false;
    for (u32 i = 0; i < ls->launches; i++) {
        struct gpu_launch *l = &ls->all[i];
        const u32 places = ls->gpu->board.sms * l->occupancy.blocks;
        u32 any = 0;
        while (any < places && !block_at(ls, l, any))
            any++;
        if (any == places)
            continue;
        v = judge_all(ls, l, any, fault);
        effort += l->past.effort;
        if (v != DEADLOCK_WAITS)
            break;
    }
    look_later(ls, effort);
    if (v == DEADLOCK_NONE)
        *fault = (struct fault){0};
    return v != DEADLOCK_NONE;
}
