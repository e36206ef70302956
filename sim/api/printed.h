/* Lines that a launch has printed, in its result. */
#ifndef HEDDLE_API_PRINTED_H
#define HEDDLE_API_PRINTED_H

#include "sim/api/context.h"

/* Moves the lines of a launch into the context's result arena. False, with the error, when out of memory. */
bool printed_list(struct heddle *h, const struct launch *l, struct heddle_result *r);

#endif
