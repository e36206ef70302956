/* Buffers of `heddle run`: made by --in, --inout and --out, and printed by --print. */
#ifndef HEDDLE_CLI_RUN_BUFFERS_H
#define HEDDLE_CLI_RUN_BUFFERS_H

#include "sim/cli/run/case.h"

/*
 * Makes and fills the options' buffers, besides or in place of the case's, and adds them to the arguments, under their
 * own names. False after a message.
 */
bool run_buffers_make(struct run_options *o, struct heddle *h, const struct heddle_program *p, struct run_case *c);

/* Checks that everything in --print exists. False after a message. */
bool run_buffers_check(const struct run_options *o, struct heddle *h);

void run_buffers_print(const struct run_options *o, struct heddle *h, struct buf *out);

#endif
