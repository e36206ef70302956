/*
 * The kernels and scripts that ship with heddle: below $HEDDLE_HOME; or share/heddle beside the folder of the
 * program, when it is installed; or the source tree around it, when it runs from its build folder.
 */
#ifndef HEDDLE_CLI_RESOURCES_H
#define HEDDLE_CLI_RESOURCES_H

#include "sim/base/types.h"

/* The folder that holds kernels/ and scripts/, or NULL when there is none. */
const char *resources_root(void);

/*
 * The path of the kernel that `name` means when no such file of the user's is there: below kernels/, with or without
 * .hd, "classic/saxpy"; or without its folder, "scan", when it is in one only. Else leaves the name as it is; false
 * after a message when several kernels have it.
 */
bool resources_kernel(char *path, size_t size, const char *name);

/* The same of a file or a folder: the user's, a kernel that ships, or a folder of them ("classic"). */
bool resources_kernels(char *path, size_t size, const char *name);

#endif
