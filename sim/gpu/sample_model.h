/*
 * How long the blocks take that were not timed: blocks are grouped by what they do, each group has a time for an
 * instruction, and the grid is played: a block takes the place that is free first, for the time of its group.
 *
 *      timed blocks --> time of each group --> play(all) - play(timed), scaled to the rate of the last windows
 *
 * Left out: that blocks of the last wave have more of their SM than others. Both plays have such an end, and only their
 * difference counts.
 */
#ifndef HEDDLE_GPU_SAMPLE_MODEL_H
#define HEDDLE_GPU_SAMPLE_MODEL_H

#include "sim/arch/machine.h"

enum { SAMPLE_GROUPS = 32 };

/* Blocks that do the same, or nearly. */
struct sample_group {
    u64 key;
    u64 blocks;  /* of the grid */
    double work; /* instructions of those before m->last */
    u64 timed;   /* blocks that its time is from */
    double rate; /* cycles of an instruction of a block */
};

struct sample_model {
    const struct block_work *work; /* [blocks] */
    u64 blocks;
    u64 last;   /* first block of the grid's end, which will be timed */
    u32 places; /* blocks that run at one time */
    u64 gap;    /* cycles from the end of a block to the start of the next */
    u8 *group;  /* [blocks] */
    struct sample_group groups[SAMPLE_GROUPS];
    u32 count;    /* groups */
    double *free; /* [places] heap: time when each is free */
    double mix;   /* relative error of what was not timed, because groups have other shares in it than in what was */
};

/* Groups the blocks; exactly by what they do, or coarser where that makes more than SAMPLE_GROUPS. False: no memory. */
bool sample_group(struct sample_model *m, struct arena *arena);

/* Blocks that were timed. */
struct sample_times {
    u64 *order; /* [n] their numbers, as they started */
    u64 *start; /* [blocks of the grid] cycle of each one's start */
    u64 *end;   /* [blocks of the grid] and of its end; 0: it has not ended */
};

/* Takes the groups' times from those of blocks [from, to) of the order. */
void sample_fit(struct sample_model *m, const struct sample_times *t, u64 from, u64 to);

/*
 * Plays n blocks, order[i] or all in order; the time when the last has ended. wave[i]: the mean start of blocks
 * [i, i + 1) x places of them; NULL: not wanted.
 */
double sample_play(const struct sample_model *m, const u64 *order, u64 n, double *wave);

/* Windows of measured and of modelled cycles, as one rate. */
struct sample_rate {
    double scale; /* measured over modelled cycles */
    double error; /* of it, relative: half of the interval of 95 % */
};
struct sample_rate sample_rate(const double *measured, const double *modelled, u32 n);

#endif
