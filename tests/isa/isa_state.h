/*
 * One instruction on many threads: each starts with values in r8..r15 and p0..p4 and ends with others.
 *
 *   program = states_assemble("@p0 add.s32 r14, r8, r10");
 *   states_run(&(struct states_launch){program, 32, ENGINE_AUTO, .block = 40, n, in, out});
 */
#ifndef HEDDLE_TESTS_ISA_STATE_H
#define HEDDLE_TESTS_ISA_STATE_H

#include "tests/isa/isa_rig.h"

struct lane_state {
    u32 r[8];     /* r8..r15 */
    u32 preds;    /* p0..p4 */
    u32 pad;      /* not used */
    u32 extra[2]; /* start values of r6 and r7, which are not compared */
};

struct states_launch {
    const struct program *program;
    u32 width;
    enum engine engine;
    u32 block; /* threads of a block; threads beyond n exit first */
    u32 n;     /* states */
    const struct lane_state *in;
    struct lane_state *out;
    const char *what; /* named when it fails */
};

/*
 * The kernel around an instruction, or several on lines of their own, which may use r0..r7 and p5 up; functions and
 * constants may follow in `tail`. r30 is the number of the state.
 */
struct program *states_assemble(const char *instruction, const char *tail);

/* False after failing the running test. */
bool states_run(const struct states_launch *l);

bool state_equal(const struct lane_state *a, const struct lane_state *b);

/* "r9:r8 00000000:00000001 ... p0..p4 10010" */
void state_print(const struct lane_state *s, char out[160]);

#endif
