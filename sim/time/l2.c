#include "sim/time/l2.h"
#include "sim/arch/deferred.h"
#include "sim/base/bits.h"
#include "sim/time/record.h"

#define NONE UINT32_MAX

/* A request in flight at its slice. */
struct l2_inflight {
    struct request request;
    u32 next;   /* next in its list: the slice's queue, the requests that wait for the line, the unused ones */
    u32 line;   /* line that it waits for; NONE: no cache */
    u32 copy;   /* fetches for this line of the mirror; NONE: answers the SM */
    u8 awaited; /* sectors that it waits for, one bit each */
    bool seen;  /* it comes from the mirror, which has counted it */
};

/* The tag look-up of the head of a slice's queue: made when it gets there, kept until it is served. */
struct lookup {
    struct cache_line *line; /* the line that hits, or the victim; NULL: no cache, or no victim */
    u64 since;               /* time at which the request became the head */
    u32 bursts;              /* bursts to read and write */
    bool done;
    bool hit;       /* line holds the address */
    bool no_victim; /* every way of the set is pending */
};

struct l2_slice {
    struct cache cache; /* tags of the addresses in its share */
    struct lookup lookup;
    u64 free;        /* end of the data path's busy time */
    u64 busy;        /* cycles that it was busy */
    u32 first, last; /* its queue; NONE: empty */
    u32 in_flight;   /* bursts in flight */
};

/* The bytes of a sector, of a mask of the line's. */
static u32 sector_bytes(const u64 bytes[2], u32 sector) {
    return (u32)(bytes[sector / 2] >> sector % 2 * SECTOR_BYTES);
}

/* Sectors with any of these bytes. */
static u32 sectors_of(const u64 bytes[2]) {
    u32 sectors = 0;
    for (u32 s = 0; s < LINE_SECTORS; s++)
        sectors |= (u32) !!sector_bytes(bytes, s) << s;
    return sectors;
}

/* ---- set up ---- */

bool l2_init(struct l2 *l2, const struct board *b, struct dram *const *dram, struct arena *arena) {
    *l2 = (struct l2){.placer = placer_of(b),
                      .delay = (u64)b->l2.latency + b->noc.latency,
                      .bytes_per_cycle = b->l2.bytes_per_cycle,
                      .atomics = b->l2.atomics,
                      .atomic_delay = b->l2.atomic_cycles,
                      .partial = b->l2.partial_cycles,
                      .room = b->l2.sectors,
                      .header = b->noc.header_bytes,
                      .dram = dram,
                      .arena = arena,
                      .unused = NONE};
    u32 together = b->dram.burst_bytes / SECTOR_BYTES;
    for (u32 set = 0; set < 16; set++)
        for (u32 s = 0; s < LINE_SECTORS; s++)
            if (set >> s & 1) {
                u32 start = s / together * together, end = start + together;
                l2->first[set] |= (u8)(1u << start);
                l2->cover[set] |= (u8)((1u << (end < LINE_SECTORS ? end : LINE_SECTORS)) - (1u << start));
            }
    l2->slices = l2->placer.each * (l2->placer.channels / l2->placer.partitions);
    l2->slice = arena_alloc(arena, l2->slices * sizeof *l2->slice);
    l2->turn = arena_alloc(arena, l2->slices * sizeof *l2->turn);
    if (!l2->slice || !l2->turn)
        return false;
    for (u32 i = 0; i < l2->slices; i++)
        if (!cache_init(&l2->slice[i].cache, b->l2.bytes / b->l2.slices, b->l2.ways, b->l2.replacement, arena))
            return false;
    l2_reset(l2, NULL, false);
    return true;
}

void l2_reset(struct l2 *l2, struct partition_counters *counters, bool warm) {
    for (u32 v = 0; v < l2->capacity; v++) {
        struct l2_inflight *inflight = &l2->inflight[v];
        if (inflight->awaited && inflight->line != NONE) {
            struct cache *c = &l2->slice[inflight->request.slice].cache;
            c->line[inflight->line].tag = 0;
            cache_give_up(c, &c->line[inflight->line]);
        }
        inflight->awaited = 0;
        inflight->next = v + 1 < l2->capacity ? v + 1 : NONE;
    }
    l2->unused = l2->capacity ? 0 : NONE;
    l2->there = l2->back = (struct l2_list){NONE, NONE};
    for (u32 i = 0; i < l2->slices; i++) {
        struct l2_slice *s = &l2->slice[i];
        *s = (struct l2_slice){.cache = s->cache, .first = NONE, .last = NONE};
        if (!warm)
            cache_clear(&s->cache);
        l2->turn[i] = TIME_NEVER;
    }
    if (!warm)
        l2->dirty = 0;
    l2->seq = 0;
    l2->failed = false;
    l2->record = NULL;
    l2->counters = counters;
}

void l2_recharge(struct l2 *l2, const u32 *to) {
    for (u32 i = 0; i < l2->slices; i++) {
        struct cache *c = &l2->slice[i].cache;
        for (u32 k = 0; k < cache_lines(c); k++)
            if (cache_holds(c, &c->line[k]))
                c->line[k].allocation = to[c->line[k].allocation];
    }
}

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

u64 l2_end(const struct l2 *l2) {
    u64 end = 0;
    for (u32 i = 0; i < l2->slices; i++)
        end = max_u64(l2->slice[i].free, end);
    return end;
}

u64 l2_busiest(const struct l2 *l2) {
    u64 most = 0;
    for (u32 i = 0; i < l2->slices; i++)
        most = max_u64(l2->slice[i].busy, most);
    return most;
}

const struct request *l2_request(const struct l2 *l2, u32 burst) {
    return &l2->inflight[burst / LINE_SECTORS].request;
}

void l2_prefetch(const struct l2 *l2, const struct request *r) {
    cache_prefetch(&l2->slice[r->slice].cache, r->local);
}

void l2_prefetch_line(const struct l2 *l2, const struct request *r) {
    cache_prefetch_line(&l2->slice[r->slice].cache, r->local);
}

void l2_prefetch_end(const struct l2 *l2, const struct dram_done *done) {
    if (done->write)
        return;
    const struct l2_inflight *v = &l2->inflight[done->id / LINE_SECTORS];
    __builtin_prefetch(v);
    __builtin_prefetch((const char *)(v + 1) - 1);
}

void l2_prefetch_fill(const struct l2 *l2, const struct dram_done *done) {
    const struct l2_inflight *v = &l2->inflight[done->write ? 0 : done->id / LINE_SECTORS];
    if (!done->write && v->line != NONE)
        cache_prefetch_fill(&l2->slice[v->request.slice].cache, &l2->slice[v->request.slice].cache.line[v->line]);
}

/* A place for a request; NONE when out of memory. */
static u32 take_place(struct l2 *l2, const struct request *r) {
    if (l2->unused == NONE && !grow(l2)) {
        l2->failed = true;
        return NONE;
    }
    u32 index = l2->unused;
    l2->unused = l2->inflight[index].next;
    l2->inflight[index] = (struct l2_inflight){.request = *r, .next = NONE, .line = NONE, .copy = NONE};
    return index;
}

static void enqueue(struct l2 *l2, u32 index) {
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
    u32 index = take_place(l2, r);
    if (index != NONE)
        enqueue(l2, index);
}

/* ---- from one half to the other ---- */

/* All take the same time, so they arrive in the order in which they leave. */
static void leave(struct l2 *l2, struct l2_list *list, u32 index, u64 arrival) {
    struct l2_inflight *v = &l2->inflight[index];
    v->request.time = arrival;
    v->next = NONE;
    if (list->first == NONE)
        list->first = index;
    else
        l2->inflight[list->last].next = index;
    list->last = index;
}

static u64 next_of(const struct l2 *l2, const struct l2_list *list) {
    return list->first == NONE ? TIME_NEVER : l2->inflight[list->first].request.time;
}

static u64 next_arrival(const struct l2 *l2) {
    return min_u64(next_of(l2, &l2->there), next_of(l2, &l2->back));
}

static u32 take_first(struct l2 *l2, struct l2_list *list) {
    u32 index = list->first;
    list->first = l2->inflight[index].next;
    l2->inflight[index].next = NONE;
    return index;
}

/* From the mirror to the line's home. */
static void send_home(struct l2 *l2, u32 index, u64 now) {
    struct l2_inflight *v = &l2->inflight[index];
    v->request.local &= ~PLACE_COPY;
    v->request.slice = (u16)place_mirror(&l2->placer, v->request.slice);
    v->seen = true;
    leave(l2, &l2->there, index, now + l2->placer.hop / 2);
}

/* Enqueues it behind those that wait for the line, whose tag is 1 + the last of them; the next of that is the first. */
static void wait_for(struct l2 *l2, u32 index, struct cache_line *line) {
    struct l2_inflight *v = &l2->inflight[index];
    v->next = index;
    if (line->tag) {
        v->next = l2->inflight[line->tag - 1].next;
        l2->inflight[line->tag - 1].next = index;
    }
    line->tag = index + 1;
}

/* Cycles that the lanes of an atomic take one after the other. */
static u32 atomic_steps(const struct l2 *l2, const struct request *r) {
    u32 steps = (r->lanes + l2->atomics - 1) / l2->atomics;
    steps = steps > r->serial ? steps : r->serial;
    return steps ? steps : 1;
}

/* All sectors of the request are there: replies, and frees its place. */
static void answer(struct l2 *l2, u32 index, u64 now) {
    struct l2_inflight *v = &l2->inflight[index];
    const struct request *r = &v->request;
    u32 way_back = l2->placer.hop - l2->placer.hop / 2;
    if (v->copy != NONE) {
        leave(l2, &l2->back, index, now + way_back);
        return;
    }
    u32 data = r->kind == REQUEST_STORE ? 0 : ones_of_four(r->sectors) * SECTOR_BYTES;
    struct reply *reply = buf_take(l2->out, sizeof *reply);
    if (reply) {
        *reply = (struct reply){.time = now + l2->delay, .sm = r->sm, .seq = l2->seq++, .ticket = r->ticket};
        reply->time += r->kind == REQUEST_ATOMIC ? l2->atomic_delay + atomic_steps(l2, r) - 1 : 0;
        reply->time += place_far(&l2->placer, r->sm, r->slice) ? way_back : 0;
        reply->bytes = l2->header + data;
        if (UNLIKELY(l2->record != NULL))
            record_answer(l2->record, r, reply->time, now);
    }
    v->next = l2->unused;
    l2->unused = index;
}

/* ---- bursts ---- */

/* `burst.address` is in the slice's share. */
static void push(struct l2 *l2, u32 slice, struct dram_burst burst) {
    burst.address = place_in_channel(&l2->placer, slice, burst.address);
    if (!dram_push(l2->dram[place_second(&l2->placer, slice)], &burst))
        l2->failed = true;
    l2->slice[slice].in_flight++;
}

/* Bytes that are set in these sectors. */
static u8 count_bytes(const u64 bytes[2], u32 sectors) {
    static const u64 of_two[4] = {0, UINT32_MAX, (u64)UINT32_MAX << SECTOR_BYTES, UINT64_MAX};
    if (LIKELY((bytes[0] & bytes[1]) == UINT64_MAX))
        return (u8)(ones_of_four(sectors) * SECTOR_BYTES);
    return (u8)(ones_of(bytes[0] & of_two[sectors & 3]) + ones_of(bytes[1] & of_two[sectors >> 2 & 3]));
}

/* A read's number: request x 4 + first sector. */
static void fetch(struct l2 *l2, u32 index, u32 missing, u64 now) {
    const struct l2_inflight *v = &l2->inflight[index];
    for (u32 s = 0; s < LINE_SECTORS; s++)
        if (l2->first[missing] >> s & 1)
            push(l2, v->request.slice,
                 (struct dram_burst){.time = now,
                                     .address = v->request.local + s * SECTOR_BYTES,
                                     .id = index * LINE_SECTORS + s,
                                     .allocation = v->request.allocation,
                                     .useful = count_bytes(v->request.bytes, l2->cover[1u << s] & missing)});
}

/* A write's number is its slice. */
static void write_back(struct l2 *l2, u32 slice, const struct cache_line *line, u64 now) {
    u32 sectors = sectors_of(line->written);
    l2->counters->l2.writebacks += ones_of_four(sectors);
    for (u32 s = 0; s < LINE_SECTORS; s++)
        if (l2->first[sectors] >> s & 1)
            push(l2, slice,
                 (struct dram_burst){.time = now,
                                     .address = line->address + s * SECTOR_BYTES,
                                     .id = slice,
                                     .allocation = line->allocation,
                                     .useful = count_bytes(line->written, l2->cover[1u << s]),
                                     .write = true});
}

/* A request's bytes go to the channel without staying in L2. */
static void write_through(struct l2 *l2, const struct l2_inflight *v, u64 now) {
    const struct request *r = &v->request;
    struct cache_line line = {.address = v->request.local, .allocation = r->allocation};
    line.written[0] = r->bytes[0];
    line.written[1] = r->bytes[1];
    write_back(l2, v->request.slice, &line, now);
}

/* ---- service ---- */

/* Whether a load finds all in its copy, or may make a way of the set wait for what it lacks. */
static bool may_copy(const struct cache *c, const struct cache_line *line, const struct request *r) {
    bool all = line && !(r->sectors & ~(u32)(line->valid | line->pending));
    return all || (line && line->pending) || cache_spare(c, r->local) > 1;
}

static void look_up(struct l2 *l2, struct l2_slice *s, u64 now) {
    const struct l2_inflight *v = &l2->inflight[s->first];
    struct lookup *n = &s->lookup;
    bool store = v->request.kind == REQUEST_STORE, copy = v->request.local & PLACE_COPY;
    u32 reads = store || copy ? 0 : v->request.sectors, writes = 0;
    if (!n->done)
        n->since = now;
    n->done = true;
    n->line = cache_find(&s->cache, v->request.local);
    bool crosses = copy && !may_copy(&s->cache, n->line, &v->request);
    n->line = crosses ? NULL : n->line;
    n->hit = n->line;
    if (n->hit)
        reads &= ~(u32)(n->line->valid | n->line->pending);
    else if (!crosses && (n->line = cache_victim(&s->cache, v->request.local)))
        writes = sectors_of(n->line->written);
    else if (store)
        writes = v->request.sectors;
    n->no_victim = !n->line && s->cache.sets && !copy;
    n->bursts = ones_of_four(l2->first[reads]) + ones_of_four(l2->first[writes]);
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
    u32 hits = line ? sectors & line->valid : 0, merged = line ? sectors & line->pending & ~hits : 0;
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
        wait_for(l2, index, line);
    }
    fetch(l2, index, missing, now);
}

/* A load at the mirror: what the copy lacks, or all of it where there is no room for a copy, comes from home. */
static void serve_copy(struct l2 *l2, u32 index, struct cache_line *line, u64 now) {
    struct l2_inflight *v = &l2->inflight[index];
    if (!line) {
        send_home(l2, index, now);
        return;
    }
    struct cache *cache = &l2->slice[v->request.slice].cache;
    u32 sectors = v->request.sectors, hits = sectors & line->valid, merged = sectors & line->pending & ~hits;
    u32 missing = sectors & ~(hits | merged), home = missing ? take_place(l2, &v->request) : NONE;
    l2->counters->l2.hits += ones_of_four(hits);
    l2->counters->l2.pending_hits += ones_of_four(merged);
    l2->counters->traffic[v->request.allocation].l2_hits += ones_of_four(hits | merged);
    v = &l2->inflight[index]; /* take_place may have moved it */
    v->awaited = (u8)(merged | missing);
    if (!v->awaited) {
        answer(l2, index, now);
        return;
    }
    v->line = (u32)(line - cache->line);
    cache_await(cache, line, missing);
    wait_for(l2, index, line);
    if (home != NONE) {
        l2->inflight[home].request.sectors = (u8)missing;
        l2->inflight[home].copy = v->line;
        send_home(l2, home, now);
    }
}

/* Stores, and the write half of an atomic. */
static void serve_write(struct l2 *l2, const struct l2_inflight *v, struct cache_line *line, u64 now) {
    const struct request *r = &v->request;
    struct cache *mirror = l2->placer.hop ? &l2->slice[place_mirror(&l2->placer, r->slice)].cache : NULL;
    struct cache_line *copy = mirror ? cache_find(mirror, r->local | PLACE_COPY) : NULL;
    if (copy)
        copy->valid &= (u8)~r->sectors;
    if (!line && r->kind == REQUEST_STORE)
        write_through(l2, v, now);
    if (!line)
        return;
    mark_written(l2, line, r->bytes);
    for (u32 s = 0; s < LINE_SECTORS; s++)
        if (sector_bytes(line->written, s) == UINT32_MAX) /* pending: an atomic may have to change what arrives first */
            line->valid |= (u8)(1u << s & ~line->pending);
}

/* Sectors of a store that it fills in part. */
static u32 partial_sectors(const struct request *r) {
    u32 partial = 0;
    if (LIKELY((r->bytes[0] & r->bytes[1]) == UINT64_MAX))
        return 0;
    for (u32 s = 0; s < LINE_SECTORS; s++) {
        u32 bytes = sector_bytes(r->bytes, s);
        partial += bytes && bytes != UINT32_MAX;
    }
    return partial;
}

static void take_path(struct l2 *l2, struct l2_slice *s, const struct request *r, u64 now) {
    struct l2_counters *c = &l2->counters->l2;
    u32 sectors = ones_of_four(r->sectors);
    u32 cycles = (sectors * SECTOR_BYTES + l2->bytes_per_cycle - 1) / l2->bytes_per_cycle;
    if (r->kind == REQUEST_ATOMIC && cycles < atomic_steps(l2, r))
        cycles = atomic_steps(l2, r);
    if (r->kind == REQUEST_STORE && l2->partial)
        cycles += l2->partial * partial_sectors(r);
    cycles = cycles ? cycles : 1;
    s->free = now + cycles;
    s->busy += cycles;
    c->busy_cycles += cycles;
    c->full_cycles += now - s->lookup.since;
}

/*
 * Each request once, where it arrives. A load's `bytes` are those of the whole line, its `sectors` only those that
 * missed L1 and were not pending there.
 */
static void count(struct partition_counters *c, const struct request *r) {
    bool reads = r->kind != REQUEST_STORE, writes = !reads || r->kind == REQUEST_ATOMIC;
    u32 sectors = ones_of_four(r->sectors), useful = (u32)(reads + writes) * count_bytes(r->bytes, r->sectors);
    struct traffic *t = &c->traffic[r->allocation];
    c->l2.requests++;
    *(!reads ? &c->l2.write_sectors : writes ? &c->l2.atomic_sectors : &c->l2.read_sectors) += sectors;
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

static void record_serve(const struct l2 *l2, const struct request *r, const struct cache_line *line, u64 cycles,
                         const struct cache_line *old, u64 now) {
    u32 reads = line && r->kind != REQUEST_STORE ? r->sectors : 0, hits = reads ? reads & line->valid : 0;
    u32 pending = reads ? reads & line->pending & ~hits : 0;
    record_lookup(l2->record, r, (u32)cycles, hits, pending, sectors_of(old->written), now);
}

static void serve(struct l2 *l2, u32 slice, u64 now) {
    struct l2_slice *s = &l2->slice[slice];
    u32 index = s->first;
    struct l2_inflight *v = &l2->inflight[index];
    struct cache_line old = {0}, *line = s->lookup.line;
    take_path(l2, s, &v->request, now);
    if (!v->seen)
        count(l2->counters, &v->request);
    if (place_far(&l2->placer, v->request.sm, v->request.slice))
        l2->counters->l2.far_sectors += ones_of_four(v->request.sectors);
    take_line(l2, s, v, &old);
    if (UNLIKELY(l2->record != NULL))
        record_serve(l2, &v->request, line, s->free - now, &old, now);
    s->lookup.done = false;
    s->first = v->next;
    l2->turn[slice] = s->first == NONE ? TIME_NEVER : s->free;
    if (v->request.deferred)
        deferred_apply(v->request.deferred);
    bool copy = v->request.local & PLACE_COPY;
    if (copy)
        serve_copy(l2, index, line, now);
    else if (v->request.kind != REQUEST_STORE)
        serve_read(l2, index, line, now);
    if (v->request.kind == REQUEST_STORE || v->request.kind == REQUEST_ATOMIC)
        serve_write(l2, v, line, now);
    if (old.written[0] | old.written[1])
        write_back(l2, slice, &old, now);
    if (!copy && !v->awaited)
        answer(l2, index, now);
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
    return l2->placer.hop ? min_u64(turn, next_arrival(l2)) : turn;
}

static void from_other_half(struct l2 *l2);

void l2_turn(struct l2 *l2) {
    u32 slice = earliest(l2);
    struct l2_slice *s = &l2->slice[slice];
    u64 now = l2->turn[slice];
    if (l2->placer.hop && next_arrival(l2) <= now) {
        from_other_half(l2);
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

/* These sectors have arrived for the request; true when it is answered. */
static bool receive(struct l2 *l2, u32 index, u32 sectors, u64 now) {
    struct l2_inflight *v = &l2->inflight[index];
    v->awaited &= (u8)~sectors;
    if (v->awaited)
        return false;
    if (v->line == NONE && v->request.kind == REQUEST_ATOMIC)
        write_through(l2, v, now);
    answer(l2, index, now);
    return true;
}

static void fill(struct l2 *l2, struct cache *cache, struct cache_line *line, u32 sectors, u64 now) {
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
            wait_for(l2, index, line);
        index = next;
    }
}

/* If the head of the slice's queue waits for room, it tries again. */
static void retry(struct l2 *l2, u32 slice, u64 now) {
    const struct l2_slice *s = &l2->slice[slice];
    bool blocked = s->first != NONE && s->lookup.done && l2->turn[slice] == TIME_NEVER;
    if (blocked && (s->lookup.no_victim || has_room(l2, s)))
        l2->turn[slice] = now;
}

/* A request arrives at its line's home, or sectors do at the copy. */
static void from_other_half(struct l2 *l2) {
    u64 now = next_arrival(l2);
    if (next_of(l2, &l2->there) == now) {
        enqueue(l2, take_first(l2, &l2->there));
        return;
    }
    u32 index = take_first(l2, &l2->back);
    struct l2_inflight *v = &l2->inflight[index];
    u32 slice = place_mirror(&l2->placer, v->request.slice);
    struct cache *cache = &l2->slice[slice].cache;
    fill(l2, cache, &cache->line[v->copy], v->request.sectors, now);
    v->next = l2->unused;
    l2->unused = index;
    retry(l2, slice, now);
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
            fill(l2, cache, &cache->line[v->line], sectors, done->time);
    }
    l2->slice[slice].in_flight--;
    retry(l2, slice, done->time);
}
