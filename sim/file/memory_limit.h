/* The limit that a control group sets on the memory of this process. */
#ifndef HEDDLE_FILE_MEMORY_LIMIT_H
#define HEDDLE_FILE_MEMORY_LIMIT_H

#include "sim/base/types.h"

/* Finds the limit in bytes, the least of the group's and its parents'; 0 if none can be read. */
u64 file_memory_limit(void);

/* Finds it below another root than "/": for tests. */
u64 file_memory_limit_in(const char *root);

#endif
