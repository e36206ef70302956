/* The recording of a launch: what each SM wrote down, put in order. */
#ifndef HEDDLE_API_RECORDING_H
#define HEDDLE_API_RECORDING_H

#include "sim/api/context.h"
#include "sim/gpu/gpu.h"

/* Makes the launch's events those of the context. False when out of memory. */
bool recording_fill(struct heddle *h, const struct launch *l, const struct gpu_result *g, struct heddle_result *r);

#endif
