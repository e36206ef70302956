/* The registers of a warp, as the command `registers` lists them. */
#ifndef HEDDLE_DEBUG_REGISTERS_H
#define HEDDLE_DEBUG_REGISTERS_H

#include "sim/debug/debug.h"

struct register_row {
    char label[80]; /* "r4 xv" */
    u32 number;
    bool pred; /* a predicate */
    u64 ready; /* first cycle when it can be read: waits_ready */
};

/* Gets row `index` of the registers of the state's function; false past the last. */
bool registers_row(struct debug *d, const struct heddle_state *s, u32 index, struct register_row *row);

#endif
