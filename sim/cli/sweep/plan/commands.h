/* The commands whose results can be points of a sweep, and the options that each has. */
#ifndef HEDDLE_CLI_SWEEP_COMMANDS_H
#define HEDDLE_CLI_SWEEP_COMMANDS_H

#include "sim/base/arena.h"
#include "sim/cli/command.h"

/* Whether it is `run`, or writes its results as JSON. */
bool words_command(const char *name);

/*
 * The options of a command whose words are these, and of the sweep itself behind them. *known: all of them are there;
 * those of a study of the user's own are not. NULL after a message.
 */
const struct argp_option *words_options(const char *command, const char *study, const struct argp_option *sweep,
                                        struct arena *arena, bool *known);

#endif
