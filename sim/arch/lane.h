/*
 * What one lane computes: the functions named in the expressions of isa/ops_*.def, one screen per kind.
 *
 *   lane_int.h    integers, bit fields, bytes, selects
 *   lane_float.h  fp32 and fp64
 *   lane_half.h   fp16 and bf16 pairs
 *   lane_cvt.h    conversions
 *   lane_math.h   exp2, log2, sin, cos, tanh
 *   softfloat.c   the long way round: every rounding mode, large angles
 *
 * Three rules hold for all of them.
 *   Total: every bit pattern is a valid operand and nothing is undefined behaviour, because inactive lanes are computed
 *     too, from whatever their registers hold.
 *   Same bits everywhere: IEEE operations in round-to-nearest, integers, and fused multiply-add only; nothing else of
 *     libm. A result that is a number has one possible value; a result that is NaN has the canonical bits.
 *   No branches: lanes are the iterations of a loop over expressions, which gcc and clang vectorise if every condition is a
 *     value (`&` and `|`, no `&&` and `||`: with trapping comparisons the compilers may not evaluate the second one early).
 *     Exceptions are division in 64 bits, large angles, and rounding modes other than the usual one.
 */
#ifndef HEDDLE_ARCH_LANE_H
#define HEDDLE_ARCH_LANE_H

#include "sim/arch/lane_cvt.h"
#include "sim/arch/lane_float.h"
#include "sim/arch/lane_half.h"
#include "sim/arch/lane_int.h"
#include "sim/arch/lane_math.h"

#endif
