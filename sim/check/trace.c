#include "sim/check/trace.h"

#include <string.h>

enum { SECTOR = 32, FIRST_SLOTS = 256 };

#define NEVER UINT32_MAX
#define ORDERED (1u << 31) /* in trace.found, while it is filled */

struct visit {
    u32 event;
    u32 next; /* the one before it in the sector, or NEVER */
    u32 mask; /* bytes */
};

struct slot {
    u64 key; /* sector, or barrier */
    u32 head;
    bool used;
};

/* Barriers are kept among the sectors, above all addresses. */
static u64 barrier_key(u64 block, u8 barrier) {
    return (u64)1 << 60 | block << 8 | barrier;
}

/* ---- the index ---- */

static struct visit *visit_at(const struct trace *t, u32 i) {
    return (struct visit *)(void *)t->visits.data + i;
}

static struct slot *slot_of(const struct trace *t, u64 key) {
    struct slot *slots = (struct slot *)(void *)t->slots.data;
    u64 mask = t->slots.len / sizeof *slots - 1, h = (key ^ key >> 31) * 0x9e3779b97f4a7c15u >> 32;
    while (slots[h & mask].used && slots[h & mask].key != key)
        h++;
    return &slots[h & mask];
}

/* Room for `count` slots, with those in use moved. */
static void resize(struct trace *t, size_t count) {
    struct buf old = t->slots;
    t->slots = (struct buf){0};
    if (!buf_push(&t->slots, count * sizeof(struct slot))) {
        t->failed = true;
        t->slots = old;
        return;
    }
    for (size_t i = 0; i < old.len / sizeof(struct slot); i++) {
        const struct slot *s = (const struct slot *)(const void *)old.data + i;
        if (s->used)
            *slot_of(t, s->key) = *s;
    }
    buf_free(&old);
}

static u32 newest(const struct trace *t, u64 key) {
    const struct slot *s = t->failed ? NULL : slot_of(t, key);
    return s && s->used ? s->head : NEVER;
}

static void visit(struct trace *t, u64 key, u32 mask) {
    if (2 * (t->sectors + 1) * sizeof(struct slot) > t->slots.len)
        resize(t, 2 * t->slots.len / sizeof(struct slot));
    struct visit *v = t->failed ? NULL : buf_take(&t->visits, sizeof *v);
    if (!v) {
        t->failed = true;
        return;
    }
    struct slot *s = slot_of(t, key);
    *v = (struct visit){trace_count(t) - 1, s->used ? s->head : NEVER, mask};
    t->sectors += !s->used;
    *s = (struct slot){key, (u32)(t->visits.len / sizeof *v) - 1, true};
}

/* ---- parts of an access ---- */

/* The next sector of touches [*i, count), with the bytes of all that lie in it; *i moves past them. */
static u64 next_sector(const struct touch *touch, u32 count, u32 *i, u32 *mask) {
    u64 sector = touch[*i].at / SECTOR;
    *mask = 0;
    for (; *i < count && touch[*i].at / SECTOR == sector; ++*i)
        *mask |= (u32)(((u64)1 << touch[*i].bytes) - 1) << touch[*i].at % SECTOR;
    return sector;
}

/* Arrivals at a barrier may be in any order, as long as they agree. */
static bool barriers_conflict(const struct turn *turn, const struct event *e) {
    return e->generation != turn->generation || e->expected != turn->expected || e->faulted || turn->faulted;
}

static bool overlap(const struct touch *a, u32 na, const struct touch *b, u32 nb) {
    for (u32 i = 0, k = 0; i < na && k < nb;) {
        if (a[i].at < b[k].at + b[k].bytes && b[k].at < a[i].at + a[i].bytes)
            return true;
        if (a[i].at < b[k].at)
            i++;
        else
            k++;
    }
    return false;
}

bool trace_conflicts(const struct trace *t, const struct turn *turn, const struct event *e) {
    if (turn->way == WAY_NOTHING || e->way == WAY_NOTHING)
        return false;
    if (turn->way == WAY_BARRIER || e->way == WAY_BARRIER)
        return turn->way == e->way && turn->block == e->block && turn->barrier == e->barrier &&
               (e->released || e->faulted || e->expected != turn->expected);
    return turn_ways_conflict(turn->way, turn->op, e->way, e->op) &&
           overlap(turn->touch, turn->count, trace_touch(t, e), e->count);
}

/* ---- what a turn depends on ---- */

static void find(struct trace *t, u32 i) {
    struct event *e = trace_at(t, i);
    if (e->mark == t->mark)
        return;
    e->mark = t->mark;
    buf_append(&t->found, &i, sizeof i);
}

/* Turns of a sector from the newest on, until each byte has met one that conflicts with all before it. */
static void find_in_sector(struct trace *t, u32 warp, const struct turn *turn, u64 sector, u32 mask) {
    for (u32 v = newest(t, sector); v != NEVER && mask; v = visit_at(t, v)->next) {
        const struct visit *visit = visit_at(t, v);
        const struct event *e = trace_at(t, visit->event);
        if (!(visit->mask & mask))
            continue;
        if (e->warp != warp && turn_ways_conflict(turn->way, turn->op, e->way, e->op))
            find(t, visit->event);
        if (e->way == WAY_WRITE || e->way == WAY_ATOMIC)
            mask &= ~visit->mask;
    }
}

static void find_at_barrier(struct trace *t, u32 warp, const struct turn *turn) {
    for (u32 v = newest(t, barrier_key(turn->block, turn->barrier)); v != NEVER; v = visit_at(t, v)->next) {
        const struct event *e = trace_at(t, visit_at(t, v)->event);
        if (e->generation + 1 < turn->generation)
            return;
        if (e->warp != warp && barriers_conflict(turn, e))
            find(t, visit_at(t, v)->event);
    }
}

static void join(u32 *clock, const u32 *other, u32 n) {
    for (u32 i = 0; i < n; i++)
        clock[i] = clock[i] > other[i] ? clock[i] : other[i];
}

/* True if something that the turn depends on lies between event i and the turn. */
static bool ordered(const struct trace *t, u32 warp, u32 i) {
    const struct event *e = trace_at(t, i);
    const u32 *found = (const u32 *)(const void *)t->found.data;
    if (t->clock[warp][e->warp] >= e->turn)
        return true;
    for (u32 k = 0; k < t->found.len / sizeof *found; k++) {
        u32 other = found[k] & ~ORDERED;
        if (other != i && trace_clock(t, other)[e->warp] >= e->turn)
            return true;
    }
    return false;
}

void trace_depends(struct trace *t, u32 warp, const struct turn *turn) {
    u32 mask, kept = 0;
    t->mark++;
    t->found.len = 0;
    if (turn->way == WAY_BARRIER)
        find_at_barrier(t, warp, turn);
    for (u32 i = 0; i < turn->count;) {
        u64 sector = next_sector(turn->touch, turn->count, &i, &mask);
        find_in_sector(t, warp, turn, sector, mask);
    }
    t->failed |= t->found.failed;
    memcpy(t->joined, t->clock[warp], sizeof t->joined);
    u32 *found = (u32 *)(void *)t->found.data, n = (u32)(t->found.len / sizeof *found);
    for (u32 k = 0; k < n; k++)
        join(t->joined, trace_clock(t, found[k]), t->warps);
    for (u32 k = 0; k < n; k++)
        if (ordered(t, warp, found[k]))
            found[k] |= ORDERED;
    for (u32 k = 0; k < n; k++)
        if (!(found[k] & ORDERED))
            found[kept++] = found[k];
    t->found.len = kept * sizeof *found;
    t->joined[warp]++;
}

void trace_add(struct trace *t, u32 warp, const struct turn *turn) {
    u32 mask;
    struct event *e = buf_push(&t->events, sizeof *e);
    buf_append(&t->clocks, t->joined, t->warps * sizeof *t->joined);
    buf_append(&t->touches, turn->touch, turn->count * sizeof *turn->touch);
    t->failed |= !e || t->clocks.failed || t->touches.failed;
    if (t->failed)
        return;
    *e = (struct event){.pc = turn->pc,
                        .op = turn->op,
                        .warp = (u8)warp,
                        .way = turn->way,
                        .barrier = turn->barrier,
                        .faulted = turn->faulted,
                        .turn = t->joined[warp],
                        .first = (u32)(t->touches.len / sizeof *turn->touch) - turn->count,
                        .count = turn->count,
                        .generation = turn->generation,
                        .expected = turn->expected,
                        .block = turn->block};
    memcpy(t->clock[warp], t->joined, sizeof t->joined);
    if (turn->way == WAY_BARRIER)
        visit(t, barrier_key(turn->block, turn->barrier), 1);
    for (u32 i = 0; i < turn->count;) {
        u64 sector = next_sector(turn->touch, turn->count, &i, &mask);
        visit(t, sector, mask);
    }
}

void trace_release(struct trace *t, u64 warps) {
    struct event *last = trace_at(t, trace_count(t) - 1);
    u32 all[EXPLORE_WARPS] = {0};
    last->released = true;
    for (u32 v = newest(t, barrier_key(last->block, last->barrier)); v != NEVER; v = visit_at(t, v)->next) {
        const struct event *e = trace_at(t, visit_at(t, v)->event);
        if (e->generation != last->generation)
            break;
        if (!e->faulted)
            join(all, trace_clock(t, visit_at(t, v)->event), t->warps);
    }
    for (; warps; warps &= warps - 1)
        join(t->clock[first_lane(warps)], all, t->warps);
}

void trace_begin(struct trace *t, u32 warps) {
    t->warps = warps;
    t->events.len = t->touches.len = t->clocks.len = t->visits.len = 0;
    t->sectors = t->mark = 0;
    memset(t->clock, 0, sizeof t->clock);
    if (!t->slots.len)
        resize(t, FIRST_SLOTS);
    else
        memset(t->slots.data, 0, t->slots.len);
}

void trace_free(struct trace *t) {
    struct buf *const all[] = {&t->events, &t->touches, &t->clocks, &t->visits, &t->slots, &t->found};
    for (u32 i = 0; i < COUNT_OF(all); i++)
        buf_free(all[i]);
}
