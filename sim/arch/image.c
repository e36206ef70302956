#include "sim/arch/image.h"

#include <string.h>

/* A warp's part of the bytes of a block. */
struct part {
    u8 *at;
    size_t bytes;
};

enum { PARTS = 3 };

static void parts_of(const struct warp *w, struct part part[PARTS]) {
    const struct run *run = w->run;
    const struct kernel *k = run->launch->kernel;
    size_t row = run->width * sizeof(u32), local = (size_t)run->width * k->local;
    part[0] = (struct part){(u8 *)w->base[0], k->regs * row};
    part[1] = (struct part){(u8 *)w->x, run->transit ? TRANSIT_COUNT * TRANSIT_SLOTS * row : 0};
    part[2] = (struct part){w->block->local + w->index * local, local};
}

static u8 *place(const struct image *i, const struct warp *w, const struct part *part) {
    return i->bytes + (part->at - w->block->shared);
}

/* Bytes of a block before the stacks of divergence. */
static size_t plain_bytes(const struct block *b) {
    return (size_t)((const u8 *)b->warp[0].frame - b->shared);
}

u64 image_bytes(const struct block *b) {
    return plain_bytes(b) + b->warps * (sizeof(struct warp) + DIVERGENCE_DEPTH_MAX * sizeof(struct frame)) +
           (b->warp[0].paths ? b->warps * sizeof(struct paths) : 0);
}

bool image_init(struct image *i, const struct block *b, struct arena *arena) {
    i->warp = arena_raw(arena, b->warps * sizeof *i->warp);
    i->frame = arena_raw(arena, b->warps * DIVERGENCE_DEPTH_MAX * sizeof *i->frame);
    i->bytes = arena_raw(arena, plain_bytes(b));
    i->paths = b->warp[0].paths ? arena_raw(arena, b->warps * sizeof *i->paths) : NULL;
    return i->warp && i->frame && i->bytes && (i->paths || !b->warp[0].paths);
}

static void copy_paths(struct paths *to, const struct paths *from) {
    memcpy(to, from, offsetof(struct paths, path) + from->count * sizeof *from->path);
    memcpy(to->frame, from->frame, from->frames * sizeof *from->frame);
}

void image_take_warp(struct image *i, const struct warp *w) {
    struct part part[PARTS];
    parts_of(w, part);
    i->warp[w->index] = *w;
    memcpy(i->frame + (size_t)w->index * DIVERGENCE_DEPTH_MAX, w->frame, w->depth * sizeof *w->frame);
    if (w->paths)
        copy_paths(&i->paths[w->index], w->paths);
    for (u32 k = 0; k < PARTS; k++)
        if (part[k].bytes)
            memcpy(place(i, w, &part[k]), part[k].at, part[k].bytes);
}

void image_give_warp(const struct image *i, struct warp *w) {
    struct part part[PARTS];
    *w = i->warp[w->index];
    parts_of(w, part);
    w->lane_key = 0; /* `lane` spells out some later mask */
    memset(w->lane, 0, w->run->width * sizeof *w->lane);
    memcpy(w->frame, i->frame + (size_t)w->index * DIVERGENCE_DEPTH_MAX, w->depth * sizeof *w->frame);
    if (w->paths)
        copy_paths(w->paths, &i->paths[w->index]);
    for (u32 k = 0; k < PARTS; k++)
        if (part[k].bytes)
            memcpy(part[k].at, place(i, w, &part[k]), part[k].bytes);
}

static bool same_frames(const struct frame *a, const struct frame *b, u32 count) {
    for (u32 k = 0; k < count; k++)
        if (!frame_same(&a[k], &b[k]) || a[k].mask != b[k].mask)
            return false;
    return true;
}

static bool same_paths(const struct paths *a, const struct paths *b) {
    return memcmp(a, b, offsetof(struct paths, path)) == 0 &&
           memcmp(a->path, b->path, a->count * sizeof *a->path) == 0 && same_frames(a->frame, b->frame, a->frames);
}

bool image_same_warp(const struct image *i, const struct warp *w) {
    const struct warp *was = &i->warp[w->index];
    struct part part[PARTS];
    if (was->pc != w->pc || was->active != w->active || was->live != w->live || was->reconv != w->reconv ||
        was->depth != w->depth || was->calls != w->calls || was->call != w->call || was->waiting != w->waiting ||
        was->done != w->done || memcmp(was->p, w->p, sizeof w->p) != 0 ||
        !same_frames(i->frame + (size_t)w->index * DIVERGENCE_DEPTH_MAX, w->frame, w->depth) ||
        (w->paths && !same_paths(&i->paths[w->index], w->paths)))
        return false;
    parts_of(w, part);
    for (u32 k = 0; k < PARTS; k++)
        if (part[k].bytes && memcmp(place(i, w, &part[k]), part[k].at, part[k].bytes) != 0)
            return false;
    return true;
}

void image_take(struct image *i, const struct block *b) {
    const u32 shared = b->warp[0].run->launch->kernel->shared;
    memcpy(i->barrier, b->barrier, sizeof i->barrier);
    if (shared)
        memcpy(i->bytes, b->shared, shared);
    for (u32 k = 0; k < b->warps; k++)
        image_take_warp(i, &b->warp[k]);
}

void image_give_shared(const struct image *i, struct block *b) {
    const u32 shared = b->warp[0].run->launch->kernel->shared;
    if (shared)
        memcpy(b->shared, i->bytes, shared);
}

void image_give(const struct image *i, struct block *b) {
    memcpy(b->barrier, i->barrier, sizeof i->barrier);
    image_give_shared(i, b);
    for (u32 k = 0; k < b->warps; k++)
        image_give_warp(i, &b->warp[k]);
}

static bool same_barrier(const struct barrier *a, const struct barrier *b) {
    return a->arrived == b->arrived && a->expected == b->expected && a->whole == b->whole &&
           memcmp(a->who, b->who, sizeof a->who) == 0;
}

bool image_same(const struct image *i, const struct block *b) {
    for (u32 k = 0; k < BARRIER_COUNT; k++)
        if (!same_barrier(&i->barrier[k], &b->barrier[k]))
            return false;
    for (u32 k = 0; k < b->warps; k++)
        if (!image_same_warp(i, &b->warp[k]))
            return false;
    return true;
}
