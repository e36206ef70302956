/* What a run follows from, as texts to be hashed: of sweeps, and of recordings that are made again. */
#ifndef HEDDLE_CLI_RUN_IDENTITY_H
#define HEDDLE_CLI_RUN_IDENTITY_H

#include "sim/cli/json.h"
#include "sim/cli/run/run.h"

/* All values of the board; without a clock none matters but the warp width. */
void run_put_board(const struct run *r, bool timed, struct buf *to);

/* The kernel's text, for its cases, and its instructions, for what it includes. False after a message. */
bool run_put_program(struct heddle *h, const struct heddle_program *p, const struct buf *source, struct buf *to);

/* A line for each fact, so that none can run into the next. */
void run_put_fact(struct buf *to, const char *name, const char *value);

/* The options that a launch has, but for its arguments. */
void run_put_launch(const struct run_options *o, struct buf *to);

/*
 * {kernel, board, launch, buffers: {name: hash}}: what a launch that is recorded follows from, before it. NULL after a
 * message.
 */
json_t *run_identity(struct run *r);

#endif
