/* A running sweep: a process that others can check to be alive. */
#ifndef HEDDLE_SWEEP_RUNNER_H
#define HEDDLE_SWEEP_RUNNER_H

#include "sim/base/types.h"

struct runner {
    char host[80];
    char place[120]; /* boot and PID namespace; "" = unknown */
    s64 pid;
    s64 since; /* start time, in ticks since the boot: process numbers are reused */
};

struct runner runner_self(void);

/* True if that process of this place is alive. */
bool runner_alive(s64 pid, s64 since);

#endif
