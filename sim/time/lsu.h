/*
 * Inside of the memory pipeline: what lsu.c (instructions) and l1.c (lines) share.
 */
#ifndef HEDDLE_TIME_LSU_H
#define HEDDLE_TIME_LSU_H

#include "sim/base/bits.h"
#include "sim/time/sm.h"

static inline u32 ceil_div(u64 a, u32 b) {
    return (u32)((a + b - 1) / b);
}

/* ---- pools ---- */

#define POOL(name, type, member) \
    static inline struct type *name##_at(const struct sm *s, u32 i) { \
        return &((struct type *)(void *)s->member.data)[i]; \
    } \
    static inline u32 name##_new(struct sm *s) { \
        u32 i = s->free_##name; \
        if (i != NONE) { \
            s->free_##name = name##_at(s, i)->next; \
            return i; \
        } \
        if (!buf_push(&s->member, sizeof(struct type))) { \
            s->no_memory = true; \
            return NONE; \
        } \
        return (u32)(s->member.len / sizeof(struct type)) - 1; \
    } \
    static inline void name##_free(struct sm *s, u32 i) { \
        name##_at(s, i)->next = s->free_##name; \
        s->free_##name = i; \
    }
POOL(load, load, loads)
POOL(miss, miss, misses)
POOL(waiter, waiter, waiters)
POOL(access, lsu_access, accesses)

#undef POOL

/* ---- lsu.c ---- */

/* The access's entry of the sub-core's queue is given up at `time`. */
void lsu_leave(struct sm *s, const struct lsu_access *a, u64 time);

/*
 * Counts a line that a load waited for as arrived, or its last as served. True when the load has ended and leaves an
 * entry among those that wait for lines.
 */
bool lsu_part(struct sm *s, u32 load, u64 done);

/* ---- l1.c ---- */

/* Prefetches for the host CPU what the access will look up. Changes nothing. */
void l1_prefetch_access(const struct sm *s, const struct lsu_access *a);

/* Serves the lines of an access as far as there is room; true when all have been, and the access is done with. */
bool l1_serve(struct sm *s, struct lsu_access *a);

#endif
