/* What the computer offers to a launch. */
#ifndef HEDDLE_API_HOST_H
#define HEDDLE_API_HOST_H

#include "sim/base/types.h"

/* Cores that this process may use, at least 1. */
u32 host_cores(void);

/* Bytes of memory, whoever uses it, or of the address space that this process may have; UINT64_MAX when unknown. */
u64 host_memory(void);

#endif
