/* References: logic, shifts, bit fields, counting, selects, predicate logic. Bit by bit, the slow way. */
#include "tests/isa/isa_ref.h"

/* True if bit i of v is set; bits beyond the word are 0. */
static bool bit(u64 v, u64 i) {
    return i < 64 && (v >> i & 1);
}

/* Bitwise functions of two or three operands are all tables. */
static u64 from_table(const struct ref_in *in, u64 table) {
    u64 d = 0;
    for (u32 i = 0; i < 64; i++)
        d |= (u64)bit(table, bit(in->a, i) * 4u + bit(in->b, i) * 2u + bit(in->c, i)) << i;
    return d;
}

enum bitwise { BW_AND = 0xc0, BW_OR = 0xfc, BW_XOR = 0x3c, BW_NOT = 0x0f };

static u64 ref_bitwise(const struct ref_in *in, const struct ref *r) {
    return from_table(in, r->what);
}

static u64 ref_lop3(const struct ref_in *in, const struct ref *r) {
    (void)r;
    return from_table(in, in->imm & 0xff);
}

static u64 ref_prmt(const struct ref_in *in, const struct ref *r) {
    (void)r;
    u64 d = 0;
    for (u32 i = 0; i < 4; i++) {
        u32 nibble = (u32)(in->c >> (4 * i)) & 15, which = nibble & 7;
        u32 byte = (u32)((which < 4 ? in->a : in->b) >> (8 * (which % 4))) & 0xff;
        if (nibble & 8)
            byte = byte & 0x80 ? 0xff : 0;
        d |= (u64)byte << (8 * i);
    }
    return d;
}

/* ---- shifts: from 32 or 64 ("what") bits, one bit at a time ---- */

static u64 ref_shl(const struct ref_in *in, const struct ref *r) {
    u64 d = 0;
    for (u64 i = 0; i < r->what; i++)
        d |= (u64)(i >= in->b && bit(in->a, i - in->b)) << i;
    return d;
}

static u64 ref_shr(const struct ref_in *in, const struct ref *r) {
    u64 d = 0;
    for (u64 i = 0; i < r->what; i++)
        d |= (u64)(i + in->b < r->what && bit(in->a, i + in->b)) << i;
    return d;
}

static u64 ref_shr_signed(const struct ref_in *in, const struct ref *r) {
    u64 d = 0, top = r->what - 1u;
    for (u64 i = 0; i <= top; i++)
        d |= (u64)bit(in->a, i + in->b < top ? i + in->b : top) << i;
    return d;
}

enum funnel { LEFT_WRAP, LEFT_CLAMP, RIGHT_WRAP, RIGHT_CLAMP };

static u64 ref_funnel(const struct ref_in *in, const struct ref *r) {
    u128 both = (u128)in->b << 32 | in->a;
    u32 c = (u32)in->c;
    if (r->what == LEFT_WRAP || r->what == RIGHT_WRAP)
        c %= 32;
    else if (c > 32)
        c = 32;
    bool left = r->what == LEFT_WRAP || r->what == LEFT_CLAMP;
    return (u32)(left ? both << c >> 32 : both >> c);
}

/* ---- bit fields ---- */

enum { WRAPS = 1, SIGNED = 2, LONG = 4, PACKED = 8 };

/* Bits above the value are zeros, or of a signed field copies of the top one. A place in a register is its low byte. */
static u64 ref_bfe(const struct ref_in *in, const struct ref *r) {
    u64 d = 0, pos = in->b % 256, len = in->c % 256, top = r->what & LONG ? 63 : 31;
    for (u64 i = 0; i <= top && len; i++) {
        u64 from = i < len ? pos + i : pos + len - 1;
        if (r->what & SIGNED || (i < len && from <= top))
            d |= (u64)bit(in->a, from > top ? top : from) << i;
    }
    return d;
}

/* The length stands in the text, or above the position in the operand. */
static u64 ref_bfi(const struct ref_in *in, const struct ref *r) {
    u64 d = 0, pos = in->c % 256, len = r->what & PACKED ? in->c / 256 % 256 : (u32)in->imm;
    for (u64 i = 0; i < (r->what & LONG ? 64 : 32); i++)
        d |= (u64)(i >= pos && i < pos + len ? bit(in->a, i - pos) : bit(in->b, i)) << i;
    return d;
}

static u64 ref_bmsk(const struct ref_in *in, const struct ref *r) {
    u64 from = r->what ? in->a % 32 : in->a, count = r->what ? in->b % 32 : in->b, d = 0;
    for (u64 i = from; i < 32 && i - from < count; i++)
        d |= (u64)1 << i;
    return d;
}

static u64 ref_szext(const struct ref_in *in, const struct ref *r) {
    u64 count = r->what & WRAPS ? in->b % 32 : in->b, d = 0;
    for (u64 i = 0; i < 32; i++)
        d |= (u64)(i < count ? bit(in->a, i) : r->what & SIGNED && count && bit(in->a, count - 1)) << i;
    return d;
}

/* As the manual of PTX walks: from the base on, upwards or downwards, until enough ones have passed. */
static u64 ref_fns(const struct ref_in *in, const struct ref *r) {
    (void)r;
    s64 offset = (s32)(u32)in->c, left = offset < 0 ? -offset : offset;
    if (in->b > 31)
        return 0xffffffff;
    if (offset == 0)
        return bit(in->a, in->b) ? in->b : 0xffffffff;
    for (s64 at = (s64)in->b; at >= 0 && at < 32; at += offset < 0 ? -1 : 1)
        if (bit(in->a, (u64)at) && --left == 0)
            return (u64)at;
    return 0xffffffff;
}

/* ---- bytes by a mode ---- */

enum { FORWARD, BACKWARD, BYTE, CLAMP_LEFT, CLAMP_RIGHT, HALF };

static u64 ref_prmt_mode(const struct ref_in *in, const struct ref *r) {
    u64 d = 0, both = in->b << 32 | in->a;
    for (u32 i = 0; i < 4; i++) {
        u32 n = in->c % 4, from;
        switch (r->what) {
        case FORWARD: from = n + i; break;
        case BACKWARD: from = (8 + n - i) % 8; break;
        case BYTE: from = n; break;
        case CLAMP_LEFT: from = i < n ? n : i; break;
        case CLAMP_RIGHT: from = i > n ? n : i; break;
        default: from = n % 2 * 2 + i % 2; break;
        }
        d |= (both >> 8 * from & 255) << 8 * i;
    }
    return d;
}

/* ---- counting; "what" is the width ---- */

static u64 ref_popc(const struct ref_in *in, const struct ref *r) {
    u64 n = 0;
    for (u64 i = 0; i < r->what; i++)
        n += bit(in->a, i);
    return n;
}

static u64 ref_clz(const struct ref_in *in, const struct ref *r) {
    u64 n = 0;
    while (n < r->what && !bit(in->a, r->what - 1u - n))
        n++;
    return n;
}

static u64 ref_ffs(const struct ref_in *in, const struct ref *r) {
    for (u64 i = 0; i < r->what; i++)
        if (bit(in->a, i))
            return i + 1;
    return 0;
}

static u64 ref_brev(const struct ref_in *in, const struct ref *r) {
    u64 d = 0;
    for (u64 i = 0; i < r->what; i++)
        d |= (u64)bit(in->a, i) << (r->what - 1u - i);
    return d;
}

/* ---- selects ---- */

static u64 ref_sel(const struct ref_in *in, const struct ref *r) {
    (void)r;
    if (in->c)
        return in->a;
    return in->b;
}

static u64 ref_sel_msb(const struct ref_in *in, const struct ref *r) {
    (void)r;
    if (bit(in->a, 31))
        return in->b;
    return in->c;
}

static u64 ref_sel_pk16(const struct ref_in *in, const struct ref *r) {
    (void)r;
    u64 low = (bit(in->a, 15) ? in->b : in->c) & 0xffff;
    u64 high = (bit(in->a, 31) ? in->b : in->c) >> 16;
    return high << 16 | low;
}

enum pred_logic { PL_MOV, PL_AND, PL_OR, PL_XOR, PL_SEL };

static u64 ref_pred(const struct ref_in *in, const struct ref *r) {
    switch (r->what) {
    case PL_MOV: return in->a == 1;
    case PL_AND: return in->a + in->b == 2;
    case PL_OR: return in->a + in->b > 0;
    case PL_XOR: return in->a + in->b == 1;
    default: return in->c == 1 ? in->a : in->b;
    }
}

const struct ref ref_logic[] = {
    {OP_AND_B32, "ii", ref_bitwise, 0, 0, BW_AND, 0},
    {OP_OR_B32, "ii", ref_bitwise, 0, 0, BW_OR, 0},
    {OP_XOR_B32, "ii", ref_bitwise, 0, 0, BW_XOR, 0},
    {OP_NOT_B32, "i", ref_bitwise, 0, 0, BW_NOT, 0},
    {OP_AND_B64, "II", ref_bitwise, 0, 0, BW_AND, 0},
    {OP_OR_B64, "II", ref_bitwise, 0, 0, BW_OR, 0},
    {OP_XOR_B64, "II", ref_bitwise, 0, 0, BW_XOR, 0},
    {OP_NOT_B64, "I", ref_bitwise, 0, 0, BW_NOT, 0},
    {OP_LOP3_B32, "iii", ref_lop3, 0, 0, 0, 0},
    {OP_PRMT_B32, "iik", ref_prmt, 0, 0, 0, 0},
    {OP_SHL_B32, "is", ref_shl, 0, 0, 32, 0},
    {OP_SHR_U32, "is", ref_shr, 0, 0, 32, 0},
    {OP_SHR_S32, "is", ref_shr_signed, 0, 0, 32, 0},
    {OP_SHL_B64, "Is", ref_shl, 0, 0, 64, 0},
    {OP_SHR_U64, "Is", ref_shr, 0, 0, 64, 0},
    {OP_SHR_S64, "Is", ref_shr_signed, 0, 0, 64, 0},
    {OP_SHF_L_WRAP_B32, "iis", ref_funnel, 0, 0, LEFT_WRAP, 0},
    {OP_SHF_L_CLAMP_B32, "iis", ref_funnel, 0, 0, LEFT_CLAMP, 0},
    {OP_SHF_R_WRAP_B32, "iis", ref_funnel, 0, 0, RIGHT_WRAP, 0},
    {OP_SHF_R_CLAMP_B32, "iis", ref_funnel, 0, 0, RIGHT_CLAMP, 0},
    {OP_BFE_U32, "inn", ref_bfe, 0, 0, 0, 0},
    {OP_BFE_S32, "inn", ref_bfe, 0, 0, SIGNED, 0},
    {OP_BFI_B32, "iin", ref_bfi, 0, 0, 0, 0},
    {OP_BFE_REG_U32, "iss", ref_bfe, 0, 0, 0, 0},
    {OP_BFE_REG_S32, "iss", ref_bfe, 0, 0, SIGNED, 0},
    {OP_BFI_REG_B32, "iis", ref_bfi, 0, 0, 0, 0},
    {OP_POPC_B32, "i", ref_popc, 0, 0, 32, 0},
    {OP_POPC_B64, "I", ref_popc, 0, 0, 64, 0},
    {OP_CLZ_B32, "i", ref_clz, 0, 0, 32, 0},
    {OP_CLZ_B64, "I", ref_clz, 0, 0, 64, 0},
    {OP_FFS_B32, "i", ref_ffs, 0, 0, 32, 0},
    {OP_FFS_B64, "I", ref_ffs, 0, 0, 64, 0},
    {OP_BREV_B32, "i", ref_brev, 0, 0, 32, 0},
    {OP_BREV_B64, "I", ref_brev, 0, 0, 64, 0},
    {OP_SEL_B32, "ffp", ref_sel, 0, 0, 0, 0},
    {OP_SEL_B64, "FFp", ref_sel, 0, 0, 0, 0},
    {OP_SEL_F32, "ffp", ref_sel, 0, 0, 0, 0},
    {OP_SEL_F64, "FFp", ref_sel, 0, 0, 0, 0},
    {OP_SEL_MSB_B32, "iff", ref_sel_msb, 0, 0, 0, 0},
    {OP_SEL_MSB_B64, "iFF", ref_sel_msb, 0, 0, 0, 0},
    {OP_SEL_PK16_B32, "ihh", ref_sel_pk16, 0, 0, 0, 0},
    {OP_MOV_PRED, "p", ref_pred, 0, 0, PL_MOV, 0},
    {OP_AND_PRED, "pp", ref_pred, 0, 0, PL_AND, 0},
    {OP_OR_PRED, "pp", ref_pred, 0, 0, PL_OR, 0},
    {OP_XOR_PRED, "pp", ref_pred, 0, 0, PL_XOR, 0},
    {OP_SEL_PRED, "ppp", ref_pred, 0, 0, PL_SEL, 0},
    {OP_BFE_U64, "Inn", ref_bfe, 0, 0, LONG, 0},
    {OP_BFE_S64, "Inn", ref_bfe, 0, 0, LONG | SIGNED, 0},
    {OP_BFI_B64, "IIn", ref_bfi, 0, 0, LONG, 0},
    {OP_BFE_REG_U64, "Iss", ref_bfe, 0, 0, LONG, 0},
    {OP_BFE_REG_S64, "Iss", ref_bfe, 0, 0, LONG | SIGNED, 0},
    {OP_BFI_REG_B64, "IIs", ref_bfi, 0, 0, LONG, 0},
    {OP_BFI_PK_B32, "iik", ref_bfi, 0, 0, PACKED, 0},
    {OP_BFI_PK_B64, "IIk", ref_bfi, 0, 0, LONG | PACKED, 0},
    {OP_BMSK_CLAMP_B32, "ss", ref_bmsk, 0, 0, 0, 0},
    {OP_BMSK_WRAP_B32, "ss", ref_bmsk, 0, 0, WRAPS, 0},
    {OP_SZEXT_CLAMP_S32, "is", ref_szext, 0, 0, SIGNED, 0},
    {OP_SZEXT_CLAMP_U32, "is", ref_szext, 0, 0, 0, 0},
    {OP_SZEXT_WRAP_S32, "is", ref_szext, 0, 0, WRAPS | SIGNED, 0},
    {OP_SZEXT_WRAP_U32, "is", ref_szext, 0, 0, WRAPS, 0},
    {OP_FNS_B32, "isi", ref_fns, 0, 0, 0, 0},
    {OP_PRMT_F4E_B32, "iik", ref_prmt_mode, 0, 0, FORWARD, 0},
    {OP_PRMT_B4E_B32, "iik", ref_prmt_mode, 0, 0, BACKWARD, 0},
    {OP_PRMT_RC8_B32, "iik", ref_prmt_mode, 0, 0, BYTE, 0},
    {OP_PRMT_ECL_B32, "iik", ref_prmt_mode, 0, 0, CLAMP_LEFT, 0},
    {OP_PRMT_ECR_B32, "iik", ref_prmt_mode, 0, 0, CLAMP_RIGHT, 0},
    {OP_PRMT_RC16_B32, "iik", ref_prmt_mode, 0, 0, HALF, 0},
    {.fn = NULL},
};
