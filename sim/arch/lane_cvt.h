/*
 * Conversions: integers, fp16, bf16, fp32, fp64. See lane.h for the rules.
 *
 * Arguments and results are bits of the row's registers, 16-bit numbers in the low half. Rounding to nearest into
 * floating point and every rounding into integers is done here; the rest calls softfloat.c. `rnd` is the same in all
 * lanes, so that a compiler can take the question out of the loop.
 */
#ifndef HEDDLE_ARCH_LANE_CVT_H
#define HEDDLE_ARCH_LANE_CVT_H

#include "sim/arch/lane_half.h"
#include "sim/arch/lane_int.h"
#include "sim/arch/softfloat.h"

/* ---- to whole numbers ---- */

/*
 * Adding 2^23 leaves no room for a fraction, so the addition rounds to a whole number, to even; the other modes correct
 * that by one. Numbers from 2^23 on are whole. The sign is put back last, for results of zero.
 */
static inline float round_integral_f32(float x, u32 rnd) {
    const u32 bits = f32_bits(x), sign = bits & 0x80000000u;
    const float mag = bits_f32(bits ^ sign);
    const float near = bits_f32(f32_bits((mag + 0x1p23f) - 0x1p23f) | sign);
    const bool towards_zero = rnd == RZERO, negative = sign != 0;
    const bool may_down = (rnd == RM) | (towards_zero & !negative), may_up = (rnd == RP) | (towards_zero & negative);
    const float down = ((near > x) & may_down) ? 1.0f : 0.0f, up = ((near < x) & may_up) ? 1.0f : 0.0f;
    const u32 whole = f32_bits((near - down) + up) | sign;
    return bits_f32(mag < 0x1p23f ? whole : bits);
}

static inline double round_integral_f64(double x, u32 rnd) {
    const u64 bits = f64_bits(x), sign = bits & 0x8000000000000000u;
    const double mag = bits_f64(bits ^ sign);
    const double near = bits_f64(f64_bits((mag + 0x1p52) - 0x1p52) | sign);
    const bool towards_zero = rnd == RZERO, negative = sign != 0;
    const bool may_down = (rnd == RM) | (towards_zero & !negative), may_up = (rnd == RP) | (towards_zero & negative);
    const double down = ((near > x) & may_down) ? 1.0 : 0.0, up = ((near < x) & may_up) ? 1.0 : 0.0;
    const u64 whole = f64_bits((near - down) + up) | sign;
    return bits_f64(mag < 0x1p52 ? whole : bits);
}

/* Truncated and clamped to the range. NaN gives 0 in 32 bits from fp32, else the top bit alone. */
static inline u32 s32_clamped_f32(float x) {
    const bool inside = (x >= -0x1p31f) & (x < 0x1p31f);
    const u32 whole = (u32)(s32)(inside ? x : 0.0f);
    const u32 v = x >= 0x1p31f ? 0x7fffffffu : whole;
    return x < -0x1p31f ? 0x80000000u : v;
}

static inline u32 u32_clamped_f32(float x) {
    const bool top = x >= 0x1p31f; /* the conversion is the signed one, so the top bit is taken off first */
    const float low = top ? x - 0x1p31f : x;
    const bool inside = (low > 0) & (low < 0x1p31f);
    const u32 whole = (u32)(s32)(inside ? low : 0.0f);
    const u32 v = top ? whole | 0x80000000u : whole;
    return x >= 0x1p32f ? ~0u : v;
}

static inline u32 s32_clamped_f64(double x) {
    const bool inside = (x > -0x1p31 - 1) & (x < 0x1p31);
    const u32 whole = (u32)(s32)(inside ? x : 0.0);
    const u32 v = x >= 0x1p31 ? 0x7fffffffu : whole;
    return !(x > -0x1p31 - 1) ? 0x80000000u : v;
}

static inline u32 u32_clamped_f64(double x) {
    const bool top = x >= 0x1p31;
    const double low = top ? x - 0x1p31 : x;
    const bool inside = (low > 0) & (low < 0x1p31);
    const u32 whole = (u32)(s32)(inside ? low : 0.0);
    const u32 v = (top | (x != x)) ? whole | 0x80000000u : whole;
    return x >= 0x1p32 ? ~0u : v;
}

static inline u64 s64_clamped_f64(double x) {
    const bool inside = (x >= -0x1p63) & (x < 0x1p63);
    const u64 whole = (u64)(s64)(inside ? x : 0.0);
    const u64 v = x >= 0x1p63 ? 0x7fffffffffffffffu : whole;
    return !(x >= -0x1p63) ? 0x8000000000000000u : v;
}

static inline u64 u64_clamped_f64(double x) {
    const bool inside = (x > 0) & (x < 0x1p64);
    const u64 whole = (u64)(inside ? x : 0.0);
    const u64 v = x != x ? 0x8000000000000000u : whole;
    return x >= 0x1p64 ? ~(u64)0 : v;
}

/* CONVERSION(result, name, argument, number): a function of `a` and `rnd`, for which exact ones have no use. */
#define CONVERSION(result, name, argument, number) \
    static inline result name(argument a, u32 rnd) { \
        (void)rnd; \
        return number; \
    }

/* clang-format off */
CONVERSION(u32, s32_from_f32,  u32, s32_clamped_f32(round_integral_f32(bits_f32(a), rnd)))
CONVERSION(u32, s32_from_f64,  u64, s32_clamped_f64(round_integral_f64(bits_f64(a), rnd)))
CONVERSION(u32, s32_from_f16,  u32, s32_clamped_f32(round_integral_f32(f16_value(a), rnd)))
CONVERSION(u32, s32_from_bf16, u32, s32_clamped_f32(round_integral_f32(bf16_value(a), rnd)))
CONVERSION(u32, u32_from_f32,  u32, u32_clamped_f32(round_integral_f32(bits_f32(a), rnd)))
CONVERSION(u32, u32_from_f64,  u64, u32_clamped_f64(round_integral_f64(bits_f64(a), rnd)))
CONVERSION(u32, u32_from_f16,  u32, u32_clamped_f32(round_integral_f32(f16_value(a), rnd)))
CONVERSION(u32, u32_from_bf16, u32, u32_clamped_f32(round_integral_f32(bf16_value(a), rnd)))
CONVERSION(u64, s64_from_f32,  u32, s64_clamped_f64((double)round_integral_f32(bits_f32(a), rnd)))
CONVERSION(u64, s64_from_f64,  u64, s64_clamped_f64(round_integral_f64(bits_f64(a), rnd)))
CONVERSION(u64, s64_from_f16,  u32, s64_clamped_f64((double)round_integral_f32(f16_value(a), rnd)))
CONVERSION(u64, s64_from_bf16, u32, s64_clamped_f64((double)round_integral_f32(bf16_value(a), rnd)))
CONVERSION(u64, u64_from_f32,  u32, u64_clamped_f64((double)round_integral_f32(bits_f32(a), rnd)))
CONVERSION(u64, u64_from_f64,  u64, u64_clamped_f64(round_integral_f64(bits_f64(a), rnd)))
CONVERSION(u64, u64_from_f16,  u32, u64_clamped_f64((double)round_integral_f32(f16_value(a), rnd)))
CONVERSION(u64, u64_from_bf16, u32, u64_clamped_f64((double)round_integral_f32(bf16_value(a), rnd)))
/* clang-format on */

/* ---- from whole numbers ---- */

static inline u64 magnitude_s64(s64 a) {
    return a < 0 ? 0 - (u64)a : (u64)a;
}

static inline u64 from_s64(s64 a, enum float_format to, u32 rnd) {
    return soft_from_int(magnitude_s64(a), a < 0, to, rnd);
}

/* clang-format off */
CONVERSION(u32, f32_from_s32,  s32, rnd == RN ? f32_bits((float)a) : (u32)from_s64(a, SOFT_F32, rnd))
CONVERSION(u32, f32_from_u32,  u32, rnd == RN ? f32_bits((float)a) : (u32)soft_from_int(a, false, SOFT_F32, rnd))
CONVERSION(u32, f32_from_s64,  s64, rnd == RN ? f32_bits((float)a) : (u32)from_s64(a, SOFT_F32, rnd))
CONVERSION(u32, f32_from_u64,  u64, rnd == RN ? f32_bits((float)a) : (u32)soft_from_int(a, false, SOFT_F32, rnd))
CONVERSION(u64, f64_from_s32,  s32, f64_bits((double)a))
CONVERSION(u64, f64_from_u32,  u32, f64_bits(f64_of_u32(a)))
CONVERSION(u64, f64_from_s64,  s64, rnd == RN ? f64_bits((double)a) : from_s64(a, SOFT_F64, rnd))
CONVERSION(u64, f64_from_u64,  u64, rnd == RN ? f64_bits((double)a) : soft_from_int(a, false, SOFT_F64, rnd))

/* Up to 2^24 fp32 is exact, and beyond fp16 is infinite, so one rounding happens. */
CONVERSION(u32, f16_from_s32,  s32, rnd == RN ? f16_nearest((float)a) : (u32)from_s64(a, SOFT_F16, rnd))
CONVERSION(u32, f16_from_u32,  u32, rnd == RN ? f16_nearest((float)a) : (u32)soft_from_int(a, false, SOFT_F16, rnd))
CONVERSION(u32, f16_from_s64,  s64, rnd == RN ? f16_nearest((float)a) : (u32)from_s64(a, SOFT_F16, rnd))
CONVERSION(u32, f16_from_u64,  u64, rnd == RN ? f16_nearest((float)a) : (u32)soft_from_int(a, false, SOFT_F16, rnd))
CONVERSION(u32, bf16_from_s32, s32, rnd == RN ? bf16_nearest(f32_odd((double)a)) : (u32)from_s64(a, SOFT_BF16, rnd))
CONVERSION(u32, bf16_from_u32, u32, rnd == RN ? bf16_nearest(f32_odd(f64_of_u32(a)))
           : (u32)soft_from_int(a, false, SOFT_BF16, rnd))
/* clang-format on */

/* The two words are exact in double, and so is their sum but for the bit that rounding to odd keeps. */
static inline u32 bf16_from_s64(s64 a, u32 rnd) {
    const double high = (double)(s32)(a >> 32) * 0x1p32, low = f64_of_u32((u32)a);
    return rnd == RN ? bf16_nearest(f32_odd(sum_odd_f64(high, low))) : (u32)from_s64(a, SOFT_BF16, rnd);
}
static inline u32 bf16_from_u64(u64 a, u32 rnd) {
    const double high = f64_of_u32((u32)(a >> 32)) * 0x1p32, low = f64_of_u32((u32)a);
    return rnd == RN ? bf16_nearest(f32_odd(sum_odd_f64(high, low))) : (u32)soft_from_int(a, false, SOFT_BF16, rnd);
}

/* ---- between formats ---- */

/* clang-format off */
CONVERSION(u32, f32_from_f64,  u64, rnd == RN ? canon_f32((float)bits_f64(a))
           : (u32)soft_convert(a, SOFT_F64, SOFT_F32, rnd))
CONVERSION(u32, f32_from_f16,  u32, canon_f32(f16_value(a)))
CONVERSION(u32, f32_from_bf16, u32, canon_f32(bf16_value(a)))
CONVERSION(u64, f64_from_f32,  u32, canon_f64((double)bits_f32(a)))
CONVERSION(u64, f64_from_f16,  u32, canon_f64((double)f16_value(a)))
CONVERSION(u64, f64_from_bf16, u32, canon_f64((double)bf16_value(a)))
CONVERSION(u32, f16_from_f32,  u32, rnd == RN ? f16_nearest(bits_f32(a))
           : (u32)soft_convert(a, SOFT_F32, SOFT_F16, rnd))
CONVERSION(u32, f16_from_f64,  u64, rnd == RN ? f16_nearest(f32_odd(bits_f64(a)))
           : (u32)soft_convert(a, SOFT_F64, SOFT_F16, rnd))
CONVERSION(u32, f16_from_bf16, u32, rnd == RN ? f16_nearest(bf16_value(a))
           : (u32)soft_convert(a & 0xffff, SOFT_BF16, SOFT_F16, rnd))
CONVERSION(u32, bf16_from_f32, u32, rnd == RN ? bf16_nearest(bits_f32(a))
           : (u32)soft_convert(a, SOFT_F32, SOFT_BF16, rnd))
CONVERSION(u32, bf16_from_f64, u64, rnd == RN ? bf16_nearest(f32_odd(bits_f64(a)))
           : (u32)soft_convert(a, SOFT_F64, SOFT_BF16, rnd))
CONVERSION(u32, bf16_from_f16, u32, rnd == RN ? bf16_nearest(f16_value(a))
           : (u32)soft_convert(a & 0xffff, SOFT_F16, SOFT_BF16, rnd))
/* clang-format on */

#undef CONVERSION
#endif
