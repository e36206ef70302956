/*
 * What bytes of memory hold at the cursor, as far as the recording says it. A store counts from its issue on, as the
 * warp itself sees it, and leaves what its register held. What an atomic has left in shared memory, and what was there
 * before, is known when a load reads it before the next store.
 */
#ifndef HEDDLE_DEBUG_MEMORY_H
#define HEDDLE_DEBUG_MEMORY_H

#include "sim/debug/debug.h"

struct memory_cell {
    u64 since; /* number of the event that wrote it last before the cursor, plus 1; 0: none did */
    u64 next;  /* number of the first that writes it from there on; UINT64_MAX: none does */
    u8 value;
    bool known; /* `value` is */
};

struct memory_view {
    const char *space; /* "global", or "shared": of d->block */
    u64 from;          /* address of the first byte */
    struct buf cells;  /* struct memory_cell each */
};

/* Of `count` bytes from `from` on. False when out of memory. */
bool memory_look(struct debug *d, const char *space, u64 from, u64 count, struct memory_view *view);

const struct memory_cell *memory_at(const struct memory_view *view, u64 address);

#endif
