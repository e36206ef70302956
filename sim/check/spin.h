/*
 * Warps that wait in a loop: one that is back in a state it had, registers and all, and has changed no memory on the
 * way, will repeat that until what it read is changed. Until then its turns change nothing.
 *
 *   spin_before(&s, &turn, all);           its turn begins
 *   spin_after(&s, w, &turn, all);         and has ended: s.waits: it waits now
 *   if (s.waits && spin_unchanged(&s, all)) ...
 */
#ifndef HEDDLE_CHECK_SPIN_H
#define HEDDLE_CHECK_SPIN_H

#include "sim/check/turn.h"

struct spin {
    bool known; /* a state has been taken */
    bool waits;
    u64 state;        /* hash of it */
    u32 turns, limit; /* since then; after which a new state is taken (Brent) */
    u32 count;        /* bytes read since then */
    struct spin_read {
        u64 at;
        u8 bytes;
        u8 value[16];
    } read[WARP_MAX];
    u8 before[TOUCHES_MAX][16]; /* bytes that an atomic will touch */
};

void spin_before(struct spin *s, const struct turn *t, const struct warps *all);
void spin_after(struct spin *s, const struct warp *w, const struct turn *t, const struct warps *all);
bool spin_unchanged(const struct spin *s, const struct warps *all);

#endif
