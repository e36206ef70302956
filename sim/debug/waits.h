/* Registers of a warp that are in flight, and until when. */
#ifndef HEDDLE_DEBUG_WAITS_H
#define HEDDLE_DEBUG_WAITS_H

#include "sim/debug/debug.h"

/*
 * Returns the first cycle when a register of the state at the cursor can be read, also of a load whose data arrive
 * later if that is recorded; else UINT64_MAX. `slot` counts registers, then predicates, then transit registers.
 */
u64 waits_ready(struct debug *d, const struct heddle_state *s, u32 slot);

/* Finds the issue of a register's last writer, in that lane (-1 = any); UINT64_MAX if there is none. */
u64 waits_writer(struct debug *d, const char *name, s64 lane);

#endif
