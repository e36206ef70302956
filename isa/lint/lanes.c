/*
 * How the values of registers and predicates go over the lanes of a warp.
 *
 * Each is followed as the same in all lanes, as different between lanes, or as neither known: a value that may be a
 * warp's number (%tid.x / 32) or that cancels out (%tid.x - %laneid). Of thread and lane numbers it is known that they
 * count up, so that %tid.x < 64 divides the warps and not their lanes, and %tid.x < 16 only does when a warp is that
 * narrow. A kernel that names no widths is judged at 32 lanes: one written for 32 is not wrong.
 */
#include "isa/lint/lanes.h"

#include "isa/shuffle.h"

static enum lanes get(const struct knowledge *k, u32 bit) {
    if (!set_has(&k->differ, bit))
        return set_has(&k->unsure, bit) ? UNSURE : SAME;
    bool lane = set_has(&k->lane, bit), index = set_has(&k->index, bit);
    if (set_has(&k->linear, bit) || (lane && index))
        return LINEAR;
    return index ? INDEX : lane ? LANE : DIFFER;
}

static void put(struct knowledge *k, u32 bit, enum lanes value) {
    struct reg_set *const set[] = {
        [UNSURE] = &k->unsure, [DIFFER] = &k->differ, [LANE] = &k->lane, [INDEX] = &k->index, [LINEAR] = &k->linear};
    for (u32 n = UNSURE; n < COUNT_OF(set); n++)
        set_remove(set[n], bit);
    if (value != SAME)
        set_add(set[value], bit);
    if (value > DIFFER)
        set_add(&k->differ, bit);
}

bool knowledge_join(struct knowledge *to, const struct knowledge *from) {
    bool changed = set_join(&to->differ, &from->differ);
    changed |= set_join(&to->unsure, &from->unsure);
    changed |= set_join(&to->lane, &from->lane);
    changed |= set_join(&to->index, &from->index);
    changed |= set_join(&to->linear, &from->linear);
    return changed;
}

static enum lanes most(enum lanes a, enum lanes b) {
    return a > b ? a : b;
}

enum lanes pred_lanes(const struct knowledge *k, u8 pred) {
    pred &= PRED_NEG - 1;
    enum lanes value = pred == PT ? SAME : get(k, SET_PREDS + pred);
    return value > DIFFER ? DIFFER : value;
}

/* A source operand: of a pair or quad, what is known of all of it. */
static enum lanes operand_lanes(const struct knowledge *k, const struct inst *i, const struct operand *o) {
    enum lanes value = SAME;
    u8 reg = inst_field(i, (enum operand_place)o->place);
    if (o->kind == K_PRED)
        return pred_lanes(k, inst_pred_field(i, (enum operand_place)o->place));
    for (u32 n = 0; reg != RZ && n < operand_regs(i, o); n++)
        value = most(value, get(k, reg + n));
    return value;
}

/* A special register that is not listed may differ. */
static enum lanes sreg_lanes(u32 sreg) {
    switch ((enum sreg)sreg) {
    case SREG_TID_X: return INDEX;
    case SREG_LANEID: return LANE;
    case SREG_LANEMASK_EQ:
    case SREG_LANEMASK_LT:
    case SREG_LANEMASK_LE:
    case SREG_LANEMASK_GT:
    case SREG_LANEMASK_GE: return DIFFER;
    case SREG_NTID_X:
    case SREG_NTID_Y:
    case SREG_NTID_Z:
    case SREG_CTAID_X:
    case SREG_CTAID_Y:
    case SREG_CTAID_Z:
    case SREG_NCTAID_X:
    case SREG_NCTAID_Y:
    case SREG_NCTAID_Z:
    case SREG_WARPID:
    case SREG_NWARPID:
    case SREG_SMID:
    case SREG_NSMID:
    case SREG_DYNAMIC_SMEM_SIZE:
    case SREG_TOTAL_SMEM_SIZE:
    case SREG_CLUSTER_CTARANK:
    case SREG_CLUSTER_NCTARANK: return SAME;
    case SREG_TID_Y: /* often the number of a warp */
    case SREG_TID_Z:
    case SREG_WARPSIZE: /* uniform, but lanes compared with it coincide */
    case SREG_ACTIVEMASK:
    case SREG_CLOCK:
    case SREG_GLOBALTIMER:
    case SREG_COUNT: break;
    }
    return UNSURE;
}

static bool is_shift_right(const struct inst *i) {
    return i->op == OP_SHR_U32 || i->op == OP_SHR_S32 || i->op == OP_SHR_U64 || i->op == OP_SHR_S64 ||
           i->op == OP_DIV_U32 || i->op == OP_DIV_S32 || i->op == OP_DIV_U64 || i->op == OP_DIV_S64 ||
           i->op == OP_BFE_U32 || i->op == OP_BFE_S32 || i->op == OP_BFE_REG_U32 || i->op == OP_BFE_REG_S32 ||
           i->op == OP_BFE_U64 || i->op == OP_BFE_S64 || i->op == OP_BFE_REG_U64 || i->op == OP_BFE_REG_S64;
}

/* A carry splits lanes only where a sum or difference leaves the range between them. */
static bool is_carry(const struct inst *i) {
    return i->op == OP_SETP_CARRY_U32 || i->op == OP_SETP_BORROW_U32;
}

static bool is_comparison(const struct inst *i) {
    return isa_rows[i->op].operand[0].kind == K_PRED && isa_rows[i->op].iclass != CLASS_PRED;
}

/* ---- comparisons and masks ---- */

/* True if a limit between thread numbers, or lane numbers, falls between the lanes of a warp of that width. */
static bool limit_parts(s64 limit, u32 width, bool lane) {
    return limit > 0 && (lane ? limit < width : limit % width != 0);
}

/* A mask of a thread's or lane's number keeps something of the lane. */
static bool mask_parts(s64 mask, u32 width, bool lane) {
    (void)lane;
    return (mask & (width - 1)) != 0;
}

/* True if `parts` holds for some width that the kernel allows. */
static bool some_width(const struct kernel *k, bool (*parts)(s64 value, u32 width, bool lane), s64 value, bool lane) {
    if (k->warps == 0)
        return parts(value, 32, lane);
    for (u32 bit = 0; bit < 4; bit++)
        if (k->warps >> bit & 1 && parts(value, 8u << bit, lane))
            return true;
    return false;
}

/* True if `parts` holds for some width; a function is judged at the widths that all kernels of the file allow. */
static bool parts_warps(const struct lint *l, bool (*parts)(s64 value, u32 width, bool lane), s64 value, bool lane) {
    if (!l->k->function)
        return some_width(l->k, parts, value, lane);
    u8 widths = 15;
    for (u32 k = 0; k < l->p->nkernels; k++) {
        const struct kernel *of = &l->p->kernel[k];
        widths &= of->function || of->warps == 0 ? 15 : of->warps;
    }
    struct kernel callers = {.warps = widths == 15 ? 0 : widths};
    return widths != 0 && some_width(&callers, parts, value, lane);
}

enum comparison { NO_ORDER, EQUAL, BELOW, UP_TO }; /* BELOW: and its opposite, from there on; UP_TO: and above */

static enum comparison comparison_of(const struct inst *i) {
    switch ((enum op)i->op) {
    case OP_SETP_EQ_S32:
    case OP_SETP_NE_S32:
    case OP_SETP_EQ_S64:
    case OP_SETP_NE_S64: return EQUAL;
    case OP_SETP_LT_S32:
    case OP_SETP_GE_S32:
    case OP_SETP_LT_U32:
    case OP_SETP_GE_U32:
    case OP_SETP_LT_S64:
    case OP_SETP_GE_S64:
    case OP_SETP_LT_U64:
    case OP_SETP_GE_U64: return BELOW;
    case OP_SETP_LE_S32:
    case OP_SETP_GT_S32:
    case OP_SETP_LE_U32:
    case OP_SETP_GT_U32:
    case OP_SETP_LE_S64:
    case OP_SETP_GT_S64:
    case OP_SETP_LE_U64:
    case OP_SETP_GT_U64: return UP_TO;
    default: return NO_ORDER;
    }
}

/* `differs` against the immediate. */
static enum lanes compare(const struct lint *l, const struct inst *i, enum lanes differs) {
    enum comparison c = comparison_of(i);
    s64 limit = (s64)(s32)(u32)i->imm;
    if (differs == DIFFER)
        return DIFFER;
    if (c == EQUAL) { /* at most one lane differs from the rest */
        bool there = limit >= 0 && (differs != LANE || limit == 0 || parts_warps(l, limit_parts, limit, true));
        return there || differs == LINEAR ? DIFFER : UNSURE;
    }
    bool swapped = i->isel == 1; /* 16 < t: t is 17 or more */
    limit += c != NO_ORDER && (c == UP_TO) != swapped;
    if (differs == LINEAR || c == NO_ORDER)
        return limit != 0 && limit % 8 == 0 ? UNSURE : DIFFER;
    return parts_warps(l, limit_parts, limit, differs == LANE) ? DIFFER : UNSURE;
}

/* And, or with an immediate. A mask of all low bits keeps the lane index. */
static enum lanes mask(const struct lint *l, const struct inst *i, enum lanes differs) {
    bool is_and = i->op == OP_AND_B32 || i->op == OP_AND_B64;
    s64 kept = (s64)(s32)(u32)i->imm;
    kept = is_and ? kept : ~kept;
    if (!parts_warps(l, mask_parts, kept, false))
        return differs == DIFFER ? DIFFER : UNSURE;
    bool low = kept >= 7 && (kept & (kept + 1)) == 0;
    if (is_and && low && (differs == INDEX || differs == LANE))
        return INDEX;
    return kept >= 0 && kept < 32 ? DIFFER : differs == DIFFER ? DIFFER : LINEAR;
}

/* ---- results of instructions ---- */

static bool is_copy(const struct inst *i) {
    return i->op == OP_MOV_B32 || i->op == OP_MOV_B64 || i->op == OP_CVT_U64_U32 || i->op == OP_CVT_S64_S32;
}

/* Adds something uniform: a whole number of warps, such as the threads of the blocks before. */
static bool is_offset(const struct knowledge *k, const struct inst *i) {
    bool add = i->op == OP_ADD_S32 || i->op == OP_ADD_S64;
    bool mad = i->op == OP_MAD_LO_S32 && i->isel != 3 && operand_lanes(k, i, &isa_rows[i->op].operand[3]) >= DIFFER;
    return (add || mad) && (i->isel == 0 || i->imm % 64 == 0);
}

/* The result of one differing source with uniform or unknown others. */
static enum lanes from_differing(const struct lint *l, const struct knowledge *k, const struct inst *i,
                                 enum lanes differs, bool unsure) {
    bool masks = i->op == OP_AND_B32 || i->op == OP_AND_B64 || i->op == OP_OR_B32 || i->op == OP_OR_B64;
    if (is_shift_right(i) || is_carry(i) || (is_comparison(i) && unsure))
        return UNSURE;
    if (is_comparison(i))
        return i->isel != 0 ? compare(l, i, differs) : DIFFER;
    if (isa_rows[i->op].operand[0].kind == K_PRED)
        return DIFFER;
    if (masks && i->isel != 0)
        return mask(l, i, differs);
    if (is_copy(i) || differs == DIFFER)
        return differs;
    return is_offset(k, i) && !unsure ? INDEX : LINEAR;
}

/* A differing source makes the result differ, unless lanes of a warp may coincide. */
static enum lanes arithmetic(const struct lint *l, const struct knowledge *k, const struct inst *i) {
    u32 differ = 0, unsure = 0;
    enum lanes differs = SAME;
    for (u32 n = 0; n < OPERANDS_MAX; n++) {
        const struct operand *o = &isa_rows[i->op].operand[n];
        if (o->kind != K_NONE && o->place != PLACE_D && o->place != PLACE_IMM) {
            enum lanes source = operand_lanes(k, i, o);
            differ += source >= DIFFER;
            unsure += source == UNSURE;
            differs = most(differs, source);
        }
    }
    if (differ == 1)
        return from_differing(l, k, i, differs, unsure > 0);
    return differ + unsure > 0 ? UNSURE : SAME;
}

static enum lanes memory(const struct knowledge *k, const struct inst *i) {
    enum lanes address = operand_lanes(k, i, &(struct operand){.kind = K_MEM, .place = PLACE_A});
    if (op_memory(i->op) == MEMORY_ATOMIC)
        return DIFFER;
    u32 space = inst_mod(i, GROUP_SPACE);
    bool own = space == SPACE_LOCAL || space == SPACE_GENERIC;
    address = address > DIFFER ? DIFFER : address; /* data */
    return own ? most(address, UNSURE) : address;
}

/* An instruction of the whole warp that is not listed may give each lane its own. */
static enum lanes warp_result(const struct knowledge *k, const struct inst *i) {
    struct operand a = {.kind = K_REG, .place = PLACE_A};
    switch ((enum op)i->op) {
    case OP_S2R:
    case OP_S2R_B64: return sreg_lanes(i->a);
    case OP_SHFL_IDX_B32: /* from one lane for all, perhaps; sums by shuffles end the same everywhere */
    case OP_SHFL_UP_B32:
    case OP_SHFL_DOWN_B32:
    case OP_SHFL_BFLY_B32:
    CASES_SHFL_CLAMP:
        return operand_lanes(k, i, &a) == SAME ? SAME : UNSURE;
    case OP_BALLOT_B32:
    case OP_BALLOT_B64:
    case OP_MATCH_ALL_B32:
    case OP_MATCH_ALL_B64:
    CASES_BAR_RED:
#define VOTE(id, result) case OP_VOTE_##id:
#define REDUX(id, lane, type, join) case OP_REDUX_##id:
#include "isa/laws.def"
        return SAME;
    default: return UNSURE;
    }
}

static enum lanes result(const struct lint *l, const struct knowledge *k, const struct inst *i) {
    const struct isa_row *row = &isa_rows[i->op];
    if (row->kind == ROW_LANE || row->kind == ROW_LANEI)
        return arithmetic(l, k, i);
    return op_accesses(i->op) ? memory(k, i) : warp_result(k, i);
}

/* A write by some of the lanes differs afterwards; a write under an unknown guard may differ. */
void knowledge_step(const struct lint *l, struct knowledge *k, const struct inst *i, bool region) {
    struct reg_set writes = {{0}};
    inst_writes(i, &writes);
    enum lanes value = i->op == OP_CALL ? UNSURE : result(l, k, i);
    if (i->op == OP_CALL)
        writes = *l->called_writes;
    enum lanes guard = region ? DIFFER : pred_lanes(k, i->guard);
    for (u32 w = 0; w < SET_WORDS; w++) {
        for (u32 b = 0; writes.word[w] >> b != 0; b++) {
            u32 bit = w * 64 + b;
            if (writes.word[w] >> b & 1) {
                enum lanes old = i->guard != PT ? get(k, bit) : SAME;
                put(k, bit, most(most(value, guard), old));
            }
            if (b == 63)
                break;
        }
    }
}
