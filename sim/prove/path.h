/*
 * Control flow that depends on data, followed for all data at once. Where the bit that a lane branches by is not known,
 * the lane takes both sides, one after the other, each with the registers that it had at the branch. Where the sides
 * reconverge, each register and predicate is a choice between what the two left, by that bit.
 *
 *      @p bra L     lane 3: p is setp.lt.u32(x[3], 100)
 *      ...          first the lanes that may fall through, lane 3 too: what it stores it stores where p does not hold
 *   L: ...          then those that may have branched, from the registers at the branch
 *   reconvergence   lane 3: r5 = p ? r5 of the second side : r5 of the first
 *
 * The order is the machine's own (sim/arch/warp.c), so that for any data the lanes that really take a side do in memory
 * what they do there, and the others nothing. Nothing is run by the machine but its schedule: which warp is next, who
 * waits at a barrier.
 *
 * What needs its lanes to be known, such as a barrier or a shuffle, is run where all of them take part for the same
 * data. Otherwise the run ends, with the bit to divide it by (shadow.split), and is run twice, once for each value of
 * the bit. Whatever else cannot be followed ends the run with shadow.depends.
 */
#ifndef HEDDLE_PROVE_PATH_H
#define HEDDLE_PROVE_PATH_H

#include "sim/prove/shadow.h"

/* Lanes at the start of a block. False when out of memory. */
bool path_begin(struct shadow *s, struct shadow_warp *sw, u32 width);

/* Runs a warp in place of the machine's loop: as struct exec_ops.run. */
enum step path_run(struct warp *w, u64 budget);

/* Value of the bit on the assumptions of the run and of the side that the lane is on: BIT_0, BIT_1, or itself. */
u32 path_bit(const struct shadow *s, const struct shadow_warp *sw, u32 lane, u32 bit);

#endif
