/*
 * References: floating-point arithmetic. Everything IEEE 754 defines is computed exactly (isa_num.h); special functions
 * are the C library's in long double.
 */
#include "tests/isa/isa_ref.h"
#include <math.h>
#include <string.h>

enum arith { AR_ADD, AR_SUB, AR_MUL, AR_FMA, AR_DIV, AR_RCP, AR_SQRT, AR_MIN, AR_MAX };

static bool below(struct num a, struct num b) {
    int order = num_compare(a, b);
    bool zeros = order == 0 && a.kind == NUM_FINITE && a.m == 0;
    return order == -1 || (zeros && a.neg && !b.neg);
}

static struct num extreme(struct num a, struct num b, bool larger) {
    if (a.kind == NUM_NAN)
        return b;
    if (b.kind == NUM_NAN)
        return a;
    return below(a, b) != larger ? a : b;
}

/* IEEE 754, 6.3: an exact sum of zero from summands of different signs is -0 when rounding down, else +0. */
static struct num sum(struct num a, struct num b, enum rounding rnd) {
    struct num s = num_add(a, b);
    if (s.kind == NUM_FINITE && s.m == 0 && !s.more && a.neg != b.neg)
        s.neg = rnd == RM;
    return s;
}

static struct num calculate(enum arith what, struct num a, struct num b, struct num c, enum rounding rnd) {
    switch (what) {
    case AR_ADD: return sum(a, b, rnd);
    case AR_SUB: return sum(a, num_neg(b), rnd);
    case AR_MUL: return num_mul(a, b);
    case AR_FMA: return sum(num_mul(a, b), c, rnd);
    case AR_DIV: return num_div(a, b);
    case AR_RCP: return num_div(num_from_int(false, 1), a);
    case AR_SQRT: return num_sqrt(a);
    case AR_MIN: return extreme(a, b, false);
    case AR_MAX: return extreme(a, b, true);
    }
    return a;
}

static u64 flush(u64 v, const struct ref_in *in, const struct fmt *f) {
    return in->ftz && fmt_is_denormal(v, f) ? v & fmt_sign(f) : v;
}

/* To [0, 1]; -0 and NaN become +0. */
static u64 saturate(u64 v) {
    if (fmt_is_nan(v, &FMT_F32) || v >> 31)
        return 0;
    return v > 0x3f800000 ? 0x3f800000 : v;
}

/* Denormal operands are flushed before, and a result that is denormal after rounding is flushed, too. */
static u64 ref_arith(const struct ref_in *in, const struct ref *r) {
    const struct fmt *f = r->to;
    struct num a = num_unpack(flush(in->a, in, f), f), b = num_unpack(flush(in->b, in, f), f);
    struct num c = num_unpack(flush(in->c, in, f), f);
    u64 d = flush(num_pack(calculate(r->what, a, b, c, in->rnd), f, in->rnd), in, f);
    return in->sat ? saturate(d) : d;
}

static u64 ref_packed(const struct ref_in *in, const struct ref *r) {
    u64 d = 0;
    for (u32 i = 0; i < 32; i += 16) {
        struct ref_in half = {.a = in->a >> i & 0xffff, .b = in->b >> i & 0xffff, .c = in->c >> i & 0xffff};
        d |= ref_arith(&half, r) << i;
    }
    return d;
}

static u64 ref_integral(const struct ref_in *in, const struct ref *r) {
    struct num a = num_unpack(flush(in->a, in, r->to), r->to);
    return num_pack(num_round(a, in->rnd), r->to, RN);
}

/* ---- signs: bits, not numbers ---- */

enum sign { SIGN_NEG, SIGN_ABS, SIGN_COPYSIGN };

static u64 ref_sign(const struct ref_in *in, const struct ref *r) {
    u64 sign = fmt_sign(r->to), magnitude = in->a % sign;
    switch (r->what) {
    case SIGN_NEG: return in->a < sign ? magnitude + sign : magnitude;
    case SIGN_ABS: return magnitude;
    default: return in->b < sign ? magnitude : magnitude + sign;
    }
}

static u64 ref_sign_packed(const struct ref_in *in, const struct ref *r) {
    struct ref_in low = {.a = in->a & 0xffff}, high = {.a = in->a >> 16};
    return ref_sign(&high, r) << 16 | ref_sign(&low, r);
}

/* ---- special functions ---- */

enum special { SP_EX2, SP_LG2, SP_SIN, SP_COS, SP_TANH };

static u32 f32_bits(long double x) {
    float f = (float)x;
    u32 bits;
    memcpy(&bits, &f, sizeof bits);
    return fmt_is_nan(bits, &FMT_F32) ? 0x7fffffff : bits;
}

static float f32_value(u64 v) {
    u32 bits = (u32)v;
    float f;
    memcpy(&f, &bits, sizeof f);
    return f;
}

static u64 ref_special(const struct ref_in *in, const struct ref *r) {
    long double x = (long double)f32_value(flush(in->a, in, &FMT_F32)), y = 0;
    switch (r->what) {
    case SP_EX2: y = exp2l(x); break;
    case SP_LG2: y = log2l(x); break;
    case SP_SIN: y = sinl(x); break;
    case SP_COS: y = cosl(x); break;
    case SP_TANH: y = tanhl(x); break;
    }
    return flush(f32_bits(y), in, &FMT_F32);
}

/* The row defines the computation, so the reference is exact: in double, then rounded once more. */
static u64 ref_rsqrt(const struct ref_in *in, const struct ref *r) {
    (void)r;
    struct num a = num_unpack(flush(in->a, in, &FMT_F32), &FMT_F32);
    u64 root = num_pack(num_sqrt(a), &FMT_F64, RN);
    u64 inverse = num_pack(num_div(num_from_int(false, 1), num_unpack(root, &FMT_F64)), &FMT_F64, RN);
    return flush(num_pack(num_unpack(inverse, &FMT_F64), &FMT_F32, RN), in, &FMT_F32);
}

#define ARITH(name, type, operands) \
    { OP_##name##_##type, operands, ref_arith, &FMT_##type, 0, AR_##name, 0 }
#define SIGN(name, type, operands) \
    { OP_##name##_##type, operands, ref_sign, &FMT_##type, 0, SIGN_##name, 0 }
#define FLOATS(type, x) \
    ARITH(ADD, type, x x), ARITH(SUB, type, x x), ARITH(MUL, type, x x), ARITH(FMA, type, x x x), \
        ARITH(DIV, type, x x), ARITH(RCP, type, x), ARITH(SQRT, type, x), ARITH(MIN, type, x x), \
        ARITH(MAX, type, x x), SIGN(NEG, type, x), SIGN(ABS, type, x), SIGN(COPYSIGN, type, x x), { \
        OP_RND_##type, x, ref_integral, &FMT_##type, 0, 0, 0 \
    }
#define PACKED(name, format, operands, fn, what) \
    { OP_##name##_##format##X2, operands, fn, &FMT_##format, 0, what##_##name, 0 }
#define HALVES(format, x) \
    PACKED(ADD, format, x x, ref_packed, AR), PACKED(SUB, format, x x, ref_packed, AR), \
        PACKED(MUL, format, x x, ref_packed, AR), PACKED(DIV, format, x x, ref_packed, AR), \
        PACKED(FMA, format, x x x, ref_packed, AR), PACKED(MIN, format, x x, ref_packed, AR), \
        PACKED(MAX, format, x x, ref_packed, AR), PACKED(NEG, format, x, ref_sign_packed, SIGN), \
        PACKED(ABS, format, x, ref_sign_packed, SIGN)

/* `x` is the letter of an operand. */
const struct ref ref_float[] = {
    FLOATS(F32, "f"),
    FLOATS(F64, "F"),
    HALVES(F16, "h"),
    HALVES(BF16, "w"),
    {OP_RSQRT_F32, "f", ref_rsqrt, 0, 0, 0, 0},
    {OP_EX2_F32, "f", ref_special, 0, 0, SP_EX2, 1},
    {OP_LG2_F32, "f", ref_special, 0, 0, SP_LG2, 1},
    {OP_SIN_F32, "f", ref_special, 0, 0, SP_SIN, 1},
    {OP_COS_F32, "f", ref_special, 0, 0, SP_COS, 1},
    {OP_TANH_F32, "f", ref_special, 0, 0, SP_TANH, 1},
    {.fn = NULL},
};
