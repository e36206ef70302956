/*
 * Kernels and scripts that ship with heddle: below $HEDDLE_HOME; or share/heddle beside the folder of an installed
 * program; or the source tree around a program in its build folder.
 */
#ifndef HEDDLE_CLI_RESOURCES_H
#define HEDDLE_CLI_RESOURCES_H

#include "sim/base/types.h"

/* Returns the folder with kernels/ and scripts/, or NULL. */
const char *resources_root(void);

/*
 * Finds the kernel of `name` if the user has no such file: below kernels/, with or without .hd, "classic/saxpy"; or
 * without its folder, "scan", if only one has it. Else keeps the name; false after a message if several kernels have
 * it.
 */
bool resources_kernel(char *path, size_t size, const char *name);

/* Finds files for `name`: the user's file or folder, a shipped kernel, or a folder of those ("classic"). */
bool resources_kernels(char *path, size_t size, const char *name);

#endif
