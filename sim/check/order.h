/*
 * Parts of the order of events, private to it.
 *
 *   order.c             threads of one block: barriers; and the questions of callers
 *   order_knowledge.c   what threads know of other blocks, or of single lanes
 *   order_release.c     fences, releases, acquires
 */
#ifndef HEDDLE_CHECK_ORDER_H
#define HEDDLE_CHECK_ORDER_H

#include "sim/base/bits.h"
#include "sim/check/shadow.h"

/* ---- knowledge ---- */

#define EVERY_WARP UINT32_MAX
#define EVERY_LANE WARP_MAX

struct entry {
    u64 block;
    u32 warp, lane; /* EVERY_WARP, EVERY_LANE */
    u64 sequence;
};

struct knowledge {
    u64 everybody; /* all accesses of all threads up to this */
    u32 count;
    struct entry entry[]; /* ascending by block, warp, lane */
};

/* Memory until all is forgotten; NULL when out of memory, which is noted. */
void *order_alloc(struct check *c, size_t bytes);

/* `count` entries at most; NULL when out of memory, which is noted. */
struct knowledge *order_knowledge(struct check *c, u32 count);

/* Joins what two know; NULL: nothing. */
struct knowledge *order_join(struct check *c, struct knowledge *a, struct knowledge *b);

/* True if what a lane did by a recorded instruction is known. */
bool order_includes(const struct knowledge *k, const struct check_record *r, u32 lane);

/* ---- what threads of one block know of one another ---- */

static inline u64 warp_known(const struct check_block *b, u32 warp, u32 other) {
    u64 known = b->known ? b->known[(size_t)warp * b->of->warps + other] : 0;
    return max_u64(known, b->all_known);
}

static inline u64 lane_known(const struct check_block *b, const struct check_warp *w, u32 width, u32 lane, u32 other) {
    u64 known = w->lane_known ? w->lane_known[lane * width + other] : 0;
    return max_u64(known, max_u64(w->lanes_known, b->all_known));
}

/* Knowledge of single lanes; made when it is first needed. NULL when out of memory, which is noted. */
struct lane_order *order_of_lanes(struct check *c, struct check_warp *w);

#endif
