#include "sim/api/clock.h"

#include <string.h>

#include "sim/api/host.h"
#include "sim/api/recording.h"
#include "sim/api/result.h"
#include "sim/api/sample.h"
#include "sim/api/threads.h"
#include "sim/base/bits.h"

void clock_forget(struct heddle *h) {
    gpu_free(h->gpu);
    h->gpu = NULL;
    h->log = NULL;
    recording_free(h);
}

static enum heddle_status no_memory(struct heddle *h) {
    clock_forget(h); /* its state is useless after a failure */
    context_no_memory(h, "the launch");
    return HEDDLE_MEMORY;
}

/* Blocks that are resident at one time. */
static u64 resident_blocks(const struct board *b, const struct launch *l) {
    u64 grid = (u64)l->grid[0] * l->grid[1] * l->grid[2], room = (u64)occupancy_of(b, l).blocks * b->sms;
    return grid < room ? grid : room;
}

/* Bytes of registers, shared and local memory of a number of blocks. */
static u64 resident_bytes(const struct launch *l, u64 blocks) {
    const struct kernel *k = l->kernel;
    u64 warps = ((u64)l->block[0] * l->block[1] * l->block[2] + l->width - 1) / l->width;
    u64 each = k->shared + warps * l->width * (k->local + 4ull * k->regs) + sizeof(void *);
    return blocks > UINT64_MAX / each ? UINT64_MAX : blocks * each;
}

bool clock_check_memory(struct heddle *h, const struct launch *l, u64 blocks) {
    u64 bytes = resident_bytes(l, blocks), most = host_memory(), limit = h->budget.limit;
    const char *who = "this process can have";
    if (h->computer && h->computer < most)
        most = h->computer;
    if (limit && limit - min_u64(h->budget.used, limit) < most) {
        most = limit - min_u64(h->budget.used, limit);
        who = "max-memory leaves";
    }
    if (bytes <= most)
        return true;
    return context_fail(h, l->program->file,
                        "out of memory: the resident blocks of kernel '%s' take %s, and %s %s; a board with fewer SMs, "
                        "or smaller blocks, need less",
                        l->kernel->name, size_text(bytes).text, who, size_text(most).text);
}

static enum heddle_status tell(struct heddle *h, const struct launch *l, enum outcome o, const struct fault *fault,
                               struct heddle_result *r) {
    if (o == RUN_STOPPED) {
        context_fail(h, l->program->file, "kernel '%s': stopped after %s cycles", l->kernel->name,
                     grouped(r->cycles).text);
        return HEDDLE_FAULT;
    }
    result_fault(l, fault, r);
    fault_render(fault, l, &h->error);
    return HEDDLE_FAULT;
}

/* The cycles to record, with the standard of each bound that is not given. */
static struct record_span span_of(const struct heddle_watch *w) {
    return (struct record_span){.from = w->from,
                                .to = w->to ? w->to : TIME_NEVER,
                                .bytes = w->bytes ? w->bytes : HEDDLE_WATCH_BYTES};
}

/* Runs launches on the context's gpu and at most o->threads threads of the host. */
static enum outcome run(struct heddle *h, struct gpu_shared *all, struct gpu_options *o, struct gpu_result *g,
                        struct fault *fault) {
    u32 count = o->threads > HEDDLE_THREADS_MAX ? HEDDLE_THREADS_MAX : o->threads;
    count = count < host_cores() ? count : host_cores(); /* more threads would wait for each other */
    struct threads *threads = count > 1 ? threads_new(count) : NULL;
    enum outcome outcome = RUN_NO_MEMORY;
    if (!h->gpu)
        h->gpu = gpu_new(&h->board, &h->budget);
    if (threads)
        o->pool = threads_of(threads);
    if (h->gpu && (count <= 1 || threads))
        outcome = gpu_run_all(h->gpu, all, o, g, fault);
    threads_free(threads);
    return outcome;
}

static struct gpu_options options_of(const struct heddle_launch *asked) {
    return (struct gpu_options){
#define CLOCK_OPTION(declaration, member, kind, key, name, argument, group, standard, help, doc) \
    .member = asked->member ? asked->member : (standard),
#include "sim/base/launch.def"
    };
}

struct sampled {
    struct gpu_result result;
    struct fault fault;
};

/* Runs the launch, timed in part or, with s->full, as a whole. */
static enum outcome run_sampled(struct heddle *h, const struct launch *l, struct gpu_options o, struct sample *s,
                                struct sampled *to) {
    struct gpu_share alone = {.launch = s->full ? l : &s->timed};
    struct gpu_shared all = {.share = &alone, .n = 1};
    o.sampler = s->full ? NULL : &s->sampler;
    enum outcome outcome = run(h, &all, &o, &to->result, &to->fault);
    double most = (double)to->result.totals.cycles * (1 + s->sampler.error);
    bool near = outcome == RUN_OK && o.max_cycles && most >= (double)o.max_cycles;
    if (s->full || outcome == RUN_NO_MEMORY || outcome == RUN_STOPPED ||
        (outcome == RUN_OK && s->sampler.timed && !near))
        return outcome;
    s->full = near                   ? "its time is near the limit"
              : outcome == RUN_FAULT ? "it faults"
              : s->sampler.slow      ? "L2 or DRAM is not steady after a fifth of the blocks"
                                     : "four tenths of them would not bring its rate within the bound";
    sample_restart(l, s);
    return run_sampled(h, l, o, s, to);
}

static enum heddle_status sampled_launch(struct heddle *h, const struct launch *l, const struct heddle_launch *asked,
                                         struct heddle_result *r) {
    struct sample sample = {.full = NULL};
    struct sampled to = {.result = {.core = NULL}};
    const struct gpu_result *g = &to.result;
    enum outcome o = sample_prepare(h, l, asked, &sample);
    o = o == RUN_OK ? run_sampled(h, l, options_of(asked), &sample, &to) : o;
    if (!sample_end(h, l, &sample, r) || o == RUN_NO_MEMORY || !result_fill(h, l, r))
        return no_memory(h);
    r->cycles = g->totals.cycles;
    r->timed = true;
    r->caches = "cold";
    if (o != RUN_OK)
        return tell(h, l, o, &to.fault, r);
    u64 off = r->sampled ? (u64)(sample.sampler.error * (double)r->cycles + 0.5) : 0;
    r->cycles_low = r->cycles - min_u64(off, r->cycles);
    r->cycles_high = r->cycles + off;
    bool ok = r->sampled ? result_fill_sampled(h, g, r) : result_fill_timed(h, l, g, r);
    if (r->sampled)
        clock_forget(h); /* its caches are not those that the grid would leave */
    return ok ? HEDDLE_OK : no_memory(h);
}

enum heddle_status clock_launch(struct heddle *h, const struct launch *l, const struct heddle_launch *asked,
                                struct checking *c, struct heddle_result *r) {
    if (!clock_check_memory(h, l, resident_blocks(&h->board, l)))
        return HEDDLE_MEMORY;
    if (asked->sample)
        return sampled_launch(h, l, asked, r);
    struct gpu_options options = options_of(asked);
    struct gpu_share alone = {.launch = l};
    struct gpu_shared all = {.share = &alone, .n = 1};
    struct record_span span;
    struct gpu_result g;
    struct fault fault;
    options.warm = asked->warm && h->gpu; /* before the first launch, caches are empty */
    options.log = h->traces;
    h->log = NULL;
    if (asked->watch) {
        span = span_of(asked->watch);
        options.record = &span;
    }
    if (c)
        options.threads = 1;
    enum outcome o = run(h, &all, &options, &g, &fault);
    if (o == RUN_NO_MEMORY || !result_fill(h, l, r) || (c && !checking_fill(c, o == RUN_FAULT ? &fault : NULL, r)))
        return no_memory(h);
    h->log = g.log;
    r->cycles = g.totals.cycles;
    r->timed = true;
    r->caches = options.warm ? "warm" : "cold";
    if (asked->watch && !recording_fill(h, l, &g, r))
        return no_memory(h);
    if (o != RUN_OK)
        return tell(h, l, o, &fault, r);
    return result_fill_timed(h, l, &g, r) ? HEDDLE_OK : no_memory(h);
}

/* ---- several at one time ---- */

static bool save_memory(const struct heddle *h, struct buf *copy) {
    for (u32 i = 0; i < h->memory.count; i++)
        buf_append(copy, h->memory.list[i].bytes, h->memory.list[i].size);
    return !copy->failed;
}

static void restore_memory(const struct heddle *h, const struct buf *copy) {
    const char *from = copy->data;
    for (u32 i = 0; i < h->memory.count; from += h->memory.list[i++].size)
        if (h->memory.list[i].size)
            memcpy(h->memory.list[i].bytes, from, h->memory.list[i].size);
}

/* Runs one of them alone, and leaves the buffers as they were. One that faults alone has no such time. */
static bool run_alone(struct heddle *h, struct clock_part *p, struct gpu_options *o) {
    struct launch l = *p->launch;
    struct gpu_share share = {.launch = &l};
    struct gpu_shared all = {.share = &share, .n = 1};
    struct gpu_result g;
    struct fault fault;
    struct buf copy = {.budget = &h->budget};
    l.issues = arena_alloc(&h->result, l.program->ninst * sizeof *l.issues);
    l.lanes = arena_alloc(&h->result, l.program->ninst * sizeof *l.lanes);
    l.lenient = NULL;
    l.printed = NULL;
    enum outcome outcome = RUN_NO_MEMORY;
    if (l.issues && l.lanes && save_memory(h, &copy)) {
        outcome = run(h, &all, o, &g, &fault);
        restore_memory(h, &copy);
    }
    p->result->alone_cycles = outcome == RUN_OK ? share.result.totals.cycles : 0;
    buf_free(&copy);
    return outcome != RUN_NO_MEMORY;
}

/* Puts into the results what every launch has, also after a fault. */
static bool fill_shared(struct heddle *h, struct clock_part *part, const struct gpu_shared *all,
                        struct heddle_result *board) {
    for (u32 i = 0; i < all->n; i++) {
        struct heddle_result *r = part[i].result;
        const struct gpu_share *s = &all->share[i];
        if (!result_fill(h, part[i].launch, r))
            return false;
        r->timed = true;
        r->caches = "cold";
        r->cycles = s->result.totals.cycles;
        r->beside = all->n;
        r->priority = s->priority;
        r->first_block = s->begin == TIME_NEVER ? 0 : s->begin;
        r->sm_cycles = s->sm_cycles;
        r->slowdown = r->alone_cycles ? (double)r->cycles / (double)r->alone_cycles : 0;
        board->blocks += r->blocks;
        board->warps += r->warps;
        board->warp_instructions += r->warp_instructions;
        board->thread_instructions += r->thread_instructions;
    }
    return true;
}

/* Completes the results of launches that have ended well. */
static bool fill_ended(struct heddle *h, struct clock_part *part, const struct gpu_shared *all,
                       const struct gpu_result *g, struct heddle_result *board) {
    for (u32 i = 0; i < all->n; i++)
        if (!result_fill_part(h, part[i].launch, &all->share[i].result, part[i].result))
            return false;
    board->timed = true;
    board->caches = "cold";
    return result_fill_board(h, g, board);
}

enum heddle_status clock_launch_all(struct heddle *h, struct clock_part *part, u32 n, struct heddle_result *board) {
    struct gpu_options options = options_of(part[0].asked->launch);
    struct gpu_share *share = arena_alloc(&h->result, n * sizeof *share);
    struct gpu_shared all = {.share = share, .n = n};
    struct gpu_result g;
    struct fault fault;
    options.log = h->traces;
    h->log = NULL;
    for (u32 i = 0; share && i < n; i++) {
        share[i] = (struct gpu_share){.launch = part[i].launch, .priority = part[i].asked->priority};
        if (!clock_check_memory(h, part[i].launch, resident_blocks(&h->board, part[i].launch)))
            return HEDDLE_MEMORY;
        if (part[i].asked->alone && !run_alone(h, &part[i], &options))
            return no_memory(h);
    }
    enum outcome o = share ? run(h, &all, &options, &g, &fault) : RUN_NO_MEMORY;
    if (o == RUN_NO_MEMORY || !fill_shared(h, part, &all, board))
        return no_memory(h);
    h->log = g.log;
    if (o != RUN_OK)
        return tell(h, part[all.faulted].launch, o, &fault, part[all.faulted].result);
    return fill_ended(h, part, &all, &g, board) ? HEDDLE_OK : no_memory(h);
}
