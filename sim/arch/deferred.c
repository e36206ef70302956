#include "sim/arch/state.h"

#include <string.h>

/* ---- the SM's own writes ---- */

enum { SLOTS = 256 }; /* initial number */

static bool take_slots(struct writes *w, u32 slots, struct budget *budget) {
    *w = (struct writes){.mask = slots - 1, .arena = {.budget = budget}};
    w->line = arena_raw(&w->arena, slots * sizeof *w->line);
    w->slot = arena_raw(&w->arena, slots * sizeof *w->slot);
    for (u32 i = 0; w->line && i < slots; i++)
        w->line[i] = PENDING_NONE;
    return w->line && w->slot;
}

bool writes_init(struct writes *w, struct budget *budget) {
    return take_slots(w, SLOTS, budget);
}

void writes_free(struct writes *w) {
    arena_free(&w->arena);
}

static u32 slot_of(const struct writes *w, u64 line) {
    return (u32)((line / CHUNK_BYTES) * 0x9e3779b97f4a7c15u >> 40) & w->mask;
}

struct pending_line *writes_find(const struct writes *w, u64 line) {
    for (u32 i = slot_of(w, line);; i = (i + 1) & w->mask) {
        if (w->line[i] == line)
            return &w->slot[i];
        if (w->line[i] == PENDING_NONE)
            return NULL;
    }
}

static struct pending_line *insert(struct writes *w, u64 line) {
    u32 i = slot_of(w, line);
    while (w->line[i] != PENDING_NONE)
        i = (i + 1) & w->mask;
    struct pending_line *p = &w->slot[i];
    w->line[i] = line;
    p->bytes[0] = p->bytes[1] = 0;
    p->first = NULL;
    p->atomics = 0;
    w->count++;
    return p;
}

/* Moves a line, its own bytes only where they are in use. */
static void move(struct pending_line *to, const struct pending_line *from) {
    bool own = from->data == from->own;
    memcpy(to, from, own ? sizeof *to : offsetof(struct pending_line, own));
    to->data = own ? to->own : from->data;
}

/* Twice the slots, in an arena of their own. */
static bool grow(struct writes *w) {
    struct writes big;
    if (!take_slots(&big, 2 * (w->mask + 1), w->arena.budget)) {
        writes_free(&big);
        return false;
    }
    for (u32 i = 0; i <= w->mask; i++)
        if (w->line[i] != PENDING_NONE)
            move(insert(&big, w->line[i]), &w->slot[i]);
    arena_free(&w->arena);
    *w = big;
    return true;
}

/* Enqueues it after the stores to its line that are in flight. */
static void append(struct pending_line *p, struct deferred *d) {
    struct deferred **link = &p->first;
    while (*link)
        link = &(*link)->next;
    *link = d;
    d->next = NULL;
}

/*
 * Forgets a store that was answered. Bytes that only it has written are not seen any more, or they would hide writes of
 * others while the line has stores in flight.
 */
static void forget(struct pending_line *p, const struct deferred *d) {
    struct deferred **link = &p->first;
    while (*link && *link != d)
        link = &(*link)->next;
    if (!*link)
        BUG("an answered store that nobody remembers");
    *link = d->next;
    p->bytes[0] = p->bytes[1] = 0;
    for (const struct deferred *left = p->first; left; left = left->next)
        for (u32 k = 0; k < 2; k++)
            p->bytes[k] |= left->bytes[k];
}

/* Writes the bytes of a store into its line, eight at a time where it has them all. */
static void put(u8 *line, const struct deferred *d) {
    enum { WORD = 8 };
    for (u32 at = 0; at < CHUNK_BYTES; at += WORD) {
        u32 bytes = (u32)(d->bytes[at / 64] >> at % 64) & 0xff;
        if (bytes == 0xff)
            memcpy(line + at, d->data + at, WORD);
        else
            for (; bytes; bytes &= bytes - 1)
                line[at + first_lane(bytes)] = d->data[at + first_lane(bytes)];
    }
}

/* The bytes that a further store leaves. */
static void put_over(struct pending_line *p, const struct deferred *d) {
    if (p->data != p->own)
        memcpy(p->own, p->data, sizeof p->own);
    p->data = p->own;
    put(p->own, d);
}

bool writes_add(struct writes *w, struct deferred *d) {
    struct pending_line *p = writes_find(w, d->line);
    if (!p && 2 * w->count > w->mask && !grow(w))
        return false;
    if (!p)
        p = insert(w, d->line);
    if (d->lanes) {
        p->atomics++;
        return true;
    }
    if (p->first)
        put_over(p, d);
    else
        p->data = d->data;
    append(p, d);
    p->bytes[0] |= d->bytes[0];
    p->bytes[1] |= d->bytes[1];
    return true;
}

/* Moves up slots after a freed one, so that searches may stop at a free one. */
static void close_gap(struct writes *w, u32 gap) {
    for (u32 i = (gap + 1) & w->mask; w->line[i] != PENDING_NONE; i = (i + 1) & w->mask) {
        u32 home = slot_of(w, w->line[i]);
        if (((i - home) & w->mask) < ((i - gap) & w->mask))
            continue;
        move(&w->slot[gap], &w->slot[i]);
        w->line[gap] = w->line[i];
        gap = i;
    }
    w->line[gap] = PENDING_NONE;
}

void writes_remove(struct writes *w, const struct deferred *d) {
    struct pending_line *p = writes_find(w, d->line);
    if (!p)
        BUG("an answered write that nobody remembers");
    if (d->lanes)
        p->atomics--;
    else
        forget(p, d);
    if (p->first || p->atomics)
        return;
    w->count--;
    close_gap(w, (u32)(p - w->slot));
}

/* ---- records ---- */

void deferred_pool_free(struct deferred_pool *p) {
    arena_free(&p->arena);
    p->stores = p->others = NULL;
}

static struct deferred *take(struct deferred_pool *p, bool lanes) {
    enum { AT_ONCE = 32 };
    struct deferred **list = lanes ? &p->others : &p->stores;
    if (!*list) {
        struct deferred *d = arena_raw(&p->arena, AT_ONCE * sizeof *d);
        struct deferred_lane *lane = lanes ? arena_raw(&p->arena, AT_ONCE * WARP_MAX * sizeof *lane) : NULL;
        if (!d || (lanes && !lane))
            return NULL;
        for (u32 i = 0; i < AT_ONCE; i++) {
            d[i].lane = lanes ? lane + i * WARP_MAX : NULL;
            d[i].next = *list;
            *list = &d[i];
        }
    }
    struct deferred *d = *list;
    *list = d->next;
    return d;
}

static u64 operand(const u32 *row, u32 lane, u32 width, u32 bytes) {
    return bytes == 8 ? (u64)row[lane] | (u64)row[lane + width] << 32 : row[lane];
}

/* The bytes that lanes store, as an image of the line; of several lanes at one place the highest stays. */
static void pack_store(struct deferred *d, const struct warp *w, u64 lanes) {
    const struct effect *e = w->effect;
    u32 width = w->run->width, bytes = e->bytes;
    if (e->span && bytes == 4) {
        u32 first = first_lane(lanes);
        memcpy(d->data + (e->addr[first] & (CHUNK_BYTES - 1)), &e->b[first], 4 * (size_t)__builtin_popcountll(lanes));
        return;
    }
    for (u64 left = lanes; left; left &= left - 1) {
        u32 l = first_lane(left);
        u8 *to = d->data + (e->addr[l] & (CHUNK_BYTES - 1));
        if (bytes <= 4)
            memcpy(to, &e->b[l], bytes);
        else
            for (u32 k = 0; k < bytes / 4; k++)
                memcpy(to + 4 * k, &e->b[l + k * width], 4);
    }
}

struct deferred *deferred_pack(struct deferred_pool *p, const struct warp *w, const struct uop *u,
                               const struct line_part *part) {
    const struct effect *e = w->effect;
    bool store = e->access == ACCESS_STORE;
    struct deferred *d = take(p, !store);
    u32 first = first_lane(part->lanes), width = w->run->width;
    if (!d)
        return NULL;
    d->line = part->line;
    d->host = (e->span ? e->span + first * e->bytes : e->host[first]) - (e->addr[first] - part->line);
    d->bytes[0] = part->bytes[0];
    d->bytes[1] = part->bytes[1];
    d->size = e->bytes;
    d->watch = e->watch;
    d->lanes = 0;
    d->applied = false;
    if (store) {
        pack_store(d, w, part->lanes);
        return d;
    }
    d->fn = e->access == ACCESS_ATOMIC ? e->fn : NULL;
    d->row = u->nd == RZ ? NULL : w->base[0] + u->d;
    d->width = width;
    d->mtype = u->mtype;
    for (u64 left = part->lanes; left; left &= left - 1) {
        struct deferred_lane *lane = &d->lane[d->lanes++];
        u32 l = first_lane(left);
        lane->lane = (u8)l;
        lane->offset = (u8)(e->addr[l] - part->line);
        lane->b = d->fn ? operand(e->b, l, width, e->bytes) : 0;
        lane->c = d->fn ? operand(e->c, l, width, e->bytes) : 0;
    }
    return d;
}

static void apply(struct deferred *d) {
    if (d->lanes == 0)
        put(d->host, d);
    for (u32 i = 0; i < d->lanes; i++) {
        struct deferred_lane *lane = &d->lane[i];
        u8 *at = d->host + lane->offset;
        lane->old[0] = lane->old[1] = 0;
        memcpy(lane->old, at, d->size);
        if (d->fn) {
            u64 new = d->fn(lane->old[0], lane->b, lane->c);
            memcpy(at, &new, d->size);
        }
    }
}

void deferred_apply(struct deferred *d) {
    apply(d);
    d->applied = true;
    if (UNLIKELY(d->watch != NULL))
        d->watch->see(d->watch, d);
}

static bool store_changes(const struct deferred *d) {
    for (u32 k = 0; k < CHUNK_BYTES; k++)
        if (d->bytes[k / 64] >> k % 64 & 1 && d->host[k] != d->data[k])
            return true;
    return false;
}

bool deferred_changes(struct deferred *d) {
    if (d->applied)
        return false;
    if (d->lanes == 0)
        return store_changes(d);
    bool changes = false;
    for (u32 i = 0; i < d->lanes; i++) {
        struct deferred_lane *lane = &d->lane[i];
        lane->old[0] = lane->old[1] = 0;
        memcpy(lane->old, d->host + lane->offset, d->size);
        u64 new = d->fn ? d->fn(lane->old[0], lane->b, lane->c) : 0;
        changes |= d->fn && memcmp(&new, lane->old, d->size) != 0;
    }
    return changes;
}

static u32 extend(u64 value, enum mtype type) {
    switch (type) {
    case MT_S8: return (u32)(s32)(s8)value;
    case MT_S16: return (u32)(s32)(s16)value;
    case MT_B32:
    case MT_U8:
    case MT_U16:
    case MT_B64:
    case MT_B128: break;
    }
    return (u32)value;
}

void deferred_give(const struct deferred *d) {
    u32 lanes = d->lane && d->row ? d->lanes : 0;
    for (u32 i = 0; i < lanes; i++) {
        const struct deferred_lane *lane = &d->lane[i];
        u32 *to = d->row + lane->lane;
        to[0] = d->fn ? (u32)lane->old[0] : extend(lane->old[0], d->mtype);
        for (u32 k = 1; k < (u32)d->size / 4; k++)
            to[k * d->width] = (u32)(lane->old[k / 2] >> k % 2 * 32);
    }
}

void deferred_deliver(struct deferred_pool *p, struct deferred *d) {
    struct deferred **list = d->lane ? &p->others : &p->stores;
    deferred_give(d);
    d->next = *list;
    *list = d;
}
