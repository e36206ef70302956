#include "sim/arch/machine.h"

#include <stdlib.h>

enum {
    FIRST_ADDRESS = 0x10000000, /* everything below is "null": 256 MiB in which no offset from 0 lands on data */
    ALIGN = 256,
    GAP = 4096 /* unused bytes behind every allocation, so that running off its end is seen */
};

u64 memory_add(struct memory *m, const char *name, u8 *bytes, u64 size) {
    if (!m->next)
        m->next = FIRST_ADDRESS;
    u64 room = WINDOW_SHARED - m->next;
    if (size > room || room - size < 2 * GAP)
        return 0;
    if (m->count == m->cap) {
        u32 cap = m->cap ? m->cap * 2 : 16;
        struct allocation *list = realloc(m->list, cap * sizeof *list);
        if (!list)
            return 0;
        m->list = list;
        m->cap = cap;
    }
    u64 base = m->next;
    m->list[m->count++] = (struct allocation){.name = name, .base = base, .size = size, .bytes = bytes};
    m->next = (base + size + GAP + ALIGN - 1) / ALIGN * ALIGN;
    return base;
}

void memory_free(struct memory *m) {
    free(m->list);
    *m = (struct memory){0};
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
