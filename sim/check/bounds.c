/* Accesses that stay inside an allocation: behind what the kernel declares of it, or over the end of a row. */
#include "sim/check/shadow.h"

static void found(const struct site *t, u32 class, u32 lane, const char *text, u64 bytes) {
    struct check_finding f = {.class = (u8) class, .places = 1, .at = {site_place(t, lane)}, .space = SPACE_GLOBAL};
    f.address = t->addr[lane];
    f.bytes = t->bytes;
    found_add(t->c, &f, text, (unsigned long long)bytes);
}

void bounds_site(struct site *t) {
    const struct check *c = t->c;
    if (!c->extent && !c->row)
        return;
    for (u64 left = t->exec; left; left &= left - 1) {
        u32 l = first_lane(left), number;
        if (t->space[l] != SPACE_GLOBAL || (number = site_allocation(t, t->addr[l])) == UINT32_MAX)
            continue;
        const struct allocation *a = &c->launch.memory->list[number];
        u64 at = t->addr[l] - a->base, extent = c->extent ? c->extent[number] : 0, row = c->row ? c->row[number] : 0;
        if (at + t->bytes > a->size)
            continue;
        if (extent && at + t->bytes > extent)
            found(t, FOUND_MEM_EXTENT, l, "the kernel declares %llu bytes of it", extent);
        else if (row && at / row != (at + t->bytes - 1) / row)
            found(t, FOUND_MEM_ROW, l, "a row has %llu bytes", row);
    }
}
