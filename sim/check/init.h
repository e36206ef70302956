/*
 * Inside of the checker of unwritten values.
 *
 *   init.c          rows of one lane; passes other instructions on
 *   init_state.c    undefined bits of registers, their origins, and reports of both
 *   init_memory.c   loads, stores and atomics
 *   init_warp.c     shuffles, transit registers, votes, reductions, matrix products
 */
#ifndef HEDDLE_CHECK_INIT_H
#define HEDDLE_CHECK_INIT_H

#include "sim/base/bits.h"
#include "sim/check/shadow.h"

/* ---- undefined bits of registers ---- */

/* Lanes with an undefined register in this place. */
static inline u64 init_undefined(const struct site *t, enum operand_place place) {
    u64 lanes = 0;
    for (u32 i = 0; i < t->t->count[place]; i++)
        lanes |= t->cw->any[t->t->first[place] + i];
    return lanes & t->exec;
}

static inline u64 init_undefined_predicates(const struct site *t) {
    u64 lanes = 0;
    for (u32 left = t->t->predicates; left; left &= left - 1)
        lanes |= t->cw->predicates[first_lane(left)];
    return lanes & t->exec;
}

static inline u32 init_bits(const struct site *t, u32 reg, u32 lane) {
    const struct check_warp *w = t->cw;
    if (!(w->any[reg] >> lane & 1))
        return 0;
    return w->part[reg] >> lane & 1 ? w->undefined[reg * t->width + lane] : UINT32_MAX;
}

static inline void init_set_any(struct check_warp *w, u32 reg, u64 any) {
    w->any[reg] = any;
    w->dirty[reg / 64] = (w->dirty[reg / 64] & ~((u64)1 << reg % 64)) | (u64)(any != 0) << reg % 64;
}

static inline void init_define(struct site *t, u32 reg, u64 lanes) {
    if (t->cw->any[reg] & lanes)
        init_set_any(t->cw, reg, t->cw->any[reg] & ~lanes);
}

static inline void init_undefine(struct site *t, u32 reg, u64 lanes) {
    t->cw->part[reg] &= ~lanes;
    init_set_any(t->cw, reg, t->cw->any[reg] | lanes);
}

/* The rows of bits of registers, or of transit registers; made when the first is needed. NULL when out of memory. */
u32 *init_rows(struct site *t, u32 **rows, u32 count);

/* Sets which bits of a register are undefined in a lane from here on. */
void init_set_bits(struct site *t, u32 reg, u32 lane, u32 bits);

/* All results are undefined in the lanes `bad`, defined in the others that execute. */
void init_set_results(struct site *t, u64 bad);

/* ---- origins ---- */

/* Origin of an undefined value. */
enum origin_kind { FROM_REGISTER, FROM_PREDICATE, FROM_TRANSIT, FROM_SHARED, FROM_LOCAL, FROM_BUFFER };

struct origin {
    u8 kind;
    u32 number;  /* of the register; of the allocation */
    u64 byte;    /* of memory */
    u32 pc;      /* where it was read */
    bool stored; /* memory holds an undefined value that was stored there */
};

/* The row of an origin in check.origins, from 1 on; 0 when out of memory. */
u32 origin_new(struct check *c, const struct origin *o);

/* The row of a register in check_warp.origin is its number; predicates follow. */
static inline u32 origin_predicate_row(const struct site *t, u32 predicate) {
    return t->c->launch.kernel->regs + predicate;
}

/* Sets the origin of a row of check_warp.origin, or of each result, in `lanes`. */
void origin_set(struct site *t, u32 row, u64 lanes, u32 origin);
void origin_set_results(struct site *t, u64 lanes, u32 origin);

/* Origin of an undefined value in a lane: a register, the first of a place, a predicate, the first operand. */
u32 origin_of_register(struct site *t, u32 reg, u32 lane);
u32 origin_of_place(struct site *t, enum operand_place place, u32 lane);
u32 origin_of_predicate(struct site *t, u32 predicates, u32 lane);
u32 origin_of_operand(struct site *t, u32 lane);

/* Reports that lanes depend on an undefined value; origin 0: without its origin. */
void init_report(struct site *t, u32 class, u64 lanes, u32 origin);

/* Reports an operand that must not be undefined, and takes it for defined from here on. */
void init_require(struct site *t, enum operand_place place, u32 class);

/* ---- what instructions do ---- */

void init_memory(struct site *t); /* a load, store or atomic */
void init_warp(struct site *t);   /* a row of a warp */

#endif
