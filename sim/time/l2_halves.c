/* Traffic between the halves of L2: loads at the mirror, copies, and the way there and back (l2.h). */
#include "sim/base/bits.h"
#include "sim/time/l2_private.h"

/* All take the same time, so they arrive in the order they leave. */
void l2_leave(struct l2 *l2, struct l2_list *list, u32 index, u64 arrival) {
    struct l2_inflight *v = &l2->inflight[index];
    v->request.time = arrival;
    v->next = NONE;
    if (list->first == NONE)
        list->first = index;
    else
        l2->inflight[list->last].next = index;
    list->last = index;
}

u64 l2_cross(struct l2 *l2, u32 bytes, u64 now) {
    u64 start = max_u64(now, l2->way_free);
    l2->way_free = start + (l2->way_bytes ? (bytes + l2->way_bytes - 1) / l2->way_bytes : 0);
    return start;
}

static u64 next_of(const struct l2 *l2, const struct l2_list *list) {
    return list->first == NONE ? TIME_NEVER : l2->inflight[list->first].request.time;
}

u64 l2_next_arrival(const struct l2 *l2) {
    return min_u64(next_of(l2, &l2->there), next_of(l2, &l2->back));
}

static u32 take_first(struct l2 *l2, struct l2_list *list) {
    u32 index = list->first;
    list->first = l2->inflight[index].next;
    l2->inflight[index].next = NONE;
    return index;
}

/* Sends a request from the mirror to the line's home. */
static void send_home(struct l2 *l2, u32 index, u64 now) {
    struct l2_inflight *v = &l2->inflight[index];
    v->request.local &= ~PLACE_COPY;
    v->request.slice = (u16)place_mirror(&l2->placer, v->request.slice);
    v->seen = true;
    l2_leave(l2, &l2->there, index, now + l2->placer.hop / 2);
}

/* True if a load finds all in its copy, or may make a way of the set wait for what it lacks. */
bool l2_may_copy(const struct cache *c, const struct cache_line *line, const struct request *r) {
    bool all = line && !(r->sectors & ~(u32)(line->valid | line->pending));
    return all || (line && line->pending) || cache_spare(c, r->local) > 1;
}

/* Serves a load at the mirror: what the copy lacks, or all of it if the copy has no room, is read from home. */
void l2_serve_copy(struct l2 *l2, u32 index, struct cache_line *line, u64 now) {
    struct l2_inflight *v = &l2->inflight[index];
    if (!line) {
        send_home(l2, index, now);
        return;
    }
    struct cache *cache = &l2->slice[v->request.slice].cache;
    u32 sectors = v->request.sectors, hits = sectors & line->valid, merged = sectors & line->pending & ~hits;
    u32 missing = sectors & ~(hits | merged), home = missing ? l2_take_place(l2, &v->request) : NONE;
    l2->counters->l2.hits += ones_of_four(hits);
    l2->counters->l2.pending_hits += ones_of_four(merged);
    l2->counters->traffic[v->request.allocation].l2_hits += ones_of_four(hits | merged);
    v = &l2->inflight[index]; /* l2_take_place may have moved it */
    v->awaited = (u8)(merged | missing);
    if (!v->awaited) {
        l2_answer(l2, index, now);
        return;
    }
    v->line = (u32)(line - cache->line);
    cache_await(cache, line, missing);
    l2_wait_for(l2, index, line);
    if (home != NONE) {
        l2->inflight[home].request.sectors = (u8)missing;
        l2->inflight[home].copy = v->line;
        send_home(l2, home, now);
    }
}

/* A request arrives at its line's home, or sectors do at the copy. */
void l2_from_other_half(struct l2 *l2) {
    u64 now = l2_next_arrival(l2);
    if (next_of(l2, &l2->there) == now) {
        l2_enqueue(l2, take_first(l2, &l2->there));
        return;
    }
    u32 index = take_first(l2, &l2->back);
    struct l2_inflight *v = &l2->inflight[index];
    u32 slice = place_mirror(&l2->placer, v->request.slice);
    struct cache *cache = &l2->slice[slice].cache;
    l2_fill(l2, cache, &cache->line[v->copy], v->request.sectors, now);
    v->next = l2->unused;
    l2->unused = index;
    l2_retry(l2, slice, now);
}
