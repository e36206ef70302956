#include "sim/base/budget.h"

bool budget_take(struct budget *b, u64 bytes) {
    if (!b)
        return true;
    u64 used = atomic_fetch_add(&b->used, bytes) + bytes, none = 0;
    if (b->limit && used > b->limit) {
        atomic_fetch_sub(&b->used, bytes);
        atomic_compare_exchange_strong(&b->refused, &none, bytes);
        return false;
    }
    u64 peak = atomic_load(&b->peak);
    while (peak < used && !atomic_compare_exchange_weak(&b->peak, &peak, used)) {
    }
    return true;
}

void budget_give(struct budget *b, u64 bytes) {
    if (b)
        atomic_fetch_sub(&b->used, bytes);
}
