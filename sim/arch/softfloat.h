/*
 * Conversions and arithmetic with every rounding mode, and the reduction of large angles: the cases that are too long
 * for a lane loop. Integers only, so they give the same bits on every host.
 *
 *   bits of a format -> sign, exponent, 64-bit significand -> rounded once -> bits of another format
 */
#ifndef HEDDLE_ARCH_SOFTFLOAT_H
#define HEDDLE_ARCH_SOFTFLOAT_H

#include "isa/isa.h"

enum float_format { SOFT_F16, SOFT_BF16, SOFT_F32, SOFT_F64 };

/* A number of format `from` in format `to`; `rnd` is an enum rounding. A NaN becomes the canonical one. */
u64 soft_convert(u64 bits, enum float_format from, enum float_format to, u32 rnd);

/* (negative ? -magnitude : magnitude) in a format; 0 is +0. */
u64 soft_from_int(u64 magnitude, bool negative, enum float_format to, u32 rnd);

/*
 * Arithmetic on numbers of format SOFT_F32 or SOFT_F64, rounded once. A sum of exactly zero is -0 where `rnd` is RM and
 * the summands differ in sign (IEEE 754, 6.3).
 */
u64 soft_fma(u64 a, u64 b, u64 c, enum float_format f, u32 rnd); /* a * b + c */
u64 soft_div(u64 a, u64 b, enum float_format f, u32 rnd);
u64 soft_sqrt(u64 a, enum float_format f, u32 rnd);

/* An angle, reduced: x = quadrant * pi/2 + rest (mod 2 pi), |rest| <= pi/4. */
struct angle {
    double rest;
    u32 quadrant; /* modulo 4 in the low two bits; the others are arbitrary */
};

/* Reduces |x| >= 8 (smaller ones are the caller's); NaN gives rest NaN, and so does an infinity. */
struct angle soft_reduce_angle(float x);

#endif
