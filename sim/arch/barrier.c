/*
 * Named block barriers. The rule (docs/assembly.md):
 *
 *   - A warp arrives as a whole: all its lanes that have not exited must execute the instruction together.
 *   - Without a thread count every thread of the block must arrive. One that has exited never will: a fault.
 *   - With a count, arrivals are counted in whole warps until they make up that many threads.
 *   - By the hardware's rules threads that have exited count as arrived, wherever no thread count is given, and lanes
 *     of a warp may arrive one after the other, at different instructions: the warp does with the last of them. Not so
 *     at a bar.red.
 *   - All who meet at a barrier must agree about the number of threads and about what is reduced, and each of them
 *     arrives once.
 */
#include "sim/arch/state.h"

#include "sim/base/bits.h"

/* Gives a warp that waited its result: all lanes that have not exited arrived together. */
static void give(struct warp *w, const struct barrier *bar) {
    const struct uop *u = &w->run->code[w->pc - 1];
    const bool holds = bar->reduces == REDUCES_AND ? bar->held == bar->took : bar->held > 0;
    if (bar->reduces != REDUCES_POPC && u->pd != PT)
        w->p[u->pd] = (w->p[u->pd] & ~w->live) | (holds ? w->live : 0);
    for (u64 left = bar->reduces == REDUCES_POPC ? w->live : 0; left; left &= left - 1)
        w->base[0][u->d + first_lane(left)] = bar->held;
}

void barrier_open(struct block *b, u32 id) {
    const struct barrier done = b->barrier[id];
    b->barrier[id] = (struct barrier){0};
    for (u32 i = 0; i < b->warps; i++) {
        if (b->warp[i].waiting != id + 1)
            continue;
        b->warp[i].waiting = 0;
        if (done.reduces)
            give(&b->warp[i], &done);
    }
}

/* Counts a barrier of the whole block that opens without threads that have exited; `last` arrives now, or is NULL. */
static void note_exited(const struct block *b, u32 id, const struct warp *last) {
    const struct barrier *bar = &b->barrier[id];
    for (u32 i = 0; i < b->warps; i++)
        if (b->warp[i].waiting == id + 1 && (!last || b->warp[i].pc < last->pc))
            last = &b->warp[i];
    if (last && bar->whole && (bar->partial || b->left < b->warps))
        warp_lenient(last, LENIENT_BARRIER);
}

static void open_barrier(struct block *b, u32 id, const struct warp *last) {
    if (b->warp[0].run->launch->hardware)
        note_exited(b, id, last);
    barrier_open(b, id);
}

/* Warps that a barrier of the whole block waits for; by the hardware's rules those that have not ended. */
static u32 whole_warps(const struct block *b, const struct barrier *bar, bool hardware) {
    return !hardware ? b->warps : bar->whole ? bar->expected : b->left;
}

/* STEP_NEXT: all of the warp is at the barrier, on one path or on several. */
static enum step gather(struct warp *w, const struct uop *u, u32 threads, bool wait) {
    u64 missing = w->live & ~w->exec;
    enum step step = missing ? STEP_FAULT : STEP_NEXT;
    if (missing && w->exec == w->active && w->run->launch->hardware && !u->reduces)
        step = paths_barrier(w, u->na | (u32)wait << 7 | threads << 8);
    return step != STEP_FAULT
               ? step
               : warp_fault(w, u, FAULT_BARRIER, first_lane(missing),
                            "only part of the warp is at barrier %u: lane %u is elsewhere (divergent code)", u->na,
                            first_lane(missing));
}

/* Counts the arrival of a warp, and the threads whose predicate holds. */
static void count(struct barrier *bar, const struct warp *w, const struct uop *u) {
    bar->whole |= !u->counted;
    bar->reduces = u->reduces;
    bar->took += ones_of(w->exec);
    bar->held += ones_of((w->p[u->pa & PT] ^ (u->pa & PRED_NEG ? ~(u64)0 : 0)) & w->exec);
    bar->partial |= (w->members & ~w->live) != 0;
    bar->arrived++;
}

enum step barrier_arrive(struct warp *w, const struct uop *u, u32 threads, bool wait) {
    struct block *b = w->block;
    u32 id = u->na, width = w->run->width;
    struct barrier *bar = &b->barrier[id];
    const bool hardware = w->run->launch->hardware;
    if (u->counted && (threads == 0 || threads % width || threads > b->warps * width))
        return warp_fault(
            w, u, FAULT_BARRIER, first_lane(w->exec),
            "barrier %u is to wait for %u threads: it must be a multiple of the warp width %u, and at most "
            "the %u of the block",
            id, threads, width, b->warps * width);
    enum step step = gather(w, u, threads, wait);
    if (step != STEP_NEXT)
        return step;
    u64 gone = w->members & ~w->live;
    if (!u->counted && gone && !hardware)
        return warp_fault(w, u, FAULT_BARRIER, first_lane(gone),
                          "barrier %u waits for every thread of the block, and lane %u of this warp has exited", id,
                          first_lane(gone));
    u32 expected = u->counted ? threads / width : whole_warps(b, bar, hardware);
    if (bar->expected && bar->expected != expected)
        return warp_fault(w, u, FAULT_BARRIER, first_lane(w->exec),
                          "barrier %u is to wait for %u threads here, for %u where other warps wait", id,
                          expected * width, bar->expected * width);
    if (bar->expected && bar->reduces != u->reduces)
        return warp_fault(w, u, FAULT_BARRIER, first_lane(w->exec),
                          "barrier %u joins a predicate of the threads by another instruction where other warps are",
                          id);
    u64 *who = &bar->who[w->index / 64], me = (u64)1 << w->index % 64;
    if (*who & me)
        return warp_fault(w, u, FAULT_BARRIER, first_lane(w->exec),
                          "this warp has arrived at barrier %u before, and %u of %u warps are still to come", id,
                          expected - bar->arrived, expected);
    *who |= me;
    bar->expected = expected;
    count(bar, w, u);
    if (wait)
        w->waiting = (u8)(id + 1);
    if (bar->arrived == expected)
        open_barrier(b, id, w);
    return w->waiting ? STEP_WAIT : STEP_NEXT;
}

u32 barrier_exit(struct block *b, const struct warp *gone) {
    u32 complete = 0;
    for (u32 id = 0; id < BARRIER_COUNT; id++) {
        struct barrier *bar = &b->barrier[id];
        const bool arrived = bar->who[gone->index / 64] >> gone->index % 64 & 1; /* by bar.arrive, before it ended */
        if (!bar->whole || arrived || --bar->expected > bar->arrived)
            continue;
        complete |= 1u << id;
        open_barrier(b, id, NULL);
    }
    return complete;
}

/* "barrier 1 has 1 of 2 warps (waiting: warp 1 at line 11)" */
static void say_who(const struct block *b, u32 id, const struct program *p, struct fault *f) {
    enum { NAMED = 8 };
    u32 waiting = 0;
    fault_say(f, "barrier %u has %u of %u warps (waiting:", id, b->barrier[id].arrived, b->barrier[id].expected);
    for (u32 i = 0; i < b->warps; i++)
        if (b->warp[i].waiting == id + 1 && waiting++ < NAMED)
            fault_say(f, "%s warp %u at %s", waiting > 1 ? "," : "", i,
                      program_line(p, p->line[b->warp[i].pc - 1]).text);
    fault_say(f, "%s)", waiting > NAMED ? ", ..." : waiting ? "" : " nobody");
}

void barrier_stuck(struct block *b, struct run *run) {
    struct fault *f = run->fault;
    u32 at = b->warps;  /* first waiting warp */
    bool whole = false; /* a waiting warp names no thread count: the whole block */
    for (u32 i = b->warps; i-- > 0;)
        if (b->warp[i].waiting) {
            at = i;
            whole |= b->barrier[b->warp[i].waiting - 1].whole;
        }
    if (at == b->warps)
        BUG("a block is stuck though no warp waits");
    const struct warp *first = &b->warp[at];
    *f = (struct fault){.kind = whole && b->exited ? FAULT_BARRIER : FAULT_DEADLOCK,
                        .pc = first->pc - 1,
                        .block = {b->index[0], b->index[1], b->index[2]},
                        .warp = first->index,
                        .lane = first_lane(first->active),
                        .space = SPACE_COUNT};
    if (f->kind == FAULT_BARRIER)
        fault_say(f, "barrier %u waits for every thread of the block, and %u have exited; ", first->waiting - 1u,
                  b->exited);
    else
        fault_say(f, "no warp of the block can go on: ");
    const char *separator = "";
    for (u32 id = 0; id < BARRIER_COUNT; id++)
        if (b->barrier[id].expected) {
            fault_say(f, "%s", separator);
            say_who(b, id, run->launch->program, f);
            separator = "; ";
        }
}
