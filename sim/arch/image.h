/* A state of a block, or of some of its warps, that can be restored. Memory outside of the block is not part of it. */
#ifndef HEDDLE_ARCH_IMAGE_H
#define HEDDLE_ARCH_IMAGE_H

#include "sim/arch/state.h"

struct image {
    struct warp *warp;   /* [warps] */
    struct frame *frame; /* [warps][DIVERGENCE_DEPTH_MAX] */
    struct paths *paths; /* [warps]; NULL by the strict rules */
    u8 *bytes;           /* registers, shared and local memory, where the block has them */
    struct barrier barrier[BARRIER_COUNT];
};

/* Room for the state of any block of the launch that `b` is one of, in bytes. */
u64 image_bytes(const struct block *b);

/* False when out of memory. */
bool image_init(struct image *i, const struct block *b, struct arena *arena);

/* Takes the state of a warp, restores it, compares: what it does next follows from this state and from memory. */
void image_take_warp(struct image *i, const struct warp *w);
void image_give_warp(const struct image *i, struct warp *w);
bool image_same_warp(const struct image *i, const struct warp *w);

/* All warps, the barriers and shared memory. */
void image_take(struct image *i, const struct block *b);
void image_give(const struct image *i, struct block *b);
void image_give_shared(const struct image *i, struct block *b);

/* True if warps and barriers are as they were. */
bool image_same(const struct image *i, const struct block *b);

/* The byte of shared memory that it holds. */
static inline const u8 *image_shared(const struct image *i, u64 offset) {
    return i->bytes + offset; /* shared memory is first in a block */
}

#endif
