/* Global memory: which named run of bytes an address belongs to. */
#include "sim/arch/machine.h"

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
    struct allocation *a = buf_push(&m->store, sizeof *a);
    if (!a)
        return 0;
    u64 base = m->next;
    *a = (struct allocation){.name = name, .base = base, .size = size, .bytes = bytes};
    m->list = (struct allocation *)(void *)m->store.data;
    m->count++;
    m->next = (base + size + GAP + ALIGN - 1) / ALIGN * ALIGN;
    return base;
}

void memory_free(struct memory *m) {
    buf_free(&m->store);
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
