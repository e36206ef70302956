/*
 * A launch: blocks are started in order of their index and run to their end, one after the other, each warp for a
 * turn. A block whose warps outlast their turns (they spin on something another block will write, say) stays resident
 * and the next one starts; residents then take turns. The order is fixed, so a launch gives the same bytes every time.
 */
#include "sim/arch/state.h"

#include <string.h>

enum {
    TURN = 1 << 14,             /* instructions of a warp's turn: long enough that switching costs nothing */
    RESIDENT_MAX = 256,         /* blocks that take turns */
    RESIDENT_BYTES = 256 << 20, /* and the memory they may take together */
    POISON = 0xcd               /* what registers, shared and local memory hold before they are written */
};

struct machine {
    struct run run;
    struct arena arena;
    struct block *resident[RESIDENT_MAX]; /* blocks, running ones first */
    u32 made;                             /* blocks that have memory */
    u32 running;
    u32 limit;    /* residents allowed */
    size_t fixed; /* bytes of the arena that do not belong to blocks */
    u64 total;    /* blocks of the grid */
    u64 next;     /* next block to start */
    u64 finished;
    u64 budget; /* instructions left */
};

static size_t warp_bytes(const struct run *run) {
    return ((size_t)run->launch->kernel->regs + 4) * run->width * sizeof(u32);
}

static struct block *block_new(struct machine *m) {
    struct run *run = &m->run;
    const struct kernel *k = run->launch->kernel;
    struct block *b = arena_alloc(&m->arena, sizeof *b);
    if (!b)
        return NULL;
    b->warps = (run->threads + run->width - 1) / run->width;
    b->warp = arena_alloc(&m->arena, b->warps * sizeof *b->warp);
    b->shared = arena_alloc(&m->arena, k->shared);
    b->local = arena_alloc(&m->arena, (size_t)b->warps * run->width * k->local);
    if (!b->warp || !b->shared || !b->local)
        return NULL;
    for (u32 i = 0; i < b->warps; i++) {
        struct warp *w = &b->warp[i];
        w->base[0] = arena_alloc(&m->arena, warp_bytes(run));
        w->base[1] = run->rows;
        w->x = arena_alloc(&m->arena, (size_t)TRANSIT_COUNT * TRANSIT_SLOTS * run->width * sizeof *w->x);
        w->lane = arena_alloc(&m->arena, run->width * sizeof *w->lane);
        w->frame = arena_alloc(&m->arena, DIVERGENCE_DEPTH_MAX * sizeof *w->frame);
        if (!w->base[0] || !w->x || !w->lane || !w->frame)
            return NULL;
        w->run = run;
        w->block = b;
        w->index = i;
    }
    return b;
}

static void block_start(struct machine *m, struct block *b) {
    const struct run *run = &m->run;
    const struct kernel *k = run->launch->kernel;
    u64 n = m->next++;
    b->index[0] = (u32)(n % run->grid_dim[0]);
    b->index[1] = (u32)(n / run->grid_dim[0] % run->grid_dim[1]);
    b->index[2] = (u32)(n / run->grid_dim[0] / run->grid_dim[1]);
    b->sm = (u32)(n % run->sms);
    b->left = b->warps;
    b->exited = 0;
    memset(b->barrier, 0, sizeof b->barrier);
    memset(b->shared, POISON, k->shared);
    memset(b->local, POISON, (size_t)b->warps * run->width * k->local);
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
        memset(w->x, POISON, (size_t)TRANSIT_COUNT * TRANSIT_SLOTS * run->width * sizeof *w->x);
        w->depth = w->calls = 0;
        w->waiting = 0;
        w->call = w->done = false;
        w->effect.space = SPACE_COUNT;
    }
}

static void limit_fault(struct machine *m, const struct warp *w) {
    struct fault *f = m->run.fault;
    f->kind = FAULT_LIMIT;
    f->pc = w->pc;
    f->warp = w->index;
    f->lane = w->active ? first_lane(w->active) : 0;
    memcpy(f->block, w->block->index, sizeof f->block);
}

/*
 * One turn of a block: its warps run until each is done, waits, or has used up its turn. Sets *stuck when every warp
 * left waits at a barrier.
 */
static enum outcome block_turn(struct machine *m, struct block *b, bool *stuck) {
    u64 used[BLOCK_THREADS_MAX / 8] = {0};
    bool moved = true;
    while (moved && b->left) {
        moved = false;
        for (u32 i = 0; i < b->warps; i++) {
            struct warp *w = &b->warp[i];
            if (w->done || w->waiting || used[i] >= TURN)
                continue;
            u64 turn = TURN - used[i], clock = w->clock;
            enum step step = m->run.ops->run(w, turn < m->budget ? turn : m->budget);
            u64 spent = w->clock - clock;
            used[i] += spent;
            m->budget -= spent;
            moved = true;
            if (step == STEP_FAULT)
                return RUN_FAULT;
            if (step == STEP_DONE) {
                w->done = true;
                b->left--;
                u32 here = m->run.threads - i * m->run.width;
                b->exited += here < m->run.width ? here : m->run.width;
            } else if (m->budget == 0) {
                limit_fault(m, w);
                return RUN_FAULT;
            }
        }
    }
    *stuck = b->left > 0;
    for (u32 i = 0; i < b->warps && *stuck; i++)
        *stuck = b->warp[i].done || b->warp[i].waiting;
    return RUN_OK;
}

/* Starts the next block, in memory left by a finished one if there is any. NULL when memory is out. */
static struct block *admit(struct machine *m) {
    if (m->running == m->made) {
        struct block *b = block_new(m);
        if (!b)
            return NULL;
        m->resident[m->made++] = b;
        size_t each = (m->arena.total - m->fixed) / m->made + 1;
        m->limit = each * RESIDENT_MAX < RESIDENT_BYTES ? RESIDENT_MAX : (u32)(RESIDENT_BYTES / each) + 1;
    }
    struct block *b = m->resident[m->running++];
    block_start(m, b);
    return b;
}

static enum outcome run_blocks(struct machine *m) {
    const struct launch *l = m->run.launch;
    u32 turn = 0;
    m->limit = 1;
    m->fixed = m->arena.total;
    while (m->finished < m->total) {
        struct block *b;
        bool stuck = false;
        if (m->next < m->total && m->running < m->limit) {
            b = admit(m);
            if (!b)
                return RUN_NO_MEMORY;
            turn = m->running - 1;
        } else {
            turn = turn + 1 < m->running ? turn + 1 : 0;
            b = m->resident[turn];
        }
        enum outcome o = block_turn(m, b, &stuck);
        if (o != RUN_OK)
            return o;
        if (stuck) {
            barrier_stuck(b, &m->run);
            return RUN_FAULT;
        }
        if (b->left == 0) {
            m->finished++;
            m->resident[turn] = m->resident[--m->running];
            m->resident[m->running] = b;
            turn--;
        }
        if (l->progress && !l->progress(l->progress_ctx, (double)m->finished / (double)m->total))
            return RUN_STOPPED;
    }
    return RUN_OK;
}

static void count_lanes(const struct launch *l, const u64 *idle) {
    for (u32 pc = 0; pc < l->program->ninst; pc++)
        l->lanes[pc] = l->issues[pc] * l->width - idle[pc];
}

enum outcome machine_run(const struct launch *l, struct fault *fault) {
    struct machine m = {0};
    struct run *run = &m.run;
    enum outcome o = RUN_NO_MEMORY;
    *fault = (struct fault){0};
    run->launch = l;
    run->ops = exec_find(l->engine, l->width);
    run->width = l->width;
    run->full = l->width == 64 ? ~(u64)0 : ((u64)1 << l->width) - 1;
    run->threads = l->block[0] * l->block[1] * l->block[2];
    run->flat = l->block[1] == 1 && l->block[2] == 1;
    run->sms = l->sms ? l->sms : 1;
    run->consts = l->program->consts;
    run->issues = l->issues;
    run->fault = fault;
    m.total = 1;
    for (u32 k = 0; k < 3; k++) {
        run->grid_dim[k] = l->grid[k];
        run->block_dim[k] = l->block[k];
        m.total *= l->grid[k];
    }
    m.budget = l->max_instructions ? l->max_instructions : ~(u64)0;
    run->params = arena_alloc(&m.arena, l->kernel->param_bytes);
    run->idle = arena_alloc(&m.arena, l->program->ninst * sizeof *run->idle);
    if (!run->ops)
        BUG("machine_run with an engine or width that is not available");
    if (run->params && run->idle && run_decode(run, &m.arena)) {
        if (l->kernel->param_bytes)
            memcpy(run->params, l->params, l->kernel->param_bytes);
        o = run_blocks(&m);
        count_lanes(l, run->idle);
    }
    arena_free(&m.arena);
    return o;
}
