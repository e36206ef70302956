/* The bound that a control group sets on the memory of this process. */
#ifndef HEDDLE_FILE_MEMORY_LIMIT_H
#define HEDDLE_FILE_MEMORY_LIMIT_H

#include "sim/base/types.h"

/* Bytes, the smallest of the group's and of those above it; 0 = there is none that can be read. */
u64 file_memory_limit(void);

/* The same with another root than "/": for tests. */
u64 file_memory_limit_in(const char *root);

#endif
