/* How recordings are written, for the files that do. */
#ifndef HEDDLE_TIME_RECORD_PRIVATE_H
#define HEDDLE_TIME_RECORD_PRIVATE_H

#include "sim/time/record.h"

/* Block and warp of an event, and its instruction. */
struct record_of {
    u64 cycle, until; /* until: its end, if it lasts */
    u64 who;
    u32 pc;
};

/* True if something that lasts from `cycle` to `until` is to be kept. */
static inline bool record_keeps(const struct record *r, u64 cycle, u64 until) {
    return (until > r->from || cycle >= r->from) && cycle < r->to && cycle < r->cut;
}

/*
 * Adds an event with room for a tail of `tail` words, which is returned; NULL when it is not to be kept, or without
 * memory. `until`: its end, if it lasts.
 */
u64 *record_add(struct record *r, enum event_kind kind, struct record_of of, const u64 *value, u32 tail);

#endif
