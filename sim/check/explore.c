#include "sim/check/explore.h"

#include <string.h>

#include "sim/check/spin.h"

/* A place where a warp was chosen. Sets of warps are bits. */
struct node {
    u64 ready;     /* could take a turn */
    u64 backtrack; /* chosen before, now or later */
    u64 done;      /* need not be chosen: they were, or all that would follow was seen elsewhere */
    u8 warp;       /* chosen */
};

struct explore {
    const struct explore_setup *setup;
    struct explore_result *result;
    struct arena arena;
    struct launch launch;
    struct chooser chooser;
    struct memory memory; /* copies */
    u8 **first;           /* of each allocation: its bytes after the first order */
    struct buf nodes;     /* of the present order */
    struct buf before;    /* u8: the warps that the order before it chose */
    u32 forced;           /* nodes whose choice is made; the last of them is new */
    bool replaying;       /* the nodes' choices, and nothing else */
    /* the run */
    struct warps warps;
    struct trace trace;
    u32 depth;          /* nodes passed */
    u32 current;        /* warp whose turn it is; EXPLORE_WARPS: none */
    u64 fresh;          /* warps whose next turn is known */
    u64 waited;         /* warps that wait at the barrier that the turn arrives at */
    bool abandoned;     /* no warp that could run needs to */
    bool failed;        /* out of memory */
    struct fault fault; /* first of the run */
    u32 generation[EXPLORE_WARPS][BARRIER_COUNT];
    struct turn next[EXPLORE_WARPS];
    struct spin spin[EXPLORE_WARPS];
};

static u64 bit(u32 warp) {
    return (u64)1 << warp;
}

BUF_LIST(node, struct explore, nodes, struct node)

/* ---- which orders are left ---- */

/*
 * Plans a run that takes the turn of `warp` before event i: they conflict, and nothing orders them. Such a run chooses,
 * where i was chosen, a warp that can begin what followed i and did not depend on it (an initial).
 */
static void reverse(struct explore *x, u32 i, u32 warp) {
    const struct trace *t = &x->trace;
    const struct event *early = trace_at(t, i);
    struct node *n = node_at(x, i);
    u32 began[EXPLORE_WARPS] = {0}; /* first turn of each warp that does not depend on i */
    u64 initials = 0, seen = 0;
    for (u32 k = i + 1; k <= trace_count(t); k++) {
        bool last = k == trace_count(t);
        const u32 *clock = last ? t->joined : trace_clock(t, k);
        u32 who = last ? warp : trace_at(t, k)->warp;
        if ((!last && clock[early->warp] >= early->turn) || seen & bit(who))
            continue;
        bool initial = true;
        for (u64 left = seen; left && initial; left &= left - 1)
            initial = clock[first_lane(left)] < began[first_lane(left)];
        began[who] = clock[who];
        seen |= bit(who);
        initials |= initial ? bit(who) : 0;
        if (initials & (n->backtrack | n->done))
            return;
    }
    initials &= n->ready;
    if (initials)
        n->backtrack |= bit(first_lane(initials));
}

/* The pairs that end with the turn that trace_depends was given. */
static void reverse_all(struct explore *x, u32 warp) {
    const u32 *found = (const u32 *)(const void *)x->trace.found.data;
    for (u32 k = 0; k < x->trace.found.len / sizeof *found; k++)
        reverse(x, found[k], warp);
}

/* Warps that need not be chosen now: they needed not at the node before, and its turn changed nothing for them. */
static u64 inherit(const struct explore *x) {
    u64 kept = 0;
    if (x->depth == 0)
        return 0;
    const struct node *n = node_at(x, x->depth - 1);
    const struct event *e = trace_at(&x->trace, x->depth - 1);
    for (u64 left = n->done & ~bit(n->warp); left; left &= left - 1)
        if (!trace_conflicts(&x->trace, &x->next[first_lane(left)], e))
            kept |= bit(first_lane(left));
    return kept;
}

/* Returns to the last node where another warp is to be chosen, and chooses it; false when there is none. */
static bool backtrack(struct explore *x) {
    for (u32 i = node_count(x); i-- > 0;) {
        struct node *n = node_at(x, i);
        n->done |= bit(n->warp);
        if (!(n->backtrack & ~n->done))
            continue;
        n->warp = (u8)first_lane(n->backtrack & ~n->done);
        x->nodes.len = (i + 1) * sizeof *n;
        x->forced = i + 1;
        return true;
    }
    return false;
}

/* ---- turns ---- */

/* True if the arrival does not agree with earlier ones, which the machine will report as a fault. */
static bool barrier_refuses(const struct warp *w, const struct turn *t) {
    const struct barrier *bar = &w->block->barrier[t->barrier];
    return (bar->expected && bar->expected != t->expected) || bar->who[w->index / 64] >> w->index % 64 & 1;
}

/* Computes what the warp will do next, and what it waits for, if it does so in a loop. */
static void look_ahead(struct explore *x, u32 i) {
    const struct spin *s = &x->spin[i];
    struct turn *t = &x->next[i];
    turn_next(x->warps.at[i], i / x->warps.each, t);
    for (u32 k = 0; k < s->count && s->waits && t->way != WAY_NOTHING; k++)
        turn_add(t, (struct touch){s->read[k].at, s->read[k].bytes, (u8)first_lane(x->warps.at[i]->active)});
    x->fresh |= bit(i);
}

/* The warps of the block that wait at a barrier. */
static u64 waiting_at(const struct explore *x, u64 block, u8 barrier) {
    u64 who = 0;
    for (u32 k = 0; k < x->warps.each; k++) {
        u32 i = (u32)block * x->warps.each + k;
        who |= x->warps.at[i]->waiting == barrier + 1 ? bit(i) : 0;
    }
    return who;
}

static void begin_turn(struct explore *x, u32 i) {
    struct turn *t = &x->next[i];
    if (t->way == WAY_BARRIER) {
        t->generation = x->generation[t->block][t->barrier];
        t->faulted = barrier_refuses(x->warps.at[i], t);
        x->waited = waiting_at(x, t->block, t->barrier);
    }
    trace_depends(&x->trace, i, t);
    if (!x->replaying && x->depth + 1 >= x->forced)
        reverse_all(x, i);
    trace_add(&x->trace, i, t);
    spin_before(&x->spin[i], t, &x->warps);
    x->current = i;
    x->depth++;
    x->failed |= x->trace.failed;
}

static void end_turn(struct explore *x) {
    const u32 i = x->current;
    const struct turn *t = &x->next[i];
    const struct warp *w = x->warps.at[i];
    x->current = EXPLORE_WARPS;
    x->fresh &= ~bit(i);
    spin_after(&x->spin[i], w, t, &x->warps);
    if (t->way == WAY_BARRIER && !t->faulted && w->block->barrier[t->barrier].arrived == 0) {
        x->generation[t->block][t->barrier]++;
        trace_release(&x->trace, x->waited | (t->waits ? bit(i) : 0));
    }
    x->failed |= x->trace.failed;
}

/* ---- the next warp ---- */

static bool can_run(const struct warp *w) {
    return !w->done && !w->waiting;
}

static u64 ready_warps(const struct explore *x) {
    u64 ready = 0;
    for (u32 i = 0; i < x->warps.count; i++) {
        const struct spin *s = &x->spin[i];
        if (can_run(x->warps.at[i]) && !(s->waits && spin_unchanged(s, &x->warps)))
            ready |= bit(i);
    }
    return ready;
}

/* Plans other orders for warps that wait in a loop for ever: they might have read something else before. */
static void reverse_for_waiting(struct explore *x) {
    for (u32 i = 0; i < x->warps.count; i++)
        if (can_run(x->warps.at[i]) && !x->replaying) {
            trace_depends(&x->trace, i, &x->next[i]);
            reverse_all(x, i);
        }
}

/* Handles that no warp can run: those that do not wait at barriers do so in loops. */
static void waits_for_ever(struct explore *x) {
    u32 i = 0;
    while (i < x->warps.count && !can_run(x->warps.at[i]))
        i++;
    if (i == x->warps.count || x->fault.kind != FAULT_NONE)
        return;
    const struct warp *w = x->warps.at[i];
    x->fault = (struct fault){.kind = FAULT_DEADLOCK,
                              .pc = w->pc,
                              .warp = w->index,
                              .lane = first_lane(w->active),
                              .space = SPACE_COUNT,
                              .detail = "it waits in a loop for memory to change, and no warp that is left changes it"};
    memcpy(x->fault.block, w->block->index, sizeof x->fault.block);
}

/* The warp that takes the next turn, or EXPLORE_WARPS. The same one as long as it can, as the machine does. */
static u32 pick(struct explore *x, u64 ready) {
    if (x->depth < node_count(x))
        return node_at(x, x->depth)->warp;
    u64 done = x->replaying ? ~(u64)0 : inherit(x), open = ready & ~done;
    x->abandoned = ready && !open && !x->replaying;
    if (!ready) {
        reverse_for_waiting(x);
        waits_for_ever(x);
    }
    if (!open || x->depth == EXPLORE_TURNS)
        return EXPLORE_WARPS;
    u32 last = x->depth ? node_at(x, x->depth - 1)->warp : 0, i = open & bit(last) ? last : first_lane(open);
    struct node *n = buf_push(&x->nodes, sizeof *n);
    x->failed |= !n;
    if (n)
        *n = (struct node){.ready = ready, .backtrack = bit(i), .done = done, .warp = (u8)i};
    return n ? i : EXPLORE_WARPS;
}

static void meet_warps(struct explore *x, struct block *const *resident, u32 count) {
    x->warps.each = resident[0]->warps;
    x->warps.count = count * x->warps.each;
    for (u32 i = 0; i < x->warps.count; i++)
        x->warps.at[i] = &resident[i / x->warps.each]->warp[i % x->warps.each];
    trace_begin(&x->trace, x->warps.count);
}

static struct warp *choose(void *ctx, struct block *const *resident, u32 count) {
    struct explore *x = ctx;
    if (!x->warps.count)
        meet_warps(x, resident, count);
    if (x->current < EXPLORE_WARPS)
        end_turn(x);
    for (u32 i = 0; i < x->warps.count; i++) {
        struct warp *w = x->warps.at[i];
        if (!can_run(w) || x->fresh & bit(i))
            continue;
        if (!turn_visible(w))
            return w; /* choices up to a warp's next turn concern no other warp */
        look_ahead(x, i);
    }
    u32 i = x->failed ? EXPLORE_WARPS : pick(x, ready_warps(x));
    if (i == EXPLORE_WARPS)
        return NULL;
    begin_turn(x, i);
    return x->warps.at[i];
}

static bool ends(void *ctx, struct warp *w) {
    (void)ctx;
    return turn_visible(w);
}

/* Keeps the first fault of an order; the others run on, because in another order they may be first. */
static bool survives(void *ctx, const struct warp *w) {
    struct explore *x = ctx;
    if (x->fault.kind == FAULT_NONE)
        x->fault = *w->run->fault;
    if (x->current < EXPLORE_WARPS && !x->failed && x->next[x->current].pc == w->run->fault->pc) {
        x->next[x->current].faulted = true;
        trace_at(&x->trace, trace_count(&x->trace) - 1)->faulted = true;
    }
    return true;
}

static void begin(void *ctx) {
    struct explore *x = ctx;
    x->warps.count = 0;
    x->depth = 0;
    x->current = EXPLORE_WARPS;
    x->fresh = 0;
    x->abandoned = false;
    x->fault = (struct fault){0};
    memset(x->generation, 0, sizeof x->generation);
    memset(x->spin, 0, sizeof x->spin);
}

/* ---- one order ---- */

/* Runs the launch with the nodes' choices. */
static enum outcome run_order(struct explore *x) {
    const struct memory *from = x->setup->launch->memory;
    const struct explore_watch *watch = &x->setup->watch;
    bool watched = watch->before && !x->replaying;
    struct fault fault;
    for (u32 i = 0; i < from->count; i++)
        if (from->list[i].size)
            memcpy(x->memory.list[i].bytes, from->list[i].bytes, from->list[i].size);
    const struct launch *l = watched ? watch->before(watch->ctx, &x->launch) : &x->launch;
    enum outcome o = l ? machine_run(l, &fault) : RUN_NO_MEMORY;
    bool limit = o == RUN_FAULT && fault.kind == FAULT_LIMIT;
    if (o == RUN_FAULT && !limit && x->fault.kind == FAULT_NONE)
        x->fault = fault;
    if (o == RUN_NO_MEMORY || x->failed || (watched && !watch->after(watch->ctx, &x->fault)))
        return RUN_NO_MEMORY;
    if (x->abandoned)
        return RUN_OK;
    return limit || (o == RUN_STOPPED && x->depth == EXPLORE_TURNS) ? RUN_STOPPED : RUN_OK;
}

/* ---- all orders ---- */

/* Keeps the first order, which the others are compared with. */
static void keep_first(struct explore *x) {
    x->result->first = x->fault;
    for (u32 i = 0; i < x->memory.count; i++)
        if (x->memory.list[i].size)
            memcpy(x->first[i], x->memory.list[i].bytes, x->memory.list[i].size);
}

/* True if the order left the same as the first one; else the first byte of the result that differs is kept. */
static bool same_as_first(struct explore *x) {
    struct explore_result *r = x->result;
    bool faults = x->fault.kind != FAULT_NONE;
    if (faults || r->first.kind != FAULT_NONE)
        return faults == (r->first.kind != FAULT_NONE);
    for (u32 i = 0; i < x->memory.count; i++) {
        const struct allocation *a = &x->memory.list[i];
        u64 k = 0;
        if (!a->size || memcmp(a->bytes, x->first[i], a->size) == 0)
            continue;
        while (a->bytes[k] == x->first[i][k])
            k++;
        r->byte = true;
        r->allocation = i;
        r->offset = k;
        return false;
    }
    return true;
}

/* Runs the nodes' choices again; keeps what happened in `trace` and the story. */
static enum outcome replay(struct explore *x, struct trace *trace, struct explore_story *story) {
    const struct explore_result *r = x->result;
    enum outcome o = run_order(x);
    story->fault = x->fault;
    *trace = x->trace;
    x->trace = (struct trace){0};
    if (o == RUN_OK && r->byte) {
        const struct allocation *a = &x->memory.list[r->allocation];
        u64 from = r->offset / sizeof story->bytes * sizeof story->bytes, left = a->size - from;
        memcpy(story->bytes, a->bytes + from, left < sizeof story->bytes ? left : sizeof story->bytes);
    }
    return o;
}

/* Finds the story: the order before the present one left the same as the first, so these two differ by few turns. */
static enum outcome tell(struct explore *x) {
    struct explore_result *r = x->result;
    struct trace trace[2] = {{0}};
    struct buf now = x->nodes;
    x->nodes = (struct buf){0};
    for (size_t i = 0; i < x->before.len; i++) {
        struct node *n = buf_push(&x->nodes, sizeof *n);
        x->failed |= !n;
        if (n)
            n->warp = (u8)x->before.data[i];
    }
    x->replaying = true;
    enum outcome o = x->failed ? RUN_NO_MEMORY : replay(x, &trace[0], &r->story[0]);
    buf_free(&x->nodes);
    x->nodes = now;
    if (o == RUN_OK)
        o = replay(x, &trace[1], &r->story[1]);
    u64 at = r->byte ? x->memory.list[r->allocation].base + r->offset : 0;
    if (o == RUN_OK)
        story_tell(trace, &x->launch, at, r->story);
    trace_free(&trace[0]);
    trace_free(&trace[1]);
    return o;
}

/* The order has been run. */
static enum outcome judge(struct explore *x) {
    struct explore_result *r = x->result;
    if (x->abandoned) {
        r->abandoned++;
        return RUN_OK;
    }
    if (x->setup->each)
        x->setup->each(x->setup->each_ctx, &x->memory, &x->fault);
    if (r->orders++ == 0)
        keep_first(x);
    r->same = same_as_first(x) && r->same;
    if (!r->same && !x->setup->each)
        return tell(x);
    x->before.len = 0;
    for (u32 i = 0; i < node_count(x); i++)
        buf_putc(&x->before, (char)node_at(x, i)->warp);
    return x->before.failed ? RUN_NO_MEMORY : RUN_OK;
}

static bool copy_launch(struct explore *x) {
    const struct launch *l = x->setup->launch;
    const struct memory *from = l->memory;
    x->launch = *l;
    x->launch.memory = &x->memory;
    x->launch.chooser = &x->chooser;
    x->launch.progress = NULL;
    x->launch.issues = arena_alloc(&x->arena, l->program->ninst * sizeof *l->issues);
    x->launch.lanes = arena_alloc(&x->arena, l->program->ninst * sizeof *l->lanes);
    if (!l->max_instructions || l->max_instructions > EXPLORE_INSTRUCTIONS)
        x->launch.max_instructions = EXPLORE_INSTRUCTIONS;
    x->chooser = (struct chooser){begin, choose, ends, survives, x};
    buf_append(&x->memory.store, from->list, from->count * sizeof *from->list);
    x->memory.list = (struct allocation *)(void *)x->memory.store.data;
    x->memory.count = x->memory.store.failed ? 0 : from->count;
    x->first = arena_alloc(&x->arena, from->count * sizeof *x->first);
    bool ok = x->launch.issues && x->launch.lanes && x->first && !x->memory.store.failed;
    for (u32 i = 0; i < x->memory.count && ok; i++) {
        x->memory.list[i].bytes = arena_alloc(&x->arena, from->list[i].size);
        x->first[i] = arena_alloc(&x->arena, from->list[i].size);
        ok = x->memory.list[i].bytes && x->first[i];
    }
    return ok;
}

static enum outcome run_orders(struct explore *x) {
    const struct explore_setup *s = x->setup;
    struct explore_result *r = x->result;
    bool more = true;
    r->same = true;
    while (more && (r->same || s->each) && r->orders + r->abandoned < s->bound) {
        enum outcome o = run_order(x);
        if (o == RUN_STOPPED) {
            r->too_long = true;
            return RUN_OK;
        }
        if (o == RUN_OK)
            o = judge(x);
        if (o != RUN_OK)
            return o;
        if (s->progress && !s->progress(s->progress_ctx, (double)(r->orders + r->abandoned) / (double)s->bound))
            return RUN_STOPPED;
        more = backtrack(x);
    }
    r->all = !more;
    return RUN_OK;
}

enum outcome explore_run(const struct explore_setup *setup, struct explore_result *r) {
    const struct launch *l = setup->launch;
    u64 threads = (u64)l->block[0] * l->block[1] * l->block[2], blocks = (u64)l->grid[0] * l->grid[1] * l->grid[2];
    struct arena arena = {.budget = l->budget};
    *r = (struct explore_result){0};
    if (blocks > EXPLORE_WARPS || blocks * ((threads + l->width - 1) / l->width) > EXPLORE_WARPS)
        return RUN_FAULT;
    struct explore *x = arena_alloc(&arena, sizeof *x);
    enum outcome o = RUN_NO_MEMORY;
    if (x) {
        x->setup = setup;
        x->arena.budget = l->budget;
        x->result = r;
        if (copy_launch(x))
            o = run_orders(x);
        trace_free(&x->trace);
        buf_free(&x->nodes);
        buf_free(&x->before);
        buf_free(&x->memory.store);
        arena_free(&x->arena);
    }
    arena_free(&arena);
    return o;
}
