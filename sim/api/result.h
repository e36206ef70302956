/* Turns what the machine counted into a `struct heddle_result`. */
#ifndef HEDDLE_API_RESULT_H
#define HEDDLE_API_RESULT_H

#include "sim/api/context.h"

/* Totals, counts by class and by instruction, in the context's result arena. False when memory is out. */
bool result_fill(struct heddle *h, const struct launch *l, struct heddle_result *r);

/* Where the fault is. */
void result_fault(const struct launch *l, const struct fault *f, struct heddle_result *r);

#endif
