/*
 * Floating-point arithmetic in one form, as far as forms agree in every bit, for all data and modifiers:
 *
 *   a - b                  a + -b
 *   a / 8                  a * 0.125
 *   a * 2                  a + a
 *   fma(a, 1, c)           a + c
 *   fma(a, b, -0), a * 1   a * b, a + -0      unless zeros are rounded down
 *   a + -0                 a, if it is a result of such arithmetic: an operand's NaN may have other bits
 *   -a * b                 a * -b             and -a / b, fma(-a, b, c)
 *   a * NaN                NaN
 *   a < a, a <= a          0, "a is no NaN"
 */
#ifndef HEDDLE_PROVE_FLOATS_H
#define HEDDLE_PROVE_FLOATS_H

#include "sim/prove/shadow.h"

/* Rewrites an operation with its operands; true if its result is `out`. */
bool floats(struct site *t, u32 *op, u32 mods, struct lane_in *in, struct lane_out *out);

#endif
