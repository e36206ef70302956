/* `heddle run --board v100,a100`: the same run on several boards, and the differences (sim/cli/diff/diff.h). */
#ifndef HEDDLE_CLI_RUN_BOARDS_H
#define HEDDLE_CLI_RUN_BOARDS_H

#include "sim/cli/run/options.h"

/* True if --board names several; an existing file whose name has a comma is one. */
bool run_boards_named(const struct run_options *o);

/* Runs the command line once for each board. Buffers must not depend on the board: they are compared and written once.
 * Returns the greatest exit status. */
int run_boards(const struct run_options *o, int argc, char **argv);

#endif
