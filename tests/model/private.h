/* Between the files of the model: a thread, a warp, a block. */
#ifndef HEDDLE_TESTS_MODEL_PRIVATE_H
#define HEDDLE_TESTS_MODEL_PRIVATE_H

#include "tests/model/model.h"

enum { MODEL_LEVELS_MAX = 256, MODEL_WARPS_MAX = 128 };

struct model_thread {
    u32 r[RZ + 1];
    bool p[PT + 1];
    u32 x[TRANSIT_COUNT][TRANSIT_SLOTS];
    u8 *local;
    u32 tid[3];
    bool here, exited; /* the last warp of a block may be partly full */
};

/* Lanes that run together from `pc` to `stop`, where the level below takes over. */
struct model_level {
    u64 lanes;
    u32 pc, stop;
    bool call; /* entered by a call */
};

struct model_warp {
    u32 index;
    struct model_thread thread[WARP_MAX];
    struct model_level level[MODEL_LEVELS_MAX];
    u32 depth;
    u32 waits; /* barrier + 1, 0 = for none */
};

struct model_barrier {
    u32 threads; /* that it waits for, 0 = none has arrived */
    u32 arrived;
    bool all; /* a warp waits for every thread of the block */
    bool came[MODEL_WARPS_MAX];
};

struct model_grid {
    const struct model_launch *launch;
    u64 started; /* blocks */
    u64 left;    /* warp-instructions that the launch may still issue */
    u32 *meet;   /* meeting points found so far, by pc; UINT32_MAX = not yet */
    struct model_fault fault;
    enum model_end end;
};

struct model_block {
    struct model_grid *grid;
    const struct model_launch *launch;
    u32 index[3];
    u32 warps;
    bool runs; /* else its place is free */
    u8 *shared;
    struct model_warp *warp;
    struct model_barrier barrier[BARRIER_COUNT];
};

/* Executes an instruction for the lanes whose guard holds, `lanes` != 0, except control flow and barriers. */
void model_execute(struct model_block *b, struct model_warp *w, const struct inst *i, u64 lanes);

/* Ends the launch; always false. */
bool model_stop(struct model_block *b, enum model_end end, const char *kind);

/* A register operand of one lane: 1, 2 or 4 words from a field. */
u64 model_source(const struct inst *i, enum operand_place place, const struct model_thread *t);

bool model_predicate(const struct model_thread *t, u8 field);

/* Words of registers of one lane; rz is 0, and is not written. */
static inline u32 model_word(const struct model_thread *t, u32 reg, u32 k) {
    return reg == RZ ? 0 : t->r[reg + k];
}

static inline u64 model_pair(const struct model_thread *t, u32 reg) {
    return model_word(t, reg, 0) | (u64)model_word(t, reg, 1) << 32;
}

static inline void model_put(struct model_thread *t, u32 reg, u32 k, u32 value) {
    if (reg != RZ)
        t->r[reg + k] = value;
}

/* False after a fault for lanes that are not all of a warp. */
static inline bool model_whole_warp(struct model_block *b, u64 lanes) {
    u64 all = b->launch->width == 64 ? ~(u64)0 : ((u64)1 << b->launch->width) - 1;
    return lanes == all || model_stop(b, MODEL_FAULT, "partial_warp");
}

/* Matrix products; special registers. */
void model_multiply(struct model_block *b, struct model_warp *w, const struct inst *i, u64 lanes);
void model_read_special(struct model_block *b, struct model_warp *w, const struct inst *i, u64 lanes);

#endif
