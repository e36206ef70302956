/*
 * References: floating-point arithmetic. Everything IEEE 754 defines is computed exactly (isa_num.h); special functions
 * are the C library's in long double.
 */
#include "tests/isa/isa_ref.h"
#include <math.h>
#include <string.h>

enum arith { AR_ADD, AR_SUB, AR_MUL, AR_FMA, AR_DIV, AR_RCP, AR_SQRT, AR_MIN, AR_MAX, AR_MIN_NAN, AR_MAX_NAN };

enum { RELU = 64, AR_FMA_RELU = RELU + AR_FMA }; /* added to one of them: what is below zero, and -0, becomes +0 */

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
    case AR_MIN_NAN:
    case AR_MAX_NAN: return a.kind == NUM_NAN ? a : b.kind == NUM_NAN ? b : extreme(a, b, what == AR_MAX_NAN);
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
    u64 d = flush(num_pack(calculate(r->what % RELU, a, b, c, in->rnd), f, in->rnd), in, f);
    if (r->what >= RELU && d & fmt_sign(f))
        return 0;
    return in->sat ? saturate(d) : d;
}

static struct ref_in half_of(const struct ref_in *in, u32 at) {
    return (struct ref_in){.a = in->a >> at & 0xffff, .b = in->b >> at & 0xffff, .c = in->c >> at & 0xffff};
}

static u64 ref_half(const struct ref_in *in, const struct ref *r) {
    struct ref_in half = half_of(in, 0);
    return ref_arith(&half, r);
}

static u64 ref_packed(const struct ref_in *in, const struct ref *r) {
    struct ref_in high = half_of(in, 16);
    return ref_arith(&high, r) << 16 | ref_half(in, r);
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

static u64 ref_sign_half(const struct ref_in *in, const struct ref *r) {
    struct ref_in low = half_of(in, 0);
    return ref_sign(&low, r);
}

static u64 ref_sign_packed(const struct ref_in *in, const struct ref *r) {
    struct ref_in high = half_of(in, 16);
    return ref_sign(&high, r) << 16 | ref_sign_half(in, r);
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

static long double special(enum special what, long double x) {
    switch (what) {
    case SP_EX2: return exp2l(x);
    case SP_LG2: return log2l(x);
    case SP_SIN: return sinl(x);
    case SP_COS: return cosl(x);
    case SP_TANH: return tanhl(x);
    }
    return x;
}

static u64 ref_special(const struct ref_in *in, const struct ref *r) {
    long double x = (long double)f32_value(flush(in->a, in, &FMT_F32));
    return flush(f32_bits(special(r->what, x)), in, &FMT_F32);
}

/* 64 bits of the result, rounded to the format; `ftz` of bf16 is in the name of its row. */
static u64 ref_special_half(const struct ref_in *in, const struct ref *r) {
    struct num x = num_unpack(in->a & 0xffff, r->to);
    long double y = x.kind == NUM_NAN   ? (long double)NAN
                    : x.kind == NUM_INF ? (long double)INFINITY
                                        : ldexpl((long double)(u64)x.m, x.e);
    y = special(r->what, x.neg ? -y : y);
    if (isnan(y))
        return fmt_canonical_nan(r->to);
    x = (struct num){.neg = signbit(y) != 0, .kind = isinf(y) ? NUM_INF : NUM_FINITE};
    if (x.kind == NUM_FINITE)
        x.m = (u64)ldexpl(frexpl(fabsl(y), &x.e), 64);
    x.e -= 64;
    u64 d = num_pack(x, r->to, RN);
    return r->to == &FMT_BF16 && r->what == SP_EX2 && fmt_is_denormal(d, r->to) ? 0 : d;
}

static u64 ref_special_packed(const struct ref_in *in, const struct ref *r) {
    struct ref_in high = half_of(in, 16);
    return ref_special_half(&high, r) << 16 | ref_special_half(in, r);
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
#define HALVES(format, x, one) \
    PACKED(ADD, format, x x, ref_packed, AR), PACKED(SUB, format, x x, ref_packed, AR), \
        PACKED(MUL, format, x x, ref_packed, AR), PACKED(DIV, format, x x, ref_packed, AR), \
        PACKED(FMA, format, x x x, ref_packed, AR), PACKED(MIN, format, x x, ref_packed, AR), \
        PACKED(MAX, format, x x, ref_packed, AR), PACKED(NEG, format, x, ref_sign_packed, SIGN), \
        PACKED(ABS, format, x, ref_sign_packed, SIGN), PACKED(FMA_RELU, format, x x x, ref_packed, AR), \
        PACKED(MIN_NAN, format, x x, ref_packed, AR), PACKED(MAX_NAN, format, x x, ref_packed, AR), \
        PACKED(TANH, format, one, ref_special_packed, SP)
#define ONE(name, format, operands, fn, what) \
    { OP_##name##_##format, operands, fn, &FMT_##format, 0, what##_##name, 0 }
#define SINGLE(format, x) \
    ONE(ADD, format, x x, ref_half, AR), ONE(SUB, format, x x, ref_half, AR), ONE(MUL, format, x x, ref_half, AR), \
        ONE(FMA, format, x x x, ref_half, AR), ONE(FMA_RELU, format, x x x, ref_half, AR), \
        ONE(MIN, format, x x, ref_half, AR), ONE(MAX, format, x x, ref_half, AR), \
        ONE(MIN_NAN, format, x x, ref_half, AR), ONE(MAX_NAN, format, x x, ref_half, AR), \
        ONE(NEG, format, x, ref_sign_half, SIGN), ONE(ABS, format, x, ref_sign_half, SIGN), \
        ONE(TANH, format, x, ref_special_half, SP)

/* `x` is the letter of an operand. */
const struct ref ref_float[] = {
    FLOATS(F32, "f"),
    FLOATS(F64, "F"),
    HALVES(F16, "h", "H"),
    HALVES(BF16, "w", "W"),
    SINGLE(F16, "H"),
    SINGLE(BF16, "W"),
    ARITH(MIN_NAN, F32, "ff"),
    ARITH(MAX_NAN, F32, "ff"),
    {OP_EX2_F16, "H", ref_special_half, &FMT_F16, 0, SP_EX2, 0},
    {OP_EX2_F16X2, "H", ref_special_packed, &FMT_F16, 0, SP_EX2, 0},
    {OP_EX2_FTZ_BF16, "W", ref_special_half, &FMT_BF16, 0, SP_EX2, 0},
    {OP_EX2_FTZ_BF16X2, "W", ref_special_packed, &FMT_BF16, 0, SP_EX2, 0},
    {OP_RSQRT_F32, "f", ref_rsqrt, 0, 0, 0, 0},
    {OP_EX2_F32, "f", ref_special, 0, 0, SP_EX2, 1},
    {OP_LG2_F32, "f", ref_special, 0, 0, SP_LG2, 1},
    {OP_SIN_F32, "f", ref_special, 0, 0, SP_SIN, 1},
    {OP_COS_F32, "f", ref_special, 0, 0, SP_COS, 1},
    {OP_TANH_F32, "f", ref_special, 0, 0, SP_TANH, 1},
    {.fn = NULL},
};
