/*
 * Shuffles whose segments are in a register, as PTX defines them: in c the low bits are the clamp, and those from bit 8
 * on the segment mask, of as many bits as a lane's number has.
 */
#ifndef HEDDLE_ISA_SHUFFLE_H
#define HEDDLE_ISA_SHUFFLE_H

#include "isa/isa.h"

#define CASES_SHFL_CLAMP \
    case OP_SHFL_IDX_CLAMP_B32: \
    case OP_SHFL_UP_CLAMP_B32: \
    case OP_SHFL_DOWN_CLAMP_B32: \
    case OP_SHFL_BFLY_CLAMP_B32

/* Operands of a lane, and the width of its warp. */
struct shuffle_clamped {
    u32 op, width, lane, b, c;
};

/* The lane whose value it gets: its own if `*exists` is false. */
static inline u32 shuffle_clamped(struct shuffle_clamped s, bool *exists) {
    const u32 lane = s.lane, all = s.width - 1, clamp = s.c & all, segment = s.c >> 8 & all, b = s.b & all;
    const u32 last = (lane & segment) | (clamp & ~segment);
    s32 from = (s32)lane;
    switch (s.op) {
    case OP_SHFL_UP_CLAMP_B32: from -= (s32)b; break;
    case OP_SHFL_DOWN_CLAMP_B32: from += (s32)b; break;
    case OP_SHFL_BFLY_CLAMP_B32: from = (s32)(lane ^ b); break;
    default: from = (s32)((lane & segment) | (b & ~segment)); break;
    }
    *exists = s.op == OP_SHFL_UP_CLAMP_B32 ? from >= (s32)last : from <= (s32)last;
    return *exists ? (u32)from : lane;
}

#endif
