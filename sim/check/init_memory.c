/*
 * What loads, stores and atomics do with undefined bits. Memory has a byte for each of its bytes: 1 where nothing was
 * written, 2 where an undefined value was stored. Into a buffer none is carried: that is a use, which is reported.
 */
#include "sim/check/init.h"

#include <string.h>

enum { NEAR = 1024 /* bytes */ };

/* ---- the shadow of what is accessed ---- */

/* Makes a page that holds nothing written; without room for one, a page that counts as written. */
static u8 *page_new(struct check *c) {
    u8 *page = check_page(c, PAGE_BYTES);
    if (!page)
        return c->all_written;
    memset(page, 1, PAGE_BYTES);
    return page;
}

/* The shadow of the bytes that a lane reads, or `writes`; NULL: they are written, or there are none. */
static u8 *shadow_of(const struct site *t, u32 lane, bool writes, u32 *number) {
    const struct kernel *k = t->c->launch.kernel;
    u64 addr = t->addr[lane];
    *number = 0;
    if (t->space[lane] == SPACE_SHARED)
        return addr < k->shared && k->shared - addr >= t->bytes ? t->block->shared_undefined + addr : NULL;
    if (t->space[lane] == SPACE_LOCAL)
        return addr < k->local && k->local - addr >= t->bytes
                   ? t->block->local_undefined + (size_t)(t->w->index * t->width + lane) * k->local + addr
                   : NULL;
    if (t->space[lane] != SPACE_GLOBAL || (*number = site_allocation(t, addr)) == UINT32_MAX)
        return NULL;
    const struct allocation *a = &t->c->launch.memory->list[*number];
    u8 **page = t->c->cells[*number].undefined;
    u64 offset = (addr - a->base) % PAGE_BYTES;
    if (!page || addr - a->base + t->bytes > a->size || offset + t->bytes > PAGE_BYTES)
        return NULL;
    page += (addr - a->base) / PAGE_BYTES;
    if (!*page && writes)
        *page = page_new(t->c);
    return (*page ? *page : t->c->all_unwritten) + offset;
}

static u32 memory_origin(struct site *t, u32 lane, u32 number, const u8 *undefined) {
    struct origin o = {.number = number, .pc = t->pc, .byte = t->addr[lane]};
    u32 k = 0;
    while (!undefined[k])
        k++;
    o.byte += k;
    o.kind = t->space[lane] == SPACE_SHARED ? FROM_SHARED : t->space[lane] == SPACE_LOCAL ? FROM_LOCAL : FROM_BUFFER;
    if (o.kind == FROM_BUFFER)
        o.byte -= t->c->launch.memory->list[number].base;
    o.stored = undefined[k] == 2;
    return origin_new(t->c, &o);
}

/* True unless all are zero: the first one, and each one equal to the one before it. */
static bool has_any(const u8 *bytes, size_t n) {
    return bytes[0] || memcmp(bytes, bytes + 1, n - 1) != 0;
}

/* The shadow of all that the warp accesses, when it accesses neighbours in shared memory or one buffer; else NULL. */
static u8 *neighbours(const struct site *t, bool writes) {
    u32 first, end;
    if (!t->neighbours || (t->u->space != SPACE_SHARED && t->u->space != SPACE_GLOBAL))
        return NULL;
    u8 *bytes = shadow_of(t, 0, writes, &first), *last = shadow_of(t, t->width - 1, writes, &end);
    return bytes && last == bytes + (size_t)(t->width - 1) * t->bytes && first == end ? bytes : NULL;
}

/* True if what an instruction accesses may be unwritten at all. */
static bool has_shadow(const struct site *t) {
    if (t->u->space == SPACE_GLOBAL)
        return t->c->unwritten;
    return t->u->space == SPACE_SHARED || t->u->space == SPACE_LOCAL || t->u->space == SPACE_GENERIC;
}

/* True if nothing unwritten is near what the lanes access in shared memory: the words between them count too. */
static bool written_around(const struct site *t) {
    u64 first = UINT64_MAX, last = 0;
    if (t->u->space != SPACE_SHARED)
        return false;
    for (u64 left = t->exec; left; left &= left - 1) {
        u64 addr = t->addr[first_lane(left)];
        first = min_u64(first, addr);
        last = max_u64(last, addr);
    }
    return last < t->c->launch.kernel->shared && t->c->launch.kernel->shared - last >= t->bytes &&
           last - first <= NEAR && !has_any(t->block->shared_undefined + first, last - first + t->bytes);
}

/* ---- accesses ---- */

static void load(struct site *t) {
    u8 d = t->t->first[PLACE_D], n = t->t->count[PLACE_D];
    for (u32 i = 0; i < n; i++)
        init_define(t, d + i, t->exec);
    const u8 *all = neighbours(t, false);
    if (!has_shadow(t) || (all && !has_any(all, (size_t)t->width * t->bytes)) || (!all && written_around(t)))
        return;
    for (u64 left = t->exec; left; left &= left - 1) {
        u32 l = first_lane(left), number;
        const u8 *bytes = shadow_of(t, l, false, &number);
        if (!bytes || !has_any(bytes, t->bytes))
            continue;
        u32 origin = memory_origin(t, l, number, bytes);
        for (u32 i = 0; i < n; i++) {
            bool extends = t->u->mtype == MT_S8 || t->u->mtype == MT_S16;
            u32 bits = 0;
            for (u32 k = 0; k < 4 && 4 * i + k < t->bytes; k++)
                bits |= bytes[4 * i + k] ? 0xffu << 8 * k : 0;
            if (extends && bytes[t->bytes - 1])
                bits |= ~0u << 8 * t->bytes;
            init_set_bits(t, d + i, l, bits);
            origin_set(t, d + i, (u64)1 << l, origin);
        }
    }
}

/* Lanes, of `lanes`, that access global memory. */
static u64 in_buffers(const struct site *t, u64 lanes) {
    u64 found = 0;
    for (u64 left = lanes; left; left &= left - 1)
        found |= (u64)(t->space[first_lane(left)] == SPACE_GLOBAL) << first_lane(left);
    return found;
}

/* Stores: undefined bytes are carried on, but not into buffers: that is a use. */
static void store(struct site *t, enum operand_place data) {
    u64 bad = init_undefined(t, data), outside = in_buffers(t, bad);
    if (t->bytes < 4 && outside) { /* narrow stores: bytes that do not leave the register do not matter */
        u64 seen = 0;
        for (u64 left = outside; left; left &= left - 1)
            seen |= init_bits(t, t->t->first[data], first_lane(left)) & ~(~0u << 8 * t->bytes) ? left & -left : 0;
        outside &= seen;
    }
    if (outside) {
        init_report(t, FOUND_INIT_STORE, outside, origin_of_place(t, data, first_lane(outside)));
        bad &= ~outside;
    }
    u8 *all = bad ? NULL : neighbours(t, true);
    if (all)
        memset(all, 0, (size_t)t->width * t->bytes);
    for (u64 left = all || !has_shadow(t) ? 0 : t->exec; left; left &= left - 1) {
        u32 l = first_lane(left), number;
        u8 *bytes = shadow_of(t, l, true, &number);
        if (bytes && !bad)
            memset(bytes, 0, t->bytes);
        if (!bytes || !bad)
            continue;
        for (u32 k = 0; k < t->bytes; k++) {
            u32 bits = bad >> l & 1 ? init_bits(t, t->t->first[data] + k / 4, l) : 0;
            bytes[k] = bits >> k % 4 * 8 & 0xff ? 2 : 0;
        }
    }
}

static void atomic(struct site *t) {
    u64 bad = init_undefined(t, PLACE_B) | init_undefined(t, PLACE_C), outside = in_buffers(t, bad), old = 0;
    bool exchanges = t->i->op == OP_ATOM_EXCH_B32 || t->i->op == OP_ATOM_EXCH_B64;
    u32 origin = 0;
    if (outside) {
        enum operand_place place = init_undefined(t, PLACE_B) & outside ? PLACE_B : PLACE_C;
        init_report(t, FOUND_INIT_STORE, outside,
                    origin_of_place(t, place, first_lane(init_undefined(t, place) & outside)));
    }
    for (u64 left = t->exec; left; left &= left - 1) {
        u32 l = first_lane(left), number;
        u8 *bytes = shadow_of(t, l, true, &number);
        if (!bytes)
            continue;
        if (has_any(bytes, t->bytes)) {
            origin = memory_origin(t, l, number, bytes);
            old |= (u64)1 << l;
            if (t->space[l] == SPACE_GLOBAL && !exchanges)
                init_report(t, FOUND_INIT_STORE, (u64)1 << l, origin);
            if (t->space[l] == SPACE_GLOBAL || exchanges)
                memset(bytes, 0, t->bytes);
        }
        if (bad & ~outside & left & -left)
            memset(bytes, 2, t->bytes);
    }
    init_set_results(t, old);
    if (old)
        origin_set_results(t, old, origin);
}

void init_memory(struct site *t) {
    init_require(t, PLACE_A, FOUND_INIT_ADDRESS);
    if (op_memory(t->i->op) == MEMORY_LOAD)
        load(t);
    else if (op_memory(t->i->op) == MEMORY_STORE)
        store(t, PLACE_B);
    else
        atomic(t);
}
