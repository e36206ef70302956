/* Findings: one row for each class and pair of instructions, with the first of them and their number. */
#include "sim/check/shadow.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static struct check_finding *at(const struct check *c, u32 i) {
    return (struct check_finding *)(void *)c->found.data + i;
}

static bool alike(const struct check_finding *a, const struct check_finding *b) {
    bool there = a->at[0].pc == b->at[0].pc && (a->places < 2 || a->at[1].pc == b->at[1].pc);
    bool swapped = a->places == 2 && a->at[0].pc == b->at[1].pc && a->at[1].pc == b->at[0].pc;
    return a->class == b->class && a->places == b->places && (there || swapped);
}

static u64 hash(const struct check_finding *f) {
    u64 second = f->places == 2 ? f->at[1].pc : 0;
    return ((u64)f->class << 40 ^ (f->at[0].pc + second) ^ f->at[0].pc * second << 20) * 0x9e3779b97f4a7c15u >> 20;
}

/* Twice the room of the index, which holds numbers + 1. */
static bool grow(struct check *c) {
    u32 size = c->found_index.len ? 2 * (u32)(c->found_index.len / sizeof(u32)) : 64;
    struct buf index = {.budget = c->found_index.budget};
    for (u32 i = 0; i < size && !index.failed; i++)
        buf_push(&index, sizeof(u32));
    buf_free(&c->found_index);
    c->found_index = index;
    u32 *slot = (u32 *)(void *)index.data;
    if (!slot || index.failed)
        return false;
    for (u32 i = 0; i < check_count(c); i++) {
        u64 h = hash(at(c, i));
        while (slot[h & (size - 1)])
            h++;
        slot[h & (size - 1)] = i + 1;
    }
    return true;
}

/* The finding like `f`, or a copy of `f` with count 0; NULL when out of memory. */
static struct check_finding *find(struct check *c, const struct check_finding *f) {
    c->failed |= 2 * (check_count(c) + 1) > c->found_index.len / sizeof(u32) && !grow(c);
    if (c->failed)
        return NULL;
    u32 *slot = (u32 *)(void *)c->found_index.data, mask = (u32)(c->found_index.len / sizeof *slot) - 1;
    u64 h = hash(f);
    for (; slot[h & mask]; h++)
        if (alike(at(c, slot[h & mask] - 1), f))
            return at(c, slot[h & mask] - 1);
    struct check_finding *new = buf_push(&c->found, sizeof *new);
    c->failed |= !new;
    if (!new)
        return NULL;
    *new = *f;
    new->count = 0;
    slot[h & mask] = check_count(c);
    return new;
}

struct check_finding *found_add(struct check *c, const struct check_finding *f, const char *fmt, ...) {
    struct check_finding *new = find(c, f);
    if (!new || new->count++ > 0)
        return NULL;
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(new->text, sizeof new->text, fmt, ap);
    va_end(ap);
    return new;
}

void check_merge(struct check *c, const struct check *other) {
    for (u32 i = 0; i < check_count(other); i++) {
        struct check_finding *mine = find(c, at(other, i));
        if (mine && mine->count == 0)
            mine->count = at(other, i)->count;
    }
}

u32 check_count(const struct check *c) {
    return (u32)(c->found.len / sizeof(struct check_finding));
}

const struct check_finding *check_finding(const struct check *c, u32 index) {
    return at(c, index);
}

/* Class of a fault; FOUND_COUNT: none. */
static u32 class_of(const struct fault *f, const struct program *p) {
    switch (f->kind) {
    case FAULT_OUT_OF_BOUNDS:
    case FAULT_NULL_ADDRESS:
    case FAULT_BAD_SPACE: return FOUND_MEM_OUT_OF_BOUNDS;
    case FAULT_MISALIGNED: return FOUND_MEM_MISALIGNED;
    case FAULT_READ_ONLY: return FOUND_MEM_READ_ONLY;
    case FAULT_INACTIVE_LANE:
    case FAULT_PARTIAL_WARP: return FOUND_SYNC_ABSENT_LANE;
    case FAULT_BARRIER: return FOUND_SYNC_INCOMPLETE;
    case FAULT_DEADLOCK: return op_memory(p->inst[f->pc].op) == MEMORY_BARRIER ? FOUND_SYNC_INCOMPLETE : FOUND_COUNT;
    case FAULT_NONE:
    case FAULT_CALL_DEPTH:
    case FAULT_DIVERGENCE:
    case FAULT_ILLEGAL:
    case FAULT_TRAP:
    case FAULT_ENDLESS:
    case FAULT_LIMIT:
    case FAULT_COUNT: break;
    }
    return FOUND_COUNT;
}

void check_fault(struct check *c, const struct fault *fault) {
    const u32 *g = c->launch.grid, class = class_of(fault, c->launch.program);
    if (class == FOUND_COUNT || !checks(c, (enum check_kind)check_classes[class].kind))
        return;
    u64 block = fault->block[0] + (u64)g[0] * (fault->block[1] + (u64)g[1] * fault->block[2]);
    if (fault->kind == FAULT_DEADLOCK)
        sync_deadlock(c, block);
    for (u32 i = 0; i < check_count(c); i++) /* true: the checker has found more than the fault reports */
        if (at(c, i)->at[0].pc == fault->pc && check_classes[at(c, i)->class].kind == check_classes[class].kind)
            return;
    struct check_finding f = {.class = (u8) class, .places = 1, .space = fault->space, .bytes = fault->bytes};
    f.address = fault->address;
    f.at[0].pc = fault->pc;
    f.at[0].warp = fault->warp;
    f.at[0].lane = fault->lane;
    f.at[0].block = block;
    f.at[0].cycle = c->timed ? fault->cycle : UINT64_MAX;
    f.at[0].how = c->inst[fault->pc].how;
    found_add(c, &f, "%s", fault->detail);
}
