#include "sim/gpu/gpu.h"

#include <string.h>

#include "sim/gpu/launch_state.h"
#include "sim/time/order.h"

_Static_assert((int)BOARD_MAX_top_max_threads_per_block <= BLOCK_THREADS_MAX, "the machine has room for every block");

/* ---- its parts ---- */

struct gpu *gpu_new(const struct board *b, struct budget *budget) {
    struct arena arena = {.budget = budget};
    struct gpu *g = arena_alloc(&arena, sizeof *g);
    if (!g)
        return NULL;
    g->board = *b;
    g->launch_arena.budget = budget;
    g->ports = placer_of(b).partitions;
    g->port = arena_alloc(&arena, g->ports * sizeof *g->port);
    g->channel = arena_alloc(&arena, board_buses(&b->dram) * sizeof *g->channel);
    bool ok = g->port != NULL && g->channel != NULL;
    for (u32 i = 0; ok && i < g->ports; i++) {
        struct partition_port *s = &g->port[i];
        s->partition = partition_new(&g->board, i, budget);
        ok = s->partition != NULL;
    }
    g->arena = arena;
    if (ok)
        return g;
    gpu_free(g);
    return NULL;
}

/*
 * `keep`: the next launch is recorded too, in the same memory. Measured on an FMA loop: half of the time of a launch
 * that is recorded for the first time is that of the host, which hands out pages.
 */
static void free_records(struct gpu *g, bool keep) {
    for (u32 i = 0; g->records && i < g->board.sms + g->ports; i++) {
        struct record *r = &g->records[i];
        r->events.len = r->keys.len = 0;
        if (!keep || r->events.failed || r->keys.failed) {
            buf_free(&r->events);
            buf_free(&r->keys);
        }
    }
    g->record = NULL;
}

/* Frees the log of the launch; it stands in the arena of launches. */
static void free_log(struct gpu *g) {
    for (u32 i = 0; g->log && i < board_buses(&g->board.dram); i++) {
        buf_free(&g->log[i].commands);
        buf_free(&g->log[i].requests);
    }
    g->log = NULL;
}

static void free_launch(struct gpu *g) {
    free_log(g);
    for (u32 i = 0; i < g->begun; i++)
        sm_end(&g->sm[i]);
    g->sm = NULL;
    g->begun = 0;
    arena_free(&g->launch_arena);
}

void gpu_free(struct gpu *g) {
    if (!g)
        return;
    free_launch(g);
    free_records(g, false);
    for (u32 i = 0; g->port && i < g->ports; i++) {
        struct partition_port *s = &g->port[i];
        partition_free(s->partition);
        buf_free(&s->mail);
        buf_free(&s->waiting);
        buf_free(&s->replies);
    }
    buf_free(&g->bases);
    struct arena arena = g->arena; /* which holds g */
    arena_free(&arena);
}

u32 launch_workers(const struct launch_state *ls) {
    return ls->options->pool.run ? ls->options->pool.workers : 1;
}

/* ---- the start ---- */

/* Charges lines of L2 to the allocations of this launch, by number; lines of freed buffers to none, as local ones. */
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
    for (u32 i = 0; i < g->ports && !same; i++)
        partition_recharge(g->port[i].partition, to);
    return true;
}

static bool save_bases(struct buf *bases, const struct memory *m) {
    bases->len = 0;
    for (u32 i = 0; i < m->count; i++)
        buf_append(bases, &m->list[i].base, sizeof m->list[i].base);
    return !bases->failed;
}

/* Begins the log of a launch that is logged. */
static bool begin_log(struct launch_state *ls) {
    struct gpu *g = ls->gpu;
    u32 buses = board_buses(&g->board.dram);
    if (ls->options->log && !(g->log = arena_alloc(&g->launch_arena, buses * sizeof *g->log)))
        return false;
    for (u32 i = 0; g->log && i < buses; i++)
        g->log[i].commands.budget = g->log[i].requests.budget = g->launch_arena.budget;
    for (u32 i = 0; i < g->ports; i++)
        partition_log(g->port[i].partition, g->log);
    return true;
}

static bool begin_ports(struct launch_state *ls) {
    struct gpu *g = ls->gpu;
    bool warm = ls->options->warm && g->used, banks = ls->options->dram_banks;
    size_t count = (size_t)board_buses(&g->board.dram) * board_banks(&g->board.dram);
    g->bank = banks ? arena_alloc(&g->launch_arena, count * sizeof *g->bank) : NULL;
    if ((banks && !g->bank) || (warm && !recharge(g, ls->launch->memory)) || !save_bases(&g->bases, ls->launch->memory))
        return false;
    for (u32 i = 0; i < g->ports; i++) {
        struct partition_port *s = &g->port[i];
        struct traffic *traffic = arena_alloc(&g->launch_arena, ls->allocations * sizeof *traffic);
        if (!traffic)
            return false;
        s->counters = (struct partition_counters){.traffic = traffic};
        s->mail.len = s->waiting.len = s->replies.len = 0;
        partition_reset(s->partition, &s->counters, warm);
        if (banks)
            partition_count_banks(s->partition, g->bank);
    }
    return begin_log(ls);
}

/*
 * Gives each SM with blocks the same share of two thirds, each partition one of the rest, whatever the others need: so
 * the order of their needs does not matter. A copy on `v100` takes three quarters on its SMs.
 */
static bool begin_record(struct launch_state *ls, const struct record_span *asked) {
    struct gpu *g = ls->gpu;
    u32 sms = g->board.sms, warps = g->board.sm.max_warps;
    struct record_span of_sm = *asked, of_port = *asked;
    of_port.bytes = asked->bytes / 3 / g->ports;
    const struct gpu_launch *l = &ls->all[0];
    of_sm.late = l->occupancy.warps * record_late_bytes(l->launch->kernel->regs, l->launch->width, asked->from > 0);
    of_sm.bytes = (asked->bytes - asked->bytes / 3) / min_u64(ls->blocks, sms);
    if (!g->records)
        g->records = arena_alloc(&g->arena, (sms + g->ports) * sizeof *g->records);
    g->record = g->records;
    struct record_warp *warp = arena_alloc(&g->launch_arena, (size_t)sms * warps * sizeof *warp);
    if (!g->record || !warp)
        return false;
    for (u32 i = 0; i < sms + g->ports; i++) {
        struct record *r = &g->record[i];
        const struct buf events = r->events, keys = r->keys;
        *r = record_of_span(i < sms ? &of_sm : &of_port, i, ls->launch->budget);
        if (events.data)
            r->events = events;
        if (keys.data)
            r->keys = keys;
    }
    for (u32 i = 0; i < sms; i++)
        g->record[i].warp = warp + (size_t)i * warps;
    for (u32 i = 0; i < g->ports; i++)
        partition_watch(g->port[i].partition, &g->record[sms + i]);
    return true;
}

static bool begin_launch(struct launch_state *ls, struct gpu_launch *l, struct line_counters *line,
                         struct fault *fault) {
    struct gpu *g = ls->gpu;
    struct arena *arena = &g->launch_arena;
    l->launch = l->share->launch;
    l->share->result = (struct gpu_result){0};
    l->share->begin = TIME_NEVER;
    l->share->sm_cycles = 0;
    l->line = line;
    l->blocks = (u64)l->launch->grid[0] * l->launch->grid[1] * l->launch->grid[2];
    l->occupancy = occupancy_of(&g->board, l->launch);
    l->traffic = g->traffic;
    if (ls->launches > 1 && !(l->traffic = arena_alloc(arena, ls->allocations * sizeof *l->traffic)))
        return false;
    if (!run_begin(&l->run, l->launch, fault, arena) || !timing_init(&l->timing, &g->board, l->launch, arena))
        return false;
    l->plan = (struct sm_plan){.timing = &l->timing, .run = &l->run, .blocks = l->occupancy.blocks};
    l->plan.l1_bytes = l->occupancy.l1_bytes;
    l->plan.allocations = ls->allocations;
    return true;
}

/* Adds up what the launches have: instructions, blocks, limits. */
static bool begin_launches(struct launch_state *ls, const struct gpu_shared *shared) {
    struct gpu *g = ls->gpu;
    ls->launches = shared->n;
    ls->all = arena_alloc(&g->launch_arena, shared->n * sizeof *ls->all);
    ls->of = arena_alloc(&g->launch_arena, g->board.sms * sizeof *ls->of);
    bool limited = true;
    for (u32 i = 0; ls->all && i < shared->n; i++) {
        const struct launch *l = shared->share[i].launch;
        ls->all[i].share = &shared->share[i];
        ls->lines += l->program->ninst;
        ls->blocks += (u64)l->grid[0] * l->grid[1] * l->grid[2];
        limited = limited && l->max_instructions;
        u64 left = UINT64_MAX - ls->most_issued;
        ls->most_issued += min_u64(l->max_instructions, left);
    }
    ls->most_issued = limited ? ls->most_issued : 0;
    return ls->all && ls->of;
}

static bool begin(struct launch_state *ls, const struct gpu_shared *shared, struct fault *fault) {
    struct gpu *g = ls->gpu;
    struct arena *arena = &g->launch_arena;
    if (!begin_launches(ls, shared))
        return false;
    ls->allocations = ls->launch->memory->count + 1;
    ls->lead = g->board.l1.latency / 2 + g->board.noc.latency;
    ls->window = ls->lead + partition_shortest(&g->board);
    if (ls->options->window)
        ls->window = min_u64(ls->options->window, ls->window);
    g->line = arena_alloc(arena, (size_t)launch_workers(ls) * ls->lines * sizeof *g->line);
    g->sm = arena_alloc(arena, g->board.sms * sizeof *g->sm);
    g->core = arena_alloc(arena, g->board.sms * sizeof *g->core);
    g->traffic = arena_alloc(arena, ls->allocations * sizeof *g->traffic);
    g->name = arena_alloc(arena, ls->allocations * sizeof *g->name);
    if (!g->line || !g->sm || !g->core || !g->traffic || !g->name || !begin_ports(ls))
        return false;
    struct line_counters *line = g->line;
    bool ok = true;
    for (u32 i = 0; i < ls->launches && ok; line += ls->all[i++].launch->program->ninst)
        ok = begin_launch(ls, &ls->all[i], line, fault);
    if (!ok || (ls->options->record && !begin_record(ls, ls->options->record)))
        return false;
    for (u32 i = 0; i < ls->launches; i++)
        ls->all[i].plan.record = g->record;
    return sample_begin(ls);
}

/* ---- a window ---- */

static void run_sm(void *arg, u32 i, u32 worker) {
    struct launch_state *ls = arg;
    struct gpu *g = ls->gpu;
    struct sm *s = &g->sm[i];
    s->line = ls->of[i]->line + (size_t)worker * ls->lines;
    sm_run(s, ls->end);
}

/* Moves all messages of the SMs to the partition; returns the number of requests that are due. */
static u32 gather(struct launch_state *ls, struct partition_port *s) {
    size_t sent = s->mail.len / sizeof(struct order_key);
    const struct order_key *key = order_sort(&s->mail);
    s->no_memory |= sent && (!key || !order_merge(&s->waiting, sizeof(struct request), order_of_request, key, sent));
    s->mail.len = 0;
    const struct request *r = (const struct request *)(const void *)s->waiting.data;
    u32 n = (u32)(s->waiting.len / sizeof *r), due = 0;
    while (due < n && r[due].time < ls->horizon)
        due++;
    return due;
}

static void run_partition(void *arg, u32 i, u32 worker) {
    struct launch_state *ls = arg;
    struct partition_port *s = &ls->gpu->port[i];
    (void)worker;
    u32 due = gather(ls, s);
    struct request *r = (struct request *)(void *)s->waiting.data;
    s->replies.len = 0;
    s->no_memory |= !partition_run(s->partition, r, due, ls->horizon, &s->replies);
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
static void post_requests(struct launch_state *ls) {
    struct gpu *g = ls->gpu;
    for (u32 i = 0; i < g->begun; i++) {
        const struct request *r = (const struct request *)(const void *)g->sm[i].out.data;
        for (size_t n = g->sm[i].out.len / sizeof *r; n--; r++) {
            struct partition_port *s = &g->port[r->partition];
            s->no_memory |= !order_add(&s->mail, order_of_request(r));
        }
    }
}

static void post_replies(struct launch_state *ls) {
    struct gpu *g = ls->gpu;
    for (u32 i = 0; i < g->ports; i++) {
        struct reply *r = (struct reply *)(void *)g->port[i].replies.data;
        for (size_t n = g->port[i].replies.len / sizeof *r; n--; r++) {
            r->partition = i;
            sm_deliver(&g->sm[r->sm], r);
        }
    }
}

static void each(struct launch_state *ls, void (*job)(void *arg, u32 i, u32 worker), u32 n) {
    const struct gpu_threads *t = &ls->options->pool;
    if (t->run) {
        t->run(t->ctx, job, ls, n);
        return;
    }
    for (u32 i = 0; i < n; i++)
        job(ls, i, 0);
}

/* Time of the next event anywhere, seen from the SMs. */
static u64 next_event(const struct launch_state *ls) {
    const struct gpu *g = ls->gpu;
    u64 next = launch_room(ls);
    for (u32 i = 0; i < g->begun; i++) {
        u64 at = sm_next(&g->sm[i]);
        next = min_u64(at, next);
    }
    for (u32 i = 0; i < g->ports; i++) {
        const struct partition_port *s = &g->port[i];
        const struct request *r = (const struct request *)(const void *)s->waiting.data;
        u64 at = partition_next(s->partition);
        if (s->waiting.len && r[0].time < at)
            at = r[0].time;
        if (at != TIME_NEVER)
            at = at > ls->lead ? at - ls->lead : 0;
        next = min_u64(at, next);
    }
    return next;
}

/* ---- the end ---- */

/* The first SM to have met a fault; by time, then number. */
static struct sm *first_fault(const struct gpu *g) {
    struct sm *first = NULL;
    for (u32 i = 0; i < g->begun; i++) {
        struct sm *s = &g->sm[i];
        if (s->fault.kind != FAULT_NONE && (!first || s->fault_time < first->fault_time))
            first = s;
    }
    return first;
}

static bool out_of_memory(const struct gpu *g) {
    bool out = false;
    for (u32 i = 0; i < g->begun; i++)
        out |= g->sm[i].no_memory;
    for (u32 i = 0; i < g->ports; i++)
        out |= g->port[i].no_memory;
    for (u32 i = 0; g->record && i < g->board.sms + g->ports; i++)
        out |= g->record[i].events.failed || g->record[i].keys.failed;
    return out;
}

static u32 number_of(const struct launch_state *ls, const struct sm *s) {
    return (u32)(ls->of[s - ls->gpu->sm] - ls->all);
}

/* Faults at a limit, naming a resident warp. False when no warp is left: the end is near. */
static bool limit_fault(struct launch_state *ls, struct fault *fault) {
    const struct gpu *g = ls->gpu;
    for (u32 i = 0; i < g->begun; i++) {
        sm_make_resident(&g->sm[i], TIME_NEVER);
        for (u32 w = 0; w < g->board.sm.max_warps; w++)
            if (g->sm[i].warp[w].warp) {
                warp_limit_fault(g->sm[i].warp[w].warp, fault);
                ls->faulted = number_of(ls, &g->sm[i]);
                fault->timed = true;
                fault->cycle = ls->now;
                if (ls->options->max_cycles && ls->now >= ls->options->max_cycles)
                    fault->limit_cycles = ls->options->max_cycles;
                return true;
            }
    }
    return false;
}

u64 launch_issued(const struct launch_state *ls) {
    u64 n = ls->issued;
    for (u32 i = 0; i < ls->gpu->begun; i++)
        n += ls->gpu->sm[i].counters.sm.slots_issued;
    return n;
}

static bool over_limit(const struct launch_state *ls) {
    if (ls->ended == ls->blocks)
        return false;
    return (ls->most_issued && launch_issued(ls) >= ls->most_issued) ||
           (ls->options->max_cycles && ls->now >= ls->options->max_cycles);
}

/*
 * The window that begins with the next event. The one that reaches the limit of cycles ends there, and may be empty.
 * While blocks wait none is longer than the time from a block to the next, or the next would begin late.
 */
static void begin_window(struct launch_state *ls, u64 next) {
    u64 gap = ls->gpu->board.launch.block_cycles, most = ls->options->max_cycles;
    u64 limit = ls->now < most ? min_u64(most, ls->look) : ls->look;
    ls->now = max_u64(next, ls->now);
    ls->now = min_u64(limit, ls->now);
    ls->end = ls->now + (ls->next < ls->blocks ? min_u64(gap, ls->window) : ls->window);
    ls->end = min_u64(limit, ls->end);
    ls->horizon = ls->end + ls->lead;
}

static void count_ended(struct launch_state *ls) {
    for (u32 i = 0; i < ls->gpu->begun; i++) {
        ls->ended += ls->gpu->sm[i].ended;
        ls->gpu->sm[i].ended = 0;
    }
}

static enum outcome run_windows(struct launch_state *ls, struct fault *fault) {
    struct gpu *g = ls->gpu;
    const struct launch *l = ls->launch;
    if (!launch_dispatch(ls) || !sample_look(ls))
        return RUN_NO_MEMORY;
    for (;;) {
        u64 next = next_event(ls);
        if (next == TIME_NEVER)
            break;
        begin_window(ls, next);
        each(ls, run_sm, g->begun);
        if (out_of_memory(g))
            return RUN_NO_MEMORY;
        const struct sm *bad = first_fault(g);
        if (bad) {
            *fault = bad->fault;
            ls->faulted = number_of(ls, bad);
            fault->timed = true;
            fault->cycle = bad->fault_time;
            return RUN_FAULT;
        }
        post_requests(ls);
        each(ls, run_partition, g->ports);
        post_replies(ls);
        if (out_of_memory(g))
            return RUN_NO_MEMORY;
        count_ended(ls);
        ls->now = ls->end;
        if (!launch_refill(ls) || !sample_look(ls))
            return RUN_NO_MEMORY;
        if (over_limit(ls) && limit_fault(ls, fault))
            return RUN_FAULT;
        if (ls->now >= ls->look && launch_is_dead(ls, fault))
            return RUN_FAULT;
        if (l->progress && !l->progress(l->progress_ctx, (double)ls->ended / (double)ls->blocks))
            return RUN_STOPPED;
    }
    if (ls->ended != ls->blocks)
        BUG("blocks are left and nothing will ever happen");
    return RUN_OK;
}

enum outcome gpu_run_all(struct gpu *g, struct gpu_shared *all, const struct gpu_options *o, struct gpu_result *r,
                         struct fault *fault) {
    const struct launch *l = all->share[0].launch;
    struct launch_state ls = {.gpu = g, .launch = l, .options = o, .look = l->look ? l->look : LOOK_FIRST};
    enum outcome outcome = RUN_NO_MEMORY;
    free_launch(g);
    free_records(g, o->record != NULL);
    *r = (struct gpu_result){0};
    *fault = (struct fault){0};
    if (begin(&ls, all, fault)) {
        outcome = run_windows(&ls, fault);
        g->used = true;
        if (outcome != RUN_NO_MEMORY) /* an SM may be half made, or have met no window */
            launch_results(&ls, r);
        if (outcome == RUN_OK && sample_is_complete(&ls))
            sample_extrapolate(&ls, r);
    }
    all->faulted = ls.faulted;
    return outcome;
}

enum outcome gpu_run(struct gpu *g, const struct launch *l, const struct gpu_options *o, struct gpu_result *r,
                     struct fault *fault) {
    struct gpu_share alone = {.launch = l};
    return gpu_run_all(g, &(struct gpu_shared){.share = &alone, .n = 1}, o, r, fault);
}
