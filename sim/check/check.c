/* The checkers' place in a launch: each instruction is looked at, then executed by the real executor. */
#include "sim/check/shadow.h"

#include "isa/laws.h"
#include "sim/base/bits.h"

#include <string.h>

const struct check_kind_row check_kinds[CHECK_KINDS] = {
#define CHECK_KIND(id, name, standard, doc) {name, doc, standard},
#include "sim/check/kinds.def"
};

const struct check_class_row check_classes[FOUND_COUNT] = {
#define CHECK_CLASS(kind, id, name, doc) {name, doc, CHECK_##kind, false, false},
#define NAMED_CLASS(kind, id, name, doc) {name, doc, CHECK_##kind, true, false},
#define PROOF_CLASS(kind, id, name, doc) {name, doc, CHECK_##kind, false, true},
#include "sim/check/kinds.def"
};

/* ---- instructions ---- */

static u8 how_of(const struct inst *i) {
    u32 hint = inst_mod_or(i, GROUP_HINT, HINT_NONE);
    bool strong = hint == HINT_CV || hint == HINT_VOLATILE || hint == HINT_ACQUIRE || hint == HINT_RELEASE;
    switch (op_memory(i->op)) {
    case MEMORY_LOAD: return strong ? HOW_STRONG_READ : HOW_READ;
    case MEMORY_STORE: return strong ? HOW_STRONG_WRITE : HOW_WRITE;
    case MEMORY_ATOMIC: return HOW_ATOMIC;
    case MEMORY_NONE:
    case MEMORY_FENCE:
    case MEMORY_BARRIER:
    case MEMORY_WARP_BARRIER: return HOW_NONE;
    }
    BUG("what an instruction does to memory is not known");
}

static bool has_transit(const struct isa_row *row) {
    bool any = false;
    for (u32 k = 0; k < OPERANDS_MAX; k++)
        any |= row->operand[k].kind == K_TRANSIT;
    return any;
}

static void decode(const struct inst *i, struct check_inst *t) {
    const struct isa_row *row = &isa_rows[i->op];
    t->how = how_of(i);
    t->commutes = (u16)(i->d == RZ ? law_commuting(i->op) : OP_COUNT);
    t->meets = op_memory(i->op) != MEMORY_NONE;
    t->lane = row->kind == ROW_LANE || row->kind == ROW_LANEI;
    t->quiet = t->how == HOW_NONE && !has_transit(row);
    t->decides = (u16)(1u << (i->guard & PT)) & ((1 << PRED_COUNT) - 1);
    for (u32 k = 0; k < OPERANDS_MAX; k++) {
        const struct operand *o = &row->operand[k];
        if (o->place > PLACE_C)
            continue;
        if (o->kind == K_PRED || o->kind == K_PRED_OPT) {
            u16 bit = (u16)(1u << (inst_pred_field(i, o->place) & PT)) & ((1 << PRED_COUNT) - 1);
            if (o->place == PLACE_D)
                t->results |= bit;
            else
                t->predicates |= bit;
        } else if (operand_regs(i, o) && inst_field(i, o->place) != RZ && !operand_is_immediate(i, o)) {
            t->first[o->place] = inst_field(i, o->place);
            t->count[o->place] = (u8)operand_regs(i, o);
        }
        for (u32 r = 0; r < t->count[o->place]; r++)
            t->named[(t->first[o->place] + r) / 64] |= (u64)1 << (t->first[o->place] + r) % 64;
    }
    t->decides |= t->predicates | t->results;
}

/* ---- blocks ---- */

static struct check_block *block_make(struct check *c, const struct block *of) {
    struct check_block **slot = buf_push(&c->blocks, sizeof(struct check_block *));
    struct check_block *b = slot ? check_alloc(c, sizeof *b) : NULL;
    if (!b) {
        c->failed = true;
        return NULL;
    }
    *slot = b;
    b->of = of;
    b->number = UINT64_MAX;
    b->warp = check_alloc(c, of->warps * sizeof *b->warp);
    if (b->warp && cells_block(c, b) && (!checks(c, CHECK_INIT) || init_block(c, b)))
        return b;
    c->failed = true;
    return NULL;
}

static u64 number_of(const struct check *c, const struct block *b) {
    const u32 *g = c->launch.grid;
    return b->index[0] + (u64)g[0] * (b->index[1] + (u64)g[1] * b->index[2]);
}

/* The shadow of a block; the machine uses its blocks again, and so are these. */
static struct check_block *block_find(struct check *c, struct block *of) {
    struct check_block *b = of->watch;
    u64 number = number_of(c, of);
    if (UNLIKELY(!b))
        b = of->watch = block_make(c, of);
    if (b && UNLIKELY(b->number != number)) {
        b->number = number;
        order_block_start(c, b);
        cells_block_start(c, b);
        if (checks(c, CHECK_INIT))
            init_block_start(c, b);
    }
    return b;
}

/* ---- one instruction ---- */

/* Addresses as the machine is about to compute them; a generic one becomes one of its space. */
static void find_addresses(struct site *t) {
    const struct uop *u = t->u;
    const u32 *row = t->w->base[u->asel] + u->a;
    u32 width = t->width;
    u64 off = 0;
    t->bytes = t->row->kind == ROW_ATOM ? inst_access_bytes(t->i) : u->bytes;
    memset(t->space, u->space, width);
    if (u->space != SPACE_GLOBAL && u->space != SPACE_GENERIC)
        for (u32 l = 0; l < width; l++)
            t->addr[l] = (u32)(row[l] + (u32)u->imm);
    else
        for (u32 l = 0; l < width; l++)
            t->addr[l] = ((u64)row[l] | (u64)row[l + width] << 32) + u->imm;
    for (u32 l = 0; l < width && u->space == SPACE_GENERIC; l++)
        t->space[l] = (u8)space_of_generic(&t->addr[l]);
    t->neighbours = t->exec == t->w->run->full && u->space != SPACE_GENERIC &&
                    t->addr[width - 1] == t->addr[0] + (u64)(width - 1) * t->bytes;
    for (u32 l = 0; l < width && t->neighbours; l++)
        off |= t->addr[l] ^ (t->addr[0] + (u64)l * t->bytes);
    t->neighbours &= !off;
}

/* True if a checker needs to know what happens before what. */
static bool wants_order(const struct check *c) {
    return checks(c, CHECK_RACE) || checks(c, CHECK_SYNC);
}

/* Notes what other threads may learn of, or race with. */
static void note_order(struct site *t) {
    cells_room(t->c);
    if (t->c->failed)
        return;
    if (t->t->how != HOW_NONE)
        race_access(t);
    else if (op_memory(t->i->op) == MEMORY_FENCE)
        order_fence(t);
    else if (op_memory(t->i->op) == MEMORY_WARP_BARRIER)
        order_warp_barrier(t);
}

static void look_before(struct site *t) {
    struct check *c = t->c;
    if (checks(c, CHECK_INIT))
        init_site(t);
    if (!t->exec)
        return;
    if (checks(c, CHECK_SYNC))
        sync_site(t);
    if (t->t->meets && wants_order(c))
        note_order(t);
    if (t->t->how != HOW_NONE && checks(c, CHECK_MEM))
        bounds_site(t);
    if (checks(c, CHECK_VALUE))
        value_before(t);
}

static void look_after(struct site *t, bool done) {
    if (op_memory(t->i->op) == MEMORY_BARRIER && t->exec && wants_order(t->c))
        order_arrive(t);
    if (checks(t->c, CHECK_VALUE) && t->exec)
        value_after(t);
    if (done && checks(t->c, CHECK_SYNC))
        sync_warp_done(t);
}

/* False: nothing is known of the block, because memory ran out. */
static bool site_begin(struct site *t, struct check *c, struct warp *w, u64 lanes) {
    site_instruction(t, c, w, w->pc);
    t->exec = lanes;
    t->block = block_find(c, w->block);
    if (!t->block)
        return false;
    t->cw = &t->block->warp[w->index];
    if (t->t->how != HOW_NONE && t->exec)
        find_addresses(t);
    return true;
}

/* The lanes that are about to execute the warp's next instruction. */
static u64 find_executing(const struct warp *w) {
    const u8 guard = w->run->code[w->pc].guard;
    return guard == PT ? w->active : w->active & (w->p[guard & PT] ^ (guard & PRED_NEG ? ~(u64)0 : 0));
}

void check_before(struct check *c, struct warp *w, u64 lanes) {
    c->seen = !c->failed && site_begin(c->site, c, w, lanes);
    if (c->seen)
        look_before(c->site);
}

void check_after(struct check *c, bool done, bool faulted) {
    if (c->seen && !faulted)
        look_after(c->site, done);
}

static enum step run_checked(struct warp *w, u64 budget) {
    struct check *c = (struct check *)(uintptr_t)w->run->launch;
    for (; budget > 0; budget--) {
        while (w->pc == w->reconv)
            warp_pop(w);
        check_before(c, w, find_executing(w));
        enum step step = c->real->run(w, 1);
        check_after(c, step == STEP_DONE, step == STEP_FAULT);
        if (step != STEP_TURN)
            return step;
    }
    return STEP_TURN;
}

static enum step step_checked(struct warp *w, const struct uop *u) {
    struct check *c = (struct check *)(uintptr_t)w->run->launch;
    w->effect->watch = NULL; /* order_strong sets what the packing of the step's accesses reads, after it */
    check_before(c, w, find_executing(w));
    enum step step = c->real->step(w, u);
    check_after(c, step == STEP_DONE, step == STEP_FAULT);
    return step;
}

/* ---- the whole ---- */

/* Limit of shadows: at most half of what a bound on all memory leaves. */
static u64 limit_of(const struct check_setup *setup) {
    const struct budget *b = setup->launch->budget;
    u64 limit = setup->memory ? setup->memory : CHECK_MEMORY;
    return b && b->limit ? min_u64(limit, (b->limit - min_u64(b->used, b->limit)) / 2) : limit;
}

struct check *check_new(const struct check_setup *setup) {
    const struct launch *l = setup->launch;
    struct arena arena = {.budget = l->budget};
    struct check *c = arena_alloc(&arena, sizeof *c);
    if (!c)
        return NULL;
    c->arena = arena;
    c->knowledge.budget = c->blocks.budget = c->found.budget = c->found_index.budget = c->origins.budget = l->budget;
    c->launch = *l;
    c->kinds = setup->kinds;
    c->timed = setup->timed;
    c->order = setup->order;
    c->extent = setup->extent;
    c->row = setup->row;
    c->written = setup->written;
    c->memory_limit = limit_of(setup);
    c->real = l->ops ? l->ops : exec_find(l->engine, l->width);
    if (c->real)
        c->ops = *c->real;
    else
        BUG("a launch with an engine or width that is not available");
    c->ops.run = run_checked;
    c->ops.step = step_checked;
    c->launch.ops = &c->ops;
    c->inst = check_alloc(c, l->program->ninst * sizeof *c->inst);
    c->cells = check_alloc(c, l->memory->count * sizeof *c->cells);
    for (u32 pc = 0; c->inst && pc < l->program->ninst; pc++)
        decode(&l->program->inst[pc], &c->inst[pc]);
    c->site = check_alloc(c, sizeof *c->site);
    bool begun = c->inst && c->cells && c->site && cells_begin(c);
    if (!begun || (checks(c, CHECK_INIT) && !init_begin(c)) || (checks(c, CHECK_VALUE) && !value_begin(c))) {
        check_free(c);
        return NULL;
    }
    return c;
}

void check_free(struct check *c) {
    if (!c)
        return;
    cells_end(c);
    buf_free(&c->blocks);
    buf_free(&c->found);
    buf_free(&c->found_index);
    buf_free(&c->origins);
    arena_free(&c->knowledge);
    struct arena arena = c->arena; /* which holds c */
    arena_free(&arena);
}

const struct launch *check_launch(struct check *c) {
    return &c->launch;
}

bool check_failed(const struct check *c) {
    return c->failed || c->found.failed || c->found_index.failed || c->origins.failed;
}

u64 check_bytes(const struct check *c) {
    return c->memory + cells_bytes(c) + c->blocks.cap + c->found.cap + c->found_index.cap + c->origins.cap;
}

u64 check_forgotten(const struct check *c) {
    return c->forgotten;
}
