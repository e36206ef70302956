/*
 * Special functions of an fp32 lane: minimax polynomials in double, by + - * / only, and one rounding to fp32, or to 16
 * bits, at the end. See lane.h for the rules. Special values are those of C's Annex F.
 *
 * Compared with long double on all 2^32 inputs, results are correctly rounded but for these, each off by one unit and
 * less than 1e-9 of a unit from a tie (tests/arch/numerics.c compares a sample):
 *
 *     exp2 2 inputs     log2 none     tanh none     sin 1, cos 2, and their negatives
 */
#ifndef HEDDLE_ARCH_LANE_MATH_H
#define HEDDLE_ARCH_LANE_MATH_H

#include "sim/arch/lane_float.h"
#include "sim/arch/softfloat.h"

/* x + this rounds x to a whole number, which then stands in the low bits. */
#define WHOLE_SHIFT 0x1.8p52

/* 2^n for n in the normal range of double, from (n + WHOLE_SHIFT). */
static inline double power_of_two(double shifted) {
    return bits_f64((f64_bits(shifted) + 1023) << 52);
}

/* 2^x = 2^n * 2^r, |r| <= 1/2; the polynomial is (2^r - 1) / r, off by 2^-58 of 2^r. */
static inline double exp2_wide(float a) {
    const double above = (double)(a < -200.0f ? -200.0f : a); /* NaN stays */
    const double x = above > 200.0 ? 200.0 : above;
    const double shifted = x + WHOLE_SHIFT, r = x - (shifted - WHOLE_SHIFT);
    double p = 0x1.e79c03a7ddc83p-32;
    p = p * r + 0x1.e61b518311763p-28;
    p = p * r + 0x1.b5267ca817ea8p-24;
    p = p * r + 0x1.62bfc79c24331p-20;
    p = p * r + 0x1.ffcbfba99e7cfp-17;
    p = p * r + 0x1.4309130ed9473p-13;
    p = p * r + 0x1.5d87fe78cd663p-10;
    p = p * r + 0x1.3b2ab6fba0117p-7;
    p = p * r + 0x1.c6b08d7049fe8p-5;
    p = p * r + 0x1.ebfbdff82c5a4p-3;
    p = p * r + 0x1.62e42fefa39efp-1;
    return (p * r + 1.0) * power_of_two(shifted);
}

static inline float exp2_f32(float a) {
    return (float)exp2_wide(a);
}

/*
 * log2 x = n + log2 m with m in [sqrt(1/2), sqrt(2)); log2 m = t * P(t^2), t = (m - 1) / (m + 1), off by 2^-59. Near 1,
 * n is 0 and nothing cancels.
 */
static inline float log2_f32(float a) {
    const double x = (double)a;
    const u64 shifted = f64_bits(x) - 0x3fe6a09e667f3bcdu; /* from sqrt(1/2): the exponent field becomes n */
    const double n = bits_f64((shifted >> 52 ^ 0x800) + 0x4330000000000000u) - (0x1p52 + 0x800);
    const double m = bits_f64((shifted & 0xfffffffffffffu) + 0x3fe6a09e667f3bcdu);
    const double t = (m - 1.0) / (m + 1.0), z = t * t;
    double p = 0x1.b599068f395a4p-3;
    p = p * z + 0x1.c46d70db9f9dbp-3;
    p = p * z + 0x1.0ca163b071cdfp-2;
    p = p * z + 0x1.484afb697055cp-2;
    p = p * z + 0x1.a61762d6c046fp-2;
    p = p * z + 0x1.2776c50ee381bp-1;
    p = p * z + 0x1.ec709dc3a047dp-1;
    p = p * z + 0x1.71547652b82fep+1;
    const double finite = n + t * p;
    const double number = x > 0x1p200 ? x : finite; /* infinity */
    const double defined = x == 0 ? -(double)INFINITY : number;
    const bool undefined = !(x >= 0);
    return (float)(undefined ? (double)NAN : defined);
}

/*
 * n = the whole number nearest to x * 2/pi; x - n * pi/2 with pi/2 in three parts. n has 20 bits, the parts 33, 33
 * and 53, so the first two products are exact, and x is at least 2^-33 away from any multiple.
 */
static inline struct angle reduce_angle(float a) {
    const double x = (double)a;
    if (UNLIKELY(!(fabs(x) < 0x1p20)))
        return soft_reduce_angle(a);
    const double shifted = x * 0x1.45f306dc9c883p-1 + WHOLE_SHIFT, n = shifted - WHOLE_SHIFT;
    const double rest = ((x - n * 0x1.921fb54400000p+0) - n * 0x1.0b4611a600000p-34) - n * 0x1.3198a2e037073p-69;
    return (struct angle){rest, (u32)f64_bits(shifted)};
}

/* sin r, |r| <= pi/4, off by 2^-68. */
static inline double sin_rest(double r) {
    const double z = r * r;
    double p = -0x1.aa987e213e2adp-41;
    p = p * z + 0x1.612075b2f4aacp-33;
    p = p * z - 0x1.ae645263d579ap-26;
    p = p * z + 0x1.71de3a5309746p-19;
    p = p * z - 0x1.a01a01a0187fap-13;
    p = p * z + 0x1.111111111110ap-7;
    p = p * z - 0x1.5555555555555p-3;
    return r * (p * z + 1.0); /* keeps the sign of zero */
}

/* cos r, |r| <= pi/4, off by 2^-64. */
static inline double cos_rest(double r) {
    const double z = r * r;
    double p = -0x1.8f6ab97203a11p-37;
    p = p * z + 0x1.1ee9543f9918dp-29;
    p = p * z - 0x1.27e4f6fdc5223p-22;
    p = p * z + 0x1.a01a019ad6d68p-16;
    p = p * z - 0x1.6c16c16c13625p-10;
    p = p * z + 0x1.5555555555533p-5;
    p = p * z - 0.5;
    return p * z + 1.0;
}

/* The sine of a reduced angle; the cosine is the sine a quadrant on. */
static inline float sin_angle(double rest, u32 quadrant) {
    const double value = quadrant & 1 ? cos_rest(rest) : sin_rest(rest);
    return (float)bits_f64(f64_bits(value) ^ (u64)(quadrant & 2) << 62);
}

static inline float sin_f32(float a) {
    const struct angle angle = reduce_angle(a);
    return sin_angle(angle.rest, angle.quadrant);
}

static inline float cos_f32(float a) {
    const struct angle angle = reduce_angle(a);
    return sin_angle(angle.rest, angle.quadrant + 1);
}

/*
 * tanh x = y / (y + 2) with y = e^2x - 1, of the magnitude of x. y = (2^n - 1) + 2^n * (e^r - 1), where 2x = n ln 2 +
 * r; e^r - 1 = r + r^2 P(r), off by 2^-61 of itself. From 9.02 on the result rounds to 1.
 */
static inline double tanh_wide(float a) {
    const double mag = fabs((double)a);
    const double x = 2.0 * (mag > 20.0 ? 20.0 : mag); /* NaN stays */
    const double shifted = x * 0x1.71547652b82fep+0 + WHOLE_SHIFT, n = shifted - WHOLE_SHIFT;
    const double r = (x - n * 0x1.62e42fee00000p-1) - n * 0x1.a39ef35793c76p-33;
    double p = 0x1.1ee8858376db7p-29;
    p = p * r + 0x1.af5e67d0445a3p-26;
    p = p * r + 0x1.27e5362952552p-22;
    p = p * r + 0x1.71ddf885b2972p-19;
    p = p * r + 0x1.a01a017bca003p-16;
    p = p * r + 0x1.a01a01afd15f9p-13;
    p = p * r + 0x1.6c16c16c1f063p-10;
    p = p * r + 0x1.111111110f6e0p-7;
    p = p * r + 0x1.555555555553fp-5;
    p = p * r + 0x1.5555555555559p-3;
    p = p * r + 0.5;
    const double scale = power_of_two(shifted);
    const double y = (scale - 1.0) + scale * (r + r * r * p);
    const double t = y / (y + 2.0);
    return bits_f64(f64_bits(t) | (u64)(f32_bits(a) >> 31) << 63);
}

static inline float tanh_f32(float a) {
    return (float)tanh_wide(a);
}

#endif
