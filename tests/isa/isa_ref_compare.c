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

/* A number of 16 bits sits in the low half. */
static struct num operand(u64 v, const struct ref_in *in, const struct fmt *f) {
    v &= fmt_sign(f) | (fmt_sign(f) - 1);
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

enum { OR_NAN = 64 }; /* added to a relation */

static u64 ref_set_packed(const struct ref_in *in, const struct ref *r) {
    u64 d = 0;
    for (u32 i = 0; i < 32; i += 16) {
        struct num a = num_unpack(in->a >> i & 0xffff, r->from), b = num_unpack(in->b >> i & 0xffff, r->from);
        if (holds(r->what % OR_NAN, num_compare(a, b)) || (r->what >= OR_NAN && num_compare(a, b) == 2))
            d |= (u64)0xffff << i;
    }
    return d;
}

static u64 ref_testp(const struct ref_in *in, const struct ref *r) {
    struct num a = num_unpack(in->a, &FMT_F32);
    return r->what == NUM_NAN ? a.kind == NUM_NAN : a.kind == NUM_FINITE;
}

#define ROW(name, relation, type, operands, fn, format) \
    { OP_##name##_##relation##_##type, operands, fn, 0, format, REL_##relation, 0 }
#define ORDERS(name, type, operands, fn, format) \
    ROW(name, LT, type, operands, fn, format), ROW(name, LE, type, operands, fn, format), \
        ROW(name, GT, type, operands, fn, format), ROW(name, GE, type, operands, fn, format)
#define RELATIONS(name, type, operands, fn, format) \
    ROW(name, EQ, type, operands, fn, format), ROW(name, NE, type, operands, fn, format), \
        ORDERS(name, type, operands, fn, format)
#define OR_UNORDERED(relation, type, operands) \
    { OP_SETP_##relation##U_##type, operands, ref_setp_or_unordered, 0, &FMT_##type, REL_##relation, 0 }
#define FLOATS(type, operands) \
    RELATIONS(SETP, type, operands, ref_setp, &FMT_##type), OR_UNORDERED(EQ, type, operands), \
        OR_UNORDERED(NE, type, operands), OR_UNORDERED(LT, type, operands), OR_UNORDERED(LE, type, operands), \
        OR_UNORDERED(GT, type, operands), OR_UNORDERED(GE, type, operands), \
        ROW(SETP, NUM, type, operands, ref_setp, &FMT_##type), ROW(SETP, NAN, type, operands, ref_setp, &FMT_##type)

/* ---- carries; "what": whether of a difference ---- */

static u64 ref_carry(const struct ref_in *in, const struct ref *r) {
    return r->what ? in->b + in->c > in->a : in->a + in->b + in->c > 0xffffffff;
}

static u64 ref_lop3(const struct ref_in *in, const struct ref *r) {
    (void)r;
    for (u32 i = 0; i < 32; i++)
        if (in->imm >> ((in->a >> i & 1) * 4 + (in->b >> i & 1) * 2 + (in->c >> i & 1)) & 1)
            return true;
    return false;
}

#define MASK(relation, type, operands) \
    { OP_SET_##relation##U_##type##X2, operands, ref_set_packed, 0, &FMT_##type, REL_##relation + OR_NAN, 0 }
#define MASKS(type, operands) \
    MASK(EQ, type, operands), MASK(NE, type, operands), MASK(LT, type, operands), MASK(LE, type, operands), \
        MASK(GT, type, operands), MASK(GE, type, operands), \
        {OP_SET_NUM_##type##X2, operands, ref_set_packed, 0, &FMT_##type, REL_NUM, 0}, { \
        OP_SET_NAN_##type##X2, operands, ref_set_packed, 0, &FMT_##type, REL_NAN, 0 \
    }

const struct ref ref_compare[] = {
    RELATIONS(SETP, S32, "ii", ref_setp_s32, 0),
    ORDERS(SETP, U32, "ii", ref_setp_unsigned, 0),
    RELATIONS(SETP, S64, "II", ref_setp_s64, 0),
    ORDERS(SETP, U64, "II", ref_setp_unsigned, 0),
    FLOATS(F32, "ff"),
    FLOATS(F64, "FF"),
    RELATIONS(SET, F16X2, "hh", ref_set_packed, &FMT_F16),
    RELATIONS(SET, BF16X2, "ww", ref_set_packed, &FMT_BF16),
    FLOATS(F16, "HH"),
    FLOATS(BF16, "WW"),
    MASKS(F16, "hh"),
    MASKS(BF16, "ww"),
    {OP_SETP_LOP3_B32, "iii", ref_lop3, 0, 0, 0, 0},
    {OP_TESTP_FINITE_F32, "f", ref_testp, 0, 0, NUM_FINITE, 0},
    {OP_TESTP_NAN_F32, "f", ref_testp, 0, 0, NUM_NAN, 0},
    {OP_SETP_CARRY_U32, "iip", ref_carry, 0, 0, false, 0},
    {OP_SETP_BORROW_U32, "iip", ref_carry, 0, 0, true, 0},
    {.fn = NULL},
};
