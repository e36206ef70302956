/*
 * Registers of a program:
 *
 *   r0:r1  own part of out     r6  thread of the block        r12..r15 counters of loops    r28..r31 of functions
 *   r2:r3  in                  r7  own slot of shared memory  r16..r27 the data, and so are p0..p5
 *   r4:r5  sums                r8  thread of the grid         r32:r33  chain, r34..r35 for it
 *   r10:r11, r9 for addresses  r36..r39 follow from the thread's number alone
 */
#ifndef HEDDLE_TESTS_FUZZ_PROGRAM_MAKER_H
#define HEDDLE_TESTS_FUZZ_PROGRAM_MAKER_H

#include "tests/fuzz/program.h"

enum { DATA = 16, DATA_COUNT = 12, PREDS = 6, KNOWN = 36, KNOWN_COUNT = 4, DEPTH_MAX = 3, SLOT = 32, LABELS = 4096 };

struct maker {
    const u8 *bytes;
    size_t left;
    struct buf *out;
    struct program_options ask;
    struct program_text *t;
    u32 threads, warps; /* of a block */
    u32 statements;     /* left */
    u32 label;
    bool full;    /* warps have all their lanes */
    bool chained; /* once a program is enough */
    bool ended;   /* some threads may have exited */
};

struct moved { /* by a load or a store */
    const char *name;
    u32 bytes;
};

/* program_draw.c */
u32 maker_draw(struct maker *m, u32 n);
u32 maker_draw_word(struct maker *m);
void maker_line(struct maker *m, const char *fmt, ...) PRINTF_LIKE(2, 3);
u32 maker_data(struct maker *m);
u32 maker_data_pair(struct maker *m);
u32 maker_data_quad(struct maker *m);
u32 maker_decider(struct maker *m);

/* program_lane.c */
void maker_put_guard(struct maker *m);
void maker_arithmetic(struct maker *m);
const struct moved *maker_draw_moved(struct maker *m);
u32 maker_register_for(struct maker *m, const struct moved *t);
u32 maker_offset_in(struct maker *m, const struct moved *t, u32 size);
void maker_own_global(struct maker *m);
void maker_own_atomic(struct maker *m);
void maker_read_anywhere(struct maker *m);
void maker_own_shared(struct maker *m);

/* program_others.c */
void maker_shuffle(struct maker *m);
void maker_vote(struct maker *m);
void maker_whole_warp(struct maker *m);
void maker_idle(struct maker *m);
void maker_special(struct maker *m);
void maker_exchange(struct maker *m);
void maker_global_sums(struct maker *m);
void maker_hand_on(struct maker *m);

#endif
