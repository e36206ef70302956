/* The program as one launch sees it: with the sizes and the contents that the launch gives. */
#ifndef HEDDLE_API_MODULE_H
#define HEDDLE_API_MODULE_H

#include "sim/api/context.h"

/*
 * Puts a copy of the program and its kernel into the launch, where the launch changes them: shared memory of its size,
 * constants. The copy lies in the arena. False with an error in the context.
 */
bool module_size(struct heddle *h, struct launch *l, const struct heddle_launch *asked, struct arena *arena);

/*
 * Writes the constants of the launch's copy: what arguments name, and the addresses of variables, whose buffers exist.
 * False with each mistake as a line of the error.
 */
bool module_bind(struct heddle *h, const struct launch *l, const struct heddle_launch *asked);

/* The module variable that an argument names; NULL: it names none, or a parameter of the kernel. */
const struct module_variable *module_named(const struct program *p, const struct kernel *k,
                                           const struct heddle_arg *arg);

/* True if the contents of the argument's buffer are copied when the launch begins: for a constant, or a value. */
bool module_copies(const struct program *p, const struct kernel *k, const struct heddle_arg *arg);

#endif
