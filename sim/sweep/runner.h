/* Who runs a sweep: a process that others can find alive, or gone. */
#ifndef HEDDLE_SWEEP_RUNNER_H
#define HEDDLE_SWEEP_RUNNER_H

#include "sim/base/types.h"

struct runner {
    char host[80];
    char place[120]; /* of this boot and this set of process numbers; "" = not known */
    s64 pid;
    s64 since; /* when it began, in ticks since the boot: numbers are given again */
};

struct runner runner_self(void);

/* Whether that process of this place is there. */
bool runner_alive(s64 pid, s64 since);

#endif
