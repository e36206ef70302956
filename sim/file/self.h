/* The file of the running program, or of a shared library. */
#ifndef HEDDLE_FILE_SELF_H
#define HEDDLE_FILE_SELF_H

#include "sim/base/types.h"

/* Writes the path of the file that has the code of `inside`; false where that is not known, or there is no room. */
bool self_file(void (*inside)(void), char *path, size_t size);

#endif
