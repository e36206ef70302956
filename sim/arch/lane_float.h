/*
 * fp32 and fp64 of one lane: bits, canonical results, minimum and maximum, sums rounded to odd. See lane.h for the
 * rules.
 */
#ifndef HEDDLE_ARCH_LANE_FLOAT_H
#define HEDDLE_ARCH_LANE_FLOAT_H

#include "isa/isa.h"
#include "sim/arch/softfloat.h"

#include <math.h>
#include <string.h>

#define CANONICAL_NAN_F32 0x7fffffffu
#define CANONICAL_NAN_F64 0x7fffffffffffffffu
#define CANONICAL_NAN_16 0x7fffu

/* ---- numbers and their bits ---- */

static inline u32 f32_bits(float x) {
    u32 bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static inline float bits_f32(u32 bits) {
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static inline u64 f64_bits(double x) {
    u64 bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static inline double bits_f64(u64 bits) {
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* Bits of a result: hosts differ in the sign and payload of a NaN, heddle does not. */
static inline u32 canon_f32(float x) {
    return x == x ? f32_bits(x) : CANONICAL_NAN_F32;
}

static inline u64 canon_f64(double x) {
    return x == x ? f64_bits(x) : CANONICAL_NAN_F64;
}

/* Denormals become zeros of their sign. */
static inline u32 flush_f32(u32 bits) {
    return bits & 0x7f800000u ? bits : bits & 0x80000000u;
}

/* Clamps to [+0, 1]; NaN and -0 give +0. */
static inline u32 sat_f32(u32 bits) {
    const s32 v = (s32)bits; /* the order of non-negative floats is that of their bits */
    const u32 low = v > 0x3f800000 ? 0x3f800000u : bits;
    return (u32)((v >= 0) & (v <= 0x7f800000)) ? low : 0;
}

/* ---- arithmetic ---- */

/*
 * Equal operands differ in the sign of zero at most: `or` prefers the negative one, `and` the positive one. A
 * comparison with NaN is false and gives b; the last line mends the case that b is the NaN.
 */
static inline float min_f32(float a, float b) {
    const u32 x = f32_bits(a), y = f32_bits(b);
    const u32 smaller = a < b ? x : y;
    const u32 least = a == b ? x | y : smaller;
    return bits_f32(b != b ? x : least);
}

static inline float max_f32(float a, float b) {
    const u32 x = f32_bits(a), y = f32_bits(b);
    const u32 larger = a > b ? x : y;
    const u32 most = a == b ? x & y : larger;
    return bits_f32(b != b ? x : most);
}

static inline float min_nan_f32(float a, float b) {
    return ((a != a) | (b != b)) ? bits_f32(CANONICAL_NAN_F32) : min_f32(a, b);
}

static inline float max_nan_f32(float a, float b) {
    return ((a != a) | (b != b)) ? bits_f32(CANONICAL_NAN_F32) : max_f32(a, b);
}

static inline double min_f64(double a, double b) {
    const u64 x = f64_bits(a), y = f64_bits(b);
    const u64 smaller = a < b ? x : y;
    const u64 least = a == b ? x | y : smaller;
    return bits_f64(b != b ? x : least);
}

static inline double max_f64(double a, double b) {
    const u64 x = f64_bits(a), y = f64_bits(b);
    const u64 larger = a > b ? x : y;
    const u64 most = a == b ? x & y : larger;
    return bits_f64(b != b ? x : most);
}

/*
 * Round to odd: the value truncated to the format, with the lowest bit set if anything was dropped. Unlike a rounding
 * to nearest it can be rounded again, to a format narrower by two bits or more, with the result of a single rounding.
 *
 * a + b in fp32 or fp64, rounded to odd. The rounding error of a sum is itself a floating-point number, found by
 * subtracting back (Knuth's TwoSum; NaN when the sum is infinite or NaN, and then both comparisons are false). An error
 * against the sum's sign means that rounding increased the magnitude, past the truncated value.
 */
static inline float sum_odd_f32(float a, float b) {
    const float sum = a + b, b_part = sum - a;
    const float error = (a - (sum - b_part)) + (b - b_part);
    const u32 s = f32_bits(sum), up = (s ^ f32_bits(error)) >> 31;
    const bool inexact = (error < 0) | (error > 0);
    return bits_f32(inexact ? (s - up) | 1 : s);
}

static inline double sum_odd_f64(double a, double b) {
    const double sum = a + b, b_part = sum - a;
    const double error = (a - (sum - b_part)) + (b - b_part);
    const u64 s = f64_bits(sum), up = (s ^ f64_bits(error)) >> 63;
    const bool inexact = (error < 0) | (error > 0);
    return bits_f64(inexact ? (s - up) | 1 : s);
}

/*
 * a * b + c, rounded once. Without the instruction: the product of two fp32 has 48 bits and an exponent above -300,
 * exact in double; the sum is rounded to odd in double, then to fp32. 32 of them take 44 ns; fmaf of glibc takes 89
 * ns where it finds the instruction at run time, and 680 where it does not.
 */
static inline float fma_f32(float a, float b, float c) {
#ifdef __FMA__
    return fmaf(a, b, c);
#else
    return (float)sum_odd_f64((double)a * (double)b, (double)c);
#endif
}

static inline u32 atom_add_f32(u32 old, u32 b) {
    return canon_f32(bits_f32(old) + bits_f32(b));
}

static inline u64 atom_add_f64(u64 old, u64 b) {
    return canon_f64(bits_f64(old) + bits_f64(b));
}

/* Rounded by `rnd`. A product is one with a zero of its own sign added. */
static inline float soft_fma_f32(float a, float b, float c, u32 rnd) {
    return bits_f32((u32)soft_fma(f32_bits(a), f32_bits(b), f32_bits(c), SOFT_F32, rnd));
}
static inline float soft_add_f32(float a, float b, u32 rnd) {
    return soft_fma_f32(1, a, b, rnd);
}
static inline float soft_mul_f32(float a, float b, u32 rnd) {
    return soft_fma_f32(a, b, bits_f32((f32_bits(a) ^ f32_bits(b)) & 0x80000000u), rnd);
}
static inline float soft_div_f32(float a, float b, u32 rnd) {
    return bits_f32((u32)soft_div(f32_bits(a), f32_bits(b), SOFT_F32, rnd));
}
static inline float soft_sqrt_f32(float a, u32 rnd) {
    return bits_f32((u32)soft_sqrt(f32_bits(a), SOFT_F32, rnd));
}

static inline double soft_fma_f64(double a, double b, double c, u32 rnd) {
    return bits_f64(soft_fma(f64_bits(a), f64_bits(b), f64_bits(c), SOFT_F64, rnd));
}
static inline double soft_add_f64(double a, double b, u32 rnd) {
    return soft_fma_f64(1, a, b, rnd);
}
static inline double soft_mul_f64(double a, double b, u32 rnd) {
    return soft_fma_f64(a, b, bits_f64((f64_bits(a) ^ f64_bits(b)) & 0x8000000000000000u), rnd);
}
static inline double soft_div_f64(double a, double b, u32 rnd) {
    return bits_f64(soft_div(f64_bits(a), f64_bits(b), SOFT_F64, rnd));
}
static inline double soft_sqrt_f64(double a, u32 rnd) {
    return bits_f64(soft_sqrt(f64_bits(a), SOFT_F64, rnd));
}

static inline float rsqrt_f32(float a) {
    return (float)(1.0 / sqrt((double)a));
}

#endif
