/*
 * A turn of a warp: the one instruction of it that other warps may notice, and the memory that it touches.
 *
 *   if (turn_visible(w))
 *       turn_next(w, block, &t);              what it will do; nothing is changed
 *   if (turn_ways_conflict(&t.way, &other.way)) ...
 */
#ifndef HEDDLE_CHECK_TURN_H
#define HEDDLE_CHECK_TURN_H

#include "sim/arch/state.h"

enum way { WAY_NOTHING, WAY_READ, WAY_WRITE, WAY_ATOMIC, WAY_REDUCE, WAY_BARRIER };

enum { TOUCHES_MAX = 2 * WARP_MAX }; /* a warp that waits in a loop also depends on what it waits for */

/* Shared memory of block n has addresses of its own, from TURN_SHARED * (n + 1) on. */
#define TURN_SHARED ((u64)1 << 40)

/* Bytes that a lane touches, a multiple of their number. */
struct touch {
    u64 at;
    u8 bytes;
    u8 lane; /* the first of several reading lanes, the last of writing ones */
};

struct turn {
    u32 pc;
    u16 op;
    u8 way;         /* enum way */
    u8 barrier;     /* WAY_BARRIER: which of the block */
    bool waits;     /* WAY_BARRIER: bar.sync */
    bool faulted;   /* WAY_BARRIER: it does not agree with earlier arrivals; set by the caller that runs it */
    u32 expected;   /* WAY_BARRIER: warps to arrive */
    u32 generation; /* WAY_BARRIER: times that it was complete before; set by the caller that runs it */
    u64 block;      /* number of the warp's block */
    u32 count;
    struct touch touch[TOUCHES_MAX]; /* by ascending address */
};

/* The warps of a launch whose blocks are all resident, by number: those of block 0 first. */
struct warps {
    u32 count, each; /* in all; of a block */
    struct warp *at[64];
};

/* True if the warp is at an instruction that is a turn. It passes reconvergence points, as execution does. */
bool turn_visible(struct warp *w);

/* Computes what the next visible instruction will do. */
void turn_next(const struct warp *w, u64 block, struct turn *t);

/* Adds bytes to it; false when there is no room. */
bool turn_add(struct turn *t, struct touch add);

/* True if it matters who touches a byte first. Reductions of one operation that does not round commute. */
bool turn_ways_conflict(u8 way, u16 op, u8 other_way, u16 other_op);

/* Host address of bytes that were touched; NULL when they are out of bounds. */
u8 *turn_bytes(const struct warps *all, u64 at, u32 bytes);

#endif
