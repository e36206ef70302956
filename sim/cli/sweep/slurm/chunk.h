/* How many points a task has: so many that it takes some seconds, because starting one takes about one. */
#ifndef HEDDLE_CLI_SWEEP_CHUNK_H
#define HEDDLE_CLI_SWEEP_CHUNK_H

#include "sim/cli/sweep/slurm/collect.h"

/* Runs three of the missing points here, for at most some seconds, to see how long one takes. */
bool chunk_choose(struct collect *c, u32 *chunk);

#endif
