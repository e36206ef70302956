/* The first line of a recording: how its launch is made again, and what it was. */
#ifndef HEDDLE_CLI_REPLAY_HEAD_H
#define HEDDLE_CLI_REPLAY_HEAD_H

#include <stddef.h>

#include "sim/cli/json.h"

/*
 * The line as a document with all that a replay asks: of this heddle, a list of words as `command`, hashes as `of`,
 * `from`, `to` and `cycles`. NULL after a message.
 */
json_t *replay_head(const char *file, const char *text, size_t len);

#endif
