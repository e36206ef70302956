#include "sim/gpu/gpu.h"

#include <string.h>

#include "sim/gpu/flight.h"
#include "sim/time/order.h"

_Static_assert((int)BOARD_MAX_top_max_threads_per_block <= BLOCK_THREADS_MAX, "the machine has room for every block");

/* ---- its parts ---- */

struct gpu *gpu_new(const struct board *b) {
    struct arena arena = {0};
    struct gpu *g = arena_alloc(&arena, sizeof *g);
    if (!g)
        return NULL;
    g->board = *b;
    g->station = arena_alloc(&arena, b->dram.channels * sizeof *g->station);
    bool ok = g->station != NULL;
    for (u32 i = 0; ok && i < b->dram.channels; i++) {
        struct station *s = &g->station[i];
        s->partition = partition_new(&g->board, i);
        ok = s->partition != NULL;
    }
    g->arena = arena;
    if (ok)
        return g;
    gpu_free(g);
    return NULL;
}

static void forget_launch(struct gpu *g) {
    for (u32 i = 0; g->sm && i < g->board.sms; i++)
        sm_end(&g->sm[i]);
    g->sm = NULL;
    arena_free(&g->launch_arena);
}

void gpu_free(struct gpu *g) {
    if (!g)
        return;
    forget_launch(g);
    for (u32 i = 0; g->station && i < g->board.dram.channels; i++) {
        struct station *s = &g->station[i];
        partition_free(s->partition);
        buf_free(&s->mail);
        buf_free(&s->waiting);
        buf_free(&s->replies);
    }
    buf_free(&g->bases);
    struct arena arena = g->arena; /* which holds g */
    arena_free(&arena);
}

u32 flight_workers(const struct flight *f) {
    return f->options->pool.run ? f->options->pool.workers : 1;
}

/* ---- the start ---- */

/* Lines of L2 are charged to allocations by number. Those of buffers that are gone count as nobody's, as local ones. */
static bool recharge(struct gpu *g, const struct memory *m) {
    const u64 *base = (const u64 *)(const void *)g->bases.data;
    u32 count = (u32)(g->bases.len / sizeof *base), *to = arena_alloc(&g->launch_arena, (count + 1) * sizeof *to);
    bool same = count == m->count;
    if (!to)
        return false;
    for (u32 i = 0; i < count; i++) {
        const struct allocation *a = memory_find(m, base[i]);
        to[i] = a ? (u32)(a - m->list) : m->count;
        same = same && to[i] == i;
    }
    to[count] = m->count;
    for (u32 i = 0; i < g->board.dram.channels && !same; i++)
        partition_recharge(g->station[i].partition, to);
    return true;
}

static bool remember(struct buf *bases, const struct memory *m) {
    bases->len = 0;
    for (u32 i = 0; i < m->count; i++)
        buf_append(bases, &m->list[i].base, sizeof m->list[i].base);
    return !bases->failed;
}

static bool begin_stations(struct flight *f) {
    struct gpu *g = f->gpu;
    bool warm = f->options->warm && g->used;
    if ((warm && !recharge(g, f->launch->memory)) || !remember(&g->bases, f->launch->memory))
        return false;
    for (u32 i = 0; i < g->board.dram.channels; i++) {
        struct station *s = &g->station[i];
        struct traffic *traffic = arena_alloc(&g->launch_arena, f->allocations * sizeof *traffic);
        if (!traffic)
            return false;
        s->counters = (struct partition_counters){.traffic = traffic};
        s->mail.len = s->waiting.len = s->replies.len = 0;
        partition_reset(s->partition, &s->counters, warm);
    }
    return true;
}

static bool begin(struct flight *f, struct fault *fault) {
    struct gpu *g = f->gpu;
    const struct launch *l = f->launch;
    struct arena *arena = &g->launch_arena;
    f->allocations = l->memory->count + 1;
    f->occupancy = occupancy_of(&g->board, l);
    f->blocks = (u64)l->grid[0] * l->grid[1] * l->grid[2];
    f->lead = g->board.l1.latency / 2 + g->board.noc.latency;
    f->window = f->lead + partition_shortest(&g->board);
    g->line = arena_alloc(arena, (size_t)flight_workers(f) * l->program->ninst * sizeof *g->line);
    g->sm = arena_alloc(arena, g->board.sms * sizeof *g->sm);
    g->core = arena_alloc(arena, g->board.sms * sizeof *g->core);
    g->traffic = arena_alloc(arena, f->allocations * sizeof *g->traffic);
    g->name = arena_alloc(arena, f->allocations * sizeof *g->name);
    if (!g->line || !g->sm || !g->core || !g->traffic || !g->name || !begin_stations(f) ||
        !run_begin(&f->run, l, fault, arena) ||
        !timing_init(&f->timing, &g->board, l->program, l->kernel, l->width, arena))
        return false;
    f->plan = (struct sm_plan){&f->timing, &f->run, f->occupancy.blocks, f->occupancy.l1_bytes, f->allocations};
    return true;
}

/* ---- blocks ---- */

/* The SM for the next block, or NULL. */
static struct sm *choose_sm(struct flight *f) {
    struct gpu *g = f->gpu;
    struct sm *best = NULL;
    for (u32 i = 0; i < g->board.sms; i++) {
        struct sm *s = &g->sm[i];
        if (s->resident >= f->occupancy.blocks)
            continue;
        switch (g->board.launch.dispatch) {
        case dispatch_FILL: return s;
        case dispatch_SPREAD: best = best && best->resident <= s->resident ? best : s; break;
        }
    }
    return best;
}

static bool dispatch(struct flight *f, u64 at) {
    struct sm *s;
    while (f->next < f->blocks && (s = choose_sm(f)) != NULL)
        if ((!s->begun && !sm_begin(s, &f->plan, (u32)(s - f->gpu->sm))) || !sm_start(s, f->next++, at))
            return false;
    return true;
}

/* ---- a window ---- */

static void run_sm(void *arg, u32 i, u32 worker) {
    struct flight *f = arg;
    struct gpu *g = f->gpu;
    struct sm *s = &g->sm[i];
    if (!s->begun)
        return;
    s->line = g->line + (size_t)worker * f->launch->program->ninst;
    sm_run(s, f->end);
}

/* Takes what all SMs have sent to the partition; returns the number of requests that are due. */
static u32 gather(struct flight *f, struct station *s) {
    size_t sent = s->mail.len / sizeof(struct order_key);
    const struct order_key *key = order_sort(&s->mail);
    s->no_memory |= sent && (!key || !order_merge(&s->waiting, sizeof(struct request), order_of_request, key, sent));
    s->mail.len = 0;
    const struct request *r = (const struct request *)(const void *)s->waiting.data;
    u32 n = (u32)(s->waiting.len / sizeof *r), due = 0;
    while (due < n && r[due].time < f->horizon)
        due++;
    return due;
}

static void run_station(void *arg, u32 i, u32 worker) {
    struct flight *f = arg;
    struct station *s = &f->gpu->station[i];
    (void)worker;
    u32 due = gather(f, s);
    struct request *r = (struct request *)(void *)s->waiting.data;
    s->replies.len = 0;
    s->no_memory |= !partition_run(s->partition, r, due, f->horizon, &s->replies);
    if (due) {
        memmove(r, r + due, s->waiting.len - due * sizeof *r);
        s->waiting.len -= due * sizeof *r;
    }
}

/*
 * Between the two halves of a window, messages change hands; they stay where they were sent until their receiver sorts
 * them in. Done by one thread, because a queue for each pair of SM and partition, which two could fill and empty
 * without meeting, is 2560 queues on `v100`, with a message each in three windows: to look through them cost more.
 */
static void post_requests(struct flight *f) {
    struct gpu *g = f->gpu;
    for (u32 i = 0; i < g->board.sms; i++) {
        const struct request *r = (const struct request *)(const void *)g->sm[i].out.data;
        for (size_t n = g->sm[i].out.len / sizeof *r; n--; r++) {
            struct station *s = &g->station[r->partition];
            s->no_memory |= !order_add(&s->mail, order_of_request(r));
        }
    }
}

static void post_replies(struct flight *f) {
    struct gpu *g = f->gpu;
    for (u32 i = 0; i < g->board.dram.channels; i++) {
        struct reply *r = (struct reply *)(void *)g->station[i].replies.data;
        for (size_t n = g->station[i].replies.len / sizeof *r; n--; r++) {
            r->partition = i;
            sm_deliver(&g->sm[r->sm], r);
        }
    }
}

static void each(struct flight *f, void (*job)(void *arg, u32 i, u32 worker), u32 n) {
    const struct gpu_threads *t = &f->options->pool;
    if (t->run) {
        t->run(t->ctx, job, f, n);
        return;
    }
    for (u32 i = 0; i < n; i++)
        job(f, i, 0);
}

/* The time of the next thing that happens anywhere, seen from the SMs. */
static u64 next_event(const struct flight *f) {
    const struct gpu *g = f->gpu;
    u64 next = TIME_NEVER;
    for (u32 i = 0; i < g->board.sms; i++) {
        u64 at = sm_next(&g->sm[i]);
        next = at < next ? at : next;
    }
    for (u32 i = 0; i < g->board.dram.channels; i++) {
        const struct station *s = &g->station[i];
        const struct request *r = (const struct request *)(const void *)s->waiting.data;
        u64 at = partition_next(s->partition);
        if (s->waiting.len && r[0].time < at)
            at = r[0].time;
        if (at != TIME_NEVER)
            at = at > f->lead ? at - f->lead : 0;
        next = at < next ? at : next;
    }
    return next;
}

/* ---- the end ---- */

/* The first SM to have met a fault; by time, then number. */
static struct sm *faulty(const struct gpu *g) {
    struct sm *first = NULL;
    for (u32 i = 0; i < g->board.sms; i++) {
        struct sm *s = &g->sm[i];
        if (s->fault.kind != FAULT_NONE && (!first || s->fault_time < first->fault_time))
            first = s;
    }
    return first;
}

static bool out_of_memory(const struct gpu *g) {
    bool out = false;
    for (u32 i = 0; i < g->board.sms; i++)
        out |= g->sm[i].no_memory;
    for (u32 i = 0; i < g->board.dram.channels; i++)
        out |= g->station[i].no_memory;
    return out;
}

/* A limit is reached: the fault names a warp that is still there. False when there is none: the end is near. */
static bool limit_fault(const struct flight *f, struct fault *fault) {
    const struct gpu *g = f->gpu;
    for (u32 i = 0; i < g->board.sms; i++) {
        if (g->sm[i].begun)
            sm_settle(&g->sm[i]);
        for (u32 w = 0; w < g->board.sm.max_warps && g->sm[i].begun; w++)
            if (g->sm[i].warp[w].warp) {
                warp_limit_fault(g->sm[i].warp[w].warp, fault);
                fault->timed = true;
                fault->cycle = f->now;
                if (f->options->max_cycles && f->now >= f->options->max_cycles)
                    fault->limit_cycles = f->options->max_cycles;
                return true;
            }
    }
    return false;
}

static u64 issued(const struct gpu *g) {
    u64 n = 0;
    for (u32 i = 0; i < g->board.sms; i++)
        n += g->sm[i].counters.sm.slots_issued;
    return n;
}

static bool over_limit(const struct flight *f) {
    const struct launch *l = f->launch;
    if (f->ended == f->blocks)
        return false;
    return (l->max_instructions && issued(f->gpu) >= l->max_instructions) ||
           (f->options->max_cycles && f->now >= f->options->max_cycles);
}

/*
 * The window that begins with the next event. The one that reaches the limit of cycles ends there, and may be empty.
 * While blocks wait none is longer than the time from a block to the next, or the next would begin late.
 */
static void begin_window(struct flight *f, u64 next) {
    u64 gap = f->gpu->board.launch.block_cycles, most = f->options->max_cycles;
    u64 limit = f->now < most ? most : TIME_NEVER;
    f->now = next > f->now ? next : f->now;
    f->now = limit < f->now ? limit : f->now;
    f->end = f->now + (f->next < f->blocks && gap < f->window ? gap : f->window);
    f->end = limit < f->end ? limit : f->end;
    f->horizon = f->end + f->lead;
}

static void count_ended(struct flight *f) {
    for (u32 i = 0; i < f->gpu->board.sms; i++) {
        f->ended += f->gpu->sm[i].ended;
        f->gpu->sm[i].ended = 0;
    }
}

static enum outcome fly(struct flight *f, struct fault *fault) {
    struct gpu *g = f->gpu;
    const struct launch *l = f->launch;
    if (!dispatch(f, 0))
        return RUN_NO_MEMORY;
    for (;;) {
        u64 next = next_event(f);
        if (next == TIME_NEVER)
            break;
        begin_window(f, next);
        each(f, run_sm, g->board.sms);
        if (out_of_memory(g))
            return RUN_NO_MEMORY;
        const struct sm *bad = faulty(g);
        if (bad) {
            *fault = bad->fault;
            fault->timed = true;
            fault->cycle = bad->fault_time;
            return RUN_FAULT;
        }
        post_requests(f);
        each(f, run_station, g->board.dram.channels);
        post_replies(f);
        if (out_of_memory(g))
            return RUN_NO_MEMORY;
        count_ended(f);
        f->now = f->end;
        if (!dispatch(f, f->now))
            return RUN_NO_MEMORY;
        if (over_limit(f) && limit_fault(f, fault))
            return RUN_FAULT;
        if (l->progress && !l->progress(l->progress_ctx, (double)f->ended / (double)f->blocks))
            return RUN_STOPPED;
    }
    if (f->ended != f->blocks)
        BUG("blocks are left and nothing will ever happen");
    return RUN_OK;
}

enum outcome gpu_run(struct gpu *g, const struct launch *l, const struct gpu_options *o, struct gpu_result *r,
                     struct fault *fault) {
    struct flight f = {.gpu = g, .launch = l, .options = o};
    enum outcome outcome = RUN_NO_MEMORY;
    forget_launch(g);
    *r = (struct gpu_result){0};
    *fault = (struct fault){0};
    if (begin(&f, fault)) {
        outcome = fly(&f, fault);
        g->used = true;
        if (outcome != RUN_NO_MEMORY) /* an SM may be half made, or have met no window */
            flight_results(&f, r);
    }
    return outcome;
}
