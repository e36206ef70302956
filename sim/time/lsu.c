/*
 * Memory instructions, from issue to the lines that they touch.
 *
 *      issue --> queue of the sub-core --> address unit --> SM's pipe --+-- shared memory: passes
 *                                                                       +-- L1, a line at a time (l1.c)
 *
 * An access that L1 cannot take waits in the SM's queue, and those after it; shared memory passes them.
 */
#include "sim/time/lsu.h"

#include <string.h>

/* ---- the queue of a sub-core ---- */

u64 lsu_room(const struct sub_core *c) {
    return max_u64(c->lsu_free, c->queue[c->queue_at]);
}

static u8 queue_enter(struct sm *s, struct sub_core *c, u64 leaves) {
    u32 at = c->queue_at;
    c->queue[at] = leaves;
    c->queue_at = at + 1 < s->board->lsu.queue ? at + 1 : 0;
    return (u8)at;
}

/* Time when the address unit is done with an instruction that issues now, and keeps it for `cycles`. */
static u64 address_unit(struct sub_core *c, u64 now, u64 cycles) {
    u64 start = max_u64(now, c->address_free);
    c->address_free = start + cycles;
    return start;
}

void lsu_leave(struct sm *s, const struct lsu_access *a, u64 time) {
    struct sub_core *c = &s->sub_core[a->sub_core];
    struct busy *unit = &c->unit[UNIT_LSU];
    c->queue[a->queue] = time;
    if (unit->until != TIME_NEVER)
        return;
    unit->until = lsu_room(c);
    if (c->ready[UNIT_LSU] && unit->until < s->next[a->sub_core])
        s->next[a->sub_core] = unit->until;
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
    l->pc = (u32)(t - s->timing->inst);
    l->writes = t->writes;
    memcpy(l->write, t->write, sizeof l->write);
    s->block[w->block].loads++;
    return id;
}

/* Ends a load whose lines have all arrived. */
static void load_end(struct sm *s, u32 id) {
    struct load *l = load_at(s, id);
    struct core_warp *w = &s->warp[l->warp];
    if (w->warp && w->age == l->age) {
        for (u32 i = 0; i < l->writes; i++)
            w->slot[l->write[i]] = when_of(l->done, STALL_LONG_SCOREBOARD);
        if (l->acquire)
            w->gate = when_of(l->done, STALL_MEMBAR);
        if (l->late)
            sm_read(s, w);
        if (UNLIKELY(s->record != NULL))
            record_arrive(s, l);
        sm_wake(s, w);
    }
    u32 block = l->block;
    u64 done = l->done;
    load_free(s, id);
    sm_loaded(s, block, done);
}

bool lsu_part(struct sm *s, u32 id, u64 done) {
    struct load *l = load_at(s, id);
    bool listed = l->listed;
    l->done = max_u64(l->done, done);
    if (--l->left)
        return false;
    load_end(s, id);
    return listed;
}

/* ---- shared memory and constants ---- */

/* A load of constants at an address in a register: at a fixed one it is an operand (timing.c). */
static u64 constant(struct sm *s, const struct effect *e, u64 mask, u64 now) {
    s->counters.sm.constant_requests++;
    return now + s->board->lsu.constant_cycles + distinct_addresses(e->addr, mask) - 1;
}

/* Lanes that an atomic takes one after the other, where `together` lanes are one if all have one address. */
static u32 count_atomic(struct sm *s, u32 pc, const u64 *addr, u64 mask, u32 together) {
    u32 most = same_address(addr, mask);
    most = most == ones_of(mask) ? ceil_div(most, together) : most;
    s->counters.sm.atomics++;
    s->counters.sm.atomic_repeats += most - 1;
    s->line[pc].atomic_repeats += most - 1;
    return most;
}

static u64 shared(struct sm *s, struct core_warp *w, u32 pc, u64 mask, u64 now) {
    const struct board_shared *b = &s->board->shared;
    const struct effect *e = w->warp->effect;
    struct sub_core *c = &s->sub_core[w->sub_core];
    struct bank_passes passes =
        bank_passes(banks_of_shared(b, e->access == ACCESS_LOAD), e->addr, mask, e->bytes, s->timing->width);
    if (UNLIKELY(b->conflict_free)) {
        passes.cycles = (u32)max_u64(passes.cycles - (passes.taken - passes.ideal), passes.ideal);
        passes.taken = passes.ideal;
    }
    u32 busy = passes.cycles;
    if (e->access == ACCESS_ATOMIC)
        busy = (u32)max_u64(busy, (u64)count_atomic(s, pc, e->addr, mask, 1) * b->atomic_cycles);
    if (UNLIKELY(s->record != NULL))
        record_access(s, w, pc, (struct record_part){SPACE_SHARED, busy, mask});
    u64 start = max_u64(address_unit(c, now, s->board->lsu.address_cycles), s->pipe_free);
    s->pipe_free = start + busy;
    s->last_event = max_u64(s->last_event, s->pipe_free);
    s->counters.sm.pipe_cycles += busy;
    queue_enter(s, c, start);
    s->counters.sm.shared_requests++;
    s->counters.sm.shared_passes += passes.taken;
    s->counters.sm.shared_cycles += passes.cycles;
    s->counters.sm.shared_conflicts += passes.taken - passes.ideal;
    s->counters.sm.shared_bytes += (u64)e->bytes * ones_of(mask);
    s->line[pc].shared_requests++;
    s->line[pc].shared_passes += passes.taken;
    s->line[pc].shared_conflicts += passes.taken - passes.ideal;
    u64 wait = (u64)(passes.taken - 1) * b->pass_latency;
    if (e->access == ACCESS_ATOMIC)
        wait = max_u64(wait, busy - 1);
    if (e->access != ACCESS_LOAD)
        w->shared_done = max_u64(w->shared_done, start + b->store_latency + wait);
    if (e->access == ACCESS_STORE)
        return 0;
    return start + b->latency + max_u64(wait, return_extra(s, e->bytes));
}

/* ---- global and local memory ---- */

/* Local memory lies so that lanes at the same offset are neighbours. The addresses are only for caches. */
#define LOCAL_BASE ((u64)1 << 50)

static void local_addresses(const struct sm *s, const struct core_warp *w, u64 mask, u64 addr[WARP_MAX]) {
    struct effect *e = w->warp->effect;
    u64 width = s->timing->width, local = s->run.launch->kernel->local;
    u64 each = (local * width + LINE_BYTES - 1) / LINE_BYTES * LINE_BYTES;
    u64 number = (u64)s->index * s->board->sm.max_warps + (u64)(w - s->warp);
    u64 base = LOCAL_BASE + number * each;
    for (u64 left = mask; left; left &= left - 1) {
        u32 l = first_lane(left);
        u64 offset = e->addr[l] & 0xffffffff;
        addr[l] = base + offset / e->bytes * width * e->bytes + (u64)l * e->bytes;
    }
}

/* True if an earlier line of the access is of the same allocation. */
static bool charged(const struct lsu_access *a, u32 i) {
    for (u32 k = i; k-- > 0;)
        if (a->allocation[k] == a->allocation[i])
            return true;
    return false;
}

static void charge_lines(struct sm *s, struct lsu_access *a, u32 bytes) {
    const struct memory *m = s->run.launch->memory;
    const struct allocation *near = NULL;
    u32 requested = 0;
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
        u32 useful = ones_of(l->bytes[0]) + ones_of(l->bytes[1]);
        requested += useful;
        t->requests += !charged(a, i);
        t->requested_bytes += ones_of(l->lanes) * bytes;
        t->useful_bytes += useful;
        t->sectors += ones_of_four(l->sectors);
        s->counters.l1.useful_bytes += useful;
        s->counters.l1.sectors += ones_of_four(l->sectors);
        s->line[a->pc].sectors += ones_of_four(l->sectors);
    }
    u32 packed = (u32)ceil_div(requested, SECTOR_BYTES);
    s->counters.l1.packed_sectors += packed;
    s->line[a->pc].packed_sectors += packed;
    s->counters.l1.lines += a->lines;
}

/* Packs the parts that take effect at L2, one for each line; local memory is seen by its warp alone. */
static bool pack(struct sm *s, struct core_warp *w, struct lsu_access *a, const struct uop *u) {
    for (u32 i = 0; i < a->lines; i++) {
        const struct line_access *l = &a->line[i];
        if (l->line >= LOCAL_BASE)
            continue;
        const struct line_part part = {l->line, {l->bytes[0], l->bytes[1]}, l->lanes};
        a->deferred[i] = deferred_pack(&s->pool, w->warp, u, &part);
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
    case ACCESS_NONE:
    case ACCESS_LOAD: break;
    }
    return REQUEST_LOAD;
}

/* Cycles of the memory pipe: tags are looked up and data moved side by side, so the slower of them counts. */
static u32 l1_cycles(struct sm *s, const struct lsu_access *a, const u64 *addr, u64 mask, u32 bytes) {
    const struct board_l1 *b = &s->board->l1;
    struct bank_passes passes = bank_passes(banks_of_l1(b), addr, mask, bytes, s->timing->width);
    u32 tags = tag_cycles(a->line, a->lines, b);
    s->counters.l1.tag_cycles += tags;
    s->counters.l1.passes += passes.taken;
    s->counters.l1.data_cycles += passes.cycles;
    s->counters.l1.conflicts += passes.taken - passes.ideal;
    return passes.cycles > tags ? passes.cycles : tags;
}

/* The lanes of an atomic, each for itself or combined. */
static void combine(struct sm *s, struct lsu_access *a, const u64 *addr, u64 mask) {
    u32 together = s->timing->inst[a->pc].together;
    s->counters.sm.atomic_lanes += ones_of(mask);
    count_atomic(s, a->pc, addr, mask, together);
    for (u32 i = 0; i < a->lines; i++)
        a->line[i].atomic = atomic_passes(addr, a->line[i].lanes, a->lines == 1 ? together : 1);
}

/* Fills in an access for lanes in global and in local memory; false when out of memory. */
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
    u32 fetch = a->kind == REQUEST_LOAD ? s->board->l1.fetch_bytes : SECTOR_BYTES;
    a->lines = coalesce_load(local ? moved : e->addr, mask, e->bytes, fetch, a->line);
    a->cycles = l1_cycles(s, a, local ? moved : e->addr, mask, e->bytes);
    a->at = 0;
    a->load = NONE;
    a->block = w->block;
    a->warp = w->warp->index;
    a->pc = pc;
    a->sub_core = w->sub_core;
    a->bypass = t->bypass || a->kind != REQUEST_LOAD;
    a->blocked = a->crowded = false;
    l1_prefetch_access(s, a);
    a->extra = return_extra(s, e->bytes);
    charge_lines(s, a, e->bytes);
    if (a->kind == REQUEST_ATOMIC)
        combine(s, a, e->addr, mask);
    s->counters.l1.requests++;
    s->counters.l1.requested_bytes += (u64)e->bytes * ones_of(mask);
    s->line[pc].requests++;
    if (UNLIKELY(s->record != NULL))
        a->number = record_access(s, w, pc, (struct record_part){local ? SPACE_LOCAL : SPACE_GLOBAL, a->cycles, mask});
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

/* Enqueues an access that found no room. */
static void enqueue(struct sm *s, const struct lsu_access *a) {
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
static void global(struct sm *s, struct core_warp *w, u32 pc, const u64 lanes[SPACE_COUNT], u64 done) {
    const struct timing_inst *t = &s->timing->inst[pc];
    const struct board_lsu *b = &s->board->lsu;
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
        load_at(s, a.load)->late = a.kind != REQUEST_LOAD;
        w->late += a.kind != REQUEST_LOAD;
        load_at(s, a.load)->left = 1; /* one for the access itself, until all of its lines have been served */
        load_at(s, a.load)->done = done;
        set_ready(w, t, WHEN_NEVER | STALL_LONG_SCOREBOARD);
        if (t->acquire)
            w->gate = WHEN_NEVER | STALL_MEMBAR;
    }
    a.ready = address_unit(c, w->warp->clock, max_u64(b->address_cycles, b->global_cycles));
    a.queue = queue_enter(s, c, TIME_NEVER);
    if (s->first_access != NONE || !l1_serve(s, &a))
        enqueue(s, &a);
}

/* ---- issue ---- */

/* Lanes of a generic access whose address is in the window of a space. */
static u64 lanes_in(const struct effect *e, enum space space) {
    u64 lanes = 0;
    for (u64 left = e->mask; left; left &= left - 1) {
        u32 l = first_lane(left);
        lanes |= (u64)(e->addr[l] / WINDOW_SHARED == (u64)(space - SPACE_GLOBAL)) << l;
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
        done = constant(s, e, lanes[SPACE_CONST] | lanes[SPACE_PARAM], now);
    if (lanes[SPACE_SHARED])
        done = max_u64(done, shared(s, w, pc, lanes[SPACE_SHARED], now));
    if (lanes[SPACE_GLOBAL] | lanes[SPACE_LOCAL])
        global(s, w, pc, lanes, done);
    else
        set_ready(w, t, when_of(done, STALL_SHORT_SCOREBOARD));
}
