/*
 * Divergence: what happens to a warp's lanes at branches, calls, returns and exits.
 *
 * A warp runs one level: the lanes `active` at `pc`, until they reach `reconv`. The levels that wait are frames. A
 * divergent branch turns the running level into two, one above the other, over a third that waits at the branch's
 * immediate post-dominator for both:
 *
 *      running   {fall-through lanes, pc + 1,  reconv = R}
 *      frame     {taken lanes,        target,  reconv = R}
 *      frame     {all of them,        R,       reconv = what it was before}
 *
 * A level that would begin at R is not made. When R is already the running level's own reconvergence point, the third
 * is not made either: the frame below waits there for these lanes too. So a loop uses one frame however long it runs.
 *
 * A called function's first level is marked `call`. Lanes that return leave every level down to it and wait in the
 * frame below, whose pc is that after the call.
 *
 * By the hardware's rules lanes of other levels may go on before: paths.c.
 */
#include "sim/arch/state.h"

static bool push(struct warp *w, struct frame f) {
    if (w->depth == DIVERGENCE_DEPTH_MAX)
        return false;
    w->frame[w->depth++] = f;
    return true;
}

enum step warp_pop(struct warp *w) {
    do {
        w->calls -= w->call;
        if (w->depth == 0) {
            w->active = 0;
            return w->paths ? paths_end(w) : STEP_DONE;
        }
        struct frame *f = &w->frame[--w->depth];
        w->active = f->mask;
        w->pc = f->pc;
        w->reconv = f->reconv;
        w->call = f->call;
    } while (!w->active);
    if (UNLIKELY(w->paths != NULL))
        paths_meet(w);
    return STEP_NEXT;
}

enum step warp_diverge(struct warp *w, const struct uop *u, u64 taken) {
    u32 target = (u32)u->imm, join = (u32)(u->imm >> 32), next = w->pc;
    u64 rest = w->active & ~taken;
    bool fits = true;
    if (target == next)
        return STEP_NEXT;
    w->effect->diverged = taken;
    if (join == NO_RECONVERGENCE)
        join =
            w->reconv; /* paths that end elsewhere, inside a level that others wait for: they must still stop there */
    if (join != NO_RECONVERGENCE && join != w->reconv)
        fits = push(w, (struct frame){w->active, join, w->reconv, w->call});
    if (fits && next != join && target != join)
        /* Without a meeting point the two levels replace the running one: the lower of them keeps its mark `call`. */
        fits = push(w, (struct frame){taken, target, join, join == NO_RECONVERGENCE && w->call});
    if (!fits)
        return warp_fault(w, u, FAULT_DIVERGENCE, first_lane(w->exec),
                          "more than %d nested divergent branches and calls", DIVERGENCE_DEPTH_MAX);
    if (next != join) {
        w->active = rest;
    } else {
        w->active = taken;
        w->pc = target;
    }
    w->reconv = join;
    w->call = false;
    return STEP_NEXT;
}

enum step warp_call(struct warp *w, const struct uop *u) {
    if (w->calls == CALL_DEPTH_MAX)
        return warp_fault(w, u, FAULT_CALL_DEPTH, first_lane(w->exec), "more than %d nested calls", CALL_DEPTH_MAX);
    if (!push(w, (struct frame){w->active, w->pc, w->reconv, w->call}))
        return warp_fault(w, u, FAULT_DIVERGENCE, first_lane(w->exec),
                          "more than %d nested divergent branches and calls", DIVERGENCE_DEPTH_MAX);
    w->active = w->exec;
    w->pc = (u32)u->imm;
    w->reconv = NO_RECONVERGENCE;
    w->call = true;
    w->calls++;
    return STEP_NEXT;
}

enum step warp_return(struct warp *w) {
    u64 lanes = w->exec;
    if (w->calls == 0)
        return warp_exit_lanes(w, lanes);
    w->active &= ~lanes;
    if (!w->call) {
        u32 i = w->depth;
        do
            w->frame[--i].mask &= ~lanes;
        while (!w->frame[i].call);
    }
    return w->active ? STEP_NEXT : warp_pop(w);
}

enum step warp_exit_lanes(struct warp *w, u64 lanes) {
    w->active &= ~lanes;
    w->live &= ~lanes;
    for (u32 i = 0; i < w->depth; i++)
        w->frame[i].mask &= ~lanes;
    return w->active ? STEP_NEXT : warp_pop(w);
}

enum step warp_illegal(struct warp *w, const struct uop *u) {
    return warp_fault(w, u, FAULT_ILLEGAL, first_lane(w->exec), "a load cannot release, and a store cannot acquire");
}
