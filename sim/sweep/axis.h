/*
 * Axis: a name and the values that a sweep gives it, as text.
 *
 *   dram.channels=8,16,32        these
 *   l2.bytes=4MiB..64MiB/x2      from 4 MiB on, each twice the one before, up to 64 MiB
 *   arg.n=100..1000/300          100, 400, 700, 1000; without a step 1
 *   dram.channels=0.5x..2x/x2    half of what the board has, as much, twice as much
 *   grid=1..4,8,16               all of it together
 *
 * A comma inside brackets does not separate: in.x=f32[4,8]:iota. The ends of a range have one unit, or units of one
 * kind; its values are written in the smaller one.
 */
#ifndef HEDDLE_SWEEP_AXIS_H
#define HEDDLE_SWEEP_AXIS_H

#include "sim/base/arena.h"

enum { AXIS_VALUES_MOST = 100000 };

struct axis {
    const char *given; /* as it was written; not owned */
    const char *name;
    const char *const *value;
    u32 n; /* from 1 on */
};

/* What is wrong with a text, and where in it. */
struct axis_mistake {
    size_t at, len;
    char text[120];
};

/* Reads one; `twice`: a value may be there twice. What it holds is the arena's. False: `wrong` says why. */
bool axis_read(const char *text, bool twice, struct arena *arena, struct axis *axis, struct axis_mistake *wrong);

/* The number that a value is, with its unit: 4194304 of "4MiB". False when it is something else. */
bool axis_number(const char *text, double *number);

/* Whether it is a multiple of what the board has: "0.5x". */
bool axis_is_multiple(const char *text);

#endif
