/*
 * A kernel in a string, run on one buffer: the smallest launch a test can make.
 *
 *   u32 out[64] = {0};
 *   struct outcome_of o = launch_text(text, (struct sizes){32, 1, 64}, out, 64);   of a kernel(out : u32[])
 *   cr_assert(o.outcome == RUN_OK, "%s", o.text);
 */
#ifndef HEDDLE_TESTS_LAUNCH_H
#define HEDDLE_TESTS_LAUNCH_H

#include "sim/arch/machine.h"

struct outcome_of {
    enum outcome outcome;
    struct fault fault;
    char text[2048]; /* the rendered fault, or the assembler's messages */
};

struct sizes {
    u32 width, grid, block;
};

/* Assembles and launches the only kernel of `text`; `out` is its buffer "out". */
struct outcome_of launch_text(const char *text, struct sizes sizes, u32 *out, u32 n);

#endif
