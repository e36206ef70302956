/* How much a test tries. */
#ifndef HEDDLE_TESTS_SAMPLES_H
#define HEDDLE_TESTS_SAMPLES_H

#include <stdlib.h>

#include "sim/base/types.h"

/* So many samples, or random programs: a tenth with QUICK=1, where the same code has been tested in another build. */
static inline u32 rig_samples(u32 n) {
    const char *quick = getenv("QUICK");
    return quick && *quick ? n / 10 + 1 : n;
}

#endif
