/*
 * The order of a run: its turns, which of them conflict, and which are ordered by others between them.
 *
 *   trace_begin(&t, warps);
 *   trace_depends(&t, warp, &turn);       t.found: the earlier turns that conflict with it and could have been later
 *   trace_add(&t, warp, &turn);
 *   trace_release(&t, e, waiting);        the barrier that it arrived at is complete
 *
 * Each warp, and each turn, has a vector clock: how many turns of each warp happen before it. Memory is indexed by
 * sectors of 32 bytes; a sector keeps its turns, newest first.
 */
#ifndef HEDDLE_CHECK_TRACE_H
#define HEDDLE_CHECK_TRACE_H

#include "sim/base/buf.h"
#include "sim/check/turn.h"

enum { EXPLORE_WARPS = 64 };

struct event {
    u32 pc;
    u16 op;
    u8 warp;
    u8 way; /* enum way */
    u8 barrier;
    bool faulted;
    bool released;    /* it completed its barrier */
    u32 turn;         /* number among the turns of its warp, from 1 */
    u32 first, count; /* touches */
    u32 generation, expected;
    u32 mark; /* trace.mark when it was last found */
    u64 block;
};

struct trace {
    u32 warps;
    struct buf events;  /* struct event */
    struct buf touches; /* struct touch */
    struct buf clocks;  /* u32 [events][warps] */
    struct buf visits;  /* of sectors */
    struct buf slots;   /* hash table from sectors to their newest visit */
    u32 sectors;        /* slots in use */
    u32 mark;
    struct buf found;                        /* u32: events that trace_depends found */
    u32 joined[EXPLORE_WARPS];               /* clock of the turn that trace_depends was given */
    u32 clock[EXPLORE_WARPS][EXPLORE_WARPS]; /* of each warp */
    bool failed;                             /* out of memory */
};

void trace_begin(struct trace *t, u32 warps);
void trace_free(struct trace *t);

void trace_depends(struct trace *t, u32 warp, const struct turn *turn);

/* Adds the turn that trace_depends was given. */
void trace_add(struct trace *t, u32 warp, const struct turn *turn);

/* Notes that the last turn completed its barrier: all that the arrived warps did is before all that `warps` will do. */
void trace_release(struct trace *t, u64 warps);

/* True if a turn that is still ahead conflicts with an event. */
bool trace_conflicts(const struct trace *t, const struct turn *turn, const struct event *e);

BUF_LIST(trace, struct trace, events, struct event)

static inline const struct touch *trace_touch(const struct trace *t, const struct event *e) {
    return (const struct touch *)(const void *)t->touches.data + e->first;
}

static inline const u32 *trace_clock(const struct trace *t, u32 i) {
    return (const u32 *)(const void *)t->clocks.data + (size_t)i * t->warps;
}

#endif
