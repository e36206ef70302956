/* Turns the machine's counts into a `struct heddle_result`. */
#ifndef HEDDLE_API_RESULT_H
#define HEDDLE_API_RESULT_H

#include "sim/api/context.h"
#include "sim/gpu/gpu.h"
#include "sim/stat/totals.h"

/* Fills in totals and counts by class and by instruction, in the context's result arena. False when out of memory. */
bool result_fill(struct heddle *h, const struct launch *l, struct heddle_result *r);

/* Adds the clock's counts, after result_fill and for a launch that ended well. False when out of memory. */
bool result_fill_timed(struct heddle *h, const struct launch *l, const struct gpu_result *g, struct heddle_result *r);

/* Writes the parts of the energy, all or those of DRAM, to `list` of ENERGY_PARTS; returns their number. */
u32 result_energy(const struct totals *t, bool dram, struct heddle_energy *list);

/* Adds, after result_fill, what the SMs of one of several launches counted. False when out of memory. */
bool result_fill_part(struct heddle *h, const struct launch *l, const struct gpu_result *g, struct heddle_result *r);

/* Puts an extrapolated launch into the result: what has no extrapolation, as lines and channels, is left out. */
bool result_fill_sampled(struct heddle *h, const struct gpu_result *g, struct heddle_result *r);

/* Fills in what the board counted for several launches. False when out of memory. */
bool result_fill_board(struct heddle *h, const struct gpu_result *g, struct heddle_result *r);

/* True if `lines` lists an instruction: any of the kernel, and those of other functions that were issued. */
bool result_lists(const struct launch *l, u32 pc);

/* Fills in the place of the fault. */
void result_fault(const struct launch *l, const struct fault *f, struct heddle_result *r);

#endif
