/*
 * Is the arithmetic of a lane right, bit for bit? The functions of sim/arch/lane*.h against exact arithmetic in whole
 * numbers: 16-bit formats exhaustively, wider ones around every place where a rounding could go wrong.
 * (tests/isa/isa_reference.c tests the machine in the same way for every instruction, at every width and level of the
 * host's instruction set.)
 */
#include "tests/arch/numerics.h"

/* A number as a whole number of `bits` bits, as the conversions do it: rounded, clamped, NaN to 0. */
static u64 whole(struct num x, u32 rnd, u32 bits, bool is_signed) {
    const u64 all = bits == 64 ? ~(u64)0 : ((u64)1 << bits) - 1;
    if (x.kind == NUM_NAN)
        return 0;
    const u64 limit = !is_signed ? (x.neg ? 0 : all) : (all >> 1) + x.neg;
    x = num_round(x, rnd);
    if (x.kind == NUM_FINITE && x.m == 0)
        return 0;
    u64 magnitude = x.kind == NUM_INF || x.e > 64 ? limit : 0;
    if (x.kind == NUM_FINITE && x.e <= 64) {
        u128 m = x.e < 0 ? x.m >> -x.e : x.m << x.e;
        magnitude = m > limit ? limit : (u64)m;
    }
    return (x.neg ? 0 - magnitude : magnitude) & all;
}

/* ---- between formats ---- */

static void check_from_half(u32 h, u32 rnd) {
    const struct num f16 = num_unpack(h, &FMT_F16), bf16 = num_unpack(h, &FMT_BF16);
    SAME(f32_from_f16(h, rnd), num_pack(f16, &FMT_F32, rnd), "f32 of f16", h, rnd);
    SAME(f64_from_f16(h, rnd), num_pack(f16, &FMT_F64, rnd), "f64 of f16", h, rnd);
    SAME(bf16_from_f16(h, rnd), num_pack(f16, &FMT_BF16, rnd), "bf16 of f16", h, rnd);
    SAME(f32_from_bf16(h, rnd), num_pack(bf16, &FMT_F32, rnd), "f32 of bf16", h, rnd);
    SAME(f64_from_bf16(h, rnd), num_pack(bf16, &FMT_F64, rnd), "f64 of bf16", h, rnd);
    SAME(f16_from_bf16(h, rnd), num_pack(bf16, &FMT_F16, rnd), "f16 of bf16", h, rnd);
    SAME(s32_from_f16(h, rnd), whole(f16, rnd, 32, true), "s32 of f16", h, rnd);
    SAME(u32_from_f16(h, rnd), whole(f16, rnd, 32, false), "u32 of f16", h, rnd);
    SAME(s64_from_f16(h, rnd), whole(f16, rnd, 64, true), "s64 of f16", h, rnd);
    SAME(u64_from_f16(h, rnd), whole(f16, rnd, 64, false), "u64 of f16", h, rnd);
    SAME(s32_from_bf16(h, rnd), whole(bf16, rnd, 32, true), "s32 of bf16", h, rnd);
    SAME(u32_from_bf16(h, rnd), whole(bf16, rnd, 32, false), "u32 of bf16", h, rnd);
    SAME(s64_from_bf16(h, rnd), whole(bf16, rnd, 64, true), "s64 of bf16", h, rnd);
    SAME(u64_from_bf16(h, rnd), whole(bf16, rnd, 64, false), "u64 of bf16", h, rnd);
}

/* All of them; the high half of a register is not looked at. */
Test(numerics, every_half_converts) {
    for (u32 h = 0; h < 0x10000; h++)
        for (u32 rnd = 0; rnd < 4; rnd++) {
            check_from_half(h, rnd);
            SAME(f32_from_f16(h | 0xabcd0000u, rnd), f32_from_f16(h, rnd), "high half, f16", h, rnd);
            SAME(bf16_from_f16(h | 0xabcd0000u, rnd), bf16_from_f16(h, rnd), "high half, f16", h, rnd);
            SAME(f16_from_bf16(h | 0xabcd0000u, rnd), f16_from_bf16(h, rnd), "high half, bf16", h, rnd);
        }
}

static void check_from_f32(u32 a, u32 rnd) {
    const struct num x = num_unpack(a, &FMT_F32);
    SAME(f16_from_f32(a, rnd), num_pack(x, &FMT_F16, rnd), "f16 of f32", a, rnd);
    SAME(bf16_from_f32(a, rnd), num_pack(x, &FMT_BF16, rnd), "bf16 of f32", a, rnd);
    SAME(f64_from_f32(a, rnd), num_pack(x, &FMT_F64, rnd), "f64 of f32", a, rnd);
    SAME(s32_from_f32(a, rnd), whole(x, rnd, 32, true), "s32 of f32", a, rnd);
    SAME(u32_from_f32(a, rnd), whole(x, rnd, 32, false), "u32 of f32", a, rnd);
    SAME(s64_from_f32(a, rnd), whole(x, rnd, 64, true), "s64 of f32", a, rnd);
    SAME(u64_from_f32(a, rnd), whole(x, rnd, 64, false), "u64 of f32", a, rnd);
    SAME(canon_f32(round_integral_f32(bits_f32(a), rnd)), num_pack(num_round(x, rnd), &FMT_F32, RN), "whole f32", a,
         rnd);
}

static void check_from_f64(u64 a, u32 rnd) {
    const struct num x = num_unpack(a, &FMT_F64);
    SAME(f16_from_f64(a, rnd), num_pack(x, &FMT_F16, rnd), "f16 of f64", a, rnd);
    SAME(bf16_from_f64(a, rnd), num_pack(x, &FMT_BF16, rnd), "bf16 of f64", a, rnd);
    SAME(f32_from_f64(a, rnd), num_pack(x, &FMT_F32, rnd), "f32 of f64", a, rnd);
    SAME(s32_from_f64(a, rnd), whole(x, rnd, 32, true), "s32 of f64", a, rnd);
    SAME(u32_from_f64(a, rnd), whole(x, rnd, 32, false), "u32 of f64", a, rnd);
    SAME(s64_from_f64(a, rnd), whole(x, rnd, 64, true), "s64 of f64", a, rnd);
    SAME(u64_from_f64(a, rnd), whole(x, rnd, 64, false), "u64 of f64", a, rnd);
    SAME(canon_f64(round_integral_f64(bits_f64(a), rnd)), num_pack(num_round(x, rnd), &FMT_F64, RN), "whole f64", a,
         rnd);
}

/*
 * Every fp16 and bf16 number and every tie between two neighbours, and one unit of fp32 and of fp64 to either side:
 * the points where the result of a conversion changes. `f` has its fraction where bf16 and fp16 in fp32 and fp64
 * have it.
 */
Test(numerics, ties_and_their_neighbours_round_in_every_mode) {
    for (u32 h = 0; h < 0x10000; h++)
        for (u32 place = 0; place < 2; place++) {
            u32 f = f32_bits(place ? bf16_value(h) : f16_value(h));
            u64 d = f64_bits((double)bits_f32(f));
            for (u32 tie = 0; tie < 2; tie++) {
                for (u32 i = 0; i < 3; i++) {
                    u32 rnd = (h + i) & 3; /* neighbours share the work: every mode sees every kind of point */
                    check_from_f32(f + (tie ? (place ? 0x8000u : 0x1000u) : 0) - 1 + i, rnd);
                    check_from_f64(d + (tie ? (u64)(place ? 0x8000 : 0x1000) << 29 : 0) - 1 + i, rnd);
                }
            }
        }
}

Test(numerics, random_numbers_convert) {
    u64 seed = 1;
    for (u32 i = 0; i < 300000; i++) {
        u64 r = next_random(&seed), rnd = i & 3;
        check_from_f32((u32)r, (u32)rnd);
        check_from_f64(r, (u32)rnd);
        /* Exponents in the range of the integers, and of the small formats. */
        u64 near = (r & 0x800fffffffffffffu) | (980 + (r >> 52) % 140) << 52;
        check_from_f64(near, (u32)rnd);
        check_from_f32(f32_bits((float)bits_f64(near)), (u32)rnd);
        /* Ties of fp32, and a unit of fp64 aside. */
        u64 tie = (f64_bits((double)bits_f32((u32)r)) & ~(u64)0x1fffffff) + 0x10000000u;
        for (u64 d = 0; d < 3; d++)
            SAME(f32_from_f64(tie - 1 + d, (u32)rnd), num_pack(num_unpack(tie - 1 + d, &FMT_F64), &FMT_F32, (u32)rnd),
                 "f32 of f64", tie - 1 + d, rnd);
    }
}

/* ---- from whole numbers ---- */

static void check_from_s64(s64 a, u32 rnd) {
    const struct num x = num_from_int(a < 0, a < 0 ? 0 - (u64)a : (u64)a);
    SAME(f16_from_s64(a, rnd), num_pack(x, &FMT_F16, rnd), "f16 of s64", a, rnd);
    SAME(bf16_from_s64(a, rnd), num_pack(x, &FMT_BF16, rnd), "bf16 of s64", a, rnd);
    SAME(f32_from_s64(a, rnd), num_pack(x, &FMT_F32, rnd), "f32 of s64", a, rnd);
    SAME(f64_from_s64(a, rnd), num_pack(x, &FMT_F64, rnd), "f64 of s64", a, rnd);
    if (a != (s32)a)
        return;
    SAME(f16_from_s32((s32)a, rnd), num_pack(x, &FMT_F16, rnd), "f16 of s32", a, rnd);
    SAME(bf16_from_s32((s32)a, rnd), num_pack(x, &FMT_BF16, rnd), "bf16 of s32", a, rnd);
    SAME(f32_from_s32((s32)a, rnd), num_pack(x, &FMT_F32, rnd), "f32 of s32", a, rnd);
    SAME(f64_from_s32((s32)a, rnd), num_pack(x, &FMT_F64, rnd), "f64 of s32", a, rnd);
}

static void check_from_u64(u64 a, u32 rnd) {
    const struct num x = num_from_int(false, a);
    SAME(f16_from_u64(a, rnd), num_pack(x, &FMT_F16, rnd), "f16 of u64", a, rnd);
    SAME(bf16_from_u64(a, rnd), num_pack(x, &FMT_BF16, rnd), "bf16 of u64", a, rnd);
    SAME(f32_from_u64(a, rnd), num_pack(x, &FMT_F32, rnd), "f32 of u64", a, rnd);
    SAME(f64_from_u64(a, rnd), num_pack(x, &FMT_F64, rnd), "f64 of u64", a, rnd);
    if (a != (u32)a)
        return;
    SAME(f16_from_u32((u32)a, rnd), num_pack(x, &FMT_F16, rnd), "f16 of u32", a, rnd);
    SAME(bf16_from_u32((u32)a, rnd), num_pack(x, &FMT_BF16, rnd), "bf16 of u32", a, rnd);
    SAME(f32_from_u32((u32)a, rnd), num_pack(x, &FMT_F32, rnd), "f32 of u32", a, rnd);
    SAME(f64_from_u32((u32)a, rnd), num_pack(x, &FMT_F64, rnd), "f64 of u32", a, rnd);
}

/* Numbers of every length with the rounding's tie at every place a format has it, and one aside. */
Test(numerics, whole_numbers_convert) {
    static const u32 precision[] = {8, 11, 24, 53};
    u64 seed = 2;
    for (u32 length = 0; length <= 64; length++)
        for (u32 i = 0; i < 400; i++) {
            u64 a = length ? next_random(&seed) >> (64 - length) | (u64)1 << (length - 1) : 0;
            u32 kept = precision[i & 3], cut = length > kept ? length - kept : 0;
            if (cut && i & 4)
                a = (a >> cut << cut) + ((u64)1 << (cut - 1)) + (i >> 3) % 3 - 1;
            if (i & 64)
                a |= a >> 1 << (i & 128 ? 1 : 0); /* long runs of ones carry */
            for (u32 rnd = 0; rnd < 4; rnd++) {
                check_from_u64(a, rnd);
                check_from_s64((s64)a, rnd);
                check_from_s64((s64)(0 - a), rnd);
            }
        }
}
