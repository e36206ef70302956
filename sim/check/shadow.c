/* Memory for shadows, and the allocation whose shadow is meant. */
#include "sim/check/shadow.h"

void *check_alloc(struct check *c, size_t bytes) {
    void *p = arena_alloc(&c->arena, bytes);
    c->memory += bytes;
    c->failed |= !p;
    return p;
}

void *check_page(struct check *c, size_t bytes) {
    if (c->memory + bytes <= c->memory_limit / 2)
        return check_alloc(c, bytes);
    c->forgotten++;
    return NULL;
}

u32 site_allocation(const struct site *t, u64 addr) {
    const struct memory *m = t->c->launch.memory;
    const struct allocation *a = t->w->near;
    if (!a || addr - a->base >= a->size)
        a = memory_find(m, addr);
    return a ? (u32)(a - m->list) : UINT32_MAX;
}
