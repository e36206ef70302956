/* A launch ready to run, for callers that run it in their own way. */
#ifndef HEDDLE_API_LAUNCH_H
#define HEDDLE_API_LAUNCH_H

#include "sim/api/context.h"

/*
 * Fills a launch except for its counts: kernel, sizes, width, engine, memory, and the arguments in `params`
 * (PARAM_BYTES_MAX zeroed bytes). False with an error in the context.
 */
bool launch_prepare(struct heddle *h, const struct heddle_program *p, const struct heddle_launch *asked,
                    struct launch *l, u8 *params);

#endif
