/*
 * The geometry of a warp's memory access: which lines and sectors of global memory, how many passes of shared memory.
 * Pure functions of the addresses; the rules in full are in docs/memory.md.
 */
#ifndef HEDDLE_TIME_GEOMETRY_H
#define HEDDLE_TIME_GEOMETRY_H

#include "isa/isa.h"
#include "sim/board/board.h"
#include "sim/time/message.h"

/* One line that an access touches. */
struct line_access {
    u64 line;     /* address of its first byte */
    u64 bytes[2]; /* bytes touched, one bit each */
    u64 lanes;    /* that touch it */
    u8 sectors;   /* touched */
};

enum { LINES_MAX = WARP_MAX }; /* an aligned access of at most 16 bytes lies in one line */

/*
 * Coalescing: the distinct lines of an access, in the order of their first lane. `addr` [64] of the lanes in `mask`,
 * each `bytes` (1, 2, 4, 8, 16) wide and aligned. Returns their number.
 */
u32 coalesce(const u64 *addr, u64 mask, u32 bytes, struct line_access line[LINES_MAX]);

/*
 * Passes of a shared-memory load or store: each bank serves one word (bank_bytes wide) in a pass, to every lane that
 * wants it; `width` is the warp's. 64-bit accesses go in two phases of half a warp, 128-bit ones in four of a quarter
 * (for warps of 32; other widths so that a phase moves as much as the banks can), each with passes of its own.
 */
u32 shared_passes(const struct board_shared *s, const u64 *addr, u64 mask, u32 bytes, u32 width);

/* Atomics: the most lanes that share one address. */
u32 same_address(const u64 *addr, u64 mask);

/* Distinct addresses: what a load from constants is serialised by. */
u32 distinct_addresses(const u64 *addr, u64 mask);

#endif
