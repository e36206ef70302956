/*
 * Spread of undefined bits: which bits of a LANE row's result can be anything when bits of its operands can. Never too
 * few, and as few as isa/laws.def and runs of the instruction in the executor show:
 *
 *   bit by bit       the result of undefined bits that are clear and that are set, for each operand
 *   moved bits       the result of undefined bits that are flipped
 *   whole numbers    the results of the smallest and of the largest operands: carries, comparisons, ranges
 *   all others       all bits, as soon as one that counts is undefined; packed numbers each by itself
 *
 *   spread_init(&s, &arena, engine, 32);
 *   s.in[0].value[l], s.in[0].undefined[l] = ...     of operands a, b, c; a predicate is bit 0; what is none, 0
 *   s.like[1] = 0;                                   b is the same register as a: undefined bits are the same
 *   spread_run(&s, op, uop);
 *   use(s.out.value[l], s.out.undefined[l]);         defined bits of a value are the result's
 */
#ifndef HEDDLE_CHECK_SPREAD_H
#define HEDDLE_CHECK_SPREAD_H

#include "sim/arch/eval.h"

struct spread_lanes {
    u64 value[WARP_MAX], undefined[WARP_MAX];
};

struct spread {
    struct spread_lanes in[3], out;
    u8 like[3];                /* the first operand that is the same register; itself if there is none */
    struct spread_lanes first; /* of two instructions that one stands for */
    const struct uop *u;
    struct eval eval;
};

/* Memory is taken from the arena; false when it has none. A `struct spread` is not moved afterwards. */
bool spread_init(struct spread *s, struct arena *arena, enum engine engine, u32 width);

void spread_run(struct spread *s, u16 op, const struct uop *u);

/* True if bit i of the result is bit i of the only operand, or its complement, by a row of laws.def. */
bool spread_copies(u16 op);

#endif
