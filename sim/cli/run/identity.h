/* Everything that determines a run, as texts to be hashed: for sweeps, and for replays. */
#ifndef HEDDLE_CLI_RUN_IDENTITY_H
#define HEDDLE_CLI_RUN_IDENTITY_H

#include "sim/cli/json.h"
#include "sim/cli/run/run.h"

/* Appends all values of the board; without a clock only the warp width. */
void run_put_board(const struct run *r, bool timed, struct buf *to);

/* Appends the kernel's text, for its cases, and its instructions, for its includes. False after a message. */
bool run_put_program(struct heddle *h, const struct heddle_program *p, const struct buf *source, struct buf *to);

/* Appends a line for each fact, so that no two can run together. */
void run_put_fact(struct buf *to, const char *name, const char *value);

/* Appends the options of a launch, except its arguments. */
void run_put_launch(const struct run_options *o, struct buf *to);

/*
 * Makes {kernel, board, launch, buffers: {name: hash}}, which determines a launch to be recorded. NULL after a message.
 */
json_t *run_identity(struct run *r);

#endif
