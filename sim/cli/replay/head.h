/* The first line of a recording: how to repeat its launch, and what it was. */
#ifndef HEDDLE_CLI_REPLAY_HEAD_H
#define HEDDLE_CLI_REPLAY_HEAD_H

#include <stddef.h>

#include "sim/cli/json.h"

/*
 * Reads the line, and checks everything that a replay needs: this heddle, `command` a list of words, `of` hashes,
 * `from`, `to` and `cycles`. NULL after a message.
 */
json_t *replay_head(const char *file, const char *text, size_t len);

#endif
