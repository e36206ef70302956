/* `heddle run --board v100,a100`: the same run on several boards, and what differs (sim/cli/diff/diff.h). */
#ifndef HEDDLE_CLI_RUN_BOARDS_H
#define HEDDLE_CLI_RUN_BOARDS_H

#include "sim/cli/run/options.h"

/* Whether --board names several; a file whose name has a comma is one. */
bool run_boards_named(const struct run_options *o);

/* Runs the command line once for each. What buffers hold must not depend on the board: it is compared and written once.
 * The worst of the exit statuses. */
int run_boards(const struct run_options *o, int argc, char **argv);

#endif
