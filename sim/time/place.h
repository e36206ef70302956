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
 *
 * With l2.far_cycles, the first half of the channels and their slices are one half of L2, nearer to its SMs than the
 * other. A partition then is a channel of each half, and its slices are in pairs: the one that an address belongs to,
 * its home, and the other, its mirror, where loads of the SMs there look for a copy.
 *
 *      channel     0   1   2   3        partition 0: channels 0 and 2, slices 0 | 1, 2 | 3 of two each
 *      half        first | second
 */
#ifndef HEDDLE_TIME_PLACE_H
#define HEDDLE_TIME_PLACE_H

#include "sim/board/board.h"
#include "sim/time/fold.h"

/* What place_of needs to know of a board. */
struct placer {
    u32 slices;     /* slices of all channels */
    u32 channels;   /* a divisor of slices */
    u32 each;       /* slices of a channel */
    u32 partitions; /* channels, or half of them */
    u32 hop;        /* cycles to the other half and back; 0: one L2 */
    u32 share;      /* SMs of a thousand that are at the first half */
    u32 shift;      /* address >> shift is the number of its interleave */
    u32 bits;       /* bits of a slice's number */
    u32 pseudo;     /* pseudo channels of a channel, 1 or 2 */
    u32 line_shift; /* address in the channel >> line_shift is the number of its line there (dram.line_bytes) */
    enum hash hash;
};

struct place {
    u32 partition;
    u32 slice; /* slice of the partition */
    u64 local; /* address in the slice's share */
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
    u32 slice = slice_of(p, run, rest), of_channel = slice / p->channels, channel = slice - of_channel * p->channels;
    u64 offset = address & ((1ull << p->shift) - 1);
    bool second = channel >= p->partitions;
    return (struct place){second ? channel - p->partitions : channel, second ? p->each + of_channel : of_channel,
                          run << p->shift | offset};
}

/* True for a slice of a partition that is in the second half of L2. */
static inline bool place_second(const struct placer *p, u32 slice) {
    return slice >= p->each;
}

/* Number of a slice among all slices. */
static inline u32 place_slice(const struct placer *p, u32 partition, u32 slice) {
    bool second = place_second(p, slice);
    u32 of_channel = second ? slice - p->each : slice, channel = second ? partition + p->partitions : partition;
    return of_channel * p->channels + channel;
}

/* Address in the channel of the bytes at `local` of a slice: for dram_burst. */
static inline u64 place_in_channel(const struct placer *p, u32 slice, u64 local) {
    u64 offset = local & ((1ull << p->shift) - 1);
    u32 of_channel = place_second(p, slice) ? slice - p->each : slice;
    return ((local >> p->shift) * p->each + of_channel) << p->shift | offset;
}

/*
 * Pseudo channel that holds the address, which becomes the place in it: lines alternate, by the parity of their
 * number, so that strides of powers of two use both.
 */
static inline u32 place_in_pseudo(const struct placer *p, u64 *address) {
    u64 line = *address >> p->line_shift;
    *address = line >> 1 << p->line_shift | (*address & ((1ull << p->line_shift) - 1));
    return (u32)__builtin_parityll(line);
}

/* ---- two halves ---- */

#define PLACE_COPY (1ull << 62) /* bit of an address in a slice's share: the mirror's copy of it */

/* Slice of the other half that forms a pair with this one. */
static inline u32 place_mirror(const struct placer *p, u32 slice) {
    return place_second(p, slice) ? slice - p->each : slice + p->each;
}

/* True if the slice is in the other half than the SM. SMs of the two are spread evenly over their numbers. */
static inline bool place_far(const struct placer *p, u32 sm, u32 slice) {
    return p->hop && ((u64)sm * p->share % 1000 >= p->share) != place_second(p, slice);
}

/*
 * Sends a load of a far line to the mirror, for its copy. Returns by how many cycles the request arrives later: all
 * others cross over.
 */
static inline u32 place_route(const struct placer *p, u32 sm, bool load, struct place *at) {
    if (!place_far(p, sm, at->slice))
        return 0;
    if (!load)
        return p->hop / 2;
    at->slice = place_mirror(p, at->slice);
    at->local |= PLACE_COPY;
    return 0;
}

#endif
