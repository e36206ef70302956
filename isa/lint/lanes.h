/* What is known of the values in the lanes of a warp; private to isa/lint/. */
#ifndef HEDDLE_ISA_LINT_LANES_H
#define HEDDLE_ISA_LINT_LANES_H

#include "isa/lint/lint.h"

/*
 * Equal in all lanes, perhaps different, or different for sure. The last three also count up from lane to lane, so that
 * a comparison may fall together in a warp.
 */
enum lanes {
    SAME,
    UNSURE,
    DIFFER, /* data */
    LANE,   /* the number of the lane */
    INDEX,  /* a thread's number: one more in each lane, from a multiple of the warp's width */
    LINEAR  /* computed from those */
};

/* Registers and predicates by what is known of them; in none of the sets: the same in all lanes. */
struct knowledge {
    struct reg_set unsure, differ;
    struct reg_set lane, index, linear; /* within `differ` */
};

bool knowledge_join(struct knowledge *to, const struct knowledge *from);

/* Goes past an instruction. `region`: only some of the warp's lanes are here. */
void knowledge_step(const struct lint *l, struct knowledge *k, const struct inst *i, bool region);

/* SAME, UNSURE or DIFFER; `pred` may have PRED_NEG set. */
enum lanes pred_lanes(const struct knowledge *k, u8 pred);

#endif
