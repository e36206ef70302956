#include "sim/api/clock.h"

#include "sim/api/result.h"
#include "sim/api/threads.h"

void clock_forget(struct heddle *h) {
    gpu_free(h->gpu);
    h->gpu = NULL;
}

static enum heddle_status no_memory(struct heddle *h) {
    clock_forget(h); /* its state is useless after a failure */
    context_no_memory(h, "the launch");
    return HEDDLE_MEMORY;
}

static enum heddle_status tell(struct heddle *h, const struct launch *l, enum outcome o, const struct fault *fault,
                               struct heddle_result *r) {
    if (o == RUN_STOPPED) {
        context_fail(h, l->program->file, "kernel '%s': stopped after %llu cycles", l->kernel->name,
                     (unsigned long long)r->cycles);
        return HEDDLE_FAULT;
    }
    result_fault(l, fault, r);
    fault_render(fault, l, &h->error);
    return HEDDLE_FAULT;
}

enum heddle_status clock_launch(struct heddle *h, const struct launch *l, const struct heddle_launch *asked,
                                struct heddle_result *r) {
    bool warm = asked->warm && h->gpu; /* before the first launch there is nothing in them */
    struct gpu_options options = {
#define CLOCK_OPTION(declaration, member, kind, key, name, argument, group, standard, help, doc) \
    .member = asked->member ? asked->member : (standard),
#include "sim/base/launch.def"
    };
    options.warm = warm;
    u32 count = options.threads > HEDDLE_THREADS_MAX ? HEDDLE_THREADS_MAX : options.threads;
    count = threads_useful(count);
    struct threads *threads = count > 1 ? threads_new(count) : NULL;
    struct gpu_result g;
    struct fault fault;
    if (!h->gpu)
        h->gpu = gpu_new(&h->board);
    if (!h->gpu || (count > 1 && !threads)) {
        threads_free(threads);
        return no_memory(h);
    }
    if (threads)
        options.pool = threads_of(threads);
    enum outcome o = gpu_run(h->gpu, l, &options, &g, &fault);
    threads_free(threads);
    if (o == RUN_NO_MEMORY || !result_fill(h, l, r))
        return no_memory(h);
    r->cycles = g.totals.cycles;
    r->timed = true;
    r->caches = warm ? "warm" : "cold";
    if (o != RUN_OK)
        return tell(h, l, o, &fault, r);
    return result_fill_timed(h, l, &g, r) ? HEDDLE_OK : no_memory(h);
}
