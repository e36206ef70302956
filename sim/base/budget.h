/*
 * Budget: a bound on the memory that arenas and bufs take together. They point at one; without, there is no bound. Host
 * threads may share it.
 *
 *   struct budget budget = {.limit = 512 << 20};
 *   struct arena a = {.budget = &budget};              arena_alloc gives NULL when the budget has too little left
 */
#ifndef HEDDLE_BASE_BUDGET_H
#define HEDDLE_BASE_BUDGET_H

#include <stdatomic.h>

#include "sim/base/types.h"

struct budget {
    u64 limit;              /* bytes; 0 = no bound */
    _Atomic u64 used, peak; /* peak since the start */
    _Atomic u64 refused;    /* bytes of the first request that was refused since this was set to 0 */
};

/* False when that is more than what is left. Both take NULL. */
bool budget_take(struct budget *b, u64 bytes);
void budget_give(struct budget *b, u64 bytes);

#endif
