/*
 * Axis: a name and the values that a sweep gives it, as text.
 *
 *   dram.channels=8,16,32        these
 *   l2.bytes=4MiB..64MiB/x2      from 4 MiB to 64 MiB, each twice the last
 *   arg.n=100..1000/300          100, 400, 700, 1000; without a step 1
 *   dram.channels=0.5x..2x/x2    half, once and twice the board's value
 *   grid=1..4,8,16               a range and values
 *
 * A comma inside brackets does not separate: in.x=f32[4,8]:iota. The ends of a range have one unit, or units of one
 * kind; its values are written in the smaller one.
 */
#ifndef HEDDLE_SWEEP_AXIS_H
#define HEDDLE_SWEEP_AXIS_H

#include "sim/base/arena.h"

enum { AXIS_VALUES_MOST = 100000 };

struct axis {
    const char *given; /* as written; not owned */
    const char *name;
    const char *const *value;
    u32 n; /* from 1 on */
};

/* An error in a text, and its place. */
struct axis_mistake {
    size_t at, len;
    char text[120];
};

/* Reads an axis into the arena; `twice` allows a value twice. False with the reason in `wrong`. */
bool axis_read(const char *text, bool twice, struct arena *arena, struct axis *axis, struct axis_mistake *wrong);

/* Reads a value with its unit as a number: 4194304 for "4MiB". False if it is none. */
bool axis_number(const char *text, double *number);

/* True for a multiple of the board's value: "0.5x". */
bool axis_is_multiple(const char *text);

#endif
