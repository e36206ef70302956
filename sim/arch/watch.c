#include "sim/arch/watch.h"

#include <string.h>

#include "sim/arch/state.h"

struct watching {
    struct launch launch; /* first member, because a warp's run points to it */
    struct exec_ops ops;
    const struct exec_ops *real; /* executor of the launch */
    const struct watch *watch;
};

static struct watched show(const struct warp *w) {
    const u8 guard = w->run->code[w->pc].guard;
    struct watched s = {.pc = w->pc, .warp = w->index, .active = w->active, .exec = w->active};
    s.exec &= w->p[guard & PT] ^ (guard & PRED_NEG ? ~(u64)0 : 0);
    s.regs = w->base[0];
    s.preds = w->p;
    memcpy(s.block, w->block->index, sizeof s.block);
    return s;
}

static enum step run_watched(struct warp *w, u64 budget) {
    const struct watching *x = (const struct watching *)(const void *)w->run->launch;
    const struct watch *watch = x->watch;
    enum step step = STEP_TURN;
    for (; budget > 0 && step == STEP_TURN; budget--) {
        while (w->pc == w->reconv)
            warp_pop(w);
        if (w->pc - watch->first >= watch->count) {
            step = x->real->run(w, 1);
            continue;
        }
        struct watched s = show(w);
        watch->see(watch->ctx, &s);
        w->effect->access = ACCESS_NONE;
        step = x->real->run(w, 1);
        s.after = true;
        s.faulted = step == STEP_FAULT;
        s.addr = w->effect->access != ACCESS_NONE ? w->effect->addr : NULL;
        watch->see(watch->ctx, &s);
    }
    return step;
}

enum outcome watch_launch(const struct launch *l, const struct watch *watch, struct fault *fault) {
    struct watching x = {.launch = *l, .real = l->ops ? l->ops : exec_find(l->engine, l->width), .watch = watch};
    if (x.real)
        x.ops = *x.real;
    else
        BUG("a launch with an engine or width that is not available");
    x.ops.run = run_watched;
    x.launch.ops = &x.ops;
    return machine_run(&x.launch, fault);
}
