/*
 * A kernel in a string, run on one buffer: the smallest launch a test can make.
 *
 *   u32 out[64] = {0};
 *   struct outcome_of o = launch_text(text, 32, 1, 64, out, 64);      the kernel's only parameter is out : u32[]
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

/* Assembles and runs the only kernel of `text` with grid x block threads; `out` is bound as the buffer "out". */
struct outcome_of launch_text(const char *text, u32 width, u32 grid, u32 block, u32 *out, u32 n);

/* Launches with an instruction limit and an engine. */
struct outcome_of launch_text_with(const char *text, u32 width, const u32 grid[3], const u32 block[3], u32 *out, u32 n,
                                   u64 limit, enum engine engine);

#endif
