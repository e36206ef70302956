/* The program as one launch sees it: with the sizes that the launch gives. */
#ifndef HEDDLE_API_MODULE_H
#define HEDDLE_API_MODULE_H

#include "sim/api/context.h"

/*
 * Puts a copy of the program and its kernel into the launch, where the launch changes them: shared memory of its size.
 * The copy lies in the arena. False with an error in the context.
 */
bool module_size(struct heddle *h, struct launch *l, const struct heddle_launch *asked, struct arena *arena);

#endif
