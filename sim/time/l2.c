#include "sim/time/l2.h"
#include "sim/arch/deferred.h"
#include "sim/base/bits.h"
#include "sim/time/l2_private.h"
#include "sim/time/record.h"

/* ---- requests in flight ---- */

static bool grow(struct l2 *l2) {
    u32 count = l2->capacity ? l2->capacity * 2 : 64;
    struct l2_inflight *inflight = arena_alloc(l2->arena, count * sizeof *inflight);
    if (!inflight)
        return false;
    for (u32 v = 0; v < l2->capacity; v++)
        inflight[v] = l2->inflight[v];
    for (u32 v = l2->capacity; v < count; v++)
        inflight[v].next = v + 1 < count ? v + 1 : NONE;
    l2->unused = l2->capacity;
    l2->inflight = inflight;
    l2->capacity = count;
    return true;
}

/* A place for a request; NONE when out of memory. */
u32 l2_take_place(struct l2 *l2, const struct request *r) {
    if (l2->unused == NONE && !grow(l2)) {
        l2->failed = true;
        return NONE;
    }
    u32 index = l2->unused;
    l2->unused = l2->inflight[index].next;
    l2->inflight[index] = (struct l2_inflight){.request = *r, .next = NONE, .line = NONE, .copy = NONE};
    return index;
}

void l2_enqueue(struct l2 *l2, u32 index) {
    const struct request *r = &l2->inflight[index].request;
    struct l2_slice *s = &l2->slice[r->slice];
    if (s->first == NONE) {
        s->first = index;
        l2->turn[r->slice] = max_u64(r->time, s->free);
    } else {
        l2->inflight[s->last].next = index;
    }
    s->last = index;
}

void l2_arrive(struct l2 *l2, const struct request *r) {
    u32 index = l2_take_place(l2, r);
    if (index != NONE)
        l2_enqueue(l2, index);
}

/* Enqueues it after those that wait for the line, whose tag is 1 + the last of them; the next of that is the first. */
void l2_wait_for(struct l2 *l2, u32 index, struct cache_line *line) {
    struct l2_inflight *v = &l2->inflight[index];
    v->next = index;
    if (line->tag) {
        v->next = l2->inflight[line->tag - 1].next;
        l2->inflight[line->tag - 1].next = index;
    }
    line->tag = index + 1;
}

/* Time of the passes of an atomic, in parts of a cycle; the `first` of its line has no word to wait for. */
static u64 atomic_parts(const struct l2 *l2, const struct request *r, bool first) {
    u64 words = (u64)(ones_of(r->bytes[0]) + ones_of(r->bytes[1])) / 8, waits = r->atomic.longest;
    u64 parts = (u64)r->atomic.passes * l2->pass + (first ? (u64)ones_of_four(r->sectors) * l2->scatter : 0);
    if (first && waits)
        waits--;
    return max_u64(max_u64(parts, waits * l2->again[r->adds]), r->adds == ADDS_F64 ? words * l2->word : 0);
}

/* Cycles that the passes of a request take from `now` on; no part of a cycle is lost between two. */
static u32 pass_cycles(const struct l2 *l2, struct l2_slice *s, const struct request *r, u64 now) {
    u64 parts = 0;
    if (r->kind == REQUEST_ATOMIC) {
        parts = atomic_parts(l2, r, s->line != r->local);
        s->line = r->local;
    } else if (r->kind == REQUEST_STORE && l2->partial) {
        u32 sectors = ones_of_four(partial_sectors(r->bytes));
        parts = sectors ? (u64)sectors * l2->pass + l2->partial : 0;
    }
    if (!parts)
        return 0;
    s->passed = max_u64(s->passed, now * PASS) + parts;
    return (u32)(s->passed / PASS - now);
}

/* Replies to a request whose sectors have all arrived, or sends them to the copy; frees its place. */
void l2_answer(struct l2 *l2, u32 index, u64 now) {
    struct l2_inflight *v = &l2->inflight[index];
    const struct request *r = &v->request;
    u32 way_back = l2->placer.hop - l2->placer.hop / 2;
    if (v->copy != NONE) {
        l2_leave(l2, &l2->back, index, l2_cross(l2, ones_of_four(r->sectors) * SECTOR_BYTES, now) + way_back);
        return;
    }
    u32 data = r->kind == REQUEST_STORE ? 0 : ones_of_four(r->sectors) * SECTOR_BYTES;
    struct reply *reply = buf_take(l2->out, sizeof *reply);
    if (reply) {
        *reply = (struct reply){.time = now + l2->delay, .sm = r->sm, .seq = l2->seq++, .ticket = r->ticket};
        if (r->kind == REQUEST_ATOMIC)
            reply->time += l2->atomic_delay + max_u64(atomic_parts(l2, r, false), PASS) / PASS - 1;
        reply->time += place_far(&l2->placer, r->sm, r->slice) ? way_back : 0;
        reply->bytes = l2->header + data;
        if (UNLIKELY(l2->record != NULL))
            record_answer(l2->record, r, reply->time, now);
    }
    v->next = l2->unused;
    l2->unused = index;
}

/* ---- service ---- */

static void look_up(struct l2 *l2, struct l2_slice *s, u64 now) {
    const struct l2_inflight *v = &l2->inflight[s->first];
    struct lookup *n = &s->lookup;
    bool store = v->request.kind == REQUEST_STORE, copy = v->request.local & PLACE_COPY;
    bool around = store && l2->write == write_policy_AROUND;
    u32 reads = store || copy ? 0 : v->request.sectors, writes = 0;
    if (!n->done)
        n->since = now;
    n->done = true;
    if (UNLIKELY(l2->perfect)) {
        n->line = NULL;
        n->hit = n->no_victim = false;
        n->bursts = 0;
        return;
    }
    n->line = cache_find(&s->cache, v->request.local);
    bool crosses = copy && !l2_may_copy(&s->cache, n->line, &v->request);
    n->line = crosses ? NULL : n->line;
    n->hit = n->line;
    if (n->hit)
        reads &= ~(u32)(n->line->valid | n->line->pending);
    else if (!crosses && !around && (n->line = cache_victim(&s->cache, v->request.local)))
        writes = sectors_of(n->line->written);
    else if (store)
        writes = v->request.sectors;
    if (n->line && l2_writes_at_once(l2, &v->request))
        writes |= v->request.sectors;
    n->no_victim = !n->line && s->cache.sets && !copy && !around;
    n->bursts = ones_of_four(l2->first[reads]) + ones_of_four(l2->first[writes]);
    if (n->line && !n->hit)
        n->bursts += l2_older_bursts(l2, s, v->request.local);
}

static bool has_room(const struct l2 *l2, const struct l2_slice *s) {
    return !s->lookup.bursts || !s->in_flight || s->in_flight + s->lookup.bursts <= l2->room;
}

static void mark_written(struct l2 *l2, struct cache_line *line, const u64 bytes[2]) {
    for (u32 i = 0; i < 2; i++) {
        l2->dirty += ones_of(bytes[i] & ~line->written[i]);
        line->written[i] |= bytes[i];
    }
}

/* Loads, and the read half of an atomic: hits, pending hits and misses. */
static void serve_read(struct l2 *l2, u32 index, struct cache_line *line, u64 now) {
    struct l2_inflight *v = &l2->inflight[index];
    struct l2_counters *c = &l2->counters->l2;
    struct traffic *t = &l2->counters->traffic[v->request.allocation];
    u32 sectors = v->request.sectors;
    u32 hits = line          ? sectors & line->valid
               : l2->perfect ? sectors
                             : 0,
        merged = line ? sectors & line->pending & ~hits : 0;
    u32 missing = sectors & ~(hits | merged);
    c->hits += ones_of_four(hits);
    c->pending_hits += ones_of_four(merged);
    c->misses += ones_of_four(missing);
    t->l2_hits += ones_of_four(hits | merged);
    v->awaited = (u8)(merged | missing);
    if (line && v->awaited) {
        struct cache *cache = &l2->slice[v->request.slice].cache;
        cache_await(cache, line, l2->cover[missing] & ~(u32)line->valid);
        v->line = (u32)(line - cache->line);
        l2_wait_for(l2, index, line);
    }
    l2_fetch(l2, index, missing, now);
}

/* Drops the written sectors from the copy in the other half. */
static void drop_copy(struct l2 *l2, const struct request *r) {
    struct cache *mirror = &l2->slice[place_mirror(&l2->placer, r->slice)].cache;
    struct cache_line *copy = cache_find(mirror, r->local | PLACE_COPY);
    if (copy)
        copy->valid &= (u8)~r->sectors;
}

/* Stores, and the write half of an atomic. */
static void serve_write(struct l2 *l2, const struct l2_inflight *v, struct cache_line *line, u64 now) {
    const struct request *r = &v->request;
    if (l2->placer.hop)
        drop_copy(l2, r);
    if (!line && r->kind == REQUEST_STORE && !l2->perfect)
        l2_write_through(l2, v, NULL, now);
    if (!line)
        return;
    bool through = l2_writes_at_once(l2, r);
    if (!through)
        mark_written(l2, line, r->bytes);
    for (u32 s = 0; s < LINE_SECTORS; s++) /* pending: an atomic may have to change what arrives first */
        if (sector_bytes(through ? r->bytes : line->written, s) == UINT32_MAX)
            line->valid |= (u8)(1u << s & ~line->pending);
    if (through)
        l2_write_through(l2, v, line, now);
}

/*
 * Cycles of the data path for `bytes`. A width that is no power of two stands for a ratio of two clocks: requests one
 * after the other lose no part of a cycle.
 */
static u32 path_cycles(const struct l2 *l2, struct l2_slice *s, u32 bytes, u64 now) {
    u64 width = l2->bytes_per_cycle;
    if (LIKELY((width & (width - 1)) == 0))
        return (bytes + l2->bytes_per_cycle - 1) / l2->bytes_per_cycle;
    s->moved = max_u64(s->moved, now * width) + bytes;
    return (u32)(s->moved / width - now);
}

static void take_path(struct l2 *l2, struct l2_slice *s, const struct request *r, u64 now) {
    struct l2_counters *c = &l2->counters->l2;
    u32 cycles = path_cycles(l2, s, ones_of_four(r->sectors) * SECTOR_BYTES, now);
    cycles = (u32)max_u64(max_u64(cycles, pass_cycles(l2, s, r, now)), 1);
    s->free = now + cycles;
    s->busy += cycles;
    c->busy_cycles += cycles;
    c->full_cycles += now - s->lookup.since;
}

/*
 * Counts each request once, on arrival. A load's `bytes` are those of the whole line, its `sectors` only those that
 * missed L1 and were not pending there.
 */
static void count(struct partition_counters *c, const struct request *r) {
    bool reads = r->kind != REQUEST_STORE, writes = !reads || r->kind == REQUEST_ATOMIC;
    u32 sectors = ones_of_four(r->sectors), useful = (u32)(reads + writes) * count_bytes(r->bytes, r->sectors);
    struct traffic *t = &c->traffic[r->allocation];
    c->l2.requests++;
    *(!reads ? &c->l2.write_sectors : writes ? &c->l2.atomic_sectors : &c->l2.read_sectors) += sectors;
    c->l2.atomics += reads && writes ? r->atomic.lanes : 0;
    t->l2_read_sectors += reads ? sectors : 0;
    t->l2_write_sectors += writes ? sectors : 0;
    c->l2.useful_bytes += useful;
    t->l2_useful_bytes += useful;
}

/* Gives the line to the head of the queue; `old` is what has to be written back. */
static void take_line(struct l2 *l2, struct l2_slice *s, const struct l2_inflight *v, struct cache_line *old) {
    struct lookup *n = &s->lookup;
    if (!n->line)
        return;
    if (n->hit) {
        cache_use(&s->cache, n->line);
    } else {
        *old = *n->line;
        l2->dirty -= ones_of(old->written[0]) + ones_of(old->written[1]);
        l2->counters->l2.evictions += cache_holds(&s->cache, n->line);
        cache_take(&s->cache, n->line, v->request.local);
    }
    n->line->allocation = v->request.allocation;
}

static void record_serve(const struct l2 *l2, const struct l2_slice *s, const struct request *r,
                         const struct cache_line *old, u64 now) {
    const struct cache_line *line = s->lookup.line;
    u32 reads = line && r->kind != REQUEST_STORE ? r->sectors : 0, hits = reads ? reads & line->valid : 0;
    u32 pending = reads ? reads & line->pending & ~hits : 0;
    record_lookup(l2->record, r, (u32)(s->free - now),
                  (struct record_found){hits, pending, sectors_of(old->written), false}, now);
}

static void serve(struct l2 *l2, u32 slice, u64 now) {
    struct l2_slice *s = &l2->slice[slice];
    u32 index = s->first;
    struct l2_inflight *v = &l2->inflight[index];
    struct cache_line old = {0}, *line = s->lookup.line;
    u64 address = v->request.local;
    bool taken = line && !s->lookup.hit;
    take_path(l2, s, &v->request, now);
    if (!v->seen)
        count(l2->counters, &v->request);
    if (place_far(&l2->placer, v->request.sm, v->request.slice))
        l2->counters->l2.far_sectors += ones_of_four(v->request.sectors);
    take_line(l2, s, v, &old);
    if (UNLIKELY(l2->record != NULL))
        record_serve(l2, s, &v->request, &old, now);
    s->lookup.done = false;
    s->first = v->next;
    l2->turn[slice] = s->first == NONE ? TIME_NEVER : s->free;
    if (v->request.deferred)
        deferred_apply(v->request.deferred);
    bool copy = v->request.local & PLACE_COPY;
    if (copy)
        l2_serve_copy(l2, index, line, now);
    else if (v->request.kind != REQUEST_STORE)
        serve_read(l2, index, line, now);
    if (v->request.kind == REQUEST_STORE || v->request.kind == REQUEST_ATOMIC)
        serve_write(l2, v, line, now);
    if (old.written[0] | old.written[1])
        l2_write_back(l2, slice, &old, now);
    if (taken)
        l2_read_older(l2, slice, address, now);
    if (!copy && !l2->inflight[index].awaited) /* which may have moved */
        l2_answer(l2, index, now);
}

static u32 earliest(const struct l2 *l2) {
    u32 best = 0;
    for (u32 i = 1; i < l2->slices; i++)
        if (l2->turn[i] < l2->turn[best])
            best = i;
    return best;
}

u64 l2_next(const struct l2 *l2) {
    u64 turn = l2->turn[earliest(l2)];
    return l2->placer.hop ? min_u64(turn, l2_next_arrival(l2)) : turn;
}

void l2_turn(struct l2 *l2) {
    u32 slice = earliest(l2);
    struct l2_slice *s = &l2->slice[slice];
    u64 now = l2->turn[slice];
    if (l2->placer.hop && l2_next_arrival(l2) <= now) {
        l2_from_other_half(l2);
        return;
    }
    if (!s->lookup.done || s->lookup.no_victim)
        look_up(l2, s, now);
    if (s->lookup.no_victim || !has_room(l2, s))
        l2->turn[slice] = TIME_NEVER;
    else
        serve(l2, slice, now);
}

/* ---- ends of bursts ---- */

/* Takes sectors that arrived for the request; true when it is answered. */
static bool receive(struct l2 *l2, u32 index, u32 sectors, u64 now) {
    struct l2_inflight *v = &l2->inflight[index];
    v->awaited &= (u8)~sectors;
    if (v->awaited)
        return false;
    if (v->joins) {
        l2_write_joined(l2, index, now);
        return true;
    }
    if (v->line == NONE && v->request.kind == REQUEST_ATOMIC)
        l2_write_through(l2, v, NULL, now);
    l2_answer(l2, index, now);
    return true;
}

void l2_fill(struct l2 *l2, struct cache *cache, struct cache_line *line, u32 sectors, u64 now) {
    u32 last = line->tag;
    cache_fill(cache, line, sectors);
    line->tag = 0;
    if (!last--)
        return;
    u32 index = l2->inflight[last].next;
    for (bool more = true; more;) {
        u32 next = l2->inflight[index].next;
        more = index != last;
        if (!receive(l2, index, sectors, now))
            l2_wait_for(l2, index, line);
        index = next;
    }
}

/* If the head of the slice's queue waits for room, it tries again. */
void l2_retry(struct l2 *l2, u32 slice, u64 now) {
    const struct l2_slice *s = &l2->slice[slice];
    bool blocked = s->first != NONE && s->lookup.done && l2->turn[slice] == TIME_NEVER;
    if (blocked && (s->lookup.no_victim || has_room(l2, s)))
        l2->turn[slice] = now;
}

void l2_done(struct l2 *l2, const struct dram_done *done) {
    u32 slice = done->id;
    if (!done->write) {
        u32 index = done->id / LINE_SECTORS, sectors = l2->cover[1u << done->id % LINE_SECTORS];
        struct l2_inflight *v = &l2->inflight[index];
        slice = v->request.slice;
        struct cache *cache = &l2->slice[slice].cache;
        if (v->line == NONE)
            receive(l2, index, sectors, done->time);
        else
            l2_fill(l2, cache, &cache->line[v->line], sectors, done->time);
    }
    l2->slice[slice].in_flight--;
    l2_retry(l2, slice, done->time);
}
