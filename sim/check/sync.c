/*
 * Barriers and member masks: what the machine faults for, found just before, and barriers that are left incomplete.
 * Exchanges between the lanes of a warp without bar.warp are found by race.c.
 */
#include "sim/check/shadow.h"

static void found(struct site *t, u32 class, u32 lane, const char *text, u32 id) {
    struct check_finding f = {.class = (u8) class, .places = 1, .at = {site_place(t, lane)}, .space = SPACE_COUNT};
    found_add(t->c, &f, text, id);
}

/* The thread count that a lane names. */
static u32 count_of(const struct site *t, u32 lane) {
    return t->w->base[t->u->bsel][t->u->b + lane];
}

static void barrier(struct site *t) {
    const struct block *b = t->w->block;
    const struct barrier *bar = &b->barrier[t->u->na];
    u64 missing = t->w->live & ~t->exec, gone = t->w->members & ~t->w->live;
    u32 id = t->u->na, first = first_lane(t->exec), expected = b->warps;
    if (missing)
        found(t, FOUND_SYNC_DIVERGENT_BARRIER, first_lane(missing),
              "this lane is elsewhere: a warp arrives at barrier %u as a whole", id);
    for (u64 left = t->u->counted ? t->exec : 0; left; left &= left - 1)
        if (count_of(t, first_lane(left)) != count_of(t, first)) {
            found(t, FOUND_SYNC_COUNT, first_lane(left), "lanes name different thread counts at barrier %u", id);
            return;
        }
    if (t->u->counted) {
        u32 threads = count_of(t, first);
        expected = threads / t->width;
        if (!threads || threads % t->width || expected > b->warps)
            found(t, FOUND_SYNC_COUNT, first,
                  "the thread count at barrier %u is not a number of whole warps of the block", id);
    } else if (gone) {
        found(t, FOUND_SYNC_INCOMPLETE, first_lane(gone), "this lane has exited, and barrier %u waits for all threads",
              id);
    }
    if (bar->expected && bar->expected != expected)
        found(t, FOUND_SYNC_COUNT, first, "the thread count at barrier %u is another one than where warps wait", id);
    if (bar->who[t->w->index / 64] >> t->w->index % 64 & 1)
        found(t, FOUND_SYNC_COUNT, first, "this warp has arrived at barrier %u before it was complete", id);
}

void sync_site(struct site *t) {
    if (op_memory(t->i->op) == MEMORY_BARRIER)
        barrier(t);
    const u32 *mask = t->w->base[t->u->csel] + t->u->c;
    u64 all = t->w->run->full;
    for (u64 left = t->u->masked ? t->exec : 0; left; left &= left - 1) {
        u32 l = first_lane(left);
        u64 named = ((u64)mask[l] | (u64)mask[l + t->width] << 32) & all;
        if (named == t->exec)
            continue;
        found(t, FOUND_SYNC_MEMBERS, l,
              named & ~t->exec ? "its member mask names lane %u, which does not take part"
                               : "its member mask leaves out lane %u, which takes part",
              first_lane(named & ~t->exec ? named & ~t->exec : t->exec & ~named));
        return;
    }
}

/* Reports barriers with arrivals that will not be complete: the last warp of the block is done. */
void sync_warp_done(struct site *t) {
    const struct block *b = t->w->block;
    for (u32 id = 0; id < BARRIER_COUNT; id++) {
        const struct barrier *bar = &b->barrier[id];
        if (b->left > 1 || bar->expected == 0)
            continue;
        struct check_finding f = {.class = FOUND_SYNC_INCOMPLETE, .places = 1, .at = {t->block->barrier[id].last}};
        f.space = SPACE_COUNT;
        found_add(t->c, &f, "barrier %u has %u of %u warps when the block ends", id, bar->arrived, bar->expected);
    }
}

/* Reports all barriers where warps of a block wait for one another for ever. Its launch is over: the block is freed. */
void sync_deadlock(struct check *c, u64 block) {
    struct check_block *const *blocks = (struct check_block *const *)(const void *)c->blocks.data;
    for (size_t i = 0; i < c->blocks.len / sizeof *blocks; i++) {
        for (u32 id = 0; id < BARRIER_COUNT && blocks[i]->number == block; id++) {
            const struct check_barrier *bar = &blocks[i]->barrier[id];
            if (bar->expected == 0)
                continue;
            struct check_finding f = {.class = FOUND_SYNC_INCOMPLETE, .places = 1};
            f.at[0] = bar->last;
            f.space = SPACE_COUNT;
            found_add(c, &f, "barrier %u has %u of %u warps, and no warp can go on", id, bar->arrived, bar->expected);
        }
    }
}
