/* The buffers of `heddle run`: what --in, --inout and --out make, and what --print shows. */
#ifndef HEDDLE_CLI_RUN_BUFFERS_H
#define HEDDLE_CLI_RUN_BUFFERS_H

#include "sim/cli/run/case.h"

/*
 * Makes and fills those of the options, beside or in place of the case's, and adds them to the arguments, under their
 * own names. False after a message.
 */
bool run_buffers_make(struct run_options *o, struct heddle *h, const struct heddle_program *p, struct run_case *c);

/* Whether all that --print names is there. False after a message. */
bool run_buffers_check(const struct run_options *o, struct heddle *h);

void run_buffers_print(const struct run_options *o, struct heddle *h, struct buf *out);

#endif
