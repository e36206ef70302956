/*
 * L1 and the path to L2: lines of global and local accesses, one at a time.
 *
 *      hit: the result is known at once
 *      miss: room for its sectors? --> port --> network --> partition ... reply --> fill, loads that wait
 *
 * Accesses are served in order. A load that lacks a line, or finds it in flight, leaves the pipe for a table until its
 * last line has arrived. One that finds no room (too many sectors in flight, the table full, every way of its set
 * pending) waits, and those after it. Sectors in flight include stores, so that the network's backlog is bounded.
 */
#include "sim/time/lsu.h"

#include <string.h>

/* ---- room ---- */

static void leave(struct sm *s, const struct release *r) {
    s->outstanding -= r->sectors;
    s->listed -= r->loads;
}

/* Frees the room of sectors and loads whose replies arrived by `time`. */
static void release_until(struct sm *s, u64 time) {
    const struct release *r = (const struct release *)(const void *)s->releases.data;
    u32 n = (u32)(s->releases.len / sizeof *r);
    while (s->released < n && r[s->released].time <= time)
        leave(s, &r[s->released++]);
    enum { KEPT = 1024 }; /* stale entries kept before they are dropped */
    if ((n && s->released == n) || (s->released > KEPT && s->released > n / 2)) {
        memmove(s->releases.data, r + s->released, (n - s->released) * sizeof *r);
        s->releases.len = (n - s->released) * sizeof *r;
        s->released = 0;
    }
}

/* True if a load waits for lines and has no entry of the table yet. */
static bool unlisted(const struct sm *s, const struct lsu_access *a) {
    return a->load != NONE && !load_at(s, a->load)->listed;
}

/* More sectors than there is room for at all may go when nothing else is in flight. */
static bool full(const struct sm *s, struct lsu_access *a, u32 sectors) {
    bool no_sectors = sectors && s->outstanding && s->outstanding + sectors > s->board->l1.sectors;
    bool no_entry = unlisted(s, a) && s->listed >= s->board->l1.loads;
    if (no_sectors || no_entry)
        a->crowded = !no_sectors;
    return no_sectors || no_entry;
}

/*
 * First time from `time` on with room for `sectors` more and, if it waits for lines, for the load; TIME_NEVER when that
 * is not known yet.
 */
static u64 room_for(struct sm *s, struct lsu_access *a, u32 sectors, u64 time) {
    release_until(s, time);
    while (full(s, a, sectors)) {
        const struct release *r = (const struct release *)(const void *)s->releases.data;
        if (s->released * sizeof *r >= s->releases.len)
            return TIME_NEVER;
        time = max_u64(time, r[s->released].time);
        release_until(s, time);
    }
    return time;
}

/*
 * Time when bytes that arrive at `time` are through a port, which moves `width` a cycle, one after the other. `free`:
 * when it is done with those before, in cycles x width, so that a part of a cycle is not lost.
 */
static u64 through_port(u64 *free, u64 time, u32 bytes, u32 width) {
    *free = max_u64(time * width, *free) + bytes;
    return (*free + width - 1) / width;
}

/*
 * Cycles that a request for the line waits for its page. A page that the SM meets for the first time, or again before
 * another took its place, costs nothing: launches before this one are taken to have left it there.
 */
static u64 translate(struct sm *s, u64 line, u64 now) {
    u64 page = line / s->board->tlb.page_bytes * LINE_BYTES;
    struct cache_line *p = cache_find(&s->tlb, page);
    bool gone = !p;
    if (p) {
        cache_use(&s->tlb, p);
    } else {
        p = cache_victim(&s->tlb, page);
        gone = cache_holds(&s->tlb, p);
        cache_take(&s->tlb, p, page);
        p->filled = gone ? now + s->board->tlb.miss_cycles : now;
    }
    *(gone ? &s->counters.l1.tlb_misses : &s->counters.l1.tlb_hits) += 1;
    return p->filled > now ? p->filled - now : 0;
}

static inline void count_request(struct sm *s, u32 sectors, u32 bytes, bool data) {
    s->outstanding += ones_of_four(sectors);
    s->counters.noc.requests++;
    s->counters.noc.request_bytes += bytes;
    s->counters.noc.store_bytes += data ? bytes - s->board->noc.header_bytes : 0;
}

/* Sends a line's request to its partition; returns its ticket. */
static u32 send(struct sm *s, const struct lsu_access *a, u32 i, u32 sectors, u64 start) {
    const struct line_access *l = &a->line[i];
    const struct board *b = s->board;
    struct place at = place_of(&s->placer, l->line);
    u32 cross = place_route(&s->placer, s->index, a->kind == REQUEST_LOAD && b->l2.bytes, &at);
    u32 ticket = miss_new(s);
    struct request *r = ticket == NONE ? NULL : buf_take(&s->out, sizeof *r);
    if (!r) {
        s->no_memory = true;
        return NONE;
    }
    bool data = a->kind == REQUEST_STORE || a->kind == REQUEST_ATOMIC;
    u32 bytes = b->noc.header_bytes + (data ? SECTOR_BYTES * ones_of_four(sectors) : 0);
    u64 sent = through_port(&s->request_port, start + b->l1.latency / 2, bytes, b->noc.request_bytes);
    *r = (struct request){.time = sent + b->noc.latency + cross + (s->tlb.sets ? translate(s, l->line, start) : 0),
                          .local = at.local,
                          .bytes = {l->bytes[0], l->bytes[1]},
                          .deferred = a->deferred[i],
                          .sm = (u16)s->index,
                          .seq = s->seq++,
                          .ticket = ticket,
                          .allocation = a->allocation[i],
                          .partition = (u16)at.partition,
                          .slice = (u16)at.slice,
                          .kind = a->kind,
                          .sectors = (u8)sectors};
    if (a->kind == REQUEST_ATOMIC) {
        r->atomic = l->atomic;
        r->adds = s->timing->inst[a->pc].adds;
    }
    *miss_at(s, ticket) = (struct miss){.deferred = a->deferred[i],
                                        .write_seq = a->write_seq[i],
                                        .block = a->block,
                                        .waiters = NONE,
                                        .next = NONE,
                                        .seq = r->seq,
                                        .kind = a->kind,
                                        .sectors = (u8)sectors,
                                        .issued = start};
    count_request(s, sectors, bytes, data);
    return ticket;
}

static void wait_for(struct sm *s, u32 ticket, const struct lsu_access *a) {
    u32 id = waiter_new(s);
    struct miss *m = miss_at(s, ticket);
    struct load *l = load_at(s, a->load);
    if (id == NONE)
        return;
    *waiter_at(s, id) = (struct waiter){a->load, m->waiters, a->extra};
    m->waiters = id;
    l->left++;
    s->listed += !l->listed;
    l->listed = true;
}

static void merge(struct sm *s, const struct lsu_access *a, const struct cache_line *c, u32 sectors) {
    for (u32 m = c->tag; m != NONE; m = miss_at(s, m)->next)
        if (miss_at(s, m)->sectors & sectors)
            wait_for(s, m, a);
}

static void count_hits(struct sm *s, const struct lsu_access *a, u32 i, u32 hits, u32 pending) {
    struct traffic *t = &s->counters.traffic[a->allocation[i]];
    s->counters.l1.hits += hits;
    s->counters.l1.pending_hits += pending;
    s->line[a->pc].l1_hits += hits + pending;
    t->l1_hits += hits + pending;
}

void l1_prefetch_access(const struct sm *s, const struct lsu_access *a) {
    enum { FEW = 4 };
    for (u32 i = 0; i < a->lines && i < FEW && !a->bypass; i++)
        cache_prefetch(&s->l1, a->line[i].line);
}

/* The line's place in L1, in place of another; NULL if none can leave. */
static inline struct cache_line *evict_for(struct sm *s, u64 line) {
    struct cache_line *c = cache_victim(&s->l1, line);
    if (c) {
        s->counters.l1.evictions += cache_holds(&s->l1, c);
        cache_take(&s->l1, c, line);
        c->tag = NONE;
    }
    return c;
}

/* A load of a line that L1 holds, as if it held all. */
static u64 hit(struct sm *s, const struct lsu_access *a, u32 i, u64 time) {
    u32 sectors = ones_of_four(a->line[i].sectors);
    load_at(s, a->load)->done = max_u64(load_at(s, a->load)->done, time + s->board->l1.latency + a->extra);
    if (UNLIKELY(s->record != NULL))
        record_line(s, a, i, (struct record_found){a->line[i].sectors, 0, 0, false}, time);
    count_hits(s, a, i, sectors, 0);
    s->counters.l1.load_sectors += sectors;
    return time;
}

/* A load of a line through L1, which reaches the tags at `time`: when it did, or TIME_NEVER when it must wait. */
static u64 look_up(struct sm *s, struct lsu_access *a, u32 i, u64 time) {
    if (UNLIKELY(s->board->l1.perfect))
        return hit(s, a, i, time);
    const struct line_access *l = &a->line[i];
    struct cache_line *c = cache_find(&s->l1, l->line);
    u32 valid = c ? c->valid & l->sectors : 0, pending = c ? c->pending & l->sectors : 0;
    u32 missing = l->sectors & ~valid & ~pending;
    u64 start = missing | pending ? room_for(s, a, ones_of_four(missing), time) : time;
    if (!c && start != TIME_NEVER)
        c = evict_for(s, l->line);
    if (!c || start == TIME_NEVER)
        return TIME_NEVER;
    cache_use(&s->l1, c);
    u64 back = s->board->l1.latency - s->board->l1.latency / 2;
    bool late = valid && c->filled > start; /* filled in this window, but later than this access */
    if (valid)
        load_at(s, a->load)->done =
            max_u64(load_at(s, a->load)->done,
                    max_u64(start + s->board->l1.latency, late ? c->filled + back : 0) + a->extra);
    if (pending)
        merge(s, a, c, pending);
    u32 ticket = NONE;
    if (missing) {
        ticket = send(s, a, i, missing, start);
        if (ticket == NONE)
            return start;
        struct miss *m = miss_at(s, ticket);
        m->line = c;
        m->next = c->tag;
        c->tag = ticket;
        cache_await(&s->l1, c, missing);
        wait_for(s, ticket, a);
    }
    if (UNLIKELY(s->record != NULL))
        record_line(s, a, i, (struct record_found){late ? 0 : valid, pending | (late ? valid : 0), 0, missing != 0},
                    start);
    s->counters.l1.misses += ones_of_four(missing);
    count_hits(s, a, i, late ? 0 : ones_of_four(valid), ones_of_four(pending) + (late ? ones_of_four(valid) : 0));
    s->counters.l1.load_sectors += ones_of_four(l->sectors);
    return start;
}

/* Sends a line to L2 whatever L1 holds: stores, atomics, loads that bypass it. */
static u64 bypass(struct sm *s, struct lsu_access *a, u32 i, u64 time) {
    u32 sectors = a->line[i].sectors;
    u64 start = room_for(s, a, ones_of_four(sectors), time);
    if (start == TIME_NEVER)
        return TIME_NEVER;
    u32 ticket = send(s, a, i, sectors, start);
    if (UNLIKELY(s->record != NULL))
        record_line(s, a, i, (struct record_found){.asked = true}, start);
    if (ticket != NONE && a->load != NONE)
        wait_for(s, ticket, a);
    return start;
}

/* Serves the lines of an access as far as possible, each after its share of the cycles; true when all have been. */
static bool serve(struct sm *s, struct lsu_access *a) {
    bool through = a->kind == REQUEST_LOAD && !a->bypass && s->l1.sets;
    while (a->at < a->lines) {
        u64 pipe = max_u64(a->ready, s->pipe_free), time = max_u64(pipe, s->l1_free);
        u64 start = through ? look_up(s, a, a->at, time) : bypass(s, a, a->at, time);
        if (!a->blocked)
            a->since = time;
        a->blocked = start == TIME_NEVER;
        if (a->blocked)
            return false;
        u32 busy = (a->at + 1) * a->cycles / a->lines - a->at * a->cycles / a->lines;
        s->pipe_free = pipe + busy; /* shared memory passes while it waits */
        s->last_event = max_u64(s->last_event, s->pipe_free);
        s->l1_free = start + busy;
        s->counters.sm.pipe_cycles += busy;
        *(a->crowded ? &s->counters.l1.crowded_cycles : &s->counters.l1.full_cycles) += start - a->since;
        a->crowded = false;
        a->ready = start;
        a->at++;
    }
    return true;
}

bool l1_serve(struct sm *s, struct lsu_access *a) {
    if (!serve(s, a))
        return false;
    lsu_leave(s, a, a->ready);
    if (a->load != NONE && lsu_part(s, a->load, 0))
        s->listed--;
    return true;
}

void l1_retry(struct sm *s) {
    if (s->first_access != NONE) /* the last reply made room, not an earlier one */
        s->l1_free = max_u64(s->l1_free, s->replied);
    while (s->first_access != NONE && !s->no_memory) {
        u32 id = s->first_access;
        struct lsu_access *a = access_at(s, id);
        if (!l1_serve(s, a))
            return;
        s->first_access = a->next;
        if (s->first_access == NONE)
            s->last_access = NONE;
        access_free(s, id);
    }
}

/* ---- replies ---- */

/* Sectors that arrive at `time` take the data banks from other accesses of the pipe. */
static void take_banks(struct sm *s, u32 sectors, u64 time) {
    const struct banks banks = banks_of_l1(&s->board->l1);
    u32 width = banks.count * banks.bytes;
    s->fill_bytes += SECTOR_BYTES * sectors;
    u32 busy = s->fill_bytes / width;
    s->fill_bytes -= busy * width;
    s->pipe_free = max_u64(s->pipe_free, time) + busy;
    s->last_event = max_u64(s->last_event, s->pipe_free);
    s->counters.sm.pipe_cycles += busy;
}

/* The sectors of a miss are in L1. */
static void fill(struct sm *s, u32 ticket, u64 time) {
    const struct miss *m = miss_at(s, ticket);
    struct cache_line *c = m->line;
    cache_fill(&s->l1, c, m->sectors);
    c->filled = time;
    u32 *link = &c->tag;
    while (*link != ticket)
        link = &miss_at(s, *link)->next;
    *link = m->next;
}

/*
 * Measured on a copy, `v100`: with this and the like for L2 (partition_run), 16 % less time.
 *
 * Prefetches for the host CPU what the replies of a window will touch, one level of pointers at a time: the misses,
 * their waiters and loads, warps, scoreboards and the registers of their next instructions. All of it was last used
 * several windows ago and has left the host's caches meanwhile. Changes nothing.
 */
void l1_prefetch(const struct sm *s, const struct reply *r, u32 n) {
    for (u32 i = 0; i < n; i++)
        __builtin_prefetch(miss_at(s, r[i].ticket));
    for (u32 i = 0; i < n; i++) {
        const struct miss *m = miss_at(s, r[i].ticket);
        if (m->deferred)
            __builtin_prefetch(m->deferred);
        if (m->line)
            cache_prefetch_fill(&s->l1, m->line);
        if (m->waiters != NONE)
            __builtin_prefetch(load_at(s, waiter_at(s, m->waiters)->load));
    }
    for (u32 i = 0; i < n; i++) {
        const struct miss *m = miss_at(s, r[i].ticket);
        if (m->waiters == NONE)
            continue;
        const struct core_warp *w = &s->warp[load_at(s, waiter_at(s, m->waiters)->load)->warp];
        __builtin_prefetch(w);
        __builtin_prefetch((const char *)w + 64);
        if (w->warp) {
            __builtin_prefetch(w->warp);
            __builtin_prefetch((const char *)w->warp + 64);
            __builtin_prefetch(w->slot);
            __builtin_prefetch((const char *)w->slot + 64);
        }
    }
    for (u32 i = 0; i < n; i++) {
        const struct miss *m = miss_at(s, r[i].ticket);
        const struct warp *w =
            m->waiters == NONE ? NULL : s->warp[load_at(s, waiter_at(s, m->waiters)->load)->warp].warp;
        if (!w)
            continue;
        const struct uop *u = &s->run.code[w->pc];
        const u32 *row[] = {w->base[u->asel] + u->a, w->base[u->bsel] + u->b, w->base[u->csel] + u->c};
        for (u32 k = 0; k < COUNT_OF(row); k++) {
            __builtin_prefetch(row[k]);
            __builtin_prefetch(row[k] + 16);
        }
    }
}

void l1_reply(struct sm *s, const struct reply *r) {
    const struct board *b = s->board;
    struct miss *m = miss_at(s, r->ticket);
    u64 time = through_port(&s->reply_port, r->time, r->bytes, b->noc.reply_bytes);
    u64 back = b->l1.latency - b->l1.latency / 2;
    struct release *release = buf_take(&s->releases, sizeof *release);
    if (!release) {
        s->no_memory = true;
        return;
    }
    *release = (struct release){time, ones_of_four(m->sectors), 0};
    s->replied = time;
    if (UNLIKELY(s->record != NULL))
        record_reply(s, r->ticket, time);
    s->last_event = max_u64(s->last_event, time);
    s->counters.l1.flight_cycles += (time - m->issued) * ones_of_four(m->sectors);
    s->counters.noc.replies++;
    s->counters.noc.reply_bytes += r->bytes;
    s->counters.noc.load_bytes += r->bytes > b->noc.header_bytes ? r->bytes - b->noc.header_bytes : 0;
    if (m->line) {
        take_banks(s, ones_of_four(m->sectors), r->time);
        fill(s, r->ticket, time);
    }
    bool changes = m->kind == REQUEST_STORE || m->kind == REQUEST_ATOMIC;
    if (m->deferred) {
        if (changes)
            writes_remove(&s->writes, m->deferred);
        deferred_deliver(&s->pool, m->deferred);
        m->deferred = NULL;
    }
    u32 waiter = m->waiters;
    while (waiter != NONE) {
        struct waiter at = *waiter_at(s, waiter);
        waiter_free(s, waiter);
        release->loads += lsu_part(s, at.load, time + back + at.extra);
        waiter = at.next;
    }
    if (changes)
        sm_written(s, m->block, m->write_seq, time);
    miss_free(s, r->ticket);
}
