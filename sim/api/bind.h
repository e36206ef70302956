/* Binds the arguments of a launch to the kernel's .param list: by name, type and size. */
#ifndef HEDDLE_API_BIND_H
#define HEDDLE_API_BIND_H

#include "sim/api/context.h"

/*
 * Fills the kernel's parameter space, `params` of k->param_bytes. False with every mistake as a line of the error, and
 * what the kernel takes.
 */
bool bind_arguments(struct heddle *h, const struct heddle_program *p, const struct kernel *k,
                    const struct heddle_launch *l, u8 *params);

/* Bytes that the kernel declares of a buffer, when its arguments have been bound; 0: it does not say. */
u64 bind_extent(const struct launch *l, const struct heddle_launch *asked, const struct buffer *buffer);

#endif
