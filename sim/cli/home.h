/*
 * Where the kernels and scripts that ship with heddle are: $HEDDLE_HOME; or share/heddle beside the folder of the
 * program, when it is installed; or the source tree around it, when it runs from its build folder.
 */
#ifndef HEDDLE_CLI_HOME_H
#define HEDDLE_CLI_HOME_H

#include "sim/base/types.h"

/* The folder that holds kernels/ and scripts/, or NULL when there is none. */
const char *home_folder(void);

/* Writes the path of a shipped file, "kernels/classic/saxpy.hd"; false when there is none, or no room. */
bool home_file(char *path, size_t size, const char *folder, const char *name);

#endif
