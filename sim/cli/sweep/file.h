/* A sweep that a file describes: sim/sweep/description.h, or one that ships, by its name. */
#ifndef HEDDLE_CLI_SWEEP_FILE_H
#define HEDDLE_CLI_SWEEP_FILE_H

#include "sim/base/arena.h"
#include "sim/cli/command.h"
#include "sim/cli/resource_dir.h"

void sweep_file_dir(struct resource_dir *s);

/*
 * Reads the file; its options become words in front of which stands "run". `options` are all that it may have. False
 * after messages.
 */
bool sweep_file_read(const char *name, const struct argp_option *options, struct arena *arena, int *argc, char ***argv);

#endif
