/*
 * A launch of unknown size: n = period * q + rest, where `rest` is known and q is not. A grid grows by the same number
 * of blocks with each period, so that its blocks are of up to four parts, of which one representative each is run:
 *
 *   part      FIRST   INNER                LAST     REST
 *   period    -       0 .. q - 1           -        q        without edges, at q = 1
 *             0       1 .. q - 2           q - 1    q        with edges, at q = 3
 *
 * In the terms q and the number of an inner period are unknown words, and so are the addresses of buffers. What they
 * decide of control flow is decided for all q up to `most`, or stays unknown: an affine form has its smallest and
 * largest value in a corner of the triangle of (period, q). What is accessed is an affine form after the address of one
 * buffer; it must lie within the buffer for all q, and what blocks write must be theirs alone.
 *
 *   sizes_begin(z, e, launch, memory);   for each new table of terms
 *   ...                                  shadows with setup.sizes run
 *   sizes_end(z)                         z->why, where blocks may meet
 */
#ifndef HEDDLE_PROVE_SIZES_H
#define HEDDLE_PROVE_SIZES_H

#include "sim/prove/shadow.h"

enum { SIZES_PARTS = 4, SIZES_PARAMS = PARAM_BYTES_MAX / 4 };

/* c * period + q * q + k */
struct affine {
    s64 c, q, k;
};

/* An instruction of kernel 0 or 1. */
struct sizes_place {
    u32 side, pc;
};

/* What a kernel accesses of a buffer in a part: bytes from c * period + q * q + `low` on. */
struct reach {
    bool any, mixed, written;
    s64 c, q, low, high;
    struct sizes_place at; /* of the first write, else the first access */
};

struct sizes {
    const char *name; /* of the parameters that are n */
    u64 period, rest;
    s64 most;             /* largest q; the smallest is 1 + edge */
    s64 edge;             /* 1: the first and the last period are parts of their own */
    u32 dim[2];           /* in which each grid grows */
    s64 blocks[2];        /* blocks of a period */
    struct affine *bytes; /* [buffers] of each; c is 0 */
    /* Of the terms: */
    struct terms *e;
    const struct memory *memory;
    u32 q, c;                   /* atoms: whole periods in the size, and an inner period */
    u32 *address;               /* [2 * buffers] words */
    u32 param[2][SIZES_PARAMS]; /* words of parameters; WORD_NONE = known */
    struct buf forms;           /* struct form for each atom */
    struct arena arena;
    struct reach *reach;               /* [2][buffers][SIZES_PARTS] */
    struct affine **seen[SIZES_PARTS]; /* [buffers][words] c and q of the address of a word; k = 0: none yet */
    /* Why it does not hold for all sizes: */
    bool wraps, varies; /* a condition is not decided: numbers wrap around for some; or it is not the same for all */
    bool open;          /* an address is not known, since numbers wrap around */
    struct sizes_place wraps_at, why_at;
    const char *why; /* NULL = nothing else: "... in" the buffer */
    u32 why_buffer;
};

/* q of the run */
static inline s64 sizes_q(const struct sizes *z) {
    return 1 + 2 * z->edge;
}

/* False when out of memory. */
bool sizes_begin(struct sizes *z, struct terms *e, const struct launch launch[2], const struct memory *m);
void sizes_end(struct sizes *z);
void sizes_free(struct sizes *z);

enum part { FIRST, INNER, LAST, REST };

/* Part that the block of an instruction belongs to. */
enum part sizes_part(const struct site *t);

/* Word of a special register, or of the parameters; WORD_NONE: the machine's. */
u32 sizes_special(const struct site *t);
static inline u32 sizes_param(const struct sizes *z, u32 side, u64 word) {
    return word < SIZES_PARAMS ? z->param[side][word] : WORD_NONE;
}

/* BIT_0 or BIT_1 if the bit is that for all sizes, else the bit. */
u32 sizes_bit(struct site *t, u32 bit);

/* An access of a lane to a buffer, of `bytes` bytes at byte `at` in the run. */
struct touch {
    u32 allocation, bytes, lane;
    u64 at;
    bool writes;
};
void sizes_access(struct site *t, const struct touch *a);

/* The value in the run of a word, or of the second word of a pair. False if it is not affine in the size. */
bool sizes_value(struct sizes *z, const u32 word[2], u32 *value);

#endif
