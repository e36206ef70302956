/* Instructions <-> 128 bits, as pictured in isa.def. One instruction has exactly one encoding. */
#include "isa/conversion.h"
#include "isa/isa.h"

enum {
    WORD0_OPCODE = 0,
    WORD0_GUARD = 10,
    WORD0_ZERO = 15,
    WORD0_D = 16,
    WORD0_A = 24,
    WORD0_B = 32,
    WORD0_C = 40,
    WORD0_ISEL = 48,
    WORD0_MODS = 50,
    WORD1_PD = 32,
    WORD1_PA = 36,
    WORD1_PB = 41,
    WORD1_PC = 46,
    WORD1_END = 51
};

static u64 at(u32 value, u32 shift) {
    return (u64)value << shift;
}

static u8 field(u64 word, u32 shift, u32 bits) {
    return (u8)(word >> shift & ((1u << bits) - 1));
}

void inst_encode(const struct inst *i, u64 word[2]) {
    const struct isa_row *row = &isa_rows[i->op];
    word[0] = at(row->code, WORD0_OPCODE) | at(i->guard, WORD0_GUARD) | at(i->d, WORD0_D) | at(i->a, WORD0_A) |
              at(i->b, WORD0_B) | at(i->c, WORD0_C) | at(i->isel, WORD0_ISEL) | at(i->mods, WORD0_MODS);
    word[1] = i->imm;
    if (!row->wide)
        word[1] = (u32)i->imm | at(i->pd, WORD1_PD) | at(i->pa, WORD1_PA) | at(i->pb, WORD1_PB) | at(i->pc, WORD1_PC);
}

/* The row of an opcode, or -1. Two rows with one opcode are a compile error here. */
/* clang-format off */
static int op_of_code(u32 code) {
    switch (code) {
#define LANE(opcode, id, ...) case opcode: return OP_##id;
#define LANEI(opcode, id, ...) case opcode: return OP_##id;
#define ATOM(opcode, id, ...) case opcode: return OP_##id;
#define WARP(opcode, id, ...) case opcode: return OP_##id;
#include "isa/isa.def"
    default: return -1;
    }
}
/* clang-format on */

/* Every opcode fits its ten bits. */
#define LANE(opcode, ...) _Static_assert((opcode) < 1024, "opcodes have ten bits");
#define LANEI(opcode, ...) _Static_assert((opcode) < 1024, "opcodes have ten bits");
#define ATOM(opcode, ...) _Static_assert((opcode) < 1024, "opcodes have ten bits");
#define WARP(opcode, ...) _Static_assert((opcode) < 1024, "opcodes have ten bits");
#include "isa/isa.def"

static bool mod_exists(enum mod_group group, u32 value) {
    return isa_groups[group].def == (s8)value || isa_mod_text(group, value);
}

static const char *check_mods(const struct inst *i) {
    u32 left = i->mods;
    for (u32 g = 0; g < GROUP_COUNT; g++) {
        if (isa_rows[i->op].groups >> g & 1) {
            if (!mod_exists((enum mod_group)g, inst_mod(i, (enum mod_group)g)))
                return "no such modifier";
            left &= ~(((1u << isa_groups[g].bits) - 1) << isa_groups[g].shift);
        }
    }
    u32 space = inst_mod(i, GROUP_SPACE);
    if (isa_rows[i->op].kind == ROW_ATOM && space != SPACE_GENERIC && space != SPACE_GLOBAL && space != SPACE_SHARED)
        return "atomics work on global, shared and generic memory";
    return left != 0 ? "modifier bits that the instruction does not have" : NULL;
}

/* Fields that an operand has claimed: bits are PLACE_ values. The rest must be blank. */
struct claims {
    u32 regs, preds;
    bool imm;
};

static const char *check_register(u8 reg, u32 count) {
    if (reg == RZ)
        return NULL;
    if (count > 1 && reg % count != 0) {
        return count == 2 ? "a register pair must start at an even register"
                          : "four registers must start at a multiple of 4";
    }
    return reg + count > REG_COUNT ? "a register pair or quad goes past r254" : NULL;
}

/* A field that holds a number below the limit. */
static const char *check_number(struct claims *claims, u32 bit, u8 value, u32 limit, const char *why) {
    claims->regs |= bit;
    return value < limit ? NULL : why;
}

/* Each of the values has one register or two; there is none after the last. */
static bool words_allow(u8 words) {
    u32 values = 0;
    while (values < CONVERSIONS_MAX && (words & 3) % 3) {
        words = (u8)(words >> CONVERSION_WORDS);
        values++;
    }
    return words == 0;
}
_Static_assert(CONVERSION_WORDS == 2, "3 masks a value's bits");

/* Checks one operand and claims its fields. */
static const char *check_operand(const struct inst *i, const struct operand *o, struct claims *claims) {
    u8 value = inst_field(i, (enum operand_place)o->place);
    u32 bit = 1u << o->place;
    switch ((enum operand_kind)o->kind) {
    case K_NONE: return NULL;
    case K_PRED:
    case K_PRED_OPT:
        claims->preds |= bit;
        return o->place == PLACE_D && i->pd & PRED_NEG ? "a negated destination predicate" : NULL;
    case K_IMM:
        claims->imm = true;
        return isa_rows[i->op].wide || i->imm <= 255 ? NULL : "the immediate must be 0..255";
    case K_LABEL:
    case K_TEXT_OPT: claims->imm = true; return NULL;
    case K_TEXT: claims->imm = true; return i->imm ? NULL : "a text is missing";
    case K_WORDS: claims->regs |= bit; return words_allow(value) ? NULL : "no such registers of values";
    case K_REGT:
        if (operand_regs(i, o) == 0)
            return NULL; /* the field stays blank */
        break;
    case K_FUNCTION: claims->imm = true; return i->imm >> 32 ? "reserved bits are set" : NULL;
    case K_NUM: return check_number(claims, bit, value, 256, NULL);
    case K_TRANSIT: return check_number(claims, bit, value, TRANSIT_COUNT, "no such transit register");
    case K_PHASE: return check_number(claims, bit, value, 4, "the phase must be 0..3");
    case K_BARRIER: return check_number(claims, bit, value, BARRIER_COUNT, "the barrier must be 0..15");
    case K_SREG: return check_number(claims, bit, value, SREG_COUNT, "no such special register");
    case K_MEM: claims->imm = true; break;
    case K_REG:
    case K_REG2:
    case K_REG4:
    case K_REGM:
    case K_REG_IMM:
    case K_REG_IMM_OPT:
    case K_MASK_OPT: break;
    }
    if (operand_is_immediate(i, o))
        return NULL; /* the field stays blank, the immediate is claimed by isel */
    claims->regs |= bit;
    return check_register(value, operand_regs(i, o));
}

/* The source selected by isel must accept an immediate. */
static const char *check_isel(const struct inst *i, struct claims *claims) {
    const struct isa_row *row = &isa_rows[i->op];
    if (i->isel == 0)
        return NULL;
    for (u32 n = 0; n < OPERANDS_MAX; n++) {
        const struct operand *o = &row->operand[n];
        bool lane = row->kind == ROW_LANE && (o->kind == K_REG || o->kind == K_REG2);
        if (o->place == i->isel && (lane || o->kind == K_REG_IMM || o->kind == K_REG_IMM_OPT)) {
            claims->imm = true;
            return NULL;
        }
    }
    return "this operand cannot be an immediate";
}

static const char *check_blank(const struct inst *i, const struct claims *claims) {
    for (u32 p = PLACE_D; p <= PLACE_C; p++) {
        if (!(claims->regs >> p & 1) && inst_field(i, (enum operand_place)p) != RZ)
            return "an unused register field is not 255";
        if (!(claims->preds >> p & 1) && inst_pred_field(i, (enum operand_place)p) != PT)
            return "an unused predicate field is not 15";
    }
    return !claims->imm && i->imm != 0 ? "an unused immediate is not 0" : NULL;
}

static const char *check_inst(const struct inst *i) {
    struct claims claims = {0};
    const char *why = check_mods(i);
    if (why == NULL)
        why = check_isel(i, &claims);
    for (u32 n = 0; n < OPERANDS_MAX && why == NULL; n++)
        why = check_operand(i, &isa_rows[i->op].operand[n], &claims);
    return why != NULL ? why : check_blank(i, &claims);
}

bool inst_decode(const u64 word[2], struct inst *i, const char **why) {
    int op = op_of_code((u32)(word[0] >> WORD0_OPCODE & 1023));
    if (op < 0) {
        *why = "unknown opcode";
        return false;
    }
    const struct isa_row *row = &isa_rows[op];
    *i = inst_blank((enum op)op);
    i->guard = field(word[0], WORD0_GUARD, 5);
    i->d = field(word[0], WORD0_D, 8);
    i->a = field(word[0], WORD0_A, 8);
    i->b = field(word[0], WORD0_B, 8);
    i->c = field(word[0], WORD0_C, 8);
    i->isel = field(word[0], WORD0_ISEL, 2);
    i->mods = (u16)(word[0] >> WORD0_MODS);
    i->imm = word[1];
    if (!row->wide) {
        i->imm = (u32)word[1];
        i->pd = field(word[1], WORD1_PD, 4);
        i->pa = field(word[1], WORD1_PA, 5);
        i->pb = field(word[1], WORD1_PB, 5);
        i->pc = field(word[1], WORD1_PC, 5);
    }
    *why = field(word[0], WORD0_ZERO, 1) != 0 || (!row->wide && word[1] >> WORD1_END != 0) ? "reserved bits are set"
                                                                                           : check_inst(i);
    return *why == NULL;
}
