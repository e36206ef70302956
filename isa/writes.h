/*
 * Buffers that a kernel may write to, by its program alone: the origins of the addresses of its stores and atomics.
 *
 *   u64 may = kernel_writes(p, k);      bit n: the buffer of parameter n
 *
 * An address lies in the buffers whose parameters it was made from by copies, selections, shuffles and sums. One that
 * may have another origin (memory, a number, the caller of a function) lies in any. A sum is taken to stay in the
 * buffer that it begins in: an index may be anything.
 */
#ifndef HEDDLE_ISA_WRITES_H
#define HEDDLE_ISA_WRITES_H

#include "isa/program.h"

/* None that is written to is left out; others may be in it, all of them when the program is too large to follow. */
u64 kernel_writes(const struct program *p, const struct kernel *k);

#endif
