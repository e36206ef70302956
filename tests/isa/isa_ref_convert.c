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
        return 0;
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
    {OP_CVT_F16X2_F32, "ff", ref_convert_two, &FMT_F16, &FMT_F32, 0, 0},
    {OP_CVT_BF16X2_F32, "ff", ref_convert_two, &FMT_BF16, &FMT_F32, 0, 0},
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
