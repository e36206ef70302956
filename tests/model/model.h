/*
 * A second model of whole programs, to compare the machine with. It is slow and plain on purpose, and written from
 * docs/assembly.md and docs/reference/isa.md: one lane after the other, one instruction at a time, the arithmetic of
 * tests/isa/isa_ref.h. It shares the program object with the machine and nothing else: no executor, no stack of
 * reconvergence points, not even the meeting points that the assembler wrote into branches.
 *
 *   struct model_launch l = {.program = p, .kernel = k, .width = 32, .grid = {1, 1, 1}, .block = {64, 1, 1}, ...};
 *   enum model_end end = model_run(&l, &fault);
 */
#ifndef HEDDLE_TESTS_MODEL_MODEL_H
#define HEDDLE_TESTS_MODEL_MODEL_H

#include "isa/program.h"

struct model_buffer {
    u64 address;
    u8 *bytes;
    u64 size;
};

struct model_launch {
    const struct program *program;
    const struct kernel *kernel;
    u32 width;
    u32 grid[3], block[3];
    const u8 *params; /* kernel->param_bytes of them */
    struct model_buffer *buffer;
    u32 nbuffers;
    u64 max_instructions; /* of warps */
    u32 turn;             /* instructions of a warp before the next one has its turn; 0 = as many as it can */
    bool backwards;       /* the last warp of a block takes the first turn */
};

enum model_end {
    MODEL_DONE,
    MODEL_FAULT,   /* its kind is in model_fault */
    MODEL_UNKNOWN, /* what the program does depends on the machine: %clock, %smid, approximate functions */
    MODEL_NO_MEMORY
};

struct model_fault {
    const char *kind; /* as docs/assembly.md names it; of MODEL_UNKNOWN the instruction */
    u32 pc;
};

enum model_end model_run(const struct model_launch *l, struct model_fault *fault);

/*
 * Finds where lanes that diverge at the branch `pc` reconverge, from the definition by trying every instruction;
 * NO_RECONVERGENCE if they do not.
 */
u32 model_meeting_point(const struct program *p, u32 pc);

#endif
