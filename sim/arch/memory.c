/* Global memory: which named run of bytes an address belongs to. */
#include "sim/arch/machine.h"

#include <string.h>

/* First address that an allocation after [base, base + size) may have. */
static u64 base_after(u64 base, u64 size) {
    return (base + size + ADDRESS_GAP + ADDRESS_ALIGN - 1) / ADDRESS_ALIGN * ADDRESS_ALIGN;
}

u64 memory_add(struct memory *m, const char *name, u8 *bytes, u64 size) {
    u64 base = ADDRESS_FIRST;
    u32 at = 0;
    if (size > WINDOW_SHARED)
        return 0;
    /* The first gap that is wide enough, so that contexts that live long do not run out of addresses. */
    for (; at < m->count && base_after(base, size) > m->list[at].base; at++)
        base = base_after(m->list[at].base, m->list[at].size);
    if (base_after(base, size) > WINDOW_SHARED || !buf_push(&m->store, sizeof *m->list))
        return 0;
    m->list = (struct allocation *)(void *)m->store.data;
    memmove(&m->list[at + 1], &m->list[at], (m->count - at) * sizeof *m->list);
    m->list[at] = (struct allocation){.name = name, .base = base, .size = size, .bytes = bytes};
    m->count++;
    return base;
}

void memory_remove(struct memory *m, u64 address) {
    for (u32 i = 0; i < m->count; i++)
        if (m->list[i].base == address) {
            memmove(&m->list[i], &m->list[i + 1], (m->count - i - 1) * sizeof *m->list);
            m->count--;
            m->store.len -= sizeof *m->list;
            return;
        }
}

void memory_free(struct memory *m) {
    buf_free(&m->store);
    *m = (struct memory){0};
}

bool memory_clone(const struct memory *from, struct memory *to, struct arena *arena) {
    *to = (struct memory){.list = arena_alloc(arena, from->count * sizeof *to->list), .count = from->count};
    for (u32 i = 0; i < from->count && to->list; i++) {
        struct allocation *a = &to->list[i];
        *a = from->list[i];
        a->bytes = arena_raw(arena, a->size);
        if (!a->bytes)
            return false;
        if (a->size)
            memcpy(a->bytes, from->list[i].bytes, a->size);
    }
    return to->list != NULL;
}

const struct allocation *memory_find(const struct memory *m, u64 address) {
    u32 low = 0, high = m->count;
    while (low < high) {
        u32 mid = (low + high) / 2;
        const struct allocation *a = &m->list[mid];
        if (address < a->base)
            high = mid;
        else if (address - a->base < a->size)
            return a;
        else
            low = mid + 1;
    }
    return NULL;
}
