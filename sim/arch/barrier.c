/*
 * Named block barriers. The rule (docs/assembly.md):
 *
 *   - A warp arrives as a whole: all its lanes that have not exited must execute the instruction together.
 *   - Without a thread count every thread of the block must arrive. One that has exited never will: a fault.
 *   - With a count, arrivals are counted in whole warps until they make up that many threads.
 *   - All who meet at a barrier must agree about the count.
 */
#include "sim/arch/state.h"

#include <stdio.h>

static void release(struct block *b, u32 id) {
    b->barrier[id] = (struct barrier){0};
    for (u32 i = 0; i < b->warps; i++)
        if (b->warp[i].waiting == id + 1)
            b->warp[i].waiting = 0;
}

enum step barrier_arrive(struct warp *w, const struct uop *u, u32 threads, bool wait) {
    struct block *b = w->block;
    u32 id = u->na, width = w->run->width;
    struct barrier *bar = &b->barrier[id];
    u64 missing = w->live & ~w->exec;
    if (missing)
        return warp_fault(w, u, FAULT_BARRIER, first_lane(missing),
                          "only part of the warp is at barrier %u: lane %u is elsewhere (divergent code)", id,
                          first_lane(missing));
    if (u->counted && (threads == 0 || threads % width || threads > b->warps * width))
        return warp_fault(
            w, u, FAULT_BARRIER, first_lane(w->exec),
            "barrier %u is to wait for %u threads: it must be a multiple of the warp width %u, and at most "
            "the %u of the block",
            id, threads, width, b->warps * width);
    u64 gone = w->members & ~w->live;
    if (!u->counted && gone)
        return warp_fault(w, u, FAULT_BARRIER, first_lane(gone),
                          "barrier %u waits for every thread of the block, and lane %u of this warp has exited", id,
                          first_lane(gone));
    u32 expected = u->counted ? threads / width : b->warps;
    if (bar->expected && bar->expected != expected)
        return warp_fault(w, u, FAULT_BARRIER, first_lane(w->exec),
                          "barrier %u is to wait for %u threads here, for %u where other warps wait", id,
                          expected * width, bar->expected * width);
    bar->expected = expected;
    bar->counted = u->counted;
    bar->arrived++;
    if (wait)
        w->waiting = (u8)(id + 1);
    if (bar->arrived == expected)
        release(b, id);
    return w->waiting ? STEP_WAIT : STEP_NEXT;
}

void barrier_stuck(struct block *b, struct run *run) {
    struct fault *f = run->fault;
    const struct warp *first = NULL;
    bool exited = false;
    int n = 0;
    char *text = f->detail;
    for (u32 i = 0; i < b->warps; i++) {
        const struct warp *w = &b->warp[i];
        if (!w->waiting)
            continue;
        if (!first)
            first = w;
        exited |= !b->barrier[w->waiting - 1].counted;
    }
    if (!first)
        BUG("a block is stuck though no warp waits");
    exited = exited && b->exited > 0;
    f->kind = exited ? FAULT_BARRIER : FAULT_DEADLOCK;
    f->pc = first->pc - 1;
    f->warp = first->index;
    f->lane = first_lane(first->active);
    for (u32 k = 0; k < 3; k++)
        f->block[k] = b->index[k];
    if (exited)
        n = snprintf(text, sizeof f->detail, "barrier %u waits for every thread of the block, and %u have exited; ",
                     first->waiting - 1u, b->exited);
    u32 shown = 0;
    for (u32 id = 0; id < BARRIER_COUNT; id++) {
        const struct barrier *bar = &b->barrier[id];
        if (!bar->expected || n < 0 || (size_t)n >= sizeof f->detail)
            continue;
        n +=
            snprintf(text + n, sizeof f->detail - (size_t)n,
                     "%sbarrier %u has %u of %u warps (waiting:", shown++ ? "; " : "", id, bar->arrived, bar->expected);
        u32 named = 0;
        for (u32 i = 0; i < b->warps && n >= 0 && (size_t)n < sizeof f->detail; i++)
            if (b->warp[i].waiting == id + 1 && named++ < 8)
                n += snprintf(text + n, sizeof f->detail - (size_t)n, " warp %u at line %u", i,
                              run->launch->program->line[b->warp[i].pc - 1]);
        if (n >= 0 && (size_t)n < sizeof f->detail)
            n += snprintf(text + n, sizeof f->detail - (size_t)n, "%s)", named > 8 ? " ..." : named ? "" : " nobody");
    }
}
