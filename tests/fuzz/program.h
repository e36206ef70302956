/*
 * Random programs that are right by construction: they assemble, end, do not fault, and have no race, so that every
 * machine, with a clock or without, and any number of host threads must leave the same bytes. They are made from bytes,
 * of a fuzzer or a random generator, and end when those run out.
 *
 *   struct program_text t = {0};
 *   program_random(bytes, len, &(struct program_options){.shared = true}, &t);
 *   ... assemble t.text, bind program_buffers(&t, ...), launch t.grid x t.block at t.width
 *   program_text_free(&t);
 *
 * Every thread reads `in` and owns a part of `out`. Threads exchange words through shared memory between barriers, add
 * to common cells of `sums` by atomics in any order, and blocks pass a number on through `chain`.
 */
#ifndef HEDDLE_TESTS_FUZZ_PROGRAM_H
#define HEDDLE_TESTS_FUZZ_PROGRAM_H

#include "isa/program.h"

struct program_options {
    bool shared;    /* exchanges through shared memory */
    bool global;    /* atomics on common cells, and blocks that wait for one another */
    bool divergent; /* lanes of a warp diverge */
    bool oblivious; /* branches, addresses and lanes that are read do not depend on data */
    bool integers;  /* no floating-point instructions */
    u32 without;    /* the n-th synchronisation, from 1 on, is left out, which makes a race; 0 = none */
    u32 width;      /* 0 = any */
    u32 warps;      /* most of a block, at most 8; 0 = 4 */
    u32 blocks;     /* most of the grid; 0 = 3 */
    u32 statements; /* most of the program; 0 = 40 */
};

struct program_text {
    struct buf text; /* of the only kernel, `k`, with functions */
    u32 width, grid[3], block[3];
    u32 synchronisations; /* barriers, releases and acquires that order accesses, for options.without */
};

enum {
    PROGRAM_IN_WORDS = 256,
    PROGRAM_OUT_WORDS = 32, /* of a thread */
    PROGRAM_SUM_WORDS = 64,
    PROGRAM_CHAIN_WORDS = 2 /* of a block */
};

struct program_buffer {
    const char *name; /* of the parameter too */
    u32 words;        /* u32 */
};
enum { PROGRAM_BUFFERS = 4 };

void program_random(const u8 *bytes, size_t len, const struct program_options *options, struct program_text *t);
void program_buffers(const struct program_text *t, struct program_buffer out[PROGRAM_BUFFERS]);
void program_text_free(struct program_text *t);

/* Words for `in`: corner values of all types, and others. */
u32 program_in_word(u32 index, u32 seed);

#endif
