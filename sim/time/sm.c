#include "sim/time/sm.h"

#include <string.h>

#include "sim/time/order.h"

/* ---- a launch ---- */

static bool begin_warps(struct sm *s) {
    u32 max = s->board->sm.max_warps, cores = s->board->sm.sub_cores, slots = s->timing->slots;
    s->warp = arena_alloc(&s->arena, max * sizeof *s->warp);
    when *slot = arena_raw(&s->arena, (size_t)max * slots * sizeof *slot); /* cleared when a warp starts */
    if (!s->warp || !slot)
        return false;
    for (u32 i = 0; i < max; i++) {
        struct core_warp *w = &s->warp[i];
        w->slot = slot + (size_t)i * slots;
        w->sub_core = (u8)(i % cores);
        w->place = (u8)(i / cores);
    }
    for (u32 c = 0; c < cores; c++) {
        struct sub_core *core = &s->sub_core[c];
        core->last = NONE;
        wheel_init(&core->wheel);
    }
    return true;
}

static bool begin_blocks(struct sm *s, u32 blocks) {
    s->blocks = blocks;
    s->block = arena_alloc(&s->arena, blocks * sizeof *s->block);
    s->fresh = arena_alloc(&s->arena, blocks * sizeof *s->fresh);
    return s->block && s->fresh;
}

static bool begin_tlb(struct sm *s) {
    u32 pages = s->board->tlb.pages;
    return !pages || cache_init(&s->tlb, (u64)pages * LINE_BYTES, pages, replacement_LRU, &s->arena);
}

u64 sm_sleep(const struct sm *s, const struct warp *w, u32 pc) {
    enum { LONGEST = 1000 * 1000 };
    const struct uop *u = &s->run.code[pc];
    const u32 *ns = w->base[u->bsel] + u->b;
    u64 most = 0;
    for (u64 left = w->exec; left; left &= left - 1)
        most = max_u64(min_u64(ns[first_lane(left)], LONGEST), most);
    return max_u64((most * s->board->clock_mhz + 999) / 1000, 1);
}

void sm_gives(struct sm *s, struct core_warp *w, when ready) {
    const u32 pc = w->warp->pc - 1;
    const struct timing_inst *t = &s->timing->inst[pc];
    if (!s->run.code[pc].reduces)
        return;
    for (u32 i = 0; i < t->writes; i++)
        w->slot[t->write[i]] = ready;
    if (s->record && ready < WHEN_NEVER)
        record_joined(s, w, when_time(ready));
}

bool sm_begin(struct sm *s, const struct sm_plan *plan, u32 index) {
    s->begun = true;
    s->timing = plan->timing;
    s->board = plan->timing->board;
    s->index = index;
    s->run = *plan->run;
    s->record = plan->record ? &plan->record[index] : NULL;
    s->arena.budget = s->pool.arena.budget = plan->run->launch->budget;
    s->placer = placer_of(s->board);
    s->allocations = plan->allocations;
    s->ends = plan->ends;
    s->run.fault = &s->fault;
    s->run.effect = &s->effect;
    s->run.writes = &s->writes;
    s->run.clock_mhz = s->board->clock_mhz;
    s->run.issues = s->run.idle = NULL;
    s->printed.lines.budget = s->printed.texts.budget = s->arena.budget;
    s->run.printed = plan->run->launch->printed ? &s->printed : NULL;
    for (u32 c = 0; c < SUB_CORES_MAX; c++)
        s->next[c] = TIME_NEVER;
    s->fresh_next = TIME_NEVER;
    s->free_load = s->free_miss = s->free_waiter = s->free_access = NONE;
    s->first_access = s->last_access = NONE;
    s->counters.traffic = arena_alloc(&s->arena, plan->allocations * sizeof *s->counters.traffic);
    return s->counters.traffic && begin_warps(s) && begin_blocks(s, plan->blocks) &&
           cache_init(&s->l1, plan->l1_bytes, s->board->l1.ways, s->board->l1.replacement, &s->arena) && begin_tlb(s) &&
           fetch_begin(s) && writes_init(&s->writes, s->arena.budget);
}

void sm_end(struct sm *s) {
    if (!s->begun)
        return;
    buf_free(&s->out);
    buf_free(&s->releases);
    buf_free(&s->loads);
    buf_free(&s->misses);
    buf_free(&s->waiters);
    buf_free(&s->accesses);
    buf_free(&s->mail);
    buf_free(&s->inbox);
    writes_free(&s->writes);
    printed_free(&s->printed);
    deferred_pool_free(&s->pool);
    arena_free(&s->arena);
}

bool sm_is_drained(const struct sm *s) {
    return s->taken == 0 && s->first_access == NONE && s->counters.noc.requests == s->counters.noc.replies;
}

bool sm_take(struct sm *s, const struct sm_plan *plan, u64 at) {
    const u32 index = s->index;
    sm_end(s);
    *s = (struct sm){.since = at};
    if (!sm_begin(s, plan, index))
        return false;
    for (u32 i = 0; i < s->blocks; i++)
        s->block[i].end = at;
    s->room = at;
    return true;
}

/* ---- blocks ---- */

/* A free place for a warp, on the sub-core that has fewest. */
static struct core_warp *free_warp(struct sm *s) {
    u32 cores = s->board->sm.sub_cores, best = 0;
    for (u32 c = 1; c < cores; c++)
        if (s->sub_core[c].resident < s->sub_core[best].resident)
            best = c;
    u64 left = ~s->sub_core[best].held;
    u32 place = left ? first_lane(left) : PLACES_MAX, i = best + place * cores;
    if (place == PLACES_MAX || i >= s->board->sm.max_warps)
        BUG("no place for a warp of a block that fits");
    return &s->warp[i];
}

static void start_warp(struct sm *s, struct warp *warp, u32 block, u64 at) {
    struct core_warp *w = free_warp(s);
    struct sub_core *c = &s->sub_core[w->sub_core];
    if (c->resident++ == 0)
        c->resident_since = at;
    c->held |= (u64)1 << w->place;
    w->warp = warp;
    w->block = block;
    w->since = at;
    w->age = c->age[w->place] = ++s->starts;
    w->shared_done = 0;
    w->fence_left = w->late = 0;
    w->last_pc = NONE;
    w->gate = when_of(at, STALL_NO_INSTRUCTION);
    memset(w->slot, 0, s->timing->slots * sizeof *w->slot);
    s->counters.sm.warps++;
    if (s->record)
        record_begin(s, w, at);
    sm_reconsider(s, w);
}

/* The free place, the one that has been free for longest. */
static u32 first_place(const struct sm *s) {
    u32 first = 0;
    for (u32 i = 1; i < s->blocks; i++)
        if (s->block[i].end < s->block[first].end)
            first = i;
    return first;
}

bool sm_start(struct sm *s, u64 n, u64 at) {
    u32 i = first_place(s);
    struct core_block *b = &s->block[i];
    struct block *block = b->block ? b->block : block_new(&s->run, &s->arena);
    if (!block)
        return false;
    u64 writes = b->write_seq;
    *b = (struct core_block){.block = block, .write_seq = writes, .first_write = writes, .end = TIME_NEVER};
    b->number = n;
    b->start = at;
    s->taken++;
    s->room = s->block[first_place(s)].end;
    s->fresh[s->fresh_count++] = i;
    s->fresh_next = min_u64(at, s->fresh_next);
    return true;
}

static void start_block(struct sm *s, u32 i) {
    struct core_block *b = &s->block[i];
    block_start(&s->run, b->block, b->number);
    b->block->sm = s->index;
    s->now = b->start;
    s->counters.sm.blocks++;
    if (s->resident++ == 0) /* or before the last one counted has ended */
        s->active_since = max_u64(b->start, s->active_until);
    for (u32 k = 0; k < b->block->warps; k++)
        start_warp(s, &b->block->warp[k], i, b->start);
}

void sm_make_resident(struct sm *s, u64 time) {
    u32 left = 0;
    s->fresh_next = TIME_NEVER;
    for (u32 k = 0; k < s->fresh_count; k++) {
        u32 i = s->fresh[k];
        u64 start = s->block[i].start;
        if (start <= time) {
            start_block(s, i);
        } else {
            s->fresh[left++] = i;
            s->fresh_next = min_u64(start, s->fresh_next);
        }
    }
    s->fresh_count = left;
}

/* ---- time ---- */

static u64 next_issue(const struct sm *s) {
    u64 next = TIME_NEVER;
    for (u32 c = 0; c < SUB_CORES_MAX; c++)
        next = min_u64(s->next[c], next);
    return next;
}

u64 sm_next(const struct sm *s) {
    const struct reply *r = (const struct reply *)(const void *)s->inbox.data;
    if (!s->begun || s->fault.kind != FAULT_NONE)
        return TIME_NEVER;
    u64 next = next_issue(s);
    next = min_u64(s->fresh_next, next);
    const struct order_key *mail = (const struct order_key *)(const void *)s->mail.data;
    if (s->inbox.len && r->time < next)
        next = r->time;
    for (size_t i = 0; i < s->mail.len / sizeof *mail; i++)
        next = min_u64(mail[i].time, next);
    return next;
}

void sm_deliver(struct sm *s, const struct reply *r) {
    s->no_memory |= !order_add(&s->mail, order_of_reply(r));
}

static void sort_mail(struct sm *s) {
    size_t n = s->mail.len / sizeof(struct order_key);
    const struct order_key *key = order_sort(&s->mail);
    s->no_memory |= n && (!key || !order_merge(&s->inbox, sizeof(struct reply), order_of_reply, key, n));
    s->mail.len = 0;
}

static void issue_cycle(struct sm *s, u64 now) {
    s->now = now;
    for (u32 c = 0; c < SUB_CORES_MAX; c++)
        if (s->next[c] <= now)
            sub_core_cycle(s, c, now);
}

/* Starts of blocks, replies and issues in the order of time, and in this one: it does not matter where windows end. */
void sm_run(struct sm *s, u64 end) {
    sort_mail(s);
    struct reply *r = (struct reply *)(void *)s->inbox.data;
    u32 n = (u32)(s->inbox.len / sizeof *r), taken = 0;
    s->out.len = 0;
    l1_prefetch(s, r, n);
    while (s->fault.kind == FAULT_NONE && !s->no_memory) {
        u64 now = next_issue(s), reply = taken < n ? r[taken].time : TIME_NEVER;
        if (s->fresh_next < end && s->fresh_next <= min_u64(reply, now)) {
            sm_make_resident(s, s->fresh_next);
        } else if (reply < end && reply <= now) {
            l1_reply(s, &r[taken++]);
            l1_retry(s);
        } else if (now < end) {
            issue_cycle(s, now);
        } else {
            break;
        }
    }
    if (n)
        memmove(r, r + taken, (n - taken) * sizeof *r);
    s->inbox.len = (n - taken) * sizeof *r;
}

void sm_close(struct sm *s, const struct board_sm *b, u64 end) {
    struct sm_counters *n = &s->counters.sm;
    if (s->begun && !s->line)
        BUG("an SM that has blocks was in no window");
    u64 occupied = n->slots_vacant * b->issue_width;
    for (u32 i = 0; i < b->max_warps && s->begun; i++) {
        struct core_warp *w = &s->warp[i];
        if (w->warp && when_time(w->next) > w->since)
            sm_charge(s, w, end, when_why(w->next));
    }
    for (u32 k = 0; k < STALL_COUNT; k++)
        n->warp_cycles += s->counters.stall[k];
    n->slots = (end - s->since) * b->sub_cores * b->issue_width;
    n->slots_vacant = n->slots - occupied;
    n->slots_stalled = occupied - n->slots_issued - n->slots_routine;
}
