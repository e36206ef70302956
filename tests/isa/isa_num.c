#include "tests/isa/isa_num.h"

const struct fmt FMT_F16 = {5, 10}, FMT_BF16 = {8, 7}, FMT_F32 = {8, 23}, FMT_F64 = {11, 52};

u64 fmt_sign(const struct fmt *f) {
    return (u64)1 << (f->ebits + f->mbits);
}

u64 fmt_canonical_nan(const struct fmt *f) {
    return fmt_sign(f) - 1;
}

u64 fmt_infinity(const struct fmt *f) {
    return fmt_sign(f) - ((u64)1 << f->mbits);
}

bool fmt_is_nan(u64 bits, const struct fmt *f) {
    return (bits & (fmt_sign(f) - 1)) > fmt_infinity(f);
}

bool fmt_is_denormal(u64 bits, const struct fmt *f) {
    u64 magnitude = bits & (fmt_sign(f) - 1);
    return magnitude && magnitude < (u64)1 << f->mbits;
}

/* Exponent of the lowest bit of a denormal. */
static int lowest(const struct fmt *f) {
    return 2 - (1 << (f->ebits - 1)) - f->mbits;
}

static int bit_length(u128 m) {
    u64 high = (u64)(m >> 64), low = (u64)m;
    return high ? 128 - __builtin_clzll(high) : low ? 64 - __builtin_clzll(low) : 0;
}

struct num num_unpack(u64 bits, const struct fmt *f) {
    u64 fraction = bits & (((u64)1 << f->mbits) - 1);
    int exponent = (int)(bits >> f->mbits & (((u64)1 << f->ebits) - 1));
    struct num x = {.neg = (bits & fmt_sign(f)) != 0};
    if (exponent == (1 << f->ebits) - 1) {
        x.kind = fraction ? NUM_NAN : NUM_INF;
    } else if (exponent == 0) {
        x.m = fraction;
        x.e = lowest(f);
    } else {
        x.m = fraction | (u64)1 << f->mbits;
        x.e = lowest(f) + exponent - 1;
    }
    return x;
}

/* True if a magnitude with the dropped part {half: the first dropped bit, rest: the others} is rounded up. */
static bool rounds_up(bool neg, bool odd, bool half, bool rest, enum rounding rnd) {
    switch (rnd) {
    case RN: return half && (rest || odd);
    case RZERO: return false;
    case RM: return neg && (half || rest);
    case RP: return !neg && (half || rest);
    }
    return false;
}

/* Moves the unit of x up to 2^e, rounding. */
static u128 shift_round(struct num x, int e, enum rounding rnd) {
    int shift = e - x.e;
    if (shift <= 0)
        return x.m << -shift;
    u128 kept = shift < 128 ? x.m >> shift : 0;
    bool half = shift <= 128 && (x.m >> (shift - 1) & 1);
    u128 below = shift <= 128 ? (((u128)1 << (shift - 1)) - 1) : ~(u128)0;
    bool rest = (x.m & below) != 0 || x.more;
    return kept + rounds_up(x.neg, kept & 1, half, rest, rnd);
}

u64 num_pack(struct num x, const struct fmt *f, enum rounding rnd) {
    u64 sign = x.neg ? fmt_sign(f) : 0;
    if (x.kind == NUM_NAN)
        return fmt_canonical_nan(f);
    if (x.kind == NUM_INF)
        return sign | fmt_infinity(f);
    if (x.m == 0)
        return sign;
    int unit = x.e + bit_length(x.m) - 1 - f->mbits;
    if (unit < lowest(f))
        unit = lowest(f);
    u128 m = shift_round(x, unit, rnd);
    /* The hidden one adds itself to the exponent field; so does a carry out of the fraction. */
    s128 bits = ((s128)(unit - lowest(f)) << f->mbits) + (s128)m;
    if (bits >= (s128)fmt_infinity(f)) {
        bool to_max = rnd == RZERO || (rnd == RM && !x.neg) || (rnd == RP && x.neg);
        return sign | (fmt_infinity(f) - to_max);
    }
    return sign | (u64)bits;
}

struct num num_from_int(bool neg, u64 magnitude) {
    return (struct num){.neg = neg, .m = magnitude};
}

struct num num_neg(struct num a) {
    a.neg = !a.neg;
    return a;
}

static struct num not_a_number(void) {
    return (struct num){.kind = NUM_NAN};
}

/* ---- sums: a fixed-point number that holds every fp64 product exactly ---- */

enum { LIMBS = 72, BASE = -2176 }; /* bit 0 is worth 2^BASE */

static void limb_add(u64 *acc, int at, u64 v, bool minus) {
    while (v && at < LIMBS) {
        u64 before = acc[at];
        acc[at] = minus ? before - v : before + v;
        v = minus ? before < v : acc[at] < before;
        at++;
    }
}

static void accumulate(u64 *acc, struct num x) {
    if (x.m == 0)
        return;
    int at = x.e - BASE, limb = at / 64, bit = at % 64;
    u64 low = (u64)x.m, high = (u64)(x.m >> 64);
    limb_add(acc, limb, low << bit, x.neg);
    limb_add(acc, limb + 1, high << bit, x.neg);
    if (bit) {
        limb_add(acc, limb + 1, low >> (64 - bit), x.neg);
        limb_add(acc, limb + 2, high >> (64 - bit), x.neg);
    }
}

struct num num_add(struct num a, struct num b) {
    if (a.kind == NUM_NAN || b.kind == NUM_NAN || (a.kind == NUM_INF && b.kind == NUM_INF && a.neg != b.neg))
        return not_a_number();
    if (a.kind == NUM_INF)
        return a;
    if (b.kind == NUM_INF)
        return b;
    u64 acc[LIMBS] = {0};
    accumulate(acc, a);
    accumulate(acc, b);
    struct num x = {.neg = acc[LIMBS - 1] >> 63};
    if (x.neg) {
        u64 carry = 1;
        for (int i = 0; i < LIMBS; i++) {
            acc[i] = ~acc[i] + carry;
            carry = carry && acc[i] == 0;
        }
    }
    int top = LIMBS - 1;
    while (top > 0 && acc[top] == 0)
        top--;
    if (top == 0 && acc[0] == 0) {
        x.neg = a.neg && b.neg;
        return x;
    }
    x.m = acc[top];
    x.e = BASE + 64 * top;
    if (top > 0) {
        x.m = x.m << 64 | acc[top - 1];
        x.e -= 64;
        for (int i = 0; i < top - 1; i++)
            x.more |= acc[i] != 0;
    }
    return x;
}

/* ---- products, quotients, roots ---- */

struct num num_mul(struct num a, struct num b) {
    bool zero = (a.kind == NUM_FINITE && a.m == 0) || (b.kind == NUM_FINITE && b.m == 0);
    bool infinite = a.kind == NUM_INF || b.kind == NUM_INF;
    if (a.kind == NUM_NAN || b.kind == NUM_NAN || (infinite && zero))
        return not_a_number();
    struct num x = {.kind = infinite ? NUM_INF : NUM_FINITE, .neg = a.neg != b.neg};
    if (!infinite) {
        x.m = a.m * b.m;
        x.e = a.e + b.e;
    }
    return x;
}

struct num num_div(struct num a, struct num b) {
    bool azero = a.kind == NUM_FINITE && a.m == 0, bzero = b.kind == NUM_FINITE && b.m == 0;
    if (a.kind == NUM_NAN || b.kind == NUM_NAN || (azero && bzero) || (a.kind == NUM_INF && b.kind == NUM_INF))
        return not_a_number();
    struct num x = {.neg = a.neg != b.neg};
    if (a.kind == NUM_INF || bzero)
        x.kind = NUM_INF;
    if (x.kind == NUM_INF || azero || b.kind == NUM_INF)
        return x;
    int shift = 127 - bit_length(a.m);
    u128 dividend = a.m << shift;
    x.m = dividend / b.m;
    x.more = dividend % b.m != 0;
    x.e = a.e - shift - b.e;
    return x;
}

struct num num_sqrt(struct num a) {
    if (a.kind == NUM_NAN || (a.neg && (a.kind == NUM_INF || a.m != 0)))
        return not_a_number();
    if (a.kind == NUM_INF || a.m == 0)
        return a;
    int shift = 126 - bit_length(a.m);
    if ((a.e - shift) % 2)
        shift--;
    u128 square = a.m << shift, root = 0;
    for (int bit = 63; bit >= 0; bit--) {
        u128 next = root | (u128)1 << bit;
        if (next * next <= square)
            root = next;
    }
    return (struct num){.m = root, .e = (a.e - shift) / 2, .more = root * root != square};
}

struct num num_round(struct num x, enum rounding rnd) {
    if (x.kind != NUM_FINITE || x.e >= 0)
        return x;
    return (struct num){.neg = x.neg, .m = shift_round(x, 0, rnd)};
}

/* A finite value as a whole number of the larger operand's units would be huge; the accumulator orders them instead. */
int num_compare(struct num a, struct num b) {
    if (a.kind == NUM_NAN || b.kind == NUM_NAN)
        return 2;
    if (a.kind == NUM_INF && b.kind == NUM_INF && a.neg == b.neg)
        return 0;
    struct num d = num_add(a, num_neg(b));
    if (d.kind == NUM_FINITE && d.m == 0)
        return 0;
    return d.neg ? -1 : 1;
}
