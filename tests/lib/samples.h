/* Number of tries of a test. */
#ifndef HEDDLE_TESTS_SAMPLES_H
#define HEDDLE_TESTS_SAMPLES_H

#include <stdlib.h>

#include "sim/base/types.h"

/* QUICK=1: the same code has been tested in another build. */
static inline bool rig_quick(void) {
    const char *quick = getenv("QUICK");
    return quick && *quick;
}

/* Returns `n` samples, or random programs: a tenth with QUICK=1, `k` times as many with SAMPLES=k. */
static inline u32 rig_samples(u32 n) {
    const char *times = getenv("SAMPLES");
    u32 k = times ? (u32)strtoul(times, NULL, 10) : 0;
    return rig_quick() ? n / 10 + 1 : k ? n * k : n;
}

#endif
