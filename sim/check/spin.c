#include "sim/check/spin.h"

#include <string.h>

static bool is_atomic(const struct turn *t) {
    return t->way == WAY_ATOMIC || t->way == WAY_REDUCE;
}

/* Reads memory; zeros out of bounds. */
static void fetch(const struct warps *all, u64 at, u32 bytes, u8 to[16]) {
    const u8 *from = turn_bytes(all, at, bytes);
    if (from)
        memcpy(to, from, bytes);
    else
        memset(to, 0, bytes);
}

void spin_before(struct spin *s, const struct turn *t, const struct warps *all) {
    if (s->waits)
        s->known = s->waits = false;
    for (u32 i = 0; i < t->count && is_atomic(t); i++)
        fetch(all, t->touch[i].at, t->touch[i].bytes, s->before[i]);
}

static bool changed(const struct spin *s, const struct turn *t, const struct warps *all) {
    u8 now[16];
    for (u32 i = 0; i < t->count && is_atomic(t); i++) {
        fetch(all, t->touch[i].at, t->touch[i].bytes, now);
        if (memcmp(now, s->before[i], t->touch[i].bytes) != 0)
            return true;
    }
    return t->way == WAY_WRITE || t->way == WAY_BARRIER;
}

/* Notes what the turn read; false without room for it. */
static bool keep(struct spin *s, const struct turn *t, const struct warps *all) {
    for (u32 i = 0; i < t->count; i++) {
        if (s->count == COUNT_OF(s->read))
            return false;
        struct spin_read *r = &s->read[s->count++];
        *r = (struct spin_read){.at = t->touch[i].at, .bytes = t->touch[i].bytes};
        fetch(all, r->at, r->bytes, r->value);
    }
    return true;
}

static u64 mix(u64 h, const void *bytes, size_t len) {
    const u8 *p = bytes;
    u64 v;
    for (; len >= sizeof v; p += sizeof v, len -= sizeof v) {
        memcpy(&v, p, sizeof v);
        h = (h ^ v) * 0x9e3779b97f4a7c15u;
        h ^= h >> 29;
    }
    for (; len; len--)
        h = (h ^ *p++) * 0x100000001b3u;
    return h;
}

/* Hash of all that decides what the warp does next, apart from memory that others may change. */
static u64 state_of(const struct warp *w) {
    const struct run *run = w->run;
    const struct kernel *k = run->launch->kernel;
    const u64 lanes[] = {w->active, w->live, w->pc, w->reconv, w->depth, w->calls, w->call};
    u64 h = mix(1, lanes, sizeof lanes);
    h = mix(h, w->p, sizeof w->p);
    h = mix(h, w->base[0], (size_t)k->regs * run->width * sizeof(u32));
    if (run->transit)
        h = mix(h, w->x, (size_t)TRANSIT_COUNT * TRANSIT_SLOTS * run->width * sizeof(u32));
    for (u32 i = 0; i < w->depth; i++) {
        const u64 level[] = {w->frame[i].mask, w->frame[i].pc, w->frame[i].reconv, w->frame[i].call};
        h = mix(h, level, sizeof level);
    }
    return mix(h, w->block->local + (size_t)w->index * run->width * k->local, (size_t)run->width * k->local);
}

void spin_after(struct spin *s, const struct warp *w, const struct turn *t, const struct warps *all) {
    if (w->done || changed(s, t, all)) {
        s->known = false;
        return;
    }
    u64 state = state_of(w);
    if (s->known && !keep(s, t, all))
        s->known = false;
    if (s->known && s->state == state) {
        s->waits = true;
        return;
    }
    if (s->known && ++s->turns < s->limit)
        return;
    s->limit = s->known ? 2 * s->limit : 1;
    s->known = true;
    s->state = state;
    s->turns = s->count = 0;
}

bool spin_unchanged(const struct spin *s, const struct warps *all) {
    u8 now[16];
    for (u32 i = 0; i < s->count; i++) {
        fetch(all, s->read[i].at, s->read[i].bytes, now);
        if (memcmp(now, s->read[i].value, s->read[i].bytes) != 0)
            return false;
    }
    return true;
}
