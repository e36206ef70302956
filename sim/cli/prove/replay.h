/* --replay: data that show a difference as files, and the two commands that show it. */
#ifndef HEDDLE_CLI_PROVE_REPLAY_H
#define HEDDLE_CLI_PROVE_REPLAY_H

#include "sim/cli/prove/options.h"

/* Makes the folder, or checks that it is empty; false after a message. */
bool prove_replay_folder(const char *path);

/* Writes the files for the first width that shows a difference, if requested; false after a message. */
bool prove_replay(struct prove *p, const struct heddle_proof *proof);

#endif
