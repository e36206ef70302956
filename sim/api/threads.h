/*
 * Host threads for one launch: they meet before and after each phase of a window, so they spin a while before they give
 * up the processor, and then sleep. The only place of the library that knows threads.
 *
 *   struct threads *t = threads_new(4);
 *   struct gpu_threads g = threads_of(t);      the pool of gpu_options
 *   threads_free(t);
 */
#ifndef HEDDLE_API_THREADS_H
#define HEDDLE_API_THREADS_H

#include "sim/gpu/gpu.h"

struct threads;

/* Makes `count` workers, the caller among them; fewer if the host has no more. NULL when out of memory. */
struct threads *threads_new(u32 count);
void threads_free(struct threads *t);

struct gpu_threads threads_of(struct threads *t);

#endif
