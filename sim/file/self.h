/* The file of the running program, or of a shared library. */
#ifndef HEDDLE_FILE_SELF_H
#define HEDDLE_FILE_SELF_H

#include "sim/base/types.h"

/* Writes the path of the file with the code of `inside`; false if it is unknown or too long. */
bool self_file(void (*inside)(void), char *path, size_t size);

#endif
