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

#include "sim/arch/lane_math.h"

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

static inline u32 half_min_nan(u32 a, u32 b, s32 inf) {
    const bool nan = ((s32)(a & 0x7fffu) > inf) | ((s32)(b & 0x7fffu) > inf);
    return nan ? CANONICAL_NAN_16 : half_min(a, b, inf);
}

static inline u32 half_max_nan(u32 a, u32 b, s32 inf) {
    const bool nan = ((s32)(a & 0x7fffu) > inf) | ((s32)(b & 0x7fffu) > inf);
    return nan ? CANONICAL_NAN_16 : half_max(a, b, inf);
}

/* Zero for what is below it, and for -0; the canonical NaN stays. */
static inline u32 half_relu(u32 h) {
    return h & 0x8000u ? 0 : h;
}

/* Zero for a positive denormal bf16. */
static inline u32 half_flush(u32 h) {
    return (s32)h < 0x80 ? 0 : h;
}

/* The largest number for an infinity. */
static inline u32 half_finite(u32 h, u32 inf) {
    return h - ((h & 0x7fffu) == inf ? 1u : 0);
}

/* ---- one number, and pairs ---- */

/* A function of the low halves, and of each half. */
#define EACH1(name, T, value) \
    static inline u32 name##_##T(u32 a) { \
        return value; \
    } \
    static inline u32 name##_##T##x2(u32 a) { \
        return name##_##T(a) | name##_##T(a >> 16) << 16; \
    }
#define EACH2(name, T, value) \
    static inline u32 name##_##T(u32 a, u32 b) { \
        return value; \
    } \
    static inline u32 name##_##T##x2(u32 a, u32 b) { \
        return name##_##T(a, b) | name##_##T(a >> 16, b >> 16) << 16; \
    }
#define EACH3(name, T, value) \
    static inline u32 name##_##T(u32 a, u32 b, u32 c) { \
        return value; \
    } \
    static inline u32 name##_##T##x2(u32 a, u32 b, u32 c) { \
        return name##_##T(a, b, c) | name##_##T(a >> 16, b >> 16, c >> 16) << 16; \
    }

/* name, f16 or bf16, the format's infinity */
#define HALVES(T, inf) \
    EACH2(add, T, T##_nearest(T##_value(a) + T##_value(b))) \
    EACH2(sub, T, T##_nearest(T##_value(a) - T##_value(b))) \
    EACH2(mul, T, T##_nearest(T##_value(a) * T##_value(b))) \
    EACH2(div, T, T##_nearest(T##_value(a) / T##_value(b))) \
    EACH3(fma, T, T##_fma(a, b, c)) \
    EACH3(fma_relu, T, half_relu(T##_fma(a, b, c))) \
    EACH2(min, T, half_min(a, b, inf)) \
    EACH2(max, T, half_max(a, b, inf)) \
    EACH2(min_nan, T, half_min_nan(a, b, inf)) \
    EACH2(max_nan, T, half_max_nan(a, b, inf)) \
    EACH1(tanh, T, T##_nearest(f32_odd(tanh_wide(T##_value(a)))))
HALVES(f16, 0x7c00)
HALVES(bf16, 0x7f80)
#undef HALVES

EACH1(ex2, f16, f16_nearest(f32_odd(exp2_wide(f16_value(a)))))
EACH1(ex2_ftz, bf16, half_flush(bf16_nearest(f32_odd(exp2_wide(bf16_value(a))))))

#undef EACH1
#undef EACH2
#undef EACH3

/* Comparisons: all ones where they hold, and never with a NaN, but for those with a u at the end. */
#define HALF_SET(name, T, holds) \
    static inline u32 T##_##name(u32 a, u32 b) { \
        return (holds) ? 0xffffu : 0; \
    } \
    static inline u32 set_##name##_##T##x2(u32 a, u32 b) { \
        return T##_##name(a, b) | T##_##name(a >> 16, b >> 16) << 16; \
    }
#define ORDERED(inf) (((s32)(a & 0x7fffu) <= (inf)) & ((s32)(b & 0x7fffu) <= (inf)))
#define RELATION(name, T, inf, op) \
    HALF_SET(name, T, (half_rank(a) op half_rank(b)) & ORDERED(inf)) \
    HALF_SET(name##u, T, (half_rank(a) op half_rank(b)) | !ORDERED(inf))
#define RELATIONS(T, inf) \
    RELATION(eq, T, inf, ==) \
    RELATION(ne, T, inf, !=) \
    RELATION(lt, T, inf, <) \
    RELATION(le, T, inf, <=) \
    RELATION(gt, T, inf, >) \
    RELATION(ge, T, inf, >=) \
    HALF_SET(num, T, ORDERED(inf)) \
    HALF_SET(nan, T, !ORDERED(inf))
RELATIONS(f16, 0x7c00)
RELATIONS(bf16, 0x7f80)
#undef RELATIONS
#undef RELATION
#undef ORDERED
#undef HALF_SET

#endif
