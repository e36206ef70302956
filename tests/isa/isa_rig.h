/*
 * Assembles a kernel from text and runs it with named buffers and numbers: what every test of an instruction needs.
 *
 *   struct rig r = {.text = text, .grid = {4}, .block = {64}, .width = 32, .buffer = {{"out", out, sizeof out}}};
 *   rig_run(&r);                                          fails the test, with the reason, unless the launch ends well
 *   cr_assert(rig_fault(&r) == FAULT_TRAP);               or: what stopped it
 */
#ifndef HEDDLE_TESTS_ISA_RIG_H
#define HEDDLE_TESTS_ISA_RIG_H

#include "sim/arch/machine.h"
#include "tests/lib/samples.h"
#include "tests/lib/scoped.h"

enum { RIG_BUFFERS = 6, RIG_NUMBERS = 4 };

struct rig {
    const char *text;      /* one kernel, and functions */
    u32 grid[3], block[3]; /* 0 counts as 1 */
    u32 width;
    enum engine engine;
    struct {
        const char *name; /* a buffer parameter */
        void *bytes;
        u64 size;
    } buffer[RIG_BUFFERS];
    struct {
        const char *name; /* a scalar parameter */
        u64 value;
    } number[RIG_NUMBERS];
};

/* NULL after failing the running test. */
struct program *rig_assemble(const char *text);

/* Runs a program in place of the text; the outcome, with the rendered fault in `why`. */
enum outcome rig_launch(const struct rig *r, const struct program *p, struct fault *fault, struct buf *why);

void rig_run(const struct rig *r);
enum fault_kind rig_fault(const struct rig *r);

/* Every width on every engine of this host (QUICK=1: on one): for (u32 i = 0; rig_next(&i, &width, &engine);) */
bool rig_next(u32 *i, u32 *width, enum engine *engine);

/* Pseudo-random numbers that are the same everywhere. */
u64 rig_random(u64 *state);

#endif
