/* Which registers of a warp are in flight, and until when. */
#ifndef HEDDLE_DEBUG_WAITS_H
#define HEDDLE_DEBUG_WAITS_H

#include "sim/debug/debug.h"

/*
 * The cycle in which a register of the state at the cursor can be read: also of a load whose data come later, as far as
 * the recording says it; else UINT64_MAX. `slot` counts registers, then predicates, then transit registers.
 */
u64 waits_ready(struct debug *d, const struct heddle_state *s, u32 slot);

/* The issue of the instruction that has written a register last, in that lane (-1: any); UINT64_MAX: there is none. */
u64 waits_writer(struct debug *d, const char *name, s64 lane);

#endif
