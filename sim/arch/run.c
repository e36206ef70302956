/*
 * What every launch begins with: the decoded program, the launch's dimensions, and blocks: their memory, made once and
 * used for one block of the grid after the other.
 */
#include "sim/arch/state.h"

#include <string.h>

static size_t warp_bytes(const struct run *run) {
    return ((size_t)run->launch->kernel->regs + 4) * run->width * sizeof(u32);
}

static size_t transit_bytes(const struct run *run) {
    return run->transit ? (size_t)TRANSIT_COUNT * TRANSIT_SLOTS * run->width * sizeof(u32) : 0;
}

static size_t local_bytes(const struct run *run, const struct block *b) {
    return (size_t)b->warps * run->width * run->launch->kernel->local;
}

/* The next `bytes` of `raw`, from a line of the host's cache on; counts them in *used. */
static void *carve(u8 *raw, size_t *used, size_t bytes) {
    void *at = raw ? raw + *used : NULL;
    *used += (bytes + 63) / 64 * 64;
    return at;
}

/*
 * Gives the block and its warps their places in `raw`; returns how long it has to be. Nothing of it is zeroed:
 * block_start fills all but frames, and frames in use have been pushed.
 */
static size_t lay_out(const struct run *run, struct block *b, u8 *raw) {
    size_t used = 0;
    b->shared = carve(raw, &used, run->launch->kernel->shared);
    b->local = carve(raw, &used, local_bytes(run, b));
    for (u32 i = 0; i < b->warps; i++) {
        struct warp *w = &b->warp[i];
        w->base[0] = carve(raw, &used, warp_bytes(run));
        w->x = carve(raw, &used, transit_bytes(run));
        w->lane = carve(raw, &used, run->width * sizeof *w->lane);
    }
    for (u32 i = 0; i < b->warps; i++) /* one by one, because most are never touched */
        b->warp[i].frame = carve(raw, &used, DIVERGENCE_DEPTH_MAX * sizeof *b->warp[i].frame);
    for (u32 i = 0; i < b->warps && run->launch->hardware; i++)
        b->warp[i].paths = carve(raw, &used, sizeof *b->warp[i].paths);
    return used;
}

struct block *block_new(struct run *run, struct arena *arena) {
    struct block *b = arena_alloc(arena, sizeof *b);
    if (!b)
        return NULL;
    b->warps = (run->threads + run->width - 1) / run->width;
    b->warp = arena_alloc(arena, b->warps * sizeof *b->warp);
    u8 *raw = b->warp ? arena_raw(arena, lay_out(run, b, NULL)) : NULL;
    if (!raw)
        return NULL;
    lay_out(run, b, raw);
    for (u32 i = 0; i < b->warps; i++) {
        struct warp *w = &b->warp[i];
        w->base[1] = run->rows;
        w->run = run;
        w->effect = run->effect;
        w->block = b;
        w->index = i;
    }
    return b;
}

void block_start(struct run *run, struct block *b, u64 n) {
    const struct kernel *k = run->launch->kernel;
    b->index[0] = (u32)(n % run->grid_dim[0]);
    b->index[1] = (u32)(n / run->grid_dim[0] % run->grid_dim[1]);
    b->index[2] = (u32)(n / run->grid_dim[0] / run->grid_dim[1]);
    b->sm = (u32)(n % run->sms);
    b->left = b->warps;
    b->exited = 0;
    b->sectors = 0;
    memset(b->barrier, 0, sizeof b->barrier);
    memset(b->shared, POISON, k->shared);
    memset(b->local, POISON, local_bytes(run, b));
    for (u32 i = 0; i < b->warps; i++) {
        struct warp *w = &b->warp[i];
        u32 here = run->threads - i * run->width;
        w->members = here >= run->width ? run->full : ((u64)1 << here) - 1;
        w->active = w->live = w->members;
        w->pc = k->start;
        w->reconv = NO_RECONVERGENCE;
        w->clock = 0;
        w->lane_key = 0;
        memset(w->lane, 0, run->width * sizeof *w->lane);
        memset(w->p, 0, sizeof w->p);
        w->p[PT] = ~(u64)0;
        memset(w->base[0], POISON, warp_bytes(run));
        memset(w->x, POISON, transit_bytes(run));
        w->depth = w->calls = 0;
        w->waiting = 0;
        w->call = w->done = false;
        if (w->paths)
            memset(w->paths, 0, offsetof(struct paths, path));
    }
}

void warp_lenient_at(const struct warp *w, enum lenient_kind kind, u32 pc) {
    struct lenient own = {.count = {0}};
    own.count[kind] = 1;
    own.pc[kind] = pc;
    lenient_add(&w->run->lenient, &own);
}

void warp_lenient(const struct warp *w, enum lenient_kind kind) {
    warp_lenient_at(w, kind, w->pc - 1);
}

u32 block_warp_done(struct block *b, struct warp *w) {
    const struct run *run = w->run;
    u32 here = run->threads - w->index * run->width;
    w->done = true;
    b->left--;
    b->exited += here < run->width ? here : run->width;
    return run->launch->hardware ? barrier_exit(b, w) : 0;
}

bool block_stuck(const struct block *b) {
    bool stuck = b->left > 0;
    for (u32 i = 0; i < b->warps && stuck; i++)
        stuck = b->warp[i].done || b->warp[i].waiting;
    return stuck;
}

void warp_limit_fault(const struct warp *w, struct fault *f) {
    f->kind = FAULT_LIMIT;
    f->pc = w->pc;
    f->warp = w->index;
    f->lane = w->active ? first_lane(w->active) : 0;
    memcpy(f->block, w->block->index, sizeof f->block);
}

bool run_begin(struct run *run, const struct launch *l, struct fault *fault, struct arena *arena) {
    *fault = (struct fault){0};
    run->launch = l;
    run->ops = l->ops ? l->ops : exec_find(l->engine, l->width);
    run->width = l->width;
    run->full = l->width == 64 ? ~(u64)0 : ((u64)1 << l->width) - 1;
    run->threads = l->block[0] * l->block[1] * l->block[2];
    run->flat = l->block[1] == 1 && l->block[2] == 1;
    run->sms = l->sms ? l->sms : 1;
    run->consts = l->program->consts;
    run->fault = fault;
    for (u32 pc = 0; pc < l->program->ninst; pc++)
        run->transit |= l->program->inst[pc].op == OP_XPUSH || l->program->inst[pc].op == OP_XEXT;
    for (u32 k = 0; k < 3; k++) {
        run->grid_dim[k] = l->grid[k];
        run->block_dim[k] = l->block[k];
    }
    run->params = arena_alloc(arena, l->kernel->param_bytes);
    run->effect = arena_alloc(arena, sizeof *run->effect);
    if (!run->ops)
        BUG("a launch with an engine or width that is not available");
    if (!run->params || !run->effect || !run_decode(run, arena))
        return false;
    if (l->kernel->param_bytes)
        memcpy(run->params, l->params, l->kernel->param_bytes);
    return true;
}
