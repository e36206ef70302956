#include "sim/api/clock.h"

#include "sim/api/host.h"
#include "sim/api/recording.h"
#include "sim/api/result.h"
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

/* Bytes of registers, shared and local memory of the blocks that are resident at one time. */
static u64 resident_bytes(const struct board *b, const struct launch *l) {
    const struct kernel *k = l->kernel;
    u64 grid = (u64)l->grid[0] * l->grid[1] * l->grid[2], room = (u64)occupancy_of(b, l).blocks * b->sms;
    u64 warps = ((u64)l->block[0] * l->block[1] * l->block[2] + l->width - 1) / l->width;
    return (grid < room ? grid : room) * (k->shared + warps * l->width * (k->local + 4ull * k->regs));
}

/* Refuses a launch that needs more memory than the process can have: the system would kill it. */
static bool check_memory(struct heddle *h, const struct launch *l) {
    u64 bytes = resident_bytes(&h->board, l), most = host_memory(), limit = h->budget.limit;
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

/* Runs the launch on the context's gpu and at most o->threads threads of the host. */
static enum outcome run(struct heddle *h, const struct launch *l, struct gpu_options *o, struct gpu_result *g,
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
        outcome = gpu_run(h->gpu, l, o, g, fault);
    threads_free(threads);
    return outcome;
}

enum heddle_status clock_launch(struct heddle *h, const struct launch *l, const struct heddle_launch *asked,
                                struct checking *c, struct heddle_result *r) {
    struct gpu_options options = {
#define CLOCK_OPTION(declaration, member, kind, key, name, argument, group, standard, help, doc) \
    .member = asked->member ? asked->member : (standard),
#include "sim/base/launch.def"
    };
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
    if (!check_memory(h, l))
        return HEDDLE_MEMORY;
    enum outcome o = run(h, l, &options, &g, &fault);
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
