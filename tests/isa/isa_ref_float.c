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

enum sign { SIGN_NEG, SIGN_ABS, SIGN_COPY };

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

const struct ref ref_float[] = {
    {OP_ADD_F32, "ff", ref_arith, &FMT_F32, 0, AR_ADD, 0},
    {OP_SUB_F32, "ff", ref_arith, &FMT_F32, 0, AR_SUB, 0},
    {OP_MUL_F32, "ff", ref_arith, &FMT_F32, 0, AR_MUL, 0},
    {OP_FMA_F32, "fff", ref_arith, &FMT_F32, 0, AR_FMA, 0},
    {OP_DIV_F32, "ff", ref_arith, &FMT_F32, 0, AR_DIV, 0},
    {OP_RCP_F32, "f", ref_arith, &FMT_F32, 0, AR_RCP, 0},
    {OP_SQRT_F32, "f", ref_arith, &FMT_F32, 0, AR_SQRT, 0},
    {OP_RSQRT_F32, "f", ref_rsqrt, 0, 0, 0, 0},
    {OP_MIN_F32, "ff", ref_arith, &FMT_F32, 0, AR_MIN, 0},
    {OP_MAX_F32, "ff", ref_arith, &FMT_F32, 0, AR_MAX, 0},
    {OP_NEG_F32, "f", ref_sign, &FMT_F32, 0, SIGN_NEG, 0},
    {OP_ABS_F32, "f", ref_sign, &FMT_F32, 0, SIGN_ABS, 0},
    {OP_COPYSIGN_F32, "ff", ref_sign, &FMT_F32, 0, SIGN_COPY, 0},
    {OP_RND_F32, "f", ref_integral, &FMT_F32, 0, 0, 0},
    {OP_EX2_F32, "f", ref_special, 0, 0, SP_EX2, 1},
    {OP_LG2_F32, "f", ref_special, 0, 0, SP_LG2, 1},
    {OP_SIN_F32, "f", ref_special, 0, 0, SP_SIN, 1},
    {OP_COS_F32, "f", ref_special, 0, 0, SP_COS, 1},
    {OP_TANH_F32, "f", ref_special, 0, 0, SP_TANH, 1},
    {OP_ADD_F64, "FF", ref_arith, &FMT_F64, 0, AR_ADD, 0},
    {OP_SUB_F64, "FF", ref_arith, &FMT_F64, 0, AR_SUB, 0},
    {OP_MUL_F64, "FF", ref_arith, &FMT_F64, 0, AR_MUL, 0},
    {OP_FMA_F64, "FFF", ref_arith, &FMT_F64, 0, AR_FMA, 0},
    {OP_DIV_F64, "FF", ref_arith, &FMT_F64, 0, AR_DIV, 0},
    {OP_RCP_F64, "F", ref_arith, &FMT_F64, 0, AR_RCP, 0},
    {OP_SQRT_F64, "F", ref_arith, &FMT_F64, 0, AR_SQRT, 0},
    {OP_MIN_F64, "FF", ref_arith, &FMT_F64, 0, AR_MIN, 0},
    {OP_MAX_F64, "FF", ref_arith, &FMT_F64, 0, AR_MAX, 0},
    {OP_NEG_F64, "F", ref_sign, &FMT_F64, 0, SIGN_NEG, 0},
    {OP_ABS_F64, "F", ref_sign, &FMT_F64, 0, SIGN_ABS, 0},
    {OP_COPYSIGN_F64, "FF", ref_sign, &FMT_F64, 0, SIGN_COPY, 0},
    {OP_RND_F64, "F", ref_integral, &FMT_F64, 0, 0, 0},
    {OP_ADD_F16X2, "hh", ref_packed, &FMT_F16, 0, AR_ADD, 0},
    {OP_SUB_F16X2, "hh", ref_packed, &FMT_F16, 0, AR_SUB, 0},
    {OP_MUL_F16X2, "hh", ref_packed, &FMT_F16, 0, AR_MUL, 0},
    {OP_DIV_F16X2, "hh", ref_packed, &FMT_F16, 0, AR_DIV, 0},
    {OP_FMA_F16X2, "hhh", ref_packed, &FMT_F16, 0, AR_FMA, 0},
    {OP_MIN_F16X2, "hh", ref_packed, &FMT_F16, 0, AR_MIN, 0},
    {OP_MAX_F16X2, "hh", ref_packed, &FMT_F16, 0, AR_MAX, 0},
    {OP_NEG_F16X2, "h", ref_sign_packed, &FMT_F16, 0, SIGN_NEG, 0},
    {OP_ABS_F16X2, "h", ref_sign_packed, &FMT_F16, 0, SIGN_ABS, 0},
    {OP_ADD_BF16X2, "ww", ref_packed, &FMT_BF16, 0, AR_ADD, 0},
    {OP_SUB_BF16X2, "ww", ref_packed, &FMT_BF16, 0, AR_SUB, 0},
    {OP_MUL_BF16X2, "ww", ref_packed, &FMT_BF16, 0, AR_MUL, 0},
    {OP_DIV_BF16X2, "ww", ref_packed, &FMT_BF16, 0, AR_DIV, 0},
    {OP_FMA_BF16X2, "www", ref_packed, &FMT_BF16, 0, AR_FMA, 0},
    {OP_MIN_BF16X2, "ww", ref_packed, &FMT_BF16, 0, AR_MIN, 0},
    {OP_MAX_BF16X2, "ww", ref_packed, &FMT_BF16, 0, AR_MAX, 0},
    {OP_NEG_BF16X2, "w", ref_sign_packed, &FMT_BF16, 0, SIGN_NEG, 0},
    {OP_ABS_BF16X2, "w", ref_sign_packed, &FMT_BF16, 0, SIGN_ABS, 0},
    {.fn = NULL},
};
