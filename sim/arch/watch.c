#include "sim/arch/watch.h"

#include <string.h>

#include "sim/arch/state.h"
#include "sim/base/bits.h"

static struct watched show(const struct warp *w, const struct watched_code *of, u32 pc) {
    struct watched s = {.pc = pc, .warp = w->index, .active = w->active, .exec = w->active};
    s.exec &= w->p[of->guard & PT] ^ (of->guard & PRED_NEG ? ~(u64)0 : 0);
    s.regs = w->base[0];
    s.preds = w->p;
    memcpy(s.block, w->block->index, sizeof s.block);
    return s;
}

/* Runs the instruction in place of its function, for all active lanes: its guard is decided here. */
static enum step run_watched(struct warp *w, const struct uop *u) {
    const struct run *run = w->run;
    const struct watch *watch = run->launch->watch;
    const u32 pc = (u32)(u - run->code);
    const struct watched_code *of = &run->watched[pc];
    struct watched s = show(w, of, pc);
    w->exec = s.exec;
    if (!run->idle) /* a look for deadlocks, ahead of the launch */
        return s.exec ? of->fn(w, u) : STEP_NEXT;
    run->idle[pc] += (u64)(ones_of(s.active) - ones_of(s.exec));
    watch->see(watch->ctx, &s);
    w->effect->access = ACCESS_NONE;
    enum step step = s.exec ? of->fn(w, u) : STEP_NEXT;
    s.after = true;
    s.faulted = step == STEP_FAULT;
    s.waits = step == STEP_WAIT;
    s.addr = w->effect->access != ACCESS_NONE ? w->effect->addr : NULL;
    watch->see(watch->ctx, &s);
    return step;
}

bool watch_code(struct run *run, struct arena *arena) {
    const u32 n = run->launch->program->ninst;
    run->watched = arena_alloc(arena, n * sizeof *run->watched);
    for (u32 pc = 0; pc < n && run->watched; pc++) {
        struct uop *u = &run->code[pc];
        if (!run->launch->watch->marked[pc])
            continue;
        run->watched[pc] = (struct watched_code){u->fn, u->guard};
        u->fn = run_watched;
        u->guard = PT;
    }
    return run->watched != NULL;
}
