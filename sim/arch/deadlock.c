#include "sim/arch/deadlock.h"

#include <string.h>

#include "sim/arch/image.h"

enum { PATIENCE_LEAST = 1 << 12, PATIENCE_MOST = 1 << 22 }; /* instructions of a warp in one look */

struct deadlock {
    struct arena arena;
    struct run run; /* runs the loops of a look, unseen by the launch */
    struct effect effect;
    struct fault fault;
    struct writes writes; /* none, ever: makes the executor leave global memory alone */
    struct deferred_pool pool;
    struct image kept;  /* state of the block before the look */
    struct image lap;   /* state of a warp, to find that it repeats */
    struct image round; /* state of the block between barriers, likewise */
    struct deadlock_past *past;
    u64 left;   /* instructions that the warp may still take */
    bool tired; /* a warp took all it may */
    struct deadlock_access read,
        round_read;                  /* of memory that others may change: since the state in `lap`, in `round` */
    struct deadlock_loop here, best; /* the loop to be named: of the block, of all blocks */
};

/* The end of a warp's run. */
enum run_end { AT_BARRIER, GOES_ROUND, MOVES };

/* False near the bound of memory: a launch must not end because of a look at it. */
static bool is_affordable(const struct budget *b, u64 bytes) {
    return !b || !b->limit || b->used + bytes < b->limit;
}

struct deadlock *deadlock_begin(const struct run *run, const struct block *b, struct deadlock_past *past) {
    enum { EFFORT = 1 << 10, OTHERS = 1 << 18 }; /* instructions in the time of this; bytes beside images */
    struct arena arena = {.budget = run->launch->budget};
    past->effort = EFFORT;
    past->patience = past->patience ? past->patience : PATIENCE_LEAST;
    if (!is_affordable(arena.budget, 3 * image_bytes(b) + OTHERS))
        return NULL;
    struct deadlock *d = arena_alloc(&arena, sizeof *d);
    if (!d || !image_init(&d->kept, b, &arena) || !image_init(&d->lap, b, &arena) ||
        !image_init(&d->round, b, &arena)) {
        arena_free(&arena);
        return NULL;
    }
    d->arena = arena;
    d->past = past;
    d->pool.arena.budget = arena.budget;
    d->run = *run;
    d->run.ops = exec_find(run->launch->engine, run->width);
    d->run.effect = &d->effect;
    d->run.fault = &d->fault;
    d->run.writes = &d->writes;
    d->run.issues = d->run.idle = NULL;
    d->run.printed = NULL;
    return d;
}

void deadlock_end(struct deadlock *d) {
    if (!d)
        return;
    struct arena arena = d->arena;
    if (d->tired && d->past->patience < PATIENCE_MOST)
        d->past->patience *= 2;
    deferred_pool_free(&d->pool);
    arena_free(&arena);
}

const struct deadlock_loop *deadlock_found(const struct deadlock *d) {
    return &d->best;
}

void deadlock_keep(struct deadlock *d, struct block *b) {
    enum { BYTES_A_STEP = 128 }; /* bytes copied in the time of an instruction */
    image_take(&d->kept, b);
    d->past->effort += image_bytes(b) / BYTES_A_STEP;
}

/* ---- an access ---- */

/* Generic address of a lane: those of shared memory lie in its window. */
static u64 address_of(const struct effect *e, u32 lane) {
    return e->space == SPACE_SHARED ? WINDOW_SHARED + e->addr[lane] : e->addr[lane];
}

/* Lanes of the access in the memory that blocks share, or that of a block. */
static u64 lanes_in(const struct effect *e, enum space space) {
    u64 lanes = 0;
    if (e->space != SPACE_GENERIC)
        return e->space == space ? e->mask : 0;
    for (u64 left = e->mask; left; left &= left - 1) {
        u32 l = first_lane(left);
        lanes |= (u64)(e->addr[l] / WINDOW_SHARED == (u64)(space == SPACE_SHARED)) << l;
    }
    return lanes;
}

/* The lanes in global memory, which the executor has left alone; whether they would change it. */
static bool changes_global(struct deadlock *d, const struct warp *w, const struct uop *u, u64 lanes) {
    const struct effect *e = w->effect;
    const u64 chunk = ~(u64)(CHUNK_BYTES - 1);
    bool changes = false;
    while (lanes) {
        struct line_part part = {.line = e->addr[first_lane(lanes)] & chunk};
        for (u64 left = lanes; left; left &= left - 1) {
            u32 l = first_lane(left), offset = (u32)(e->addr[l] - part.line);
            if ((e->addr[l] & chunk) != part.line)
                continue;
            part.bytes[offset / 64] |= (((u64)1 << e->bytes) - 1) << offset % 64;
            part.lanes |= (u64)1 << l;
        }
        struct deferred *access = deferred_pack(&d->pool, w, u, &part);
        if (!access)
            return true;
        changes |= deferred_changes(access);
        deferred_deliver(&d->pool, access);
        lanes &= ~part.lanes;
    }
    return changes;
}

/* True if the lanes have changed shared memory. */
static bool changed_shared(const struct deadlock *d, const struct warp *w, u64 lanes) {
    const struct effect *e = w->effect;
    for (; lanes; lanes &= lanes - 1) {
        u64 offset = address_of(e, first_lane(lanes)) % WINDOW_SHARED;
        if (memcmp(w->block->shared + offset, image_shared(&d->kept, offset), e->bytes) != 0)
            return true;
    }
    return false;
}

/*
 * Notes the access, of those of a loop, that it most likely waits for: one that is made to see what others do before
 * any other, global memory before shared memory, and the last of equals.
 */
static void note_read(struct deadlock *d, const struct warp *w, u32 pc, u64 lanes) {
    const struct effect *e = w->effect;
    bool strong = e->access != ACCESS_LOAD, global = address_of(e, first_lane(lanes)) < WINDOW_SHARED;
    struct deadlock_access now = {.rank = (u8)(1 + global + 2 * strong), .bytes = e->bytes, .pc = pc, .warp = w->index};
    now.lanes = lanes;
    if (now.rank < d->read.rank && now.rank < d->round_read.rank)
        return;
    for (u64 left = lanes; left; left &= left - 1)
        now.at[first_lane(left)] = address_of(e, first_lane(left));
    if (now.rank >= d->read.rank)
        d->read = now;
    if (now.rank >= d->round_read.rank)
        d->round_read = now;
}

/* Notes the access that was just executed; true if it changes memory that others see. */
static bool changes_memory(struct deadlock *d, const struct warp *w, u32 pc) {
    const struct effect *e = w->effect;
    if (e->access == ACCESS_NONE)
        return false;
    u64 global = lanes_in(e, SPACE_GLOBAL), shared = lanes_in(e, SPACE_SHARED);
    if (e->access != ACCESS_STORE && global | shared)
        note_read(d, w, pc, global | shared);
    bool writes = e->access == ACCESS_STORE || e->access == ACCESS_ATOMIC, changes = false;
    if (e->access != ACCESS_LOAD)
        changes = changes_global(d, w, &d->run.code[pc], global);
    return changes || (writes && changed_shared(d, w, shared));
}

/* ---- a warp ---- */

/*
 * True if the instruction's effect follows from memory and the warp's state, in whatever order the warps of the block
 * reach their barriers: so it is with barriers of the whole block, which it waits at.
 */
static bool is_settled(const struct warp *w, const struct inst *i, const struct uop *u) {
    if (isa_rows[i->op].iclass == CLASS_SREG)
        return isa_sregs[u->na].by != BY_TIME;
    if (op_memory(i->op) == MEMORY_BARRIER)
        return op_waits(i->op) &&
               (!u->counted || (w->base[u->bsel] + u->b)[first_lane(w->active)] == w->block->warps * w->run->width);
    return true;
}

/* Executes an instruction; STEP_TURN if it was not executed. *changes: it has changed memory that others see. */
static enum step execute(struct deadlock *d, struct warp *w, bool *changes) {
    u32 pc = w->pc;
    const struct uop *u = &d->run.code[pc];
    *changes = false;
    d->tired |= d->left == 0;
    if (d->left == 0 || !is_settled(w, &d->run.launch->program->inst[pc], u))
        return STEP_TURN;
    d->past->effort++;
    d->left--;
    enum step step = d->run.ops->step(w, u);
    if (step == STEP_NEXT)
        *changes = changes_memory(d, w, pc);
    return step;
}

/* Runs the warp to its next barrier, or until its state repeats, that of `lap`. */
static enum run_end run_warp(struct deadlock *d, struct warp *w) {
    u64 since = 0, limit = 1; /* instructions since the state in `lap`, after which a new one is taken (Brent) */
    bool changes;
    d->left = d->past->patience;
    while (w->pc == w->reconv)
        warp_pop(w);
    image_take_warp(&d->lap, w);
    d->read.rank = 0;
    for (;;) {
        enum step step = execute(d, w, &changes);
        if (step == STEP_WAIT)
            return AT_BARRIER;
        if (step != STEP_NEXT || changes)
            return MOVES;
        if (w->pc == d->lap.warp[w->index].pc && image_same_warp(&d->lap, w))
            return GOES_ROUND;
        if (++since < limit)
            continue;
        image_take_warp(&d->lap, w);
        d->read.rank = 0;
        since = 0;
        limit *= 2;
    }
}

/* ---- lanes that wait for lanes of their own warp ---- */

/* True if the instruction that was just executed writes what the loop reads. */
static bool meets(const struct effect *e, const struct deadlock_access *read) {
    for (u64 left = lanes_in(e, SPACE_GLOBAL) | lanes_in(e, SPACE_SHARED); left; left &= left - 1) {
        u64 at = address_of(e, first_lane(left));
        for (u64 other = read->lanes; other; other &= other - 1) {
            u64 there = read->at[first_lane(other)];
            if (at < there + read->bytes && there < at + e->bytes)
                return true;
        }
    }
    return false;
}

/* Continues the warp with these lanes alone, from the level of divergence where they wait for the others. */
static void go_on_with(struct warp *w, u32 level, u64 lanes) {
    const struct frame f = w->frame[level];
    w->calls -= w->call;
    for (u32 k = level + 1; k < w->depth; k++)
        w->calls -= w->frame[k].call;
    w->depth = level;
    w->active = w->live = lanes;
    w->pc = f.pc;
    w->reconv = f.reconv;
    w->call = f.call;
    for (u32 k = 0; k < level; k++)
        w->frame[k].mask &= lanes;
    while (w->pc == w->reconv && warp_pop(w) == STEP_NEXT)
        continue;
}

/*
 * Tries the lanes that wait for those of a loop: on a machine where lanes do not wait for one another, would they
 * change what the loop reads? Tried without changing global memory: what they read of their own writes there is old,
 * which is good enough to find where they would.
 */
static void try_lanes(struct deadlock *d, struct warp *w, struct deadlock_loop *loop) {
    u64 left = w->live & ~w->active;
    for (u32 level = w->depth; level-- > 0 && left && loop->kind != LOOP_LANES;) {
        u64 lanes = w->frame[level].mask & left;
        bool changes = false;
        left &= ~lanes;
        if (!lanes)
            continue;
        loop->holder = first_lane(lanes);
        loop->waits_at = w->frame[level].pc;
        go_on_with(w, level, lanes);
        for (enum step step = STEP_NEXT; step == STEP_NEXT && w->active && loop->kind != LOOP_LANES;) {
            loop->writes_at = w->pc;
            step = execute(d, w, &changes);
            if (changes && meets(w->effect, &loop->read))
                loop->kind = LOOP_LANES;
        }
        image_give_warp(&d->lap, w);
    }
    image_give_shared(&d->kept, w->block);
}

/* ---- a block ---- */

static bool goes_before(const struct deadlock_loop *a, const struct deadlock_loop *b, const struct run *run) {
    u64 number[2] = {0};
    for (u32 k = 3; k-- > 0;) {
        number[0] = number[0] * run->grid_dim[k] + a->block[k];
        number[1] = number[1] * run->grid_dim[k] + b->block[k];
    }
    if (a->kind != b->kind)
        return a->kind > b->kind;
    return number[0] != number[1] ? number[0] < number[1] : a->warp < b->warp;
}

/* A loop of the warp, which reads this: to be named unless a better one is found. */
static void found(struct deadlock *d, struct warp *w, const struct deadlock_access *read, bool of_warp) {
    struct deadlock_loop loop = {.kind = read->rank ? LOOP_MEMORY : LOOP_ENDLESS,
                                 .warp = w->index,
                                 .lanes = w->active,
                                 .pc = read->rank ? read->pc : w->pc,
                                 .read = *read};
    memcpy(loop.block, w->block->index, sizeof loop.block);
    if (of_warp && loop.kind == LOOP_MEMORY && !w->paths)
        try_lanes(d, w, &loop);
    if (goes_before(&loop, &d->here, &d->run))
        d->here = loop;
}

/* Runs each warp that can go on to its next barrier; those that go round are marked. False when one moves. */
static bool run_warps(struct deadlock *d, struct block *b, u64 *round) {
    for (u32 k = 0; k < b->warps; k++) {
        u32 i = (d->past->warp + k) % b->warps;
        struct warp *w = &b->warp[i];
        if (w->done || w->waiting || round[i / 64] >> i % 64 & 1)
            continue;
        switch (run_warp(d, w)) {
        case AT_BARRIER: break;
        case MOVES: d->past->warp = i; return false;
        case GOES_ROUND:
            round[i / 64] |= (u64)1 << i % 64;
            found(d, w, &d->read, true);
            break;
        }
    }
    return true;
}

static bool nobody_goes_on(const struct block *b, const u64 *round) {
    for (u32 i = 0; i < b->warps; i++)
        if (!b->warp[i].done && !b->warp[i].waiting && !(round[i / 64] >> i % 64 & 1))
            return false;
    return true;
}

/* True if the block waits; what for is in `here`. One whose warps all wait at barriers has a fault of its own. */
static bool run_block(struct deadlock *d, struct block *b) {
    u64 round[BLOCK_THREADS_MAX / 8 / 64] = {0}; /* warps that go round, one bit each */
    u64 since = 0, limit = 1;
    bool known = false;
    while (run_warps(d, b, round)) {
        if (nobody_goes_on(b, round))
            return d->here.kind != LOOP_NONE;
        if (known && image_same(&d->round, b)) {
            found(d, &b->warp[d->round_read.rank ? d->round_read.warp : 0], &d->round_read, false);
            return true;
        }
        if (known && ++since < limit)
            continue;
        image_take(&d->round, b);
        d->round_read.rank = 0;
        known = true;
        since = 0;
        limit *= 2;
    }
    return false;
}

enum verdict deadlock_judge(struct deadlock *d, struct block *b) {
    for (u32 i = 0; i < b->warps; i++) {
        b->warp[i].run = &d->run;
        b->warp[i].effect = &d->effect;
    }
    d->here.kind = LOOP_NONE;
    bool waits = run_block(d, b);
    image_give(&d->kept, b);
    bool endless = d->here.kind == LOOP_ENDLESS;
    if ((waits || endless) && goes_before(&d->here, &d->best, &d->run))
        d->best = d->here;
    return endless ? DEADLOCK_ENDLESS : waits ? DEADLOCK_WAITS : DEADLOCK_NONE;
}
