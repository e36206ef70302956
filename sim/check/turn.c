#include "sim/check/turn.h"

#include "isa/laws.h"

bool turn_visible(struct warp *w) {
    while (w->pc == w->reconv)
        warp_pop(w);
    const struct inst *i = &w->run->launch->program->inst[w->pc];
    enum space space = w->run->code[w->pc].space;
    switch (op_memory(i->op)) {
    case MEMORY_NONE:
    case MEMORY_WARP_BARRIER: return false;
    case MEMORY_LOAD:
    case MEMORY_STORE:
    case MEMORY_ATOMIC: return space == SPACE_GLOBAL || space == SPACE_SHARED || space == SPACE_GENERIC;
    case MEMORY_FENCE:
    case MEMORY_BARRIER: return true;
    }
    BUG("what an instruction does to memory is not known");
}

static enum way way_of(u16 op) {
    switch (op_memory(op)) {
    case MEMORY_NONE:
    case MEMORY_FENCE:
    case MEMORY_WARP_BARRIER: return WAY_NOTHING;
    case MEMORY_LOAD: return WAY_READ;
    case MEMORY_STORE: return WAY_WRITE;
    case MEMORY_ATOMIC:
        return isa_rows[op].iclass == CLASS_RED && law_commuting(op) != OP_COUNT ? WAY_REDUCE : WAY_ATOMIC;
    case MEMORY_BARRIER: return WAY_BARRIER;
    }
    BUG("what an instruction does to memory is not known");
}

bool turn_add(struct turn *t, struct touch add) {
    u32 i = t->count;
    while (i > 0 && t->touch[i - 1].at > add.at)
        i--;
    if (i > 0 && t->touch[i - 1].at == add.at && t->touch[i - 1].bytes >= add.bytes) {
        if (t->way != WAY_READ)
            t->touch[i - 1].lane = add.lane;
        return true;
    }
    if (t->count == TOUCHES_MAX)
        return false;
    for (u32 k = t->count++; k > i; k--)
        t->touch[k] = t->touch[k - 1];
    t->touch[i] = add;
    return true;
}

/* The addresses as the executor computes them. */
static void add_touches(const struct warp *w, const struct uop *u, u64 exec, struct turn *t) {
    const u32 width = w->run->width, *a = w->base[u->asel] + u->a;
    const u8 bytes = (u8)inst_access_bytes(&w->run->launch->program->inst[w->pc]);
    for (u64 left = exec; left; left &= left - 1) {
        u32 l = first_lane(left);
        u64 at = (u32)(a[l] + (u32)u->imm);
        if (u->space != SPACE_SHARED)
            at = ((u64)a[l] | (u64)a[l + width] << 32) + u->imm;
        if (u->space == SPACE_SHARED || (u->space == SPACE_GENERIC && at >> 40 == WINDOW_SHARED >> 40))
            at = TURN_SHARED * (t->block + 1) + at % TURN_SHARED;
        else if (at >= WINDOW_SHARED)
            continue; /* another space, or a fault */
        turn_add(t, (struct touch){at, bytes, (u8)l});
    }
}

void turn_next(const struct warp *w, u64 block, struct turn *t) {
    const struct uop *u = &w->run->code[w->pc];
    const struct inst *i = &w->run->launch->program->inst[w->pc];
    u64 exec = w->active;
    if (u->guard != PT)
        exec &= w->p[u->guard & PT] ^ (u->guard & PRED_NEG ? ~(u64)0 : 0);
    t->pc = w->pc;
    t->op = i->op;
    t->block = block;
    t->count = 0;
    t->faulted = false;
    t->way = (u8)(exec ? way_of(i->op) : WAY_NOTHING);
    if (t->way == WAY_NOTHING)
        return;
    if (t->way != WAY_BARRIER) {
        add_touches(w, u, exec, t);
        return;
    }
    u32 threads = u->counted ? (w->base[u->bsel] + u->b)[first_lane(exec)] : 0;
    t->barrier = u->na;
    t->waits = op_waits(i->op);
    t->expected = u->counted ? threads / w->run->width : w->block->warps;
}

bool turn_ways_conflict(u8 way, u16 op, u8 other_way, u16 other_op) {
    if (way == WAY_READ && other_way == WAY_READ)
        return false;
    return way != WAY_REDUCE || other_way != WAY_REDUCE || op != other_op;
}

u8 *turn_bytes(const struct warps *all, u64 at, u32 bytes) {
    const struct warp *first = all->at[0];
    const struct allocation *a;
    if (at < TURN_SHARED) {
        a = memory_find(first->run->launch->memory, at);
        return a && a->size - (at - a->base) >= bytes ? a->bytes + (at - a->base) : NULL;
    }
    u64 block = at / TURN_SHARED - 1, offset = at % TURN_SHARED, size = first->run->launch->kernel->shared;
    return offset < size && size - offset >= bytes ? all->at[block * all->each]->block->shared + offset : NULL;
}
