/* Warps, blocks and the grid: turns, branches, calls, barriers. */
#include "tests/model/private.h"

#include <stdlib.h>
#include <string.h>

enum { POISON = 0xcd, CALLS_MAX = 64, RESIDENT = 2 };

bool model_stop(struct model_block *b, enum model_end end, const char *kind) {
    b->grid->end = end;
    b->grid->fault.kind = kind;
    return false;
}

/* Nobody can be there: lanes end, and those that wait for nothing have no place to stop at. */
#define NOWHERE ((u32)NO_RECONVERGENCE)

static struct model_level *top(struct model_warp *w) {
    return &w->level[w->depth - 1];
}

static bool push(struct model_block *b, struct model_warp *w, struct model_level level) {
    if (w->depth == MODEL_LEVELS_MAX)
        return model_stop(b, MODEL_FAULT, "divergence_depth");
    w->level[w->depth++] = level;
    return true;
}

/* Drops levels whose lanes have ended, or have reached their reconvergence. */
static void settle(struct model_warp *w) {
    while (w->depth > 0 && (top(w)->lanes == 0 || top(w)->pc == top(w)->stop))
        w->depth--;
}

static u64 present(const struct model_warp *w, bool with_exited) {
    u64 lanes = 0;
    for (u32 l = 0; l < WARP_MAX; l++)
        if (w->thread[l].here && (with_exited || !w->thread[l].exited))
            lanes |= (u64)1 << l;
    return lanes;
}

static u64 guarded(const struct model_warp *w, const struct inst *i, u64 lanes) {
    u64 yes = 0;
    for (u32 l = 0; l < WARP_MAX; l++)
        if (lanes >> l & 1 && model_predicate(&w->thread[l], i->guard))
            yes |= (u64)1 << l;
    return yes;
}

/* ---- branches, calls and ends ---- */

static bool branch(struct model_block *b, struct model_warp *w, const struct inst *i, u32 pc, u64 taken) {
    struct model_level *now = top(w);
    u64 rest = now->lanes & ~taken;
    if (rest == 0) {
        now->pc = inst_target(i);
        return true;
    }
    if (taken == 0)
        return true;
    if (b->grid->meet[pc] == UINT32_MAX)
        b->grid->meet[pc] = model_meeting_point(b->launch->program, pc);
    u32 meet = b->grid->meet[pc] != NOWHERE ? b->grid->meet[pc] : now->stop;
    now->pc = meet;
    return push(b, w, (struct model_level){taken, inst_target(i), meet, false}) &&
           push(b, w, (struct model_level){rest, pc + 1, meet, false});
}

static bool call(struct model_block *b, struct model_warp *w, const struct inst *i, u64 lanes) {
    u32 calls = 0;
    for (u32 d = 0; d < w->depth; d++)
        calls += w->level[d].call;
    if (calls == CALLS_MAX)
        return model_stop(b, MODEL_FAULT, "call_depth");
    return push(b, w, (struct model_level){lanes, inst_target(i), NOWHERE, true});
}

static void leave(struct model_warp *w, u64 lanes) {
    for (u32 d = 0; d < w->depth; d++)
        w->level[d].lanes &= ~lanes;
    for (u32 l = 0; l < WARP_MAX; l++)
        if (lanes >> l & 1)
            w->thread[l].exited = true;
}

/* From every level of the function; in a kernel, from all. */
static void give_back(struct model_warp *w, u64 lanes) {
    u32 d = w->depth;
    while (d > 0 && !w->level[d - 1].call)
        d--;
    if (d == 0) {
        leave(w, lanes);
        return;
    }
    for (d--; d < w->depth; d++)
        w->level[d].lanes &= ~lanes;
}

/* ---- barriers ---- */

static void let_go(struct model_block *b, u32 id) {
    b->barrier[id] = (struct model_barrier){0};
    for (u32 i = 0; i < b->warps; i++)
        if (b->warp[i].waits == id + 1)
            b->warp[i].waits = 0;
}

static bool arrive(struct model_block *b, struct model_warp *w, const struct inst *i, u64 lanes, bool wait) {
    struct model_barrier *bar = &b->barrier[i->a];
    bool counted = i->isel == 2 || i->b != RZ;
    u32 whole = b->warps * b->launch->width, threads = whole, first = 0;
    while (!(lanes >> first & 1))
        first++;
    for (u32 l = 0; l < WARP_MAX && counted; l++)
        if (lanes >> l & 1) {
            u32 own = (u32)model_source(i, PLACE_B, &w->thread[l]);
            if (l != first && own != threads)
                return model_stop(b, MODEL_FAULT, "barrier");
            threads = own;
        }
    if (lanes != present(w, false) || (!counted && lanes != present(w, true)))
        return model_stop(b, MODEL_FAULT, "barrier");
    if (threads == 0 || threads % b->launch->width || threads > whole)
        return model_stop(b, MODEL_FAULT, "barrier");
    if ((bar->threads && bar->threads != threads) || bar->came[w->index])
        return model_stop(b, MODEL_FAULT, "barrier");
    bar->came[w->index] = true;
    bar->threads = threads;
    bar->all |= !counted;
    bar->arrived += b->launch->width;
    if (wait)
        w->waits = i->a + 1u;
    if (bar->arrived == threads)
        let_go(b, i->a);
    return true;
}

/* Every warp that has not ended waits. */
static bool stuck(struct model_block *b) {
    bool all = false, exited = false;
    for (u32 i = 0; i < b->warps; i++) {
        exited |= b->warp[i].depth == 0;
        if (b->warp[i].waits)
            all |= b->barrier[b->warp[i].waits - 1].all;
    }
    return model_stop(b, MODEL_FAULT, all && exited ? "barrier" : "deadlock");
}

/* ---- a warp ---- */

static bool step(struct model_block *b, struct model_warp *w) {
    u32 pc = top(w)->pc;
    const struct inst *i = &b->launch->program->inst[pc];
    const char *name = isa_rows[i->op].name;
    u64 lanes = guarded(w, i, top(w)->lanes);
    b->grid->fault.pc = pc;
    if (b->grid->left-- == 0)
        return model_stop(b, MODEL_FAULT, "instruction_limit");
    top(w)->pc = pc + 1;
    if (lanes == 0) {
        /* no lane takes it */
    } else if (strcmp(name, "bra") == 0) {
        branch(b, w, i, pc, lanes);
    } else if (strcmp(name, "call") == 0) {
        call(b, w, i, lanes);
    } else if (strcmp(name, "ret") == 0) {
        give_back(w, lanes);
    } else if (strcmp(name, "exit") == 0) {
        leave(w, lanes);
    } else if (strcmp(name, "trap") == 0) {
        model_stop(b, MODEL_FAULT, "trap");
    } else if (strcmp(name, "bar.sync") == 0 || strcmp(name, "bar.arrive") == 0) {
        arrive(b, w, i, lanes, strcmp(name, "bar.sync") == 0);
    } else {
        model_execute(b, w, i, lanes);
    }
    settle(w);
    return b->grid->end == MODEL_DONE;
}

/* Until it waits or has ended, or its turn is over. */
static bool run_warp(struct model_block *b, struct model_warp *w, bool *moved) {
    for (u32 n = 0; w->depth && !w->waits && (!b->launch->turn || n < b->launch->turn); n++) {
        *moved = true;
        if (!step(b, w))
            return false;
    }
    return true;
}

/* A turn of each warp. A block that has ended no longer runs. */
static bool run_block(struct model_block *b) {
    bool moved = false;
    for (u32 i = 0; i < b->warps; i++)
        if (!run_warp(b, &b->warp[b->launch->backwards ? b->warps - 1 - i : i], &moved))
            return false;
    b->runs = false;
    for (u32 i = 0; i < b->warps; i++)
        b->runs |= b->warp[i].depth > 0;
    return !b->runs || moved || stuck(b);
}

/* ---- a block and the grid ---- */

static void begin_thread(const struct model_launch *l, struct model_thread *t, u32 number) {
    u8 *local = t->local;
    memset(t, POISON, sizeof *t);
    memset(t->p, 0, sizeof t->p);
    t->local = local;
    memset(local, POISON, l->kernel->local);
    t->r[RZ] = 0;
    t->p[PT] = true;
    t->tid[0] = number % l->block[0];
    t->tid[1] = number / l->block[0] % l->block[1];
    t->tid[2] = number / l->block[0] / l->block[1];
    t->exited = false;
    t->here = number < l->block[0] * l->block[1] * l->block[2];
}

/* The next block of the grid, if there is one. */
static void begin_block(struct model_block *b) {
    const struct model_launch *l = b->launch;
    u64 n = b->grid->started++;
    b->index[0] = (u32)(n % l->grid[0]);
    b->index[1] = (u32)(n / l->grid[0] % l->grid[1]);
    b->index[2] = (u32)(n / l->grid[0] / l->grid[1]);
    b->runs = b->index[2] < l->grid[2];
    memset(b->shared, POISON, l->kernel->shared);
    memset(b->barrier, 0, sizeof b->barrier);
    for (u32 i = 0; i < b->warps && b->runs; i++) {
        struct model_warp *w = &b->warp[i];
        w->index = i;
        w->waits = 0;
        w->depth = 1;
        for (u32 lane = 0; lane < l->width; lane++)
            begin_thread(l, &w->thread[lane], i * l->width + lane);
        w->level[0] = (struct model_level){present(w, true), l->kernel->start, NOWHERE, false};
    }
}

static bool make_block(struct model_block *b, struct model_grid *g) {
    const struct model_launch *l = g->launch;
    b->grid = g;
    b->launch = l;
    b->warps = (l->block[0] * l->block[1] * l->block[2] + l->width - 1) / l->width;
    b->warp = calloc(b->warps, sizeof *b->warp);
    b->shared = malloc(l->kernel->shared + 1u);
    bool ok = b->warp && b->shared;
    for (u32 i = 0; ok && i < b->warps * l->width; i++) {
        u8 **local = &b->warp[i / l->width].thread[i % l->width].local;
        *local = malloc(l->kernel->local + 1u);
        ok = *local;
    }
    return ok;
}

static void free_block(struct model_block *b) {
    for (u32 i = 0; b->warp && i < b->warps * b->launch->width; i++)
        free(b->warp[i / b->launch->width].thread[i % b->launch->width].local);
    free(b->warp);
    free(b->shared);
}

/* Blocks take turns, and one that ends makes room for the next. */
static void run_grid(struct model_grid *g, struct model_block *b) {
    for (bool busy = true; busy && g->end == MODEL_DONE;) {
        busy = false;
        for (u32 i = 0; i < RESIDENT && g->end == MODEL_DONE; i++) {
            if (!b[i].runs)
                begin_block(&b[i]);
            busy |= b[i].runs;
            if (b[i].runs)
                run_block(&b[i]);
        }
    }
}

enum model_end model_run(const struct model_launch *l, struct model_fault *fault) {
    struct model_block block[RESIDENT] = {0};
    struct model_grid g = {.launch = l, .left = l->max_instructions};
    g.meet = malloc((l->program->ninst + 1u) * sizeof *g.meet);
    bool ok = g.meet;
    for (u32 i = 0; i < RESIDENT; i++)
        ok = ok && make_block(&block[i], &g);
    if (ok) {
        memset(g.meet, 0xff, (l->program->ninst + 1u) * sizeof *g.meet);
        run_grid(&g, block);
    } else {
        g.end = MODEL_NO_MEMORY;
    }
    for (u32 i = 0; i < RESIDENT; i++)
        free_block(&block[i]);
    free(g.meet);
    *fault = g.fault;
    return g.end;
}
