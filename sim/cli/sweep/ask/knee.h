/* `heddle sweep --knee NAME`: how much of an axis is enough, from the sweep's own points. */
#ifndef HEDDLE_CLI_SWEEP_ASK_KNEE_H
#define HEDDLE_CLI_SWEEP_ASK_KNEE_H

#include "sim/cli/sweep/sweep.h"

/* Checks that NAME is an axis of numbers. False after a message. */
bool knee_check(const struct sweep *s, const char *name);

/* Prints the knees. False after a message. */
bool knee_show(const struct sweep *s, struct store *store, const char *name, const char *objective);

#endif
