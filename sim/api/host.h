/* Resources of the computer that runs heddle. */
#ifndef HEDDLE_API_HOST_H
#define HEDDLE_API_HOST_H

#include "sim/base/types.h"

/* Counts the cores that this process may use, at least 1. */
u32 host_cores(void);

/* Finds the bytes of the computer's memory, used or free, or of the process's address space; UINT64_MAX if unknown. */
u64 host_memory(void);

#endif
