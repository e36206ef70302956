/* Memory of the last launch: its buffers before and after, and what each lane did to a part of it. */
#include <string.h>

#include "sim/web/door.h"
#include "sim/api/write.h"

EXPORT(door_buffers) bool door_buffers(struct door *d);
EXPORT(door_before) const u8 *door_before(struct door *d, const char *name);
EXPORT(door_touches) const u32 *door_touches(struct door *d, u32 shared, u32 block, u32 from, u32 count);

/* Lists the buffers: name, type, shape, place. */
bool door_buffers(struct door *d) {
    struct heddle_tensor t;
    door_begin(d);
    write_open(&d->out, "buffers", '[');
    for (u32 i = 0; i < heddle_buffer_count(d->h); i++) {
        const char *name = heddle_buffer_name(d->h, i);
        if (!heddle_buffer_look(d->h, name, &t))
            continue;
        write_open(&d->out, NULL, '{');
        write_text(&d->out, "name", name);
        write_record(&d->out, "heddle_tensor", &t, NULL);
        write_close(&d->out, '}');
    }
    write_close(&d->out, ']');
    return door_end(d, NULL);
}

/* Returns the data of a buffer from before the last launch, as many as door_data has; NULL if they were not kept. */
const u8 *door_before(struct door *d, const char *name) {
    return heddle_buffer_before(d->h, name);
}

/* Appends a row of struct heddle_touch: the address from `from` on, 2^32 - n for n bytes before it. */
struct rows {
    struct buf *out;
    u64 from;
};

static void put_touch(void *ctx, const struct heddle_touch *t) {
    const struct rows *r = ctx;
    u32 row[DOOR_TOUCH] = {(u32)t->issue, (u32)t->access, (u32)t->block,
                           t->warp,       t->lane,        t->pc,
                           t->kind,       t->bytes,       (u32)(t->address - r->from)};
    memcpy(row + DOOR_TOUCH - COUNT_OF(t->value), t->value, sizeof t->value);
    buf_append(r->out, row, sizeof row);
}

/* Writes rows of DOOR_TOUCH words for bytes of global memory, or of the shared memory of a block; NULL if refused. */
const u32 *door_touches(struct door *d, u32 shared, u32 block, u32 from, u32 count) {
    struct rows rows = {&d->out, from};
    const struct heddle_range range = {.space = shared ? "shared" : "global",
                                       .block = block,
                                       .from = from,
                                       .count = count};
    buf_free(&d->out);
    d->out = (struct buf){0};
    if (!door_debugger(d) || !heddle_debugger_touches(d->debugger, &range, put_touch, &rows))
        return NULL;
    return (const u32 *)(const void *)d->out.data;
}
