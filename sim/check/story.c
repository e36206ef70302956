/* What distinguishes two orders: the first two conflicting turns that change places, and who wrote the result last. */
#include "sim/check/explore.h"

#define NONE UINT32_MAX

/* The event of a run that is turn number `turn` of a warp; NONE when there is none. */
static u32 event_of(const struct trace *t, u32 warp, u32 turn) {
    for (u32 i = 0; i < trace_count(t); i++)
        if (trace_at(t, i)->warp == warp && trace_at(t, i)->turn == turn)
            return i;
    return NONE;
}

/* Conflict of two events, if they have one; in memory the byte, in touches of each. */
struct meeting {
    bool meet;
    const struct touch *touch[2]; /* NULL: at a barrier */
};

static struct meeting meeting_of(const struct trace *t, const struct event *a, const struct event *b, u32 lane) {
    struct meeting m = {.meet = false};
    if (a->way == WAY_BARRIER || b->way == WAY_BARRIER) {
        m.meet = a->way == b->way && a->block == b->block && a->barrier == b->barrier &&
                 (a->generation != b->generation || a->expected != b->expected || a->faulted || b->faulted);
        return m;
    }
    if (!a->way || !b->way || !turn_ways_conflict(a->way, a->op, b->way, b->op))
        return m;
    const struct touch *p = trace_touch(t, a), *q = trace_touch(t, b);
    for (u32 i = 0, k = 0; i < a->count && k < b->count;) {
        if (p[i].at < q[k].at + q[k].bytes && q[k].at < p[i].at + p[i].bytes) {
            bool wanted = p[i].lane == lane || q[k].lane == lane;
            if (!m.meet || wanted)
                m = (struct meeting){true, {&p[i], &q[k]}};
            if (wanted)
                return m;
        }
        if (p[i].at < q[k].at)
            i++;
        else
            k++;
    }
    return m;
}

/* The event that wrote a byte last, and the touch; NULL: none did. */
static const struct touch *last_writer(const struct trace *t, u64 at, u32 *event) {
    for (u32 i = trace_count(t); i-- > 0 && at;) {
        const struct event *e = trace_at(t, i);
        const struct touch *touch = trace_touch(t, e);
        for (u32 k = 0; k < e->count && e->way != WAY_READ; k++)
            if (at - touch[k].at < touch[k].bytes) {
                *event = i;
                return &touch[k];
            }
    }
    return NULL;
}

/*
 * Finds the first event of the second run that precedes one that it followed in the first run: *late and *early, as
 * events of the first. Up to there the two runs are the same but for turns that do not matter to each other.
 */
static bool first_swap(const struct trace trace[2], u32 lane, u32 *early, u32 *late, struct meeting *m) {
    u32 taken[EXPLORE_WARPS] = {0}; /* turns of each warp in the second run so far */
    for (u32 k = 0; k < trace_count(&trace[1]); k++) {
        const struct event *e = trace_at(&trace[1], k);
        *late = event_of(&trace[0], e->warp, e->turn);
        for (u32 i = *late == NONE ? 0 : *late; i-- > 0;) {
            const struct event *other = trace_at(&trace[0], i);
            if (other->warp == e->warp || other->turn <= taken[other->warp])
                continue;
            *m = meeting_of(&trace[0], other, trace_at(&trace[0], *late), lane);
            *early = i;
            if (m->meet)
                return true;
        }
        taken[e->warp] = e->turn;
    }
    return false;
}

/* Events of one run that its story shows, in their order. */
struct scene {
    u32 count;
    u32 event[EXPLORE_STEPS];
    const struct touch *touch[EXPLORE_STEPS];
};

static void add_scene(struct scene *s, u32 event, const struct touch *touch) {
    u32 i = s->count;
    for (u32 k = 0; k < s->count; k++)
        if (s->event[k] == event)
            return;
    s->count++;
    for (; i > 0 && s->event[i - 1] > event; i--) {
        s->event[i] = s->event[i - 1];
        s->touch[i] = s->touch[i - 1];
    }
    s->event[i] = event;
    s->touch[i] = touch;
}

/* An event of the first run, if this run has it too. */
static void add_same(struct scene *s, const struct trace *t, const struct event *e, const struct touch *touch) {
    u32 i = event_of(t, e->warp, e->turn);
    if (i != NONE && trace_at(t, i)->pc == e->pc)
        add_scene(s, i, touch);
}

static void tell(const struct trace *t, const struct scene *s, const struct launch *l, struct explore_story *story) {
    u32 each = (l->block[0] * l->block[1] * l->block[2] + l->width - 1) / l->width;
    story->count = s->count;
    for (u32 i = 0; i < s->count; i++) {
        const struct event *e = trace_at(t, s->event[i]);
        struct explore_step *step = &story->step[i];
        u32 block = e->warp / each;
        *step = (struct explore_step){.pc = e->pc, .warp = e->warp % each, .way = e->way, .barrier = e->barrier};
        step->block[0] = block % l->grid[0];
        step->block[1] = block / l->grid[0] % l->grid[1];
        step->block[2] = block / l->grid[0] / l->grid[1];
        if (s->touch[i]) {
            step->lane = s->touch[i]->lane;
            step->at = s->touch[i]->at;
        }
    }
}

void story_tell(const struct trace trace[2], const struct launch *l, u64 at, struct explore_story story[2]) {
    u32 last[2] = {NONE, NONE}, early, late;
    const struct touch *wrote[2];
    struct meeting m;
    for (u32 r = 0; r < 2; r++)
        wrote[r] = last_writer(&trace[r], at, &last[r]);
    bool swap = first_swap(trace, wrote[0] ? wrote[0]->lane : 0, &early, &late, &m);
    for (u32 r = 0; r < 2; r++) {
        struct scene s = {0};
        if (swap) {
            add_same(&s, &trace[r], trace_at(&trace[0], early), m.touch[0]);
            add_same(&s, &trace[r], trace_at(&trace[0], late), m.touch[1]);
        }
        if (wrote[r])
            add_scene(&s, last[r], wrote[r]);
        tell(&trace[r], &s, l, &story[r]);
    }
}
