#include "sim/prove/shadow.h"

#include <string.h>

#include "sim/prove/path.h"

/* ---- blocks ---- */

static u32 cells_of(u64 bytes) {
    return (u32)((bytes + 3) / 4);
}

/* Memory for the shadow of a block; the machine uses its blocks again, and so are these. */
static struct shadow_block *block_make(struct shadow *s, const struct warp *w) {
    const struct kernel *k = s->launch.kernel;
    const struct block *of = w->block;
    u32 width = s->launch.width;
    struct shadow_block *b = &s->block[s->blocks];
    if (s->blocks == SHADOW_BLOCKS)
        BUG("more resident blocks than sim/arch keeps");
    *b = (struct shadow_block){.of = of, .number = UINT64_MAX};
    b->shared = arena_alloc(&s->arena, cells_of(k->shared) * sizeof(u32));
    b->local = arena_alloc(&s->arena, (size_t)of->warps * width * cells_of(k->local) * sizeof(u32));
    b->warp = arena_alloc(&s->arena, of->warps * sizeof *b->warp);
    if (!b->shared || !b->local || !b->warp)
        return NULL;
    for (u32 i = 0; i < of->warps; i++) {
        struct shadow_warp *sw = &b->warp[i];
        sw->r = arena_alloc(&s->arena, (size_t)k->regs * width * sizeof(u32));
        sw->p = arena_alloc(&s->arena, (size_t)PRED_COUNT * width * sizeof(u32));
        sw->x = arena_alloc(&s->arena, (size_t)TRANSIT_COUNT * TRANSIT_SLOTS * width * sizeof(u32));
        if (!sw->r || !sw->p || !sw->x)
            return NULL;
    }
    s->blocks++;
    return b;
}

static void block_clear(struct shadow *s, struct shadow_block *b, u64 number) {
    const struct kernel *k = s->launch.kernel;
    u32 width = s->launch.width;
    b->number = number;
    memset(b->shared, 0, cells_of(k->shared) * sizeof(u32));
    memset(b->local, 0, (size_t)b->of->warps * width * cells_of(k->local) * sizeof(u32));
    for (u32 i = 0; i < b->of->warps; i++) {
        memset(b->warp[i].r, 0, (size_t)k->regs * width * sizeof(u32));
        memset(b->warp[i].x, 0, (size_t)TRANSIT_COUNT * TRANSIT_SLOTS * width * sizeof(u32));
        for (u32 p = 0; p < PRED_COUNT * width; p++)
            b->warp[i].p[p] = BIT_UNSET;
        if (s->bound && !path_begin(s, &b->warp[i], width))
            s->failed = true;
    }
}

static struct shadow_block *block_find(struct shadow *s, const struct warp *w) {
    const struct block *of = w->block;
    const u32 *g = s->launch.grid;
    u64 number = of->index[0] + (u64)g[0] * (of->index[1] + (u64)g[1] * of->index[2]);
    struct shadow_block *b = NULL;
    for (u32 i = 0; i < s->blocks && !b; i++)
        b = s->block[i].of == of ? &s->block[i] : NULL;
    if (!b)
        b = block_make(s, w);
    if (!b)
        s->failed = true;
    else if (b->number != number)
        block_clear(s, b, number);
    return b;
}

/* ---- one instruction ---- */

/* Evaluates the guard, lane by lane; `exec` is the machine's result. */
static void guard(struct site *t) {
    const struct warp *w = t->w;
    u8 g = t->i->guard;
    t->exec = w->active;
    if (g != PT)
        t->exec &= w->p[g & PT] ^ (g & PRED_NEG ? ~(u64)0 : 0);
    t->maybe = t->exec;
    for (u64 left = w->active; left; left &= left - 1) {
        u32 l = first_lane(left);
        t->guard[l] = site_predicate(t, g, l);
        if (!bit_known(t->guard[l]))
            t->maybe |= (u64)1 << l;
    }
}

/* Guards of all but instructions of one lane, loads and stores: which lanes take part must not be data-dependent. */
static void guard_decides(struct site *t) {
    bool flow = t->row->iclass == CLASS_BRANCH;
    for (u64 left = t->w->active; left; left &= left - 1) {
        u32 l = first_lane(left);
        site_depends(t, flow ? DEPEND_BRANCH : DEPEND_GUARD, t->guard[l]);
        t->guard[l] = BIT_1;
    }
    t->maybe = t->exec;
}

void site_perform(struct site *t) {
    if (t->row->kind == ROW_LANE || t->row->kind == ROW_LANEI)
        site_lane(t);
    else if (t->row->kind == ROW_ATOM)
        site_atomic(t);
    else if (t->i->op == OP_LD)
        site_load(t);
    else if (t->i->op == OP_ST)
        site_store(t);
    else if (op_accesses(t->i->op))
        BUG("an access to memory that sim/prove does not know");
    else
        site_warp(t);
}

bool site_begin(struct site *t, struct shadow *s, struct warp *w) {
    struct shadow_block *b = block_find(s, w);
    *t = (struct site){.s = s, .w = w, .width = s->launch.width, .block = b};
    t->sw = b ? &b->warp[w->index] : NULL;
    return b && !s->failed;
}

void site_at(struct site *t) {
    t->pc = t->w->pc;
    t->u = &t->w->run->code[t->pc];
    t->i = &t->s->launch.program->inst[t->pc];
    t->row = &isa_rows[t->i->op];
}

/* The lanes that execute it for some data. */
static u64 observe(struct shadow *s, struct warp *w) {
    struct site t;
    if (!site_begin(&t, s, w))
        return 0;
    site_at(&t);
    guard(&t);
    bool lane = t.row->kind == ROW_LANE || t.row->kind == ROW_LANEI;
    if (!lane && (!op_accesses(t.i->op) || op_memory(t.i->op) == MEMORY_ATOMIC))
        guard_decides(&t);
    if (t.maybe)
        site_perform(&t);
    return t.maybe;
}

bool shadow_goes_on(struct shadow *s) {
    enum { OFTEN = 16 };
    if (s->goes_on && !s->stopped && s->ticks++ % OFTEN == 0)
        s->stopped = !s->goes_on(s->goes_on_ctx);
    return !s->stopped;
}

/* Replaces the machine's own loop: shadows each instruction, then executes it. */
static enum step shadow_run(struct warp *w, u64 budget) {
    struct shadow *s = (struct shadow *)(uintptr_t)w->run->launch;
    for (; budget > 0; budget--) {
        while (w->pc == w->reconv)
            warp_pop(w);
        if (!shadow_goes_on(s))
            return STEP_FAULT;
        bool seen = !s->failed && !s->e->failed;
        u64 lanes = seen ? observe(s, w) : 0;
        if (seen)
            check_before(s->check, w, lanes);
        enum step step = s->real->run(w, 1);
        if (seen)
            check_after(s->check, step == STEP_DONE, step == STEP_FAULT);
        if (step != STEP_TURN)
            return step;
    }
    return STEP_TURN;
}

/* ---- the whole ---- */

bool shadow_init(struct shadow *s, const struct shadow_setup *setup) {
    const struct memory *m = setup->launch->memory;
    *s = (struct shadow){.launch = *setup->launch, .e = setup->terms, .side = setup->side, .bound = setup->bound};
    s->check = setup->check;
    s->assumed = setup->assumed;
    s->assumptions = setup->assumptions;
    s->never = setup->never;
    s->never_ctx = setup->never_ctx;
    s->rounds = setup->rounds;
    s->sizes = setup->sizes;
    s->goes_on = setup->goes_on;
    s->goes_on_ctx = setup->goes_on_ctx;
    s->arena.budget = s->writers.budget = s->launch.budget;
    s->real = exec_find(s->launch.engine, s->launch.width);
    s->ops = *s->real;
    s->ops.run = s->bound ? path_run : shadow_run;
    s->launch.ops = &s->ops;
    s->lanes = arena_alloc(&s->arena, sizeof *s->lanes);
    s->warp = arena_alloc(&s->arena, sizeof *s->warp);
    s->cells = arena_alloc(&s->arena, m->count * sizeof *s->cells);
    if (!s->lanes || !s->warp || !s->cells || !eval_init(s->lanes, &s->arena, s->launch.engine, WARP_MAX) ||
        !eval_init(s->warp, &s->arena, s->launch.engine, s->launch.width))
        return false;
    for (u32 i = 0; i < m->count; i++) {
        struct shadow_cells *c = &s->cells[i];
        c->words = cells_of(m->list[i].size);
        c->role = setup->role[i];
        c->word = arena_alloc(&s->arena, c->words * sizeof *c->word);
        c->writer = arena_alloc(&s->arena, m->list[i].size * sizeof *c->writer);
        if (!c->word || !c->writer)
            return false;
    }
    return true;
}

void shadow_free(struct shadow *s) {
    buf_free(&s->writers);
    arena_free(&s->arena);
}

const struct writer *shadow_writer(const struct shadow *s, u32 allocation, u64 byte) {
    u32 number = s->cells[allocation].writer[byte];
    return number ? (const struct writer *)(const void *)s->writers.data + number - 1 : NULL;
}
