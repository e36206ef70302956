/* The warps of a recording, and one line about each. */
#ifndef HEDDLE_DEBUG_WARPS_H
#define HEDDLE_DEBUG_WARPS_H

#include "sim/api/heddle.h"
#include "sim/base/buf.h"

/* Block and warp of a recorded event. */
struct warp_of {
    u64 block;
    u32 warp;
};

/* Lists the warps of the recording, once each, by block; `list` holds struct warp_of. */
void warps_recorded(const struct heddle *h, struct buf *list);

/* Returns the name of a "register" or "predicate" in the function at pc: "at", "at+1"; "" if it has none. */
struct short_text warps_name(const struct heddle_program *p, u32 pc, const char *kind, u32 number);

/* Print the headings, and a line about a warp at that cycle. */
void warps_put_head(struct buf *out);
void warps_put_line(const struct heddle_program *p, const struct warp_of *w, const struct heddle_state *s, u64 cycle,
                    struct buf *out);

#endif
