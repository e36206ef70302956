/*
 * Instructions of the whole warp: the reference sees all lanes at once. Each launch runs many blocks of one full and
 * one partly full warp over random states.
 */
#ifndef HEDDLE_TESTS_ISA_WARP_H
#define HEDDLE_TESTS_ISA_WARP_H

#include "isa/isa.h"
#include "tests/isa/isa_state.h"

/* A warp before (`in`) and after (`out`, preset to `in`) the instruction. Lanes beyond `lanes` are not there. */
struct warp_view {
    u32 width, lanes;
    u64 exec; /* lanes whose guard holds */
    const struct lane_state *in;
    struct lane_state *out;
};

struct warp_test {
    const char *instruction; /* "@p0 vote.all p4, p1"; a guard is p0 */
    const char *tail;        /* functions and constants; NULL = none */
    bool guarded;            /* by p0 */
    u64 seed;
    /* Shapes the random states, called with the warp as it will be. May be NULL. */
    void (*prepare)(struct lane_state *lane, const struct warp_view *w, u64 *seed, const void *ctx);
    void (*expect)(const struct warp_view *w, const void *ctx);
    const void *ctx;
};

/* At every width and on every engine. */
void warp_test(const struct warp_test *t);

/* WARP rows that a file has references for, ended by OP_COUNT. */
extern const u16 isa_warp_memory_ops[], isa_warp_shuffle_ops[], isa_warp_vote_ops[], isa_warp_transit_ops[],
    isa_warp_matrix_ops[], isa_warp_sreg_ops[], isa_warp_flow_ops[];

#endif
