/*
 * What one lane computes: the functions named in the expressions of isa/ops_*.def, one screen per kind.
 *
 *   lane_int.h    integers, bit fields, bytes, selects
 *   lane_float.h  fp32 and fp64
 *   lane_half.h   fp16 and bf16 pairs
 *   lane_cvt.h    conversions
 *   lane_small.h  fp8 and tf32
 *   lane_math.h   exp2, log2, sin, cos, tanh
 *   softfloat.c   the long way round: every rounding mode, large angles
 *
 * Three rules hold for all of them.
 *   Total: every bit pattern is a valid operand and nothing is undefined behaviour, because inactive lanes are computed
 *     too, from whatever their registers hold.
 *   Same bits everywhere: IEEE operations in round-to-nearest, integers, and fused multiply-add only; nothing else of
 *     libm. A result that is a number has one possible value; a result that is NaN has the canonical bits.
 *   No branches: lanes are the iterations of a loop over expressions, which gcc and clang vectorise if every
 *     condition is a value (`&` and `|`, no `&&` and `||`) and, for gcc, with -fno-trapping-math, which lets it
 *     compute what a select may drop. Exceptions are division in 64 bits, large angles, and rounding modes other than
 *     the usual one.
 *
 * Measured, gcc 12 -O3 on one core at 2.6 GHz, ns per 32 lanes (in brackets without -fno-trapping-math):
 *
 *                     baseline     x86-64-v3                        baseline     x86-64-v3
 *     add.s32           3            5             add.bf16x2         19           15
 *     lop3.b32         13           12             add.f16x2         118 (180)     60 (188)
 *     prmt.b32        108           25             fma.f16x2         216 (267)     97 (252)
 *     div.u32          27 (40)      18 (38)        cvt.f16.f32        24 (34)      11 (33)
 *     clz.b32          12 (22)      11 (27)        cvt.s32.f32        31 (106)     19 (103)
 *     fma.f32          44            8             ex2.f32            97 (195)     53 (193)
 *     min.f32          17           11             sin.f32           183          169
 */
#ifndef HEDDLE_ARCH_LANE_H
#define HEDDLE_ARCH_LANE_H

#include "sim/arch/lane_cvt.h"
#include "sim/arch/lane_float.h"
#include "sim/arch/lane_half.h"
#include "sim/arch/lane_int.h"
#include "sim/arch/lane_math.h"
#include "sim/arch/lane_small.h"

#endif
