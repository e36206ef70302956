/* References: moves and integer arithmetic. */
#include "tests/isa/isa_ref.h"

static s64 wide(u64 v) {
    return (s32)(u32)v;
}

static u64 ref_copy(const struct ref_in *in, const struct ref *r) {
    (void)r;
    return in->a;
}

static u64 ref_movi(const struct ref_in *in, const struct ref *r) {
    (void)r;
    return in->imm;
}

enum sum { SUM_ADD, SUM_SUB, SUM_NEG, SUM_ABS };

/* The machine cuts the result to the destination's width, so one function serves both widths, except for abs. */
static u64 ref_sum(const struct ref_in *in, const struct ref *r) {
    switch (r->what) {
    case SUM_ADD: return (u64)((u128)in->a + in->b);
    case SUM_SUB: return (u64)((s128)in->a - (s128)in->b);
    default: return (u64) - (s128)in->a;
    }
}

static u64 ref_abs_s32(const struct ref_in *in, const struct ref *r) {
    (void)r;
    s64 a = wide(in->a);
    return (u32)(a < 0 ? -a : a);
}

static u64 ref_abs_s64(const struct ref_in *in, const struct ref *r) {
    (void)r;
    s128 a = (s64)in->a;
    return (u64)(a < 0 ? -a : a);
}

/* ---- products ---- */

enum part { PART_LO, PART_HI, PART_WIDE };

static u64 ref_mad_s32(const struct ref_in *in, const struct ref *r) {
    s64 product = wide(in->a) * wide(in->b);
    switch (r->what) {
    case PART_LO: return (u32)((u64)product + in->c);
    case PART_HI: return (u32)((u64)(product >> 32) + in->c);
    default: return (u64)product + in->c;
    }
}

static u64 ref_mad_u32(const struct ref_in *in, const struct ref *r) {
    u128 product = (u128)(u32)in->a * (u32)in->b;
    return r->what == PART_HI ? (u32)((product >> 32) + in->c) : (u64)(product + in->c);
}

static u64 ref_mad_s64(const struct ref_in *in, const struct ref *r) {
    u128 product = (u128)((s128)(s64)in->a * (s64)in->b);
    return r->what == PART_HI ? (u64)(product >> 64) : (u64)(product + in->c);
}

static u64 ref_mul_hi_u64(const struct ref_in *in, const struct ref *r) {
    (void)r;
    return (u64)((u128)in->a * in->b >> 64);
}

/* ---- division: truncated, with results for every operand ---- */

enum division { QUOTIENT, REMAINDER };

static u64 ref_div_s32(const struct ref_in *in, const struct ref *r) {
    s64 a = wide(in->a), b = wide(in->b);
    if (b == 0)
        return r->what == QUOTIENT ? 0xffffffffu : (u32)a;
    return (u32)(r->what == QUOTIENT ? a / b : a % b);
}

static u64 ref_div_u32(const struct ref_in *in, const struct ref *r) {
    s64 a = (s64)in->a, b = (s64)in->b;
    if (b == 0)
        return r->what == QUOTIENT ? 0xffffffffu : (u32)a;
    return (u32)(r->what == QUOTIENT ? a / b : a % b);
}

static u64 ref_div_s64(const struct ref_in *in, const struct ref *r) {
    s128 a = (s64)in->a, b = (s64)in->b;
    if (b == 0)
        return r->what == QUOTIENT ? ~(u64)0 : (u64)a;
    return (u64)(r->what == QUOTIENT ? a / b : a % b);
}

static u64 ref_div_u64(const struct ref_in *in, const struct ref *r) {
    s128 a = in->a, b = in->b;
    if (b == 0)
        return r->what == QUOTIENT ? ~(u64)0 : (u64)a;
    return (u64)(r->what == QUOTIENT ? a / b : a % b);
}

/* ---- order ---- */

enum extreme { SMALLER, LARGER };

static u64 ref_extreme_s32(const struct ref_in *in, const struct ref *r) {
    s64 a = wide(in->a), b = wide(in->b), d = r->what == SMALLER ? b - a : a - b;
    return d > 0 ? in->a : in->b;
}

static u64 ref_extreme_s64(const struct ref_in *in, const struct ref *r) {
    s128 a = (s64)in->a, b = (s64)in->b, d = r->what == SMALLER ? b - a : a - b;
    return d > 0 ? in->a : in->b;
}

static u64 ref_extreme_unsigned(const struct ref_in *in, const struct ref *r) {
    s128 d = r->what == SMALLER ? (s128)in->b - (s128)in->a : (s128)in->a - (s128)in->b;
    return d > 0 ? in->a : in->b;
}

static u64 ref_sad(const struct ref_in *in, const struct ref *r) {
    (void)r;
    s64 d = (s64)in->a - (s64)in->b;
    return (u32)((u64)(d < 0 ? -d : d) + in->c);
}

/* ---- parts of words ---- */

/* Bits `from` to `from + bits - 1` as a number of that type. */
static s64 part(u64 v, u32 from, u32 bits, bool is_signed) {
    s64 d = 0;
    for (u32 i = 0; i < bits; i++)
        d += (s64)(v >> (from + i) & 1) * ((s64)1 << i) * (is_signed && i == bits - 1 ? -1 : 1);
    return d;
}

enum { A_SIGNED = 1, B_SIGNED = 2, HIGH = 4 };

static u64 ref_dp4a(const struct ref_in *in, const struct ref *r) {
    s64 d = wide(in->c);
    for (u32 i = 0; i < 4; i++)
        d += part(in->a, 8 * i, 8, r->what & A_SIGNED) * part(in->b, 8 * i, 8, r->what & B_SIGNED);
    return (u32)d;
}

static u64 ref_dp2a(const struct ref_in *in, const struct ref *r) {
    s64 d = wide(in->c);
    for (u32 i = 0; i < 2; i++)
        d += part(in->a, 16 * i, 16, r->what & A_SIGNED) *
             part(in->b, 8 * i + (r->what & HIGH ? 16 : 0), 8, r->what & B_SIGNED);
    return (u32)d;
}

static u64 ref_mul24(const struct ref_in *in, const struct ref *r) {
    s64 product = part(in->a, 0, 24, r->what & A_SIGNED) * part(in->b, 0, 24, r->what & A_SIGNED);
    return (u32)part((u64)product, r->what & HIGH ? 16 : 0, 32, false);
}

static u64 ref_vabsdiff4(const struct ref_in *in, const struct ref *r) {
    (void)r;
    s64 d = (s64)in->c;
    for (u32 i = 0; i < 4; i++) {
        s64 x = part(in->a, 8 * i, 8, false), y = part(in->b, 8 * i, 8, false);
        d += x < y ? y - x : x - y;
    }
    return (u32)d;
}

static u64 ref_carry_sum(const struct ref_in *in, const struct ref *r) {
    return (u32)(r->what == SUM_ADD ? in->a + in->b + in->c : in->a - in->b - in->c);
}

const struct ref ref_int[] = {
    {OP_MOV_B32, "i", ref_copy, 0, 0, 0, 0},
    {OP_MOV_B64, "I", ref_copy, 0, 0, 0, 0},
    {OP_MOV_F32, "f", ref_copy, 0, 0, 0, 0},
    {OP_MOV_F64, "F", ref_copy, 0, 0, 0, 0},
    {OP_MOVI_B64, "", ref_movi, 0, 0, 0, 0},
    {OP_ADD_S32, "ii", ref_sum, 0, 0, SUM_ADD, 0},
    {OP_SUB_S32, "ii", ref_sum, 0, 0, SUM_SUB, 0},
    {OP_MUL_LO_S32, "ii", ref_mad_s32, 0, 0, PART_LO, 0},
    {OP_MUL_HI_S32, "ii", ref_mad_s32, 0, 0, PART_HI, 0},
    {OP_MUL_HI_U32, "ii", ref_mad_u32, 0, 0, PART_HI, 0},
    {OP_MUL_WIDE_S32, "ii", ref_mad_s32, 0, 0, PART_WIDE, 0},
    {OP_MUL_WIDE_U32, "ii", ref_mad_u32, 0, 0, PART_WIDE, 0},
    {OP_MAD_LO_S32, "iii", ref_mad_s32, 0, 0, PART_LO, 0},
    {OP_MAD_HI_S32, "iii", ref_mad_s32, 0, 0, PART_HI, 0},
    {OP_MAD_HI_U32, "iii", ref_mad_u32, 0, 0, PART_HI, 0},
    {OP_MAD_WIDE_S32, "iiI", ref_mad_s32, 0, 0, PART_WIDE, 0},
    {OP_MAD_WIDE_U32, "iiI", ref_mad_u32, 0, 0, PART_WIDE, 0},
    {OP_DIV_S32, "ii", ref_div_s32, 0, 0, QUOTIENT, 0},
    {OP_DIV_U32, "ii", ref_div_u32, 0, 0, QUOTIENT, 0},
    {OP_REM_S32, "ii", ref_div_s32, 0, 0, REMAINDER, 0},
    {OP_REM_U32, "ii", ref_div_u32, 0, 0, REMAINDER, 0},
    {OP_NEG_S32, "i", ref_sum, 0, 0, SUM_NEG, 0},
    {OP_ABS_S32, "i", ref_abs_s32, 0, 0, 0, 0},
    {OP_MIN_S32, "ii", ref_extreme_s32, 0, 0, SMALLER, 0},
    {OP_MAX_S32, "ii", ref_extreme_s32, 0, 0, LARGER, 0},
    {OP_MIN_U32, "ii", ref_extreme_unsigned, 0, 0, SMALLER, 0},
    {OP_MAX_U32, "ii", ref_extreme_unsigned, 0, 0, LARGER, 0},
    {OP_SAD_U32, "iii", ref_sad, 0, 0, 0, 0},
    {OP_ADD_S64, "II", ref_sum, 0, 0, SUM_ADD, 0},
    {OP_SUB_S64, "II", ref_sum, 0, 0, SUM_SUB, 0},
    {OP_MUL_LO_S64, "II", ref_mad_s64, 0, 0, PART_LO, 0},
    {OP_MUL_HI_S64, "II", ref_mad_s64, 0, 0, PART_HI, 0},
    {OP_MUL_HI_U64, "II", ref_mul_hi_u64, 0, 0, 0, 0},
    {OP_MAD_LO_S64, "III", ref_mad_s64, 0, 0, PART_LO, 0},
    {OP_DIV_S64, "II", ref_div_s64, 0, 0, QUOTIENT, 0},
    {OP_DIV_U64, "II", ref_div_u64, 0, 0, QUOTIENT, 0},
    {OP_REM_S64, "II", ref_div_s64, 0, 0, REMAINDER, 0},
    {OP_REM_U64, "II", ref_div_u64, 0, 0, REMAINDER, 0},
    {OP_NEG_S64, "I", ref_sum, 0, 0, SUM_NEG, 0},
    {OP_ABS_S64, "I", ref_abs_s64, 0, 0, 0, 0},
    {OP_MIN_S64, "II", ref_extreme_s64, 0, 0, SMALLER, 0},
    {OP_MAX_S64, "II", ref_extreme_s64, 0, 0, LARGER, 0},
    {OP_MIN_U64, "II", ref_extreme_unsigned, 0, 0, SMALLER, 0},
    {OP_MAX_U64, "II", ref_extreme_unsigned, 0, 0, LARGER, 0},
    {OP_DP4A_U32_U32, "iii", ref_dp4a, 0, 0, 0, 0},
    {OP_DP4A_U32_S32, "iii", ref_dp4a, 0, 0, B_SIGNED, 0},
    {OP_DP4A_S32_U32, "iii", ref_dp4a, 0, 0, A_SIGNED, 0},
    {OP_DP4A_S32_S32, "iii", ref_dp4a, 0, 0, A_SIGNED | B_SIGNED, 0},
    {OP_DP2A_LO_U32_U32, "iii", ref_dp2a, 0, 0, 0, 0},
    {OP_DP2A_LO_U32_S32, "iii", ref_dp2a, 0, 0, B_SIGNED, 0},
    {OP_DP2A_LO_S32_U32, "iii", ref_dp2a, 0, 0, A_SIGNED, 0},
    {OP_DP2A_LO_S32_S32, "iii", ref_dp2a, 0, 0, A_SIGNED | B_SIGNED, 0},
    {OP_DP2A_HI_U32_U32, "iii", ref_dp2a, 0, 0, HIGH, 0},
    {OP_DP2A_HI_U32_S32, "iii", ref_dp2a, 0, 0, HIGH | B_SIGNED, 0},
    {OP_DP2A_HI_S32_U32, "iii", ref_dp2a, 0, 0, HIGH | A_SIGNED, 0},
    {OP_DP2A_HI_S32_S32, "iii", ref_dp2a, 0, 0, HIGH | A_SIGNED | B_SIGNED, 0},
    {OP_MUL24_LO_S32, "ii", ref_mul24, 0, 0, A_SIGNED, 0},
    {OP_MUL24_LO_U32, "ii", ref_mul24, 0, 0, 0, 0},
    {OP_MUL24_HI_S32, "ii", ref_mul24, 0, 0, HIGH | A_SIGNED, 0},
    {OP_MUL24_HI_U32, "ii", ref_mul24, 0, 0, HIGH, 0},
    {OP_ADDC_U32, "iip", ref_carry_sum, 0, 0, SUM_ADD, 0},
    {OP_SUBC_U32, "iip", ref_carry_sum, 0, 0, SUM_SUB, 0},
    {OP_VABSDIFF4_ADD_U32, "iii", ref_vabsdiff4, 0, 0, 0, 0},
    {.fn = NULL},
};
