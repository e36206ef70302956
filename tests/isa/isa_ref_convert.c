/* References: conversions of numbers and of addresses. */
#include "tests/isa/isa_ref.h"

/* ---- between integers: sign- or zero-extension of the low `what` bits ---- */

static u64 ref_extend_signed(const struct ref_in *in, const struct ref *r) {
    u64 half = (u64)1 << (r->what - 1), low = in->a & (half * 2 - 1);
    return low >= half ? low - half * 2 : low;
}

static u64 ref_extend(const struct ref_in *in, const struct ref *r) {
    return (u64)((u128)in->a % ((u128)1 << r->what));
}

static u64 ref_high_word(const struct ref_in *in, const struct ref *r) {
    (void)r;
    return in->a / 0x100000000u;
}

static u64 ref_pack(const struct ref_in *in, const struct ref *r) {
    (void)r;
    return in->a + in->b * 0x100000000u;
}

/* ---- from and to integers of `what` = SIGNED + bits ---- */

enum { SIGNED = 128 };

static u64 ref_from_int(const struct ref_in *in, const struct ref *r) {
    s128 v = r->what & SIGNED ? (s128)(s64)in->a : (s128)in->a;
    if (r->what == SIGNED + 32)
        v = (s32)(u32)in->a;
    return num_pack(num_from_int(v < 0, (u64)(v < 0 ? -v : v)), r->to, in->rnd);
}

/* 16-bit operands sit in the low half; what is above does not matter. */
static u64 low_bits(u64 v, const struct fmt *f) {
    return v & (fmt_sign(f) | (fmt_sign(f) - 1));
}

static u64 ref_to_int(const struct ref_in *in, const struct ref *r) {
    u32 bits = r->what % SIGNED;
    bool is_signed = r->what & SIGNED;
    s128 max = (s128)(((u128)1 << (bits - is_signed)) - 1), min = is_signed ? -max - 1 : 0;
    struct num a = num_unpack(low_bits(in->a, r->from), r->from);
    if (a.kind == NUM_NAN)
        return r->from == &FMT_F64 || bits == 64 ? (u64)1 << (bits - 1) : 0;
    if (a.kind == NUM_INF)
        return (u64)(a.neg ? min : max);
    a = num_round(a, in->rnd);
    s128 v;
    if (a.m != 0 && a.e > 64)
        v = a.neg ? min : max;
    else
        v = (s128)(a.m << a.e) * (a.neg ? -1 : 1);
    v = v < min ? min : v > max ? max : v;
    return (u64)v;
}

/* ---- between floating-point formats ---- */

static u64 ref_convert_one(const struct ref_in *in, const struct ref *r) {
    return num_pack(num_unpack(low_bits(in->a, r->from), r->from), r->to, in->rnd);
}

static u64 ref_convert_two(const struct ref_in *in, const struct ref *r) {
    struct ref_in high = {.a = in->b, .rnd = in->rnd};
    return ref_convert_one(&high, r) << 16 | ref_convert_one(in, r);
}

/* ---- with .relu and .satfinite: bits of `what` ---- */

enum { RELU = 1, FINITE = 2, AWAY = 4 };

static u64 limit(u64 d, const struct ref *r) {
    const u64 sign = fmt_sign(r->to);
    if (r->what & FINITE && (d & (sign - 1)) == fmt_infinity(r->to))
        d--;
    return r->what & RELU && d & sign ? 0 : d;
}

static u64 ref_limit_one(const struct ref_in *in, const struct ref *r) {
    return limit(ref_convert_one(in, r), r);
}

static u64 ref_limit_two(const struct ref_in *in, const struct ref *r) {
    struct ref_in high = {.a = in->b, .rnd = in->rnd};
    return ref_limit_one(&high, r) << 16 | ref_limit_one(in, r);
}

/* tf32 has the exponents of fp32 and the fraction of fp16. A tie is what a unit of fp32 more rounds elsewhere. */
static const struct fmt TF32 = {8, 10};

static u64 ref_tf32(const struct ref_in *in, const struct ref *r) {
    struct num a = num_unpack(in->a, &FMT_F32);
    bool tie = r->what & AWAY && in->a % 0x2000 == 0x1000 && a.kind == NUM_FINITE;
    if (tie)
        a = num_unpack(in->a + 1, &FMT_F32);
    struct ref to = {.to = &TF32, .what = r->what};
    u64 d = limit(num_pack(a, &TF32, in->rnd), &to);
    return fmt_is_nan(d, &TF32) ? 0x7fffffff : d << 13;
}

/* ---- fp8; e4m3 has numbers where others have infinity, and one NaN of each sign ---- */

static const struct fmt E4M3 = {4, 3}, E5M2 = {5, 2};

static struct num fp8_value(u32 v, const struct fmt *f) {
    if (f == &E5M2)
        return num_unpack(v, f);
    u32 exponent = v >> 3 & 15;
    struct num x = {.neg = v >> 7 & 1, .m = exponent ? 8 + v % 8 : v % 8, .e = (exponent ? (int)exponent : 1) - 10};
    if ((v & 0x7f) == 0x7f)
        x.kind = NUM_NAN;
    return x;
}

static struct num magnitude(struct num x) {
    x.neg = false;
    return x;
}

/* The nearest of all numbers of the format, of two equally near the even one. Which of them is found by halving. */
static u64 fp8_nearest(struct num x, const struct fmt *f) {
    u32 most = f == &E5M2 ? 0x7b : 0x7e, best = x.kind == NUM_FINITE ? 0 : most;
    if (x.kind == NUM_NAN)
        return 0x7f;
    const struct num twice = num_add(magnitude(x), magnitude(x));
    while (best < most) {
        u32 v = (best + most) / 2;
        int order = num_compare(twice, num_add(fp8_value(v, f), fp8_value(v + 1, f)));
        if (order < 0 || (order == 0 && v % 2 == 0))
            most = v;
        else
            best = v + 1;
    }
    return best | (x.neg ? 0x80 : 0);
}

static u64 ref_fp8_byte(u64 v, const struct ref *r) {
    u64 d = fp8_nearest(num_unpack(v, r->from), r->to);
    return r->what & RELU && d & 0x80 ? 0 : d;
}

static u64 ref_to_fp8(const struct ref_in *in, const struct ref *r) {
    if (r->from == &FMT_F32)
        return ref_fp8_byte(in->b, r) << 8 | ref_fp8_byte(in->a, r);
    return ref_fp8_byte(in->a >> 16, r) << 8 | ref_fp8_byte(in->a & 0xffff, r);
}

static u64 ref_from_fp8(const struct ref_in *in, const struct ref *r) {
    struct ref to = {.to = &FMT_F16, .what = r->what};
    u64 low = num_pack(fp8_value(in->a & 0xff, r->from), &FMT_F16, RN);
    u64 high = num_pack(fp8_value(in->a >> 8 & 0xff, r->from), &FMT_F16, RN);
    return limit(high, &to) << 16 | limit(low, &to);
}

/* ---- addresses; `what` is the space ---- */

static u64 window(u8 space) {
    switch (space) {
    case SPACE_SHARED: return 0x10000000000;
    case SPACE_LOCAL: return 0x20000000000;
    case SPACE_CONST: return 0x30000000000;
    case SPACE_PARAM: return 0x40000000000;
    default: return 0;
    }
}

static u64 ref_to_generic(const struct ref_in *in, const struct ref *r) {
    return in->a + window(r->what);
}

static u64 ref_in_window(const struct ref_in *in, const struct ref *r) {
    return in->a - window(r->what) < 0x10000000000;
}

#define TO_INT(to, from, letter, what) \
    { OP_CVT_##to##_##from, letter, ref_to_int, 0, &FMT_##from, what, 0 }
#define FROM_INT(to, from, letter, what) \
    { OP_CVT_##to##_##from, letter, ref_from_int, &FMT_##to, 0, what, 0 }
#define FROM_INTS(to) \
    FROM_INT(to, S32, "i", SIGNED + 32), FROM_INT(to, U32, "i", 32), FROM_INT(to, S64, "I", SIGNED + 64), \
        FROM_INT(to, U64, "I", 64)
#define TO_INTS(from, letter) \
    TO_INT(S32, from, letter, SIGNED + 32), TO_INT(U32, from, letter, 32), TO_INT(S64, from, letter, SIGNED + 64), \
        TO_INT(U64, from, letter, 64)
#define FLOATS(to, from, letter) \
    { OP_CVT_##to##_##from, letter, ref_convert_one, &FMT_##to, &FMT_##from, 0, 0 }

#define LIMIT(words, type, what) \
    {OP_CVT_##words##_##type##_F32, "f", ref_limit_one, &FMT_##type, &FMT_F32, what, 0}, { \
        OP_CVT_##words##_##type##X2_F32, "rr", ref_limit_two, &FMT_##type, &FMT_F32, what, 0 \
    }
#define LIMITS(type) LIMIT(RELU, type, RELU), LIMIT(SATFINITE, type, FINITE), LIMIT(RELU_SATFINITE, type, RELU | FINITE)
#define FP8(relu, type, what) \
    {OP_CVT_RN_SATFINITE_##relu##type##X2_F32, "rr", ref_to_fp8, &type, &FMT_F32, what, 0}, \
        {OP_CVT_RN_SATFINITE_##relu##type##X2_F16X2, "H", ref_to_fp8, &type, &FMT_F16, what, 0}, { \
        OP_CVT_RN_##relu##F16X2_##type##X2, "H", ref_from_fp8, 0, &type, what, 0 \
    }

const struct ref ref_convert[] = {
    {OP_CVT_S32_S8, "i", ref_extend_signed, 0, 0, 8, 0},
    {OP_CVT_U32_U8, "i", ref_extend, 0, 0, 8, 0},
    {OP_CVT_S32_S16, "i", ref_extend_signed, 0, 0, 16, 0},
    {OP_CVT_U32_U16, "i", ref_extend, 0, 0, 16, 0},
    {OP_CVT_S64_S32, "i", ref_extend_signed, 0, 0, 32, 0},
    {OP_CVT_U64_U32, "i", ref_extend, 0, 0, 32, 0},
    {OP_CVT_U32_U64, "I", ref_extend, 0, 0, 32, 0},
    {OP_CVT_HI_U32_U64, "I", ref_high_word, 0, 0, 0, 0},
    {OP_PACK_B64, "ii", ref_pack, 0, 0, 0, 0},
    FROM_INTS(F32),
    FROM_INTS(F64),
    FROM_INTS(F16),
    FROM_INTS(BF16),
    TO_INTS(F32, "f"),
    TO_INTS(F64, "F"),
    TO_INTS(F16, "H"),
    TO_INTS(BF16, "W"),
    FLOATS(F32, F64, "F"),
    FLOATS(F32, F16, "H"),
    FLOATS(F32, BF16, "W"),
    FLOATS(F64, F32, "f"),
    FLOATS(F64, F16, "H"),
    FLOATS(F64, BF16, "W"),
    FLOATS(F16, F32, "f"),
    FLOATS(F16, F64, "F"),
    FLOATS(F16, BF16, "W"),
    FLOATS(BF16, F32, "f"),
    FLOATS(BF16, F64, "F"),
    FLOATS(BF16, F16, "H"),
    {OP_CVT_F16X2_F32, "rr", ref_convert_two, &FMT_F16, &FMT_F32, 0, 0},
    {OP_CVT_BF16X2_F32, "rr", ref_convert_two, &FMT_BF16, &FMT_F32, 0, 0},
    LIMITS(F16),
    LIMITS(BF16),
    {OP_CVT_TF32_F32, "f", ref_tf32, &TF32, &FMT_F32, 0, 0},
    {OP_CVT_RELU_TF32_F32, "f", ref_tf32, &TF32, &FMT_F32, RELU, 0},
    {OP_CVT_SATFINITE_TF32_F32, "f", ref_tf32, &TF32, &FMT_F32, FINITE, 0},
    {OP_CVT_SATFINITE_RELU_TF32_F32, "f", ref_tf32, &TF32, &FMT_F32, FINITE | RELU, 0},
    {OP_CVT_RNA_TF32_F32, "f", ref_tf32, &TF32, &FMT_F32, AWAY, 0},
    {OP_CVT_RNA_SATFINITE_TF32_F32, "f", ref_tf32, &TF32, &FMT_F32, AWAY | FINITE, 0},
    FP8(, E4M3, 0),
    FP8(RELU_, E4M3, RELU),
    FP8(, E5M2, 0),
    FP8(RELU_, E5M2, RELU),
    {OP_CVTA_SHARED, "i", ref_to_generic, 0, 0, SPACE_SHARED, 0},
    {OP_CVTA_LOCAL, "i", ref_to_generic, 0, 0, SPACE_LOCAL, 0},
    {OP_CVTA_CONST, "i", ref_to_generic, 0, 0, SPACE_CONST, 0},
    {OP_CVTA_PARAM, "i", ref_to_generic, 0, 0, SPACE_PARAM, 0},
    {OP_CVTA_TO_SHARED, "g", ref_extend, 0, 0, 32, 0},
    {OP_CVTA_TO_LOCAL, "g", ref_extend, 0, 0, 32, 0},
    {OP_CVTA_TO_CONST, "g", ref_extend, 0, 0, 32, 0},
    {OP_CVTA_TO_PARAM, "g", ref_extend, 0, 0, 32, 0},
    {OP_ISSPACEP_SHARED, "g", ref_in_window, 0, 0, SPACE_SHARED, 0},
    {OP_ISSPACEP_LOCAL, "g", ref_in_window, 0, 0, SPACE_LOCAL, 0},
    {OP_ISSPACEP_CONST, "g", ref_in_window, 0, 0, SPACE_CONST, 0},
    {OP_ISSPACEP_PARAM, "g", ref_in_window, 0, 0, SPACE_PARAM, 0},
    {OP_ISSPACEP_GLOBAL, "g", ref_in_window, 0, 0, SPACE_GLOBAL, 0},
    {.fn = NULL},
};
