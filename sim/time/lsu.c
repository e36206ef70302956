/*
 * Memory instructions, from issue to the network and back.
 *
 *      issue --> queue of the sub-core --> address unit --> SM's pipe --+-- shared memory: passes
 *                                                                       +-- L1, a line at a time:
 *                  hit: the result is known at once
 *                  miss: room for its sectors? --> port --> network --> partition ... reply --> fill, loads that wait
 *
 * Accesses enter L1 in order. One that finds no room (too many sectors on their way, too many loads for one line, every
 * way of its set pending) waits, and those behind it; shared memory goes past. What is on its way includes stores, so
 * that the network's backlog is bounded.
 */
#include "sim/time/sm.h"

#include <string.h>

enum { SECTORS_ALL = 0xf };

static inline u32 popcount4(u32 sectors) {
    return (u32)__builtin_popcount(sectors);
}

static inline u32 ceil_div(u64 a, u32 b) {
    return (u32)((a + b - 1) / b);
}

static inline u64 later(u64 a, u64 b) {
    return a > b ? a : b;
}

/* ---- pools ---- */

#define POOL(name, type, member) \
    static struct type *name##_at(const struct sm *s, u32 i) { \
        return &((struct type *)(void *)s->member.data)[i]; \
    } \
    static u32 name##_new(struct sm *s) { \
        u32 i = s->free_##name; \
        if (i != NONE) { \
            s->free_##name = name##_at(s, i)->next; \
            return i; \
        } \
        if (!buf_push(&s->member, sizeof(struct type))) { \
            s->no_memory = true; \
            return NONE; \
        } \
        return (u32)(s->member.len / sizeof(struct type)) - 1; \
    } \
    static void name##_free(struct sm *s, u32 i) { \
        name##_at(s, i)->next = s->free_##name; \
        s->free_##name = i; \
    }
POOL(load, load, loads)
POOL(miss, miss, misses)
POOL(waiter, waiter, waiters)
POOL(access, lsu_access, accesses)

/* ---- the queue of a sub-core ---- */

u64 lsu_room(const struct sub_core *c) {
    return later(c->lsu_free, c->queue[c->queue_at]);
}

static u8 queue_enter(struct sm *s, struct sub_core *c, u64 leaves) {
    u32 at = c->queue_at;
    c->queue[at] = leaves;
    c->queue_at = at + 1 < s->board->lsu.queue ? at + 1 : 0;
    return (u8)at;
}

/* The time at which the address unit is done with an instruction that issues now. */
static u64 address_unit(struct sm *s, struct sub_core *c, u64 now) {
    u64 start = later(now, c->address_free);
    c->address_free = start + s->board->lsu.address_cycles;
    return start;
}

/* The entry is given up at `time`: warps that wait for room may go on. */
static void queue_leave(struct sm *s, const struct lsu_access *a, u64 time) {
    struct sub_core *c = &s->sub_core[a->sub_core];
    struct taken *unit = &c->unit[UNIT_LSU];
    c->queue[a->queue] = time;
    if (unit->until != TIME_NEVER)
        return;
    unit->until = lsu_room(c);
    if (c->ready[UNIT_LSU] && unit->until < c->next)
        c->next = unit->until;
}

/* ---- results ---- */

/* Cycles that a wide load takes longer on the way back to the registers than one of 32 bits. */
static u32 return_extra(const struct sm *s, u32 bytes) {
    u32 width = s->timing->width, wire = s->board->shared.return_bytes;
    return bytes <= 4 ? 0 : ceil_div((u64)width * bytes, wire) - ceil_div((u64)width * 4, wire);
}

static void set_ready(struct core_warp *w, const struct timing_inst *t, when ready) {
    for (u32 i = 0; i < t->writes; i++)
        w->slot[t->write[i]] = ready;
}

static u32 load_begin(struct sm *s, const struct core_warp *w, const struct timing_inst *t) {
    u32 id = load_new(s);
    if (id == NONE)
        return NONE;
    struct load *l = load_at(s, id);
    *l = (struct load){.warp = (u32)(w - s->warp), .age = w->age, .block = w->block, .acquire = t->acquire};
    l->writes = t->writes;
    memcpy(l->write, t->write, sizeof l->write);
    s->block[w->block].loads++;
    return id;
}

/* Every line of the load has come. */
static void load_end(struct sm *s, u32 id) {
    struct load *l = load_at(s, id);
    struct core_warp *w = &s->warp[l->warp];
    if (w->warp && w->age == l->age) {
        for (u32 i = 0; i < l->writes; i++)
            w->slot[l->write[i]] = when_of(l->done, STALL_LONG_SCOREBOARD);
        if (l->acquire)
            w->gate = when_of(l->done, STALL_MEMBAR);
        sm_wake(s, w);
    }
    u32 block = l->block;
    u64 done = l->done;
    load_free(s, id);
    sm_loaded(s, block, done);
}

static void load_part(struct sm *s, u32 id, u64 done) {
    struct load *l = load_at(s, id);
    l->done = later(l->done, done);
    if (--l->left == 0)
        load_end(s, id);
}

/* ---- shared memory and constants ---- */

static u64 constant(struct sm *s, const struct effect *e, u64 mask, bool fixed, u64 now) {
    s->counters.sm.constant_requests++;
    return now + s->board->lsu.constant_cycles + (fixed ? 0 : distinct_addresses(e->addr, mask) - 1);
}

static u64 shared(struct sm *s, struct core_warp *w, u32 pc, u64 mask, u64 now) {
    const struct board_shared *b = &s->board->shared;
    const struct effect *e = w->warp->effect;
    struct sub_core *c = &s->sub_core[w->sub_core];
    struct bank_passes passes = bank_passes(b, e->addr, mask, e->bytes, s->timing->width);
    u32 busy = passes.taken * b->pass_cycles;
    if (e->access == ACCESS_ATOMIC)
        busy = (u32)later(busy, (u64)same_address(e->addr, mask) * b->atomic_cycles);
    u64 start = later(address_unit(s, c, now), s->pipe_free);
    s->pipe_free = start + busy;
    s->counters.sm.pipe_cycles += busy;
    queue_enter(s, c, start);
    s->counters.sm.shared_requests++;
    s->counters.sm.shared_passes += passes.taken;
    s->counters.sm.shared_conflicts += passes.taken - passes.ideal;
    s->counters.sm.shared_bytes += (u64)e->bytes * (u64)__builtin_popcountll(mask);
    s->line[pc].shared_requests++;
    s->line[pc].shared_passes += passes.taken;
    u64 wait = (u64)(passes.taken - 1) * b->pass_latency;
    if (e->access == ACCESS_ATOMIC)
        wait = later(wait, busy - 1);
    if (e->access != ACCESS_LOAD)
        w->shared_done = later(w->shared_done, start + b->store_latency + wait);
    if (e->access == ACCESS_STORE)
        return 0;
    return start + b->latency + later(wait, return_extra(s, e->bytes));
}

/* ---- L1 ---- */

/* Takes into account what has come back by `time`. */
static void release_until(struct sm *s, u64 time) {
    const struct release *r = (const struct release *)(const void *)s->releases.data;
    u32 n = (u32)(s->releases.len / sizeof *r);
    while (s->released < n && r[s->released].time <= time)
        s->outstanding -= r[s->released++].sectors;
    if (s->released == n) {
        s->releases.len = 0;
        s->released = 0;
    }
}

/*
 * The time from `time` on at which there is room for so many more sectors; TIME_NEVER when that is not known yet. More
 * than there is room for at all may go when nothing else is on its way.
 */
static u64 room_for(struct sm *s, u32 sectors, u64 time) {
    release_until(s, time);
    while (s->outstanding && s->outstanding + sectors > s->board->l1.sectors) {
        const struct release *r = (const struct release *)(const void *)s->releases.data;
        if (s->released * sizeof *r >= s->releases.len)
            return TIME_NEVER;
        time = later(time, r[s->released].time);
        release_until(s, time);
    }
    return time;
}

/* Sends a line's request to its partition; returns its ticket. */
static u32 send(struct sm *s, const struct lsu_access *a, u32 i, u32 sectors, u64 start) {
    const struct line_access *l = &a->line[i];
    const struct board *b = s->board;
    struct place at = place_of(&s->placer, l->line);
    u32 ticket = miss_new(s);
    struct request *r = ticket == NONE ? NULL : buf_push(&s->out[at.partition], sizeof *r);
    if (!r) {
        s->no_memory = true;
        return NONE;
    }
    bool data = a->kind == REQUEST_STORE || a->kind == REQUEST_ATOMIC;
    u32 bytes = b->noc.header_bytes + (data ? SECTOR_BYTES * popcount4(sectors) : 0);
    u64 leave = later(start + b->l1.latency / 2, s->port_free);
    s->port_free = leave + ceil_div(bytes, b->noc.request_bytes);
    *r = (struct request){.time = s->port_free + b->noc.latency,
                          .line = l->line,
                          .bytes = {l->bytes[0], l->bytes[1]},
                          .deferred = a->deferred[i],
                          .sm = s->index,
                          .seq = s->seq++,
                          .ticket = ticket,
                          .allocation = a->allocation[i],
                          .kind = a->kind,
                          .sectors = (u8)sectors};
    if (a->kind == REQUEST_ATOMIC) {
        r->lanes = (u16)__builtin_popcountll(l->lanes);
        r->serial = a->serial < r->lanes ? a->serial : r->lanes;
    }
    *miss_at(s, ticket) = (struct miss){.line = l->line,
                                        .deferred = a->deferred[i],
                                        .write_seq = a->write_seq[i],
                                        .block = a->block,
                                        .waiters = NONE,
                                        .next = NONE,
                                        .kind = a->kind,
                                        .sectors = (u8)sectors,
                                        .issued = start};
    s->outstanding += popcount4(sectors);
    s->counters.noc.requests++;
    s->counters.noc.request_bytes += bytes;
    s->counters.noc.store_bytes += data ? bytes - b->noc.header_bytes : 0;
    return ticket;
}

static void wait_for(struct sm *s, u32 ticket, const struct lsu_access *a) {
    u32 id = waiter_new(s);
    struct miss *m = miss_at(s, ticket);
    if (id == NONE)
        return;
    *waiter_at(s, id) = (struct waiter){a->load, m->waiters, a->extra};
    m->waiters = id;
    m->waiting++;
    load_at(s, a->load)->left++;
}

/* Whether every pending request for these sectors of the line can take one more load. */
static bool may_merge(const struct sm *s, const struct cache_line *c, u32 sectors) {
    for (u32 m = c->tag; m != NONE; m = miss_at(s, m)->next)
        if (miss_at(s, m)->sectors & sectors && miss_at(s, m)->waiting >= s->board->l1.merges)
            return false;
    return true;
}

static void merge(struct sm *s, const struct lsu_access *a, const struct cache_line *c, u32 sectors) {
    for (u32 m = c->tag; m != NONE; m = miss_at(s, m)->next)
        if (miss_at(s, m)->sectors & sectors)
            wait_for(s, m, a);
}

/* Where the line of the cache keeps the time of its last fill. */
static u64 *filled(const struct sm *s, const struct cache_line *c) {
    return &s->filled[c - s->l1.line];
}

static void count_hits(struct sm *s, const struct lsu_access *a, u32 i, u32 hits, u32 pending) {
    struct traffic *t = &s->counters.traffic[a->allocation[i]];
    s->counters.l1.hits += hits;
    s->counters.l1.pending_hits += pending;
    s->line[a->pc].l1_hits += hits + pending;
    t->l1_hits += hits + pending;
}

/* A load of a line through L1, which reaches the tags at `time`: when it did, or TIME_NEVER when it must wait. */
static u64 look_up(struct sm *s, struct lsu_access *a, u32 i, u64 time) {
    const struct line_access *l = &a->line[i];
    struct cache_line *c = cache_find(&s->l1, l->line);
    u32 valid = c ? c->valid & l->sectors : 0, pending = c ? c->pending & l->sectors : 0;
    u32 missing = l->sectors & ~valid & ~pending;
    u64 start = missing ? room_for(s, popcount4(missing), time) : time;
    if (!c && start != TIME_NEVER) {
        c = cache_victim(&s->l1, l->line);
        if (c) {
            s->counters.l1.evictions += c->valid != 0;
            cache_take(&s->l1, c, l->line);
            c->tag = NONE;
            *filled(s, c) = 0;
        }
    }
    if (!c || start == TIME_NEVER || (pending && !may_merge(s, c, pending)))
        return TIME_NEVER;
    cache_use(&s->l1, c);
    u64 back = s->board->l1.latency - s->board->l1.latency / 2;
    bool late = valid && *filled(s, c) > start; /* they come back in this window, but have not */
    if (valid)
        load_at(s, a->load)->done =
            later(load_at(s, a->load)->done,
                  later(start + s->board->l1.latency, late ? *filled(s, c) + back : 0) + a->extra);
    if (pending)
        merge(s, a, c, pending);
    if (missing) {
        u32 ticket = send(s, a, i, missing, start);
        if (ticket == NONE)
            return start;
        struct miss *m = miss_at(s, ticket);
        m->cached = true;
        m->next = c->tag;
        c->tag = ticket;
        c->pending |= (u8)missing;
        wait_for(s, ticket, a);
    }
    s->counters.l1.misses += popcount4(missing);
    count_hits(s, a, i, late ? 0 : popcount4(valid), popcount4(pending) + (late ? popcount4(valid) : 0));
    s->counters.l1.load_sectors += popcount4(l->sectors);
    return start;
}

/* A line that goes to L2 whatever L1 holds: stores, atomics, loads that pass it by. */
static u64 pass_by(struct sm *s, struct lsu_access *a, u32 i, u64 time) {
    u32 sectors = a->line[i].sectors;
    u64 start = room_for(s, popcount4(sectors), time);
    if (start == TIME_NEVER)
        return TIME_NEVER;
    u32 ticket = send(s, a, i, sectors, start);
    if (ticket != NONE && a->load != NONE)
        wait_for(s, ticket, a);
    return start;
}

/* Serves the lines of an access as far as possible; true when all have been. */
static bool serve(struct sm *s, struct lsu_access *a) {
    bool through = a->kind == REQUEST_LOAD && !a->bypass && s->l1.sets;
    while (a->at < a->lines) {
        u64 pipe = later(a->ready, s->pipe_free), time = later(pipe, s->l1_free);
        u64 start = through ? look_up(s, a, a->at, time) : pass_by(s, a, a->at, time);
        if (!a->blocked)
            a->since = time;
        a->blocked = start == TIME_NEVER;
        if (a->blocked)
            return false;
        u32 busy = ceil_div(SECTOR_BYTES * popcount4(a->line[a->at].sectors), s->board->l1.bytes_per_cycle);
        s->pipe_free = pipe + busy; /* while it waits shared memory goes past */
        s->l1_free = start + busy;
        s->counters.sm.pipe_cycles += busy;
        s->counters.l1.full_cycles += start - a->since;
        a->ready = start;
        a->at++;
    }
    return true;
}

/* All lines are on their way: the queue entry is free, and a load that hit everywhere is known. */
static void served(struct sm *s, struct lsu_access *a) {
    queue_leave(s, a, a->ready);
    if (a->load != NONE && --load_at(s, a->load)->left == 0)
        load_end(s, a->load);
}

void lsu_pump(struct sm *s) {
    if (s->first_access != NONE) /* what the first waited for has come with the last reply, not before */
        s->l1_free = later(s->l1_free, s->reply_free);
    while (s->first_access != NONE && !s->no_memory) {
        u32 id = s->first_access;
        struct lsu_access *a = access_at(s, id);
        if (!serve(s, a))
            return;
        s->first_access = a->next;
        if (s->first_access == NONE)
            s->last_access = NONE;
        served(s, a);
        access_free(s, id);
    }
}

/* ---- global and local memory ---- */

/* Local memory lies so that lanes at the same offset are neighbours. The addresses are only for caches. */
#define LOCAL_BASE ((u64)1 << 50)

static void local_addresses(const struct sm *s, const struct core_warp *w, u64 mask, u64 addr[WARP_MAX]) {
    struct effect *e = w->warp->effect;
    u64 width = s->timing->width, each = ((u64)s->run.launch->kernel->local * width + LINE_BYTES - 1) & ~(u64)127;
    u64 number = (u64)s->index * s->board->sm.max_warps + (u64)(w - s->warp);
    u64 base = LOCAL_BASE + number * each;
    for (u64 left = mask; left; left &= left - 1) {
        u32 l = first_lane(left);
        u64 offset = e->addr[l] & 0xffffffff;
        addr[l] = base + offset / e->bytes * width * e->bytes + (u64)l * e->bytes;
    }
}

static void charge_lines(struct sm *s, struct lsu_access *a, u32 bytes) {
    const struct memory *m = s->run.launch->memory;
    const struct allocation *near = NULL;
    u32 last = NONE;
    for (u32 i = 0; i < a->lines; i++) {
        const struct line_access *l = &a->line[i];
        if (l->line >= LOCAL_BASE) {
            a->allocation[i] = s->allocations - 1;
        } else {
            if (!near || l->line - near->base >= near->size)
                near = memory_find(m, l->line);
            a->allocation[i] = near ? (u32)(near - m->list) : s->allocations - 1;
        }
        struct traffic *t = &s->counters.traffic[a->allocation[i]];
        u32 useful = (u32)__builtin_popcountll(l->bytes[0]) + (u32)__builtin_popcountll(l->bytes[1]);
        t->requests += a->allocation[i] != last;
        t->requested_bytes += (u64)__builtin_popcountll(l->lanes) * bytes;
        t->useful_bytes += useful;
        t->sectors += popcount4(l->sectors);
        last = a->allocation[i];
        s->counters.l1.useful_bytes += useful;
        s->counters.l1.sectors += popcount4(l->sectors);
        s->line[a->pc].sectors += popcount4(l->sectors);
    }
    s->counters.l1.lines += a->lines;
}

/* The parts that take effect at L2, one for each line; nobody but its warp sees local memory. */
static bool pack(struct sm *s, struct core_warp *w, struct lsu_access *a, const struct uop *u) {
    for (u32 i = 0; i < a->lines; i++) {
        const struct line_access *l = &a->line[i];
        if (l->line >= LOCAL_BASE)
            continue;
        a->deferred[i] = deferred_pack(&s->pool, w->warp, u, l->line, l->bytes, l->lanes);
        if (!a->deferred[i])
            return false;
        if (a->kind != REQUEST_SYNC && !writes_add(&s->writes, a->deferred[i]))
            return false;
    }
    return true;
}

static enum request_kind kind_of(enum access access) {
    switch (access) {
    case ACCESS_STORE: return REQUEST_STORE;
    case ACCESS_ATOMIC: return REQUEST_ATOMIC;
    case ACCESS_SYNC: return REQUEST_SYNC;
    default: return REQUEST_LOAD;
    }
}

/* Fills in an access for lanes in global and in local memory; false when memory is out. */
static bool describe(struct sm *s, struct core_warp *w, u32 pc, const u64 lanes[SPACE_COUNT], struct lsu_access *a) {
    const struct effect *e = w->warp->effect;
    const struct timing_inst *t = &s->timing->inst[pc];
    u64 moved[WARP_MAX], mask = lanes[SPACE_GLOBAL] | lanes[SPACE_LOCAL];
    bool local = lanes[SPACE_LOCAL] != 0;
    if (local) {
        memcpy(moved, e->addr, sizeof moved);
        local_addresses(s, w, lanes[SPACE_LOCAL], moved);
    }
    a->kind = (u8)kind_of(e->access);
    a->lines = coalesce(local ? moved : e->addr, mask, e->bytes, a->line);
    a->at = 0;
    a->load = NONE;
    a->block = w->block;
    a->pc = pc;
    a->sub_core = w->sub_core;
    a->bypass = t->bypass || a->kind != REQUEST_LOAD;
    a->blocked = false;
    a->extra = return_extra(s, e->bytes);
    charge_lines(s, a, e->bytes);
    a->serial = (u16)(a->kind == REQUEST_ATOMIC ? same_address(e->addr, mask) : 0);
    s->counters.l1.requests++;
    s->counters.l1.requested_bytes += (u64)e->bytes * (u64)__builtin_popcountll(mask);
    s->line[pc].requests++;
    memset(a->deferred, 0, a->lines * sizeof *a->deferred);
    if (a->kind != REQUEST_LOAD && !pack(s, w, a, &s->run.code[pc]))
        return false;
    bool changes = a->kind == REQUEST_STORE || a->kind == REQUEST_ATOMIC;
    for (u32 i = 0; i < a->lines && changes; i++) {
        a->write_seq[i] = s->block[w->block].write_seq++;
        s->block[w->block].writes++;
    }
    return true;
}

/* Puts an access that could not be served behind those that wait already. */
static void stand(struct sm *s, const struct lsu_access *a) {
    u32 id = access_new(s);
    if (id == NONE)
        return;
    struct lsu_access *to = access_at(s, id);
    size_t lines = a->lines;
    memcpy(to, a, offsetof(struct lsu_access, line));
    memcpy(to->line, a->line, lines * sizeof *a->line);
    memcpy(to->deferred, a->deferred, lines * sizeof(a->deferred[0]));
    memcpy(to->write_seq, a->write_seq, lines * sizeof *a->write_seq);
    memcpy(to->allocation, a->allocation, lines * sizeof *a->allocation);
    to->next = NONE;
    if (s->last_access == NONE)
        s->first_access = id;
    else
        access_at(s, s->last_access)->next = id;
    s->last_access = id;
}

/* `done`: when the parts of the instruction in other spaces are. */
static void global(struct sm *s, struct core_warp *w, u32 pc, const u64 lanes[SPACE_COUNT], u64 now, u64 done) {
    const struct timing_inst *t = &s->timing->inst[pc];
    struct sub_core *c = &s->sub_core[w->sub_core];
    struct lsu_access a;
    if (!describe(s, w, pc, lanes, &a)) {
        s->no_memory = true;
        return;
    }
    if (t->writes || a.kind == REQUEST_LOAD || a.kind == REQUEST_SYNC) {
        a.load = load_begin(s, w, t);
        if (a.load == NONE)
            return;
        load_at(s, a.load)->left = 1; /* until all of its lines have been served */
        load_at(s, a.load)->done = done;
        set_ready(w, t, WHEN_NEVER | STALL_LONG_SCOREBOARD);
        if (t->acquire)
            w->gate = WHEN_NEVER | STALL_MEMBAR;
    }
    a.ready = address_unit(s, c, now);
    a.queue = queue_enter(s, c, TIME_NEVER);
    if (s->first_access == NONE && serve(s, &a))
        served(s, &a);
    else
        stand(s, &a);
}

/* ---- issue and replies ---- */

/* Lanes of a generic access whose address is in the window of a space. */
static u64 lanes_in(const struct effect *e, enum space space) {
    u64 lanes = 0;
    for (u64 left = e->mask; left; left &= left - 1) {
        u32 l = first_lane(left);
        lanes |= (u64)(e->addr[l] >> 40 == (u64)(space - SPACE_GLOBAL)) << l;
    }
    return lanes;
}

void lsu_issue(struct sm *s, struct core_warp *w, u32 pc, u64 now) {
    struct effect *e = w->warp->effect;
    const struct timing_inst *t = &s->timing->inst[pc];
    u64 lanes[SPACE_COUNT] = {0}, done = 0;
    if (e->access == ACCESS_NONE)
        return;
    if (e->space == SPACE_GENERIC)
        for (u32 space = SPACE_GLOBAL; space < SPACE_COUNT; space++)
            lanes[space] = lanes_in(e, (enum space)space);
    else
        lanes[e->space] = e->mask;
    if (lanes[SPACE_CONST] | lanes[SPACE_PARAM])
        done = constant(s, e, lanes[SPACE_CONST] | lanes[SPACE_PARAM], s->run.code[pc].fixed, now);
    if (lanes[SPACE_SHARED])
        done = later(done, shared(s, w, pc, lanes[SPACE_SHARED], now));
    if (lanes[SPACE_GLOBAL] | lanes[SPACE_LOCAL])
        global(s, w, pc, lanes, now, done);
    else
        set_ready(w, t, when_of(done, STALL_SHORT_SCOREBOARD));
}

/* The sectors of a miss are in L1. */
static void fill(struct sm *s, u32 ticket, u64 time) {
    const struct miss *m = miss_at(s, ticket);
    struct cache_line *c = cache_find(&s->l1, m->line);
    if (!c)
        BUG("a fill for a line that is not there");
    c->valid |= m->sectors;
    c->pending &= (u8)(SECTORS_ALL & ~m->sectors);
    *filled(s, c) = time;
    u32 *link = &c->tag;
    while (*link != ticket)
        link = &miss_at(s, *link)->next;
    *link = m->next;
}

void lsu_reply(struct sm *s, const struct reply *r) {
    const struct board *b = s->board;
    struct miss *m = miss_at(s, r->ticket);
    u64 time = later(r->time, s->reply_free) + ceil_div(r->bytes, b->noc.reply_bytes);
    u64 back = b->l1.latency - b->l1.latency / 2;
    struct release *release = buf_push(&s->releases, sizeof *release);
    if (!release) {
        s->no_memory = true;
        return;
    }
    *release = (struct release){time, popcount4(m->sectors)};
    s->reply_free = time;
    s->last_event = later(s->last_event, time);
    s->counters.l1.flight_cycles += (time - m->issued) * popcount4(m->sectors);
    s->counters.noc.replies++;
    s->counters.noc.reply_bytes += r->bytes;
    s->counters.noc.load_bytes += r->bytes > b->noc.header_bytes ? r->bytes - b->noc.header_bytes : 0;
    if (m->cached)
        fill(s, r->ticket, time);
    bool changes = m->kind == REQUEST_STORE || m->kind == REQUEST_ATOMIC;
    if (m->deferred) {
        if (changes)
            writes_remove(&s->writes, m->deferred);
        deferred_deliver(&s->pool, m->deferred);
    }
    u32 waiter = m->waiters;
    while (waiter != NONE) {
        struct waiter at = *waiter_at(s, waiter);
        waiter_free(s, waiter);
        load_part(s, at.load, time + back + at.extra);
        waiter = at.next;
    }
    if (changes)
        sm_written(s, m->block, m->write_seq, time);
    miss_free(s, r->ticket);
}
