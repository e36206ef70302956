/*
 * fp16 and bf16: two numbers a register, computed in fp32 and rounded once more. See lane.h for the rules.
 *
 * Why two roundings give the result of one. For + - * / and a result of p bits, rounding first to q >= 2p + 2 bits is
 * harmless: p = 11 and p = 8 against q = 24. Below the normal range the result has fewer bits, and a quantum instead:
 *   sums are whole multiples of the quantum, hence exact;
 *   products have 22 bits in fp16, exact in fp32; in bf16, 16 bits, exact in fp32 unless below 2^-134, half the
 *     smallest bf16, where anything rounds to zero, also after rounding up to just 2^-134 (a tie, to even);
 *   quotients: a / b differs from a tie m (of j <= 11 bits) by |a - m * b| / b, at least 2^-22 of m in fp16, more than
 *     fp32's 2^-25; at least 2^-(8 + j) of m >= 2^(-135 + j) in bf16, 2^-143, more than fp32's quantum 2^-149.
 * Fused multiply-add can lie closer to a tie than any such bound, so its sum is rounded to odd. fp16: the product
 * has 22 bits, exact in fp32. bf16: the product's exponent does not fit in fp32, so everything is done in double.
 */
#ifndef HEDDLE_ARCH_LANE_HALF_H
#define HEDDLE_ARCH_LANE_HALF_H

#include "sim/arch/lane_float.h"

/* ---- one number ---- */

/* The fp16 in the low half. Denormals: put below an implicit 2^-14, which is then taken off. */
static inline float f16_value(u32 h) {
    const u32 mag = (h & 0x7fffu) << 13;
    const u32 denormal = f32_bits(bits_f32(mag + 0x38800000u) - 0x1p-14f);
    const u32 normal = (s32)mag < 0x00800000 ? denormal : mag + 0x38000000u;
    const u32 any = (s32)mag >= 0x0f800000 ? mag | 0x7f800000u : normal;
    return bits_f32(any | (h & 0x8000u) << 16);
}

static inline float bf16_value(u32 h) {
    return bits_f32(h << 16);
}

/* To nearest even. Denormals: adding 0.5, whose last bit is the quantum 2^-24, rounds at the right place. */
static inline u32 f16_nearest(float x) {
    const u32 bits = f32_bits(x), mag = bits & 0x7fffffffu;
    const s32 order = (s32)mag;
    const u32 normal = (mag + 0xfffu + (mag >> 13 & 1) - 0x38000000u) >> 13;
    const u32 denormal = f32_bits(bits_f32(mag) + 0.5f) - 0x3f000000u;
    const u32 finite = order < 0x38800000 ? denormal : normal;
    const u32 number = order >= 0x477ff000 ? 0x7c00u : finite; /* 65520 is halfway between 65504 and 2^16 */
    return order > 0x7f800000 ? CANONICAL_NAN_16 : number | (bits >> 16 & 0x8000u);
}

/* To nearest even; the carry out of the largest number gives infinity. */
static inline u32 bf16_nearest(float x) {
    const u32 bits = f32_bits(x);
    const u32 number = (bits + 0x7fffu + (bits >> 16 & 1)) >> 16;
    return (s32)(bits & 0x7fffffffu) > 0x7f800000 ? CANONICAL_NAN_16 : number;
}

/* A double rounded to odd in fp32: what does not change under the conversion back is exact. */
static inline float f32_odd(double x) {
    const float near = (float)x;
    const double back = (double)near;
    const u32 bits = f32_bits(near);
    const u32 up = fabs(back) > fabs(x);
    const bool inexact = (back < x) | (back > x);
    return bits_f32(inexact ? (bits - up) | 1 : bits);
}

static inline u32 f16_fma(u32 a, u32 b, u32 c) {
    return f16_nearest(sum_odd_f32(f16_value(a) * f16_value(b), f16_value(c)));
}

static inline u32 bf16_fma(u32 a, u32 b, u32 c) {
    const double product = (double)bf16_value(a) * (double)bf16_value(b);
    return bf16_nearest(f32_odd(sum_odd_f64(product, (double)bf16_value(c))));
}

/* A key that orders numbers as signed integers, -0 below +0. */
static inline s32 half_key(u32 h) {
    return (s32)(h << 16) >> 16 ^ (s32)((h & 0x8000u) ? 0x7fff : 0);
}

/* Smaller or larger of two numbers; `inf` is the format's infinity, above which the magnitudes are NaN. */
static inline u32 half_min(u32 a, u32 b, s32 inf) {
    const bool a_nan = (s32)(a & 0x7fffu) > inf, b_nan = (s32)(b & 0x7fffu) > inf;
    const u32 smaller = half_key(a) < half_key(b) ? a : b;
    const u32 number = (b_nan ? a : a_nan ? b : smaller) & 0xffffu;
    return (a_nan & b_nan) ? CANONICAL_NAN_16 : number;
}

static inline u32 half_max(u32 a, u32 b, s32 inf) {
    const bool a_nan = (s32)(a & 0x7fffu) > inf, b_nan = (s32)(b & 0x7fffu) > inf;
    const u32 larger = half_key(a) > half_key(b) ? a : b;
    const u32 number = (b_nan ? a : a_nan ? b : larger) & 0xffffu;
    return (a_nan & b_nan) ? CANONICAL_NAN_16 : number;
}

/* Value order; -0 equals +0. */
static inline s32 half_rank(u32 h) {
    const s32 mag = (s32)(h & 0x7fffu);
    return h & 0x8000u ? -mag : mag;
}

/* ---- pairs ---- */

/* name, f16 or bf16, the format's infinity */
#define PAIRS(T, inf) \
    static inline u32 add_##T##x2(u32 a, u32 b) { \
        return T##_nearest(T##_value(a) + T##_value(b)) | T##_nearest(T##_value(a >> 16) + T##_value(b >> 16)) << 16; \
    } \
    static inline u32 sub_##T##x2(u32 a, u32 b) { \
        return T##_nearest(T##_value(a) - T##_value(b)) | T##_nearest(T##_value(a >> 16) - T##_value(b >> 16)) << 16; \
    } \
    static inline u32 mul_##T##x2(u32 a, u32 b) { \
        return T##_nearest(T##_value(a) * T##_value(b)) | T##_nearest(T##_value(a >> 16) * T##_value(b >> 16)) << 16; \
    } \
    static inline u32 div_##T##x2(u32 a, u32 b) { \
        return T##_nearest(T##_value(a) / T##_value(b)) | T##_nearest(T##_value(a >> 16) / T##_value(b >> 16)) << 16; \
    } \
    static inline u32 fma_##T##x2(u32 a, u32 b, u32 c) { \
        return T##_fma(a, b, c) | T##_fma(a >> 16, b >> 16, c >> 16) << 16; \
    } \
    static inline u32 min_##T##x2(u32 a, u32 b) { \
        return half_min(a, b, inf) | half_min(a >> 16, b >> 16, inf) << 16; \
    } \
    static inline u32 max_##T##x2(u32 a, u32 b) { \
        return half_max(a, b, inf) | half_max(a >> 16, b >> 16, inf) << 16; \
    }
PAIRS(f16, 0x7c00)
PAIRS(bf16, 0x7f80)
#undef PAIRS

/* Comparisons: all ones in a half where it holds, and never with a NaN. */
#define HALF_SET(name, T, inf, op) \
    static inline u32 T##_##name(u32 a, u32 b) { \
        const bool ordered = ((s32)(a & 0x7fffu) <= (inf)) & ((s32)(b & 0x7fffu) <= (inf)); \
        const bool holds = half_rank(a) op half_rank(b); \
        return (holds & ordered) ? 0xffffu : 0; \
    } \
    static inline u32 set_##name##_##T##x2(u32 a, u32 b) { \
        return T##_##name(a, b) | T##_##name(a >> 16, b >> 16) << 16; \
    }
HALF_SET(eq, f16, 0x7c00, ==)
HALF_SET(ne, f16, 0x7c00, !=)
HALF_SET(lt, f16, 0x7c00, <)
HALF_SET(le, f16, 0x7c00, <=)
HALF_SET(gt, f16, 0x7c00, >)
HALF_SET(ge, f16, 0x7c00, >=)
HALF_SET(eq, bf16, 0x7f80, ==)
HALF_SET(ne, bf16, 0x7f80, !=)
HALF_SET(lt, bf16, 0x7f80, <)
HALF_SET(le, bf16, 0x7f80, <=)
HALF_SET(gt, bf16, 0x7f80, >)
HALF_SET(ge, bf16, 0x7f80, >=)
#undef HALF_SET

#endif
