/*
 * Normal forms of operations on whole numbers: what several instructions can compute is one term.
 *
 *   struct lane_out out;
 *   if (algebra(e, OP_MIN_U32, &in, &out))
 *       use(out.word[0]);
 *
 * Sums and products: sim/prove/linear.h. Minima and maxima are sets. Of the comparisons a < b and a == b are left.
 * Divisions by powers of two are shifts. A choice by a comparison of what is compared is a minimum or a maximum.
 */
#ifndef HEDDLE_PROVE_ALGEBRA_H
#define HEDDLE_PROVE_ALGEBRA_H

#include "sim/prove/term.h"

/* Operands and results of an instruction of one lane. */
struct lane_in {
    u32 word[3][2]; /* a, b, c: low and high half */
    u32 bit[3];     /* those that are predicates */
};

struct lane_out {
    u32 word[2];
    u32 bit;
};

/* False where the instruction is none of these, or nothing is known of it with such operands. */
bool algebra(struct terms *e, u32 op, const struct lane_in *in, struct lane_out *out);

/* `condition` ? `yes` : `no`, of words. */
u32 algebra_choose(struct terms *e, u32 condition, u32 yes, u32 no);

#endif
