/*
 * The next block, its SM and its time. An SM holds blocks of one launch at a time: it takes those of another
 * when its launch has none left to start and nothing of it is in flight any more.
 */
#include "sim/gpu/launch_state.h"

/* True if blocks of `a` start before those of `b`: by priority, then who has fewer SMs, then who started fewer. */
static bool precedes(const struct gpu_launch *a, const struct gpu_launch *b) {
    if (a->share->priority != b->share->priority)
        return a->share->priority > b->share->priority;
    return a->held != b->held ? a->held < b->held : a->next < b->next;
}

/* The SM for the next block of the launch, or NULL. At the start, when none is drained. */
static struct sm *choose_sm(const struct launch_state *ls, const struct gpu_launch *l) {
    struct gpu *g = ls->gpu;
    struct sm *best = NULL;
    for (u32 i = 0; i < g->board.sms; i++) {
        struct sm *s = &g->sm[i];
        if (s->taken >= l->occupancy.blocks || (ls->of[i] && ls->of[i] != l))
            continue;
        switch (g->board.launch.dispatch) {
        case dispatch_FILL: return s;
        case dispatch_SPREAD: best = best && best->taken <= s->taken ? best : s; break;
        }
    }
    return best;
}

/* The launch whose block starts next and, at the start, its SM; NULL: no block that waits has a place. */
static struct gpu_launch *choose_launch(const struct launch_state *ls, struct sm **sm) {
    struct gpu_launch *best = NULL;
    for (u32 i = 0; i < ls->launches; i++) {
        struct gpu_launch *l = &ls->all[i];
        struct sm *s = NULL;
        if (l->next == l->blocks || (best && !precedes(l, best)) || (sm && !(s = choose_sm(ls, l))))
            continue;
        best = l;
        if (sm)
            *sm = s;
    }
    return best;
}

/* The SM has only blocks of this launch from cycle `at` on. */
static bool take(struct launch_state *ls, struct sm *s, struct gpu_launch *l, u64 at) {
    struct gpu *g = ls->gpu;
    u32 i = (u32)(s - g->sm);
    bool ok = true;
    if (!ls->of[i]) {
        ok = sm_begin(s, &l->plan, g->begun++);
    } else {
        launch_retire(ls, i, at);
        ls->issued += s->counters.sm.slots_issued;
        ls->of[i]->held--;
        ok = sm_take(s, &l->plan, at);
        s->line = l->line; /* until its first window */
    }
    ls->of[i] = l;
    l->held++;
    return ok;
}

/* The launch's next block begins on this SM at `at`, or when the board may start one. No part of a cycle is lost. */
static bool start_block(struct launch_state *ls, struct gpu_launch *l, struct sm *s, u64 at) {
    enum { PARTS = 1 << 12 };
    u64 start = max_u64(at * PARTS, ls->start);
    at = (start + PARTS - 1) / PARTS;
    ls->start = start + (u64)(ls->gpu->board.launch.interval_cycles * PARTS + 0.5);
    l->share->begin = min_u64(at, l->share->begin);
    ls->next++;
    u64 n = l->order ? l->order[l->next] : l->next;
    if (l->order)
        l->starts[n] = at;
    l->next++;
    return sm_start(s, n, at);
}

bool launch_dispatch(struct launch_state *ls) {
    struct gpu_launch *l;
    struct sm *s = NULL;
    while ((l = choose_launch(ls, &s)) != NULL)
        if ((!s->begun && !take(ls, s, l, 0)) || !start_block(ls, l, s, ls->gpu->board.launch.ramp_cycles))
            return false;
    return true;
}

bool launch_is_drained(const struct launch_state *ls, u32 sm) {
    const struct gpu_launch *l = ls->of[sm];
    return l->next == l->blocks && sm_is_drained(&ls->gpu->sm[sm]);
}

/* Time when a place of the SM is free for a block that waits. */
static u64 room_of(const struct launch_state *ls, u32 sm) {
    const struct sm *s = &ls->gpu->sm[sm];
    if (ls->of[sm]->next < ls->of[sm]->blocks)
        return s->room;
    return sm_is_drained(s) ? s->last_event : TIME_NEVER;
}

/* The SM whose place has been free for longest; of equals the first. */
static struct sm *first_room(const struct launch_state *ls, u64 *room) {
    const struct gpu *g = ls->gpu;
    struct sm *first = g->sm;
    if (ls->launches == 1) {
        for (u32 i = 1; i < g->begun; i++)
            first = g->sm[i].room < first->room ? &g->sm[i] : first;
        *room = first->room;
        return first;
    }
    *room = TIME_NEVER;
    for (u32 i = 0; i < g->begun; i++) {
        u64 at = room_of(ls, i);
        first = at < *room ? &g->sm[i] : first;
        *room = min_u64(at, *room);
    }
    return first;
}

u64 launch_room(const struct launch_state *ls) {
    u64 room = TIME_NEVER;
    if (ls->next < ls->blocks)
        first_room(ls, &room);
    return room;
}

bool launch_refill(struct launch_state *ls) {
    while (ls->next < ls->blocks) {
        u64 room;
        struct sm *s = first_room(ls, &room);
        struct gpu_launch *l = ls->of[s - ls->gpu->sm];
        if (room >= ls->now)
            return true;
        if (l->next == l->blocks) {
            l = choose_launch(ls, NULL);
            if (!l)
                BUG("a block that waits belongs to no launch");
            if (!take(ls, s, l, room))
                return false;
        }
        if (!start_block(ls, l, s, room + ls->gpu->board.launch.block_cycles))
            return false;
    }
    return true;
}
