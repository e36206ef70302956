/* Commands whose results can be points of a sweep, and the options of each. */
#ifndef HEDDLE_CLI_SWEEP_PLAN_COMMANDS_H
#define HEDDLE_CLI_SWEEP_PLAN_COMMANDS_H

#include "sim/base/arena.h"
#include "sim/cli/command.h"

/* True if it is `run`, or writes its results as JSON. */
bool words_command(const char *name);

/*
 * Lists the options of a command with these words, followed by the sweep's own. *known: the list is complete; those of
 * a user's own study are not in it. NULL after a message.
 */
const struct argp_option *words_options(const char *command, const char *study, const struct argp_option *sweep,
                                        struct arena *arena, bool *known);

#endif
