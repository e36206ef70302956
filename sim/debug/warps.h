/* The warps of a recording, and a line about one. */
#ifndef HEDDLE_DEBUG_WARPS_H
#define HEDDLE_DEBUG_WARPS_H

#include "sim/api/heddle.h"
#include "sim/base/buf.h"

/* Block and warp of an event of the recording. */
struct warp_of {
    u64 block;
    u32 warp;
};

/* The warps of the recording, once each, by block; a buf of struct warp_of. */
void warps_recorded(const struct heddle *h, struct buf *list);

/* What the function at pc calls a "register" or "predicate": "at", "at+1"; "" where it has no name. */
struct short_text warps_name(const struct heddle_program *p, u32 pc, const char *kind, u32 number);

/* Where a warp is in that cycle, under these headings: */
void warps_put_head(struct buf *out);
void warps_put_line(const struct heddle_program *p, const struct warp_of *w, const struct heddle_state *s, u64 cycle,
                    struct buf *out);

#endif
