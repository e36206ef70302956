/*
 * --replay: data that shows a difference as files, and the two commands that show it.
 */
#ifndef HEDDLE_CLI_PROVE_REPLAY_H
#define HEDDLE_CLI_PROVE_REPLAY_H

#include "sim/cli/prove/options.h"

/* Makes the folder, or finds nothing in it; false after a message. */
bool prove_replay_folder(const char *path);

/* Of the first width that shows a difference, if that is asked for; false after a message. */
bool prove_replay(struct prove *p, const struct heddle_proof *proof);

#endif
