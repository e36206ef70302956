/*
 * Contents of memory at the cursor, as far as they are recorded. A store counts from its issue on, as its own warp sees
 * it, and leaves the value of its register. The result of an atomic in shared memory, and the contents before, are
 * known if a load reads them before the next store.
 */
#ifndef HEDDLE_DEBUG_MEMORY_H
#define HEDDLE_DEBUG_MEMORY_H

#include "sim/debug/debug.h"

struct memory_cell {
    u64 since; /* number of the last event before the cursor that wrote it, plus 1; 0 = none */
    u64 next;  /* number of the first event from the cursor on that writes it; UINT64_MAX = none */
    u8 value;
    bool known; /* `value` is known */
};

struct memory_view {
    const char *space; /* "global", or "shared" of d->block */
    u64 from;          /* address of the first byte */
    struct buf cells;  /* list of struct memory_cell */
};

/* Finds the contents of `count` bytes from `from` on. False when out of memory. */
bool memory_look(struct debug *d, const char *space, u64 from, u64 count, struct memory_view *view);

const struct memory_cell *memory_at(const struct memory_view *view, u64 address);

#endif
