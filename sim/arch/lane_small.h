/* fp8 and tf32: formats that numbers are kept in, and not computed in. See lane.h for the rules. */
#ifndef HEDDLE_ARCH_LANE_SMALL_H
#define HEDDLE_ARCH_LANE_SMALL_H

#include "sim/arch/lane_half.h"

/* ---- fp8 ---- */

/*
 * The bits of an fp32 in a format of 8 bits with a fraction of `fraction` bits, to nearest even, and no farther than
 * `most`. Below 2^least, the smallest normal number, adding a number whose last bit is the quantum rounds at the right
 * place, as in f16_nearest.
 */
static inline u32 fp8_nearest(u32 bits, u32 fraction, u32 least, u32 most) {
    const u32 mag = bits & 0x7fffffffu, drop = 23 - fraction, start = (127 + least) << 23;
    const u32 normal = (mag + ((1u << (drop - 1)) - 1) + (mag >> drop & 1) - start + (1u << 23)) >> drop;
    const u32 quantum = (127 + least + drop) << 23;
    const u32 denormal = f32_bits(bits_f32(mag) + bits_f32(quantum)) - quantum;
    const u32 any = (s32)mag < (s32)start ? denormal : normal;
    const u32 number = (s32)any > (s32)most ? most : any;
    return (s32)mag > 0x7f800000 ? 0x7f : number | (bits >> 24 & 0x80);
}

static inline u32 e4m3_from_f32(u32 bits) {
    return fp8_nearest(bits, 3, 0u - 6, 0x7e);
}

static inline u32 e5m2_from_f32(u32 bits) {
    return fp8_nearest(bits, 2, 0u - 14, 0x7b);
}

/* As an fp32 whose exponent is off by 120, the difference of the two biases; so denormals need no case of their own. */
static inline u32 f16_from_e4m3(u32 a) {
    const u32 mag = a & 0x7f;
    const u32 number = f16_nearest(bits_f32(mag << 20) * 0x1p120f) | (a & 0x80) << 8;
    return mag == 0x7f ? CANONICAL_NAN_16 : number;
}

static inline u32 f16_from_e5m2(u32 a) {
    return (s32)(a & 0x7f) > 0x7c ? CANONICAL_NAN_16 : (a & 0xff) << 8;
}

static inline u32 byte_relu(u32 v) {
    return v & 0x80 ? 0 : v;
}

/* ---- tf32 ---- */

/* The fraction cut to 10 bits after adding; a carry out of the largest number gives infinity. */
static inline u32 tf32_cut(u32 bits, u32 add) {
    return (s32)(bits & 0x7fffffffu) > 0x7f800000 ? CANONICAL_NAN_F32 : (bits + add) & ~0x1fffu;
}

static inline u32 tf32_from_f32(u32 bits, u32 rnd) {
    const bool away = (rnd == RM) & (bits >> 31 != 0), up = (rnd == RP) & (bits >> 31 == 0);
    const u32 directed = (away | up) ? 0x1fffu : 0;
    return tf32_cut(bits, rnd == RN ? 0xfffu + (bits >> 13 & 1) : directed);
}

static inline u32 tf32_away_f32(u32 bits) {
    return tf32_cut(bits, 0x1000);
}

static inline u32 tf32_finite(u32 bits) {
    return bits - ((bits & 0x7fffffffu) == 0x7f800000u ? 0x2000u : 0);
}

static inline u32 float_relu(u32 bits) {
    return bits >> 31 ? 0 : bits;
}

#endif
