/*
 * A kernel in a string, run on one buffer: the smallest launch a test can make.
 *
 *   u32 out[64] = {0};
 *   struct outcome_of o = launch_text(text, (struct sizes){32, 1, 64}, out, 64);   of a kernel(out : u32[])
 *   cr_assert(o.outcome == RUN_OK, "%s", o.text);
 *
 * Or the launch alone, for what runs or watches it:
 *
 *   SCOPED(prepared_end) struct prepared p;
 *   prepared_begin(&p, program_of_text(text), (struct sizes){32, 1, 64});
 *   p.params[0] = memory_add(&p.memory, "out", (u8 *)out, sizeof out);
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

struct prepared {
    struct program *program;
    struct memory memory;
    struct launch launch;
    u64 params[PARAM_BYTES_MAX / 8];
};

/* Prepares the launch of a program's only kernel, and takes the program. */
void prepared_begin(struct prepared *p, struct program *program, struct sizes sizes);
void prepared_end(struct prepared *p);

/* Assembles and launches the only kernel of `text`; `out` is its buffer "out". */
struct outcome_of launch_text(const char *text, struct sizes sizes, u32 *out, u32 n);

#endif
