#include "sim/arch/softfloat.h"

#include <math.h>
#include <string.h>

__extension__ typedef unsigned __int128 u128;

struct format {
    u8 bits;      /* width */
    u8 precision; /* bits of the significand, with the implicit one */
    s32 max_exp;  /* exponent of the largest number, = bias */
};

static const struct format formats[] = {
    [SOFT_F16] = {16, 11, 15},
    [SOFT_BF16] = {16, 8, 127},
    [SOFT_F32] = {32, 24, 127},
    [SOFT_F64] = {64, 53, 1023},
};

static u64 sign_bit(const struct format *f) {
    return (u64)1 << (f->bits - 1);
}

/* The exponent field all ones, fraction 0. */
static u64 infinity(const struct format *f) {
    return sign_bit(f) - ((u64)1 << (f->precision - 1));
}

/* True if the cut-off part `rest` (of at most `half` * 2) makes the magnitude go up; `odd`: the last kept bit. */
static bool rounds_up(u64 rest, u64 half, bool odd, bool negative, u32 rnd) {
    switch ((enum rounding)rnd) {
    case RN: return rest > half || (rest == half && odd);
    case RM: return negative && rest;
    case RP: return !negative && rest;
    case RZERO: break;
    }
    return false;
}

/* Rounds significand * 2^(exponent - 63) into a format. The significand's top bit is set. */
static u64 pack(bool negative, s32 exponent, u64 significand, const struct format *f, u32 rnd) {
    u64 sign = negative ? sign_bit(f) : 0;
    s32 least = 1 - f->max_exp; /* exponent of the smallest normal number */
    s32 cut = 64 - f->precision + (exponent < least ? least - exponent : 0);
    u64 kept = cut < 64 ? significand >> cut : 0;
    /* The dropped part, at the scale of 2^63 = half of the last kept bit; beyond 64 bits only whether there is any. */
    u64 rest = cut < 64 ? significand << (64 - cut) : cut == 64 ? significand : 1;
    u64 up = rounds_up(rest, (u64)1 << 63, kept & 1, negative, rnd);
    if (exponent > f->max_exp) {
        bool to_infinity = rnd == RN || rnd == (negative ? RM : RP);
        return sign | (to_infinity ? infinity(f) : infinity(f) - 1);
    }
    /* The implicit one of a normal number adds 1 to the exponent field below; a carry does the same, up to infinity. */
    u64 field = exponent < least ? 0 : (u64)(exponent - least);
    return sign | ((field << (f->precision - 1)) + kept + up);
}

static u32 leading_zeros(u64 v) {
    return (u32)__builtin_clzll(v);
}

u64 soft_from_int(u64 magnitude, bool negative, enum float_format to, u32 rnd) {
    if (!magnitude)
        return 0;
    u32 shift = leading_zeros(magnitude);
    return pack(negative, 63 - (s32)shift, magnitude << shift, &formats[to], rnd);
}

/* A finite number is significand * 2^(exponent - 63), the significand's top bit set; 0 has neither. */
struct parts {
    bool negative;
    enum { PART_ZERO, PART_FINITE, PART_INFINITE, PART_NAN } kind;
    s32 exponent;
    u64 significand;
};

static struct parts unpack(u64 bits, const struct format *f) {
    u64 magnitude = bits & (sign_bit(f) - 1);
    struct parts p = {.negative = bits & sign_bit(f), .kind = PART_FINITE};
    u32 fraction_bits = f->precision - 1u;
    u32 field = (u32)(magnitude >> fraction_bits);
    u64 significand = magnitude & (((u64)1 << fraction_bits) - 1);
    if (magnitude >= infinity(f))
        p.kind = magnitude == infinity(f) ? PART_INFINITE : PART_NAN;
    else if (!magnitude)
        p.kind = PART_ZERO;
    if (p.kind != PART_FINITE)
        return p;
    if (field)
        significand |= (u64)1 << fraction_bits;
    else
        field = 1;
    u32 shift = leading_zeros(significand);
    /* The significand's unit is 2^(field - bias - fraction_bits). */
    p.exponent = (s32)field - f->max_exp - (s32)fraction_bits + 63 - (s32)shift;
    p.significand = significand << shift;
    return p;
}

static u64 signed_zero(bool negative, const struct format *f) {
    return negative ? sign_bit(f) : 0;
}

static u64 signed_infinity(bool negative, const struct format *f) {
    return signed_zero(negative, f) | infinity(f);
}

static u64 canonical_nan(const struct format *f) {
    return sign_bit(f) - 1;
}

u64 soft_convert(u64 bits, enum float_format from, enum float_format to, u32 rnd) {
    const struct format *t = &formats[to];
    struct parts p = unpack(bits, &formats[from]);
    switch (p.kind) {
    case PART_NAN: return canonical_nan(t);
    case PART_INFINITE: return signed_infinity(p.negative, t);
    case PART_ZERO: return signed_zero(p.negative, t);
    case PART_FINITE: break;
    }
    return pack(p.negative, p.exponent, p.significand, t, rnd);
}

/* ---- arithmetic ---- */

/* Shifts right; the lowest bit becomes 1 if a 1 is dropped (a sticky bit), which is enough to round by. */
static u128 shift_jam(u128 v, u32 by) {
    if (by >= 128)
        return v != 0;
    return by ? v >> by | ((v << (128 - by)) != 0) : v;
}

/* Rounds wide * 2^(exponent - 126), wide > 0. */
static u64 pack_wide(bool negative, s32 exponent, u128 wide, const struct format *f, u32 rnd) {
    u64 high = (u64)(wide >> 64);
    u32 shift = high ? leading_zeros(high) : 64 + leading_zeros((u64)wide);
    wide <<= shift;
    return pack(negative, exponent + 1 - (s32)shift, (u64)(wide >> 64) | ((u64)wide != 0), f, rnd);
}

/*
 * A product has at most 106 bits and stands below bit 127, so at least 20 zeros follow it: where bits of the smaller
 * summand are dropped, the larger one is large enough for the sum to keep more bits than any format has.
 */
static u64 sum_wide(struct parts p, u128 product, struct parts c, const struct format *f, u32 rnd) {
    u128 addend = (u128)c.significand << 63;
    s32 exponent = p.exponent > c.exponent ? p.exponent : c.exponent;
    product = shift_jam(product, (u32)(exponent - p.exponent));
    addend = shift_jam(addend, (u32)(exponent - c.exponent));
    if (p.negative == c.negative)
        return pack_wide(p.negative, exponent, product + addend, f, rnd);
    if (product == addend)
        return signed_zero(rnd == RM, f);
    bool larger = product > addend;
    return pack_wide(larger ? p.negative : c.negative, exponent, larger ? product - addend : addend - product, f, rnd);
}

u64 soft_fma(u64 a, u64 b, u64 c, enum float_format format, u32 rnd) {
    const struct format *f = &formats[format];
    struct parts x = unpack(a, f), y = unpack(b, f), z = unpack(c, f);
    struct parts p = {.negative = x.negative != y.negative, .kind = PART_FINITE};
    if (x.kind == PART_INFINITE || y.kind == PART_INFINITE)
        p.kind = x.kind == PART_ZERO || y.kind == PART_ZERO ? PART_NAN : PART_INFINITE;
    else if (x.kind == PART_ZERO || y.kind == PART_ZERO)
        p.kind = PART_ZERO;
    bool against = p.kind == PART_INFINITE && z.kind == PART_INFINITE && p.negative != z.negative;
    if (x.kind == PART_NAN || y.kind == PART_NAN || z.kind == PART_NAN || p.kind == PART_NAN || against)
        return canonical_nan(f);
    if (p.kind == PART_INFINITE)
        return signed_infinity(p.negative, f);
    if (z.kind == PART_INFINITE)
        return c;
    if (p.kind == PART_ZERO && z.kind == PART_ZERO)
        return signed_zero(p.negative == z.negative ? p.negative : rnd == RM, f);
    if (p.kind == PART_ZERO)
        return c;
    p.exponent = x.exponent + y.exponent;
    u128 product = (u128)x.significand * y.significand; /* 2^126 to 2^128, the low bits 0 */
    if (product >> 127)
        product >>= 1, p.exponent++;
    if (z.kind == PART_ZERO)
        return pack_wide(p.negative, p.exponent, product, f, rnd);
    return sum_wide(p, product, z, f, rnd);
}

u64 soft_div(u64 a, u64 b, enum float_format format, u32 rnd) {
    const struct format *f = &formats[format];
    struct parts x = unpack(a, f), y = unpack(b, f);
    bool negative = x.negative != y.negative;
    if (x.kind == PART_NAN || y.kind == PART_NAN || (x.kind == y.kind && x.kind != PART_FINITE))
        return canonical_nan(f);
    if (x.kind == PART_INFINITE || y.kind == PART_ZERO)
        return signed_infinity(negative, f);
    if (x.kind == PART_ZERO || y.kind == PART_INFINITE)
        return signed_zero(negative, f);
    u128 dividend = (u128)x.significand << 63;
    u64 quotient = (u64)(dividend / y.significand); /* above 2^62: the ratio lies between 1/2 and 2 */
    u128 wide = (u128)quotient << 63 | (dividend % y.significand != 0);
    return pack_wide(negative, x.exponent - y.exponent, wide, f, rnd);
}

u64 soft_sqrt(u64 a, enum float_format format, u32 rnd) {
    const struct format *f = &formats[format];
    struct parts x = unpack(a, f);
    if (x.kind == PART_NAN || (x.negative && x.kind != PART_ZERO))
        return canonical_nan(f);
    if (x.kind != PART_FINITE)
        return a;
    bool odd = x.exponent & 1;
    u128 square = (u128)x.significand << (odd ? 64 : 63), root = 0;
    for (u128 bit = (u128)1 << 63; bit; bit >>= 1)
        if ((root | bit) * (root | bit) <= square)
            root |= bit;
    return pack_wide(false, (x.exponent - odd) / 2, root << 63 | (root * root != square), f, rnd);
}

/* 2 / pi = 0.xxx, in 64-bit words, most significant first, after a word of zeros. */
static const u64 two_over_pi[] = {
    0, 0xa2f9836e4e441529, 0xfc2757d1f534ddc0, 0xdb6295993c439041, 0xfe5163abdebbc561,
};

static u128 bits_at(u32 position) {
    u32 word = position / 64, shift = position % 64;
    u128 v = (u128)two_over_pi[word] << 64 | two_over_pi[word + 1];
    return shift ? v << shift | two_over_pi[word + 2] >> (64 - shift) : v;
}

/*
 * x = m * 2^e with m of 24 bits. Bits of 2/pi above weight 2^(1 - e) give whole turns, multiples of 4 quadrants, and
 * are left out; the next 128 are multiplied by m, modulo 4 quadrants. Those beyond weigh less than 2^-102 together,
 * while no fp32 is closer than 2^-33 to a multiple of pi/2.
 */
struct angle soft_reduce_angle(float x) {
    u32 bits;
    memcpy(&bits, &x, sizeof bits);
    u32 field = bits >> 23 & 0xff;
    if (field == 0xff)
        return (struct angle){(double)x - (double)x, 0};
    u32 m = (bits & 0x7fffffu) | 0x800000u;
    s32 e = (s32)field - 150;
    /* Bit i after the point weighs 2^-i. The first one wanted is i = e - 1; the word of zeros puts it at e + 62. */
    u128 turns = bits_at((u32)(e + 62)) * m; /* unit 2^-126 quadrants */
    u32 quadrant = (u32)((turns + ((u128)1 << 125)) >> 126);
    u128 rest = turns << 2; /* two's complement, unit 2^-128 */
    bool below = rest >> 127;
    if (below)
        rest = -rest;
    u64 high = (u64)(rest >> 64);
    u32 shift = high ? leading_zeros(high) : 64;
    u64 top = (u64)(rest << shift >> 64);
    u64 scale_bits = (u64)(1023 - 64 - shift) << 52;
    double scale;
    memcpy(&scale, &scale_bits, sizeof scale);
    double angle = (double)top * scale * 0x1.921fb54442d18p+0;
    return bits >> 31 ? (struct angle){below ? angle : -angle, 0 - quadrant}
                      : (struct angle){below ? -angle : angle, quadrant};
}
