/* What `heddle sweep --knee NAME` says of its own points: how much of an axis is enough. */
#ifndef HEDDLE_CLI_SWEEP_KNEE_H
#define HEDDLE_CLI_SWEEP_KNEE_H

#include "sim/cli/sweep/sweep.h"

/* Whether it is an axis of numbers. False after a message. */
bool knee_check(const struct sweep *s, const char *name);

/* False after a message. */
bool knee_show(const struct sweep *s, struct store *store, const char *name, const char *objective);

#endif
