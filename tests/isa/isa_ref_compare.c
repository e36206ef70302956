/* References: comparisons, scalar and packed. */
#include "tests/isa/isa_ref.h"

/* order: -1, 0, 1; 2 = unordered. */
static bool holds(enum relation rel, int order) {
    switch (rel) {
    case REL_EQ: return order == 0;
    case REL_NE: return order == -1 || order == 1;
    case REL_LT: return order == -1;
    case REL_LE: return order == -1 || order == 0;
    case REL_GT: return order == 1;
    case REL_GE: return order == 1 || order == 0;
    case REL_NUM: return order != 2;
    case REL_NAN: return order == 2;
    }
    return false;
}

static int order_of(s128 a, s128 b) {
    return a < b ? -1 : a > b;
}

static u64 ref_setp_s32(const struct ref_in *in, const struct ref *r) {
    return holds(r->what, order_of((s32)(u32)in->a, (s32)(u32)in->b));
}

static u64 ref_setp_s64(const struct ref_in *in, const struct ref *r) {
    return holds(r->what, order_of((s64)in->a, (s64)in->b));
}

static u64 ref_setp_unsigned(const struct ref_in *in, const struct ref *r) {
    return holds(r->what, order_of((s128)in->a, (s128)in->b));
}

static struct num operand(u64 v, const struct ref_in *in, const struct fmt *f) {
    if (in->ftz && fmt_is_denormal(v, f))
        v &= fmt_sign(f);
    return num_unpack(v, f);
}

static u64 ref_setp(const struct ref_in *in, const struct ref *r) {
    return holds(r->what, num_compare(operand(in->a, in, r->from), operand(in->b, in, r->from)));
}

static u64 ref_setp_or_unordered(const struct ref_in *in, const struct ref *r) {
    int order = num_compare(operand(in->a, in, r->from), operand(in->b, in, r->from));
    return order == 2 || holds(r->what, order);
}

static u64 ref_set_packed(const struct ref_in *in, const struct ref *r) {
    u64 d = 0;
    for (u32 i = 0; i < 32; i += 16) {
        struct num a = num_unpack(in->a >> i & 0xffff, r->from), b = num_unpack(in->b >> i & 0xffff, r->from);
        if (holds(r->what, num_compare(a, b)))
            d |= (u64)0xffff << i;
    }
    return d;
}

static u64 ref_testp(const struct ref_in *in, const struct ref *r) {
    struct num a = num_unpack(in->a, &FMT_F32);
    return r->what == NUM_NAN ? a.kind == NUM_NAN : a.kind == NUM_FINITE;
}

const struct ref ref_compare[] = {
    {OP_SETP_EQ_S32, "ii", ref_setp_s32, 0, 0, REL_EQ, 0},
    {OP_SETP_NE_S32, "ii", ref_setp_s32, 0, 0, REL_NE, 0},
    {OP_SETP_LT_S32, "ii", ref_setp_s32, 0, 0, REL_LT, 0},
    {OP_SETP_LE_S32, "ii", ref_setp_s32, 0, 0, REL_LE, 0},
    {OP_SETP_GT_S32, "ii", ref_setp_s32, 0, 0, REL_GT, 0},
    {OP_SETP_GE_S32, "ii", ref_setp_s32, 0, 0, REL_GE, 0},
    {OP_SETP_LT_U32, "ii", ref_setp_unsigned, 0, 0, REL_LT, 0},
    {OP_SETP_LE_U32, "ii", ref_setp_unsigned, 0, 0, REL_LE, 0},
    {OP_SETP_GT_U32, "ii", ref_setp_unsigned, 0, 0, REL_GT, 0},
    {OP_SETP_GE_U32, "ii", ref_setp_unsigned, 0, 0, REL_GE, 0},
    {OP_SETP_EQ_S64, "II", ref_setp_s64, 0, 0, REL_EQ, 0},
    {OP_SETP_NE_S64, "II", ref_setp_s64, 0, 0, REL_NE, 0},
    {OP_SETP_LT_S64, "II", ref_setp_s64, 0, 0, REL_LT, 0},
    {OP_SETP_LE_S64, "II", ref_setp_s64, 0, 0, REL_LE, 0},
    {OP_SETP_GT_S64, "II", ref_setp_s64, 0, 0, REL_GT, 0},
    {OP_SETP_GE_S64, "II", ref_setp_s64, 0, 0, REL_GE, 0},
    {OP_SETP_LT_U64, "II", ref_setp_unsigned, 0, 0, REL_LT, 0},
    {OP_SETP_LE_U64, "II", ref_setp_unsigned, 0, 0, REL_LE, 0},
    {OP_SETP_GT_U64, "II", ref_setp_unsigned, 0, 0, REL_GT, 0},
    {OP_SETP_GE_U64, "II", ref_setp_unsigned, 0, 0, REL_GE, 0},
    {OP_SETP_EQ_F32, "ff", ref_setp, 0, &FMT_F32, REL_EQ, 0},
    {OP_SETP_NE_F32, "ff", ref_setp, 0, &FMT_F32, REL_NE, 0},
    {OP_SETP_LT_F32, "ff", ref_setp, 0, &FMT_F32, REL_LT, 0},
    {OP_SETP_LE_F32, "ff", ref_setp, 0, &FMT_F32, REL_LE, 0},
    {OP_SETP_GT_F32, "ff", ref_setp, 0, &FMT_F32, REL_GT, 0},
    {OP_SETP_GE_F32, "ff", ref_setp, 0, &FMT_F32, REL_GE, 0},
    {OP_SETP_EQU_F32, "ff", ref_setp_or_unordered, 0, &FMT_F32, REL_EQ, 0},
    {OP_SETP_NEU_F32, "ff", ref_setp_or_unordered, 0, &FMT_F32, REL_NE, 0},
    {OP_SETP_LTU_F32, "ff", ref_setp_or_unordered, 0, &FMT_F32, REL_LT, 0},
    {OP_SETP_LEU_F32, "ff", ref_setp_or_unordered, 0, &FMT_F32, REL_LE, 0},
    {OP_SETP_GTU_F32, "ff", ref_setp_or_unordered, 0, &FMT_F32, REL_GT, 0},
    {OP_SETP_GEU_F32, "ff", ref_setp_or_unordered, 0, &FMT_F32, REL_GE, 0},
    {OP_SETP_NUM_F32, "ff", ref_setp, 0, &FMT_F32, REL_NUM, 0},
    {OP_SETP_NAN_F32, "ff", ref_setp, 0, &FMT_F32, REL_NAN, 0},
    {OP_SETP_EQ_F64, "FF", ref_setp, 0, &FMT_F64, REL_EQ, 0},
    {OP_SETP_NE_F64, "FF", ref_setp, 0, &FMT_F64, REL_NE, 0},
    {OP_SETP_LT_F64, "FF", ref_setp, 0, &FMT_F64, REL_LT, 0},
    {OP_SETP_LE_F64, "FF", ref_setp, 0, &FMT_F64, REL_LE, 0},
    {OP_SETP_GT_F64, "FF", ref_setp, 0, &FMT_F64, REL_GT, 0},
    {OP_SETP_GE_F64, "FF", ref_setp, 0, &FMT_F64, REL_GE, 0},
    {OP_SETP_EQU_F64, "FF", ref_setp_or_unordered, 0, &FMT_F64, REL_EQ, 0},
    {OP_SETP_NEU_F64, "FF", ref_setp_or_unordered, 0, &FMT_F64, REL_NE, 0},
    {OP_SETP_LTU_F64, "FF", ref_setp_or_unordered, 0, &FMT_F64, REL_LT, 0},
    {OP_SETP_LEU_F64, "FF", ref_setp_or_unordered, 0, &FMT_F64, REL_LE, 0},
    {OP_SETP_GTU_F64, "FF", ref_setp_or_unordered, 0, &FMT_F64, REL_GT, 0},
    {OP_SETP_GEU_F64, "FF", ref_setp_or_unordered, 0, &FMT_F64, REL_GE, 0},
    {OP_SETP_NUM_F64, "FF", ref_setp, 0, &FMT_F64, REL_NUM, 0},
    {OP_SETP_NAN_F64, "FF", ref_setp, 0, &FMT_F64, REL_NAN, 0},
    {OP_SET_EQ_F16X2, "hh", ref_set_packed, 0, &FMT_F16, REL_EQ, 0},
    {OP_SET_NE_F16X2, "hh", ref_set_packed, 0, &FMT_F16, REL_NE, 0},
    {OP_SET_LT_F16X2, "hh", ref_set_packed, 0, &FMT_F16, REL_LT, 0},
    {OP_SET_LE_F16X2, "hh", ref_set_packed, 0, &FMT_F16, REL_LE, 0},
    {OP_SET_GT_F16X2, "hh", ref_set_packed, 0, &FMT_F16, REL_GT, 0},
    {OP_SET_GE_F16X2, "hh", ref_set_packed, 0, &FMT_F16, REL_GE, 0},
    {OP_SET_EQ_BF16X2, "ww", ref_set_packed, 0, &FMT_BF16, REL_EQ, 0},
    {OP_SET_NE_BF16X2, "ww", ref_set_packed, 0, &FMT_BF16, REL_NE, 0},
    {OP_SET_LT_BF16X2, "ww", ref_set_packed, 0, &FMT_BF16, REL_LT, 0},
    {OP_SET_LE_BF16X2, "ww", ref_set_packed, 0, &FMT_BF16, REL_LE, 0},
    {OP_SET_GT_BF16X2, "ww", ref_set_packed, 0, &FMT_BF16, REL_GT, 0},
    {OP_SET_GE_BF16X2, "ww", ref_set_packed, 0, &FMT_BF16, REL_GE, 0},
    {OP_TESTP_FINITE_F32, "f", ref_testp, 0, 0, NUM_FINITE, 0},
    {OP_TESTP_NAN_F32, "f", ref_testp, 0, 0, NUM_NAN, 0},
    {.fn = NULL},
};
