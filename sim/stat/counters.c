#include "sim/stat/counters.h"

void counters_add(u64 *to, const u64 *from, size_t count) {
    for (size_t i = 0; i < count; i++)
        to[i] += from[i];
}
