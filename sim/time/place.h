/*
 * Where an address is: which partition, which slice of it, where in the slice's share of memory, where in the channel.
 *
 *      interleaves   0    1    2    3  |  4    5    6    7  |  8  ...       2 channels, 2 slices each
 *      of slice      0    1    2    3  |  1    2    3    0  |  2  ...       l2.hash xor: each run is rotated (fold.h)
 *      channel       0    1    0    1  |  1    0    1    0  |  0  ...       slice modulo channels
 *      share            0 (run 0)      |     1 (run 1)      |    ...
 *
 * Consecutive interleaves go to different channels, so a short buffer uses as many as it can. Shares and channels are
 * dense: each address of a channel belongs to exactly one global address.
 */
#ifndef HEDDLE_TIME_PLACE_H
#define HEDDLE_TIME_PLACE_H

#include "sim/board/board.h"
#include "sim/time/fold.h"

/* What place_of needs of a board, worked out once. */
struct placer {
    u32 slices;   /* slices of all channels */
    u32 channels; /* a divisor of slices */
    u32 each;     /* slices of a channel */
    u32 shift;    /* address >> shift is the number of its interleave */
    u32 bits;     /* bits of a slice's number */
    enum hash hash;
};

struct place {
    u32 partition; /* the channel */
    u32 slice;     /* slice of the partition */
    u64 local;     /* address in the slice's share */
};

_Static_assert(BOARD_MAX_dram_channels <= UINT16_MAX && BOARD_MAX_l2_slices <= UINT16_MAX, "requests keep 16 bits");

struct placer placer_of(const struct board *b);

/* The slice of an interleave: number `rest` of its run, one interleave for each slice. */
static inline u32 slice_of(const struct placer *p, u64 run, u32 rest) {
    switch (p->hash) {
    case hash_MODULO: return rest;
    case hash_XOR: return fold_place(run, rest, p->slices, p->bits);
    }
    BUG("a hash that chooses no slice");
}

static inline struct place place_of(const struct placer *p, u64 address) {
    u64 unit = address >> p->shift, run = fold_divide(unit, p->slices);
    u32 rest = (u32)(unit - run * p->slices);
    u32 slice = slice_of(p, run, rest), of_channel = slice / p->channels;
    u64 offset = address & ((1ull << p->shift) - 1);
    return (struct place){slice - of_channel * p->channels, of_channel, run << p->shift | offset};
}

/* Address in the channel of what a slice has at `local`: for dram_burst. */
static inline u64 place_in_channel(const struct placer *p, u32 slice, u64 local) {
    u64 offset = local & ((1ull << p->shift) - 1);
    return ((local >> p->shift) * p->each + slice) << p->shift | offset;
}

#endif
