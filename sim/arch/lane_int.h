/*
 * Integers of one lane: high products, quotients, bytes, bit fields, counting, selects. See lane.h for the rules.
 */
#ifndef HEDDLE_ARCH_LANE_INT_H
#define HEDDLE_ARCH_LANE_INT_H

#include "sim/arch/lane_float.h"

__extension__ typedef unsigned __int128 u128;
__extension__ typedef __int128 s128;

/* ---- products and quotients ---- */

static inline u32 mul_hi_s32(s32 a, s32 b) {
    return (u32)((u64)((s64)a * b) >> 32);
}

static inline u32 mul_hi_u32(u32 a, u32 b) {
    return (u32)((u64)a * b >> 32);
}

static inline u64 mul_hi_s64(u64 a, u64 b) {
    return (u64)((s128)(s64)a * (s64)b >> 64);
}

static inline u64 mul_hi_u64(u64 a, u64 b) {
    return (u64)((u128)a * b >> 64);
}

/*
 * Quotients of 32 bits are exact in double: a quotient that is not whole is at least 2^-32 of its value away from the
 * next whole number, more than the 2^-53 of rounding. Vectors have no integer division. Quotients of 2^31 and above
 * have divisor 1, which is set aside together with 0, so that the conversion is the signed one.
 */
static inline double f64_of_u32(u32 a) {
    return (double)(s32)(a ^ 0x80000000u) + 0x1p31;
}

static inline u32 div_u32(u32 a, u32 b) {
    const u32 q = (u32)(s32)(f64_of_u32(a) / f64_of_u32(b < 2 ? 2 : b));
    const u32 r = b == 1 ? a : q;
    return b == 0 ? ~0u : r;
}

static inline u32 rem_u32(u32 a, u32 b) {
    return a - div_u32(a, b) * b;
}

static inline u32 div_s32(s32 a, s32 b) {
    const u32 q = (u32)(s32)((double)a / (double)((u32)b + 1u < 2 ? 1 : b));
    const u32 r = b == -1 ? 0u - (u32)a : q;
    return b == 0 ? ~0u : r;
}

static inline u32 rem_s32(s32 a, s32 b) {
    return (u32)a - div_s32(a, b) * (u32)b;
}

static inline u64 div_u64(u64 a, u64 b) {
    return b ? a / b : ~(u64)0;
}

static inline u64 rem_u64(u64 a, u64 b) {
    return b ? a % b : a;
}

static inline u64 div_s64(s64 a, s64 b) {
    if (b == -1)
        return 0 - (u64)a;
    return b ? (u64)(a / b) : ~(u64)0;
}

static inline u64 rem_s64(s64 a, s64 b) {
    if (b == -1)
        return 0;
    return b ? (u64)(a % b) : (u64)a;
}

/* ---- logic and bytes ---- */

/* The table, as a sum of products (mod 2) in a, b, c: its eight coefficients are the same in every lane. */
static inline u32 lop3_b32(u32 a, u32 b, u32 c, u32 table) {
    u32 t = table & 0xff;
    t ^= (t & 0x55) << 1;
    t ^= (t & 0x33) << 2;
    t ^= (t & 0x0f) << 4;
    const u32 k0 = 0 - (t & 1), kc = 0 - (t >> 1 & 1), kb = 0 - (t >> 2 & 1), kbc = 0 - (t >> 3 & 1);
    const u32 ka = 0 - (t >> 4 & 1), kac = 0 - (t >> 5 & 1), kab = 0 - (t >> 6 & 1), kabc = 0 - (t >> 7 & 1);
    return k0 ^ (c & kc) ^ (b & (kb ^ (c & kbc))) ^ (a & (ka ^ (c & kac) ^ (b & (kab ^ (c & kabc)))));
}

static inline u32 prmt_byte(u32 a, u32 b, u32 n) {
    const u32 byte = (n & 4 ? b : a) >> 8 * (n & 3) & 0xff;
    const u32 sign = (0 - (byte >> 7)) & 0xff;
    return n & 8 ? sign : byte;
}

static inline u32 prmt_b32(u32 a, u32 b, u32 c) {
    return prmt_byte(a, b, c) | prmt_byte(a, b, c >> 4) << 8 | prmt_byte(a, b, c >> 8) << 16 |
           prmt_byte(a, b, c >> 12) << 24;
}

/* Each half of c becomes that half of b where the top bit of a's half is set. */
static inline u32 sel_pk16(u32 a, u32 b, u32 c) {
    const u32 low = 0 - (a >> 15 & 1), high = 0 - (a >> 31);
    const u32 mask = (low & 0xffffu) | (high & 0xffff0000u);
    return (b & mask) | (c & ~mask);
}

/* ---- shifts and bit fields ---- */

/* s is 0..32. */
static inline u32 funnel_l(u32 a, u32 b, u32 s) {
    const u32 v = b << (s & 31) | a >> 1 >> (~s & 31);
    return s == 32 ? a : v;
}

static inline u32 funnel_r(u32 a, u32 b, u32 s) {
    const u32 v = a >> (s & 31) | b << 1 << (~s & 31);
    return s == 32 ? b : v;
}

/*
 * Fields of 32 and of 64 bits: low_mask32 has the lowest `len` bits; bfe takes the field at `pos`, a number with or
 * without sign; bfi puts the low bits of a there, into b.
 */
#define FIELDS(bits) \
    static inline u##bits low_mask##bits(u32 len) { \
        return len < (bits) ? ((u##bits)1 << (len & ((bits)-1))) - 1 : ~(u##bits)0; \
    } \
    static inline u##bits bfe_u##bits(u##bits a, u32 pos, u32 len) { \
        return (pos < (bits) ? a >> (pos & ((bits)-1)) : 0) & low_mask##bits(len); \
    } \
    static inline u##bits bfe_s##bits(u##bits a, u32 pos, u32 len) { \
        const u32 end = pos + len < (bits) ? pos + len : (bits); /* one above the field's top bit, its sign */ \
        const u32 up = ((bits)-end) & ((bits)-1);                /* brings that bit to the top */ \
        const u32 down = pos < (bits) ? (up + pos) & ((bits)-1) : (bits)-1; /* and back down; end > pos as len > 0 */ \
        return len ? (u##bits)((s##bits)(a << up) >> down) : 0; \
    } \
    static inline u##bits bfi_b##bits(u##bits a, u##bits b, u32 pos, u32 len) { \
        const u##bits mask = pos < (bits) ? low_mask##bits(len) << (pos & ((bits)-1)) : 0; \
        return (a << (pos & ((bits)-1)) & mask) | (b & ~mask); \
    }
FIELDS(32)
FIELDS(64)
#undef FIELDS

/* ---- bytes and halves ---- */

static inline s32 low24_s32(u32 a) {
    return (s32)(a << 8) >> 8;
}

/* Byte i of a, sign-extended or not. */
static inline u32 byte_of(u32 a, u32 i, bool is_signed) {
    const u32 top = a << (24 - 8 * i);
    return is_signed ? (u32)((s32)top >> 24) : top >> 24;
}

static inline u32 half_of(u32 a, u32 i, bool is_signed) {
    const u32 top = a << (16 - 16 * i);
    return is_signed ? (u32)((s32)top >> 16) : top >> 16;
}

static inline u32 dot4(u32 a, bool a_signed, u32 b, bool b_signed, u32 c) {
    for (u32 i = 0; i < 4; i++)
        c += byte_of(a, i, a_signed) * byte_of(b, i, b_signed);
    return c;
}

/* Halves of a with the two low bytes of b. */
static inline u32 dot2(u32 a, bool a_signed, u32 b, bool b_signed, u32 c) {
    for (u32 i = 0; i < 2; i++)
        c += half_of(a, i, a_signed) * byte_of(b, i, b_signed);
    return c;
}

static inline u32 sad4(u32 a, u32 b, u32 c) {
    for (u32 i = 0; i < 4; i++) {
        const u32 x = byte_of(a, i, false), y = byte_of(b, i, false);
        c += x > y ? x - y : y - x;
    }
    return c;
}

/* ---- counting ---- */

/* Position of a one, see fns.b32. Total: a bit beyond the word is none, and counts that leave the word end there. */
static inline u32 fns_b32(u32 a, u32 base, u32 offset) {
    const bool down = offset >> 31;
    u32 left = down ? 0 - offset : offset ? offset : 1, found = ~0u;
    for (u32 i = 0; i < 32; i++) {
        const u32 at = down ? base - i : base + i;
        const bool one = at < 32 && base < 32 && a >> (at & 31) & 1 && (offset || i == 0);
        left -= one;
        found = one && left == 0 ? at : found;
    }
    return found;
}

/* Sums of neighbours; no multiplication at the end, because gcc would take it for one scalar instruction a lane. */
static inline u32 popcount32(u32 a) {
    a = a - (a >> 1 & 0x55555555u);
    a = (a & 0x33333333u) + (a >> 2 & 0x33333333u);
    a = (a + (a >> 4)) & 0x0f0f0f0fu;
    a = a + (a >> 8);
    return (a + (a >> 16)) & 0x3f;
}

static inline u32 popcount64(u64 a) {
    return (u32)__builtin_popcountll(a);
}

/*
 * Zeros above the top bit, from the exponent of a conversion to fp32. Clearing each bit below a one keeps the top bit
 * and leaves nothing that could round up to the next power of two. Bit 31 set is a negative number: 0.
 */
static inline u32 clz32(u32 a) {
    const u32 exponent = f32_bits((float)(s32)(a & ~(a >> 1))) >> 23;
    const u32 n = (s32)a < 0 ? 0 : 158 - exponent;
    return a ? n : 32;
}

static inline u32 clz64(u64 a) {
    const u32 high = clz32((u32)(a >> 32)), low = clz32((u32)a);
    return high < 32 ? high : 32 + low;
}

/* The lowest bit alone is a power of two, exact in fp32. */
static inline u32 ffs32(u32 a) {
    const u32 exponent = f32_bits((float)(s32)(a & (0 - a))) >> 23 & 0xff;
    return a ? exponent - 126 : 0;
}

static inline u32 ffs64(u64 a) {
    const u32 high = ffs32((u32)(a >> 32)), low = ffs32((u32)a);
    const u32 n = high ? high + 32 : 0;
    return low ? low : n;
}

static inline u32 brev32(u32 a) {
    a = (a >> 1 & 0x55555555u) | (a & 0x55555555u) << 1;
    a = (a >> 2 & 0x33333333u) | (a & 0x33333333u) << 2;
    a = (a >> 4 & 0x0f0f0f0fu) | (a & 0x0f0f0f0fu) << 4;
    a = (a >> 8 & 0x00ff00ffu) | (a & 0x00ff00ffu) << 8;
    return a >> 16 | a << 16;
}

static inline u64 brev64(u64 a) {
    return (u64)brev32((u32)a) << 32 | brev32((u32)(a >> 32));
}

#endif
