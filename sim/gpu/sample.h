/*
 * A launch that is timed in part: waves of as many blocks as run at one time. The caller has run all blocks without a
 * clock, and so knows what each does.
 *
 *   waves     0 1 2 .. | . . . x x . . . x x . . . x x . . . x x . . . x x . . . | last
 *             start: cold   segments, anywhere in each sixteenth of the rest,      its end, with what is
 *             L2 fills      until the interval of their rates is within the bound  less than a wave
 *
 * They follow one another on the board. Waves that are left out take the mean time of a segment's, where blocks differ
 * by what they do (sample_model.h). Left out: what the first wave of a segment finds in L2.
 */
#ifndef HEDDLE_GPU_SAMPLE_H
#define HEDDLE_GPU_SAMPLE_H

#include "sim/arch/machine.h"

enum { SAMPLE_WAVES_LEAST = 32 }; /* of a grid that is sampled: those that are timed are twelve and more */

struct gpu_sample {
    const struct block_work *work; /* [blocks of the grid] */
    double bound;                  /* of `spread` */
    /* Out. */
    u64 timed;  /* blocks; 0: the sample is of no use, and there are no results */
    bool slow;  /* if so: L2 was not full after a fifth of the blocks. false: too many segments would be timed */
    u32 groups; /* of blocks that do the same */
    /* Half of the interval of 95 %, as a share of the time. */
    double spread; /* by what was timed: rates of segments, groups, L2 */
    double error;  /* the same with what the model leaves out */
};

struct launch_state;
struct gpu_result;

/* Begins, if the launch is to be sampled and has enough waves: lets only the first blocks start. False: no memory. */
bool sample_begin(struct launch_state *ls);

/* Lets more blocks start when all that may have, unless the sample is complete. False: no memory. */
bool sample_look(struct launch_state *ls);

/* True if blocks of the grid were left out. */
bool sample_is_complete(const struct launch_state *ls);

/* Extrapolates the results of the blocks that were timed to the grid, whose blocks and warps they have. */
void sample_extrapolate(struct launch_state *ls, struct gpu_result *r);

#endif
