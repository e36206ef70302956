/* The rows of the .def files as tables. Whoever needs a list walks one of these. */
#include "isa/isa.h"

#include <string.h>

#include "isa/conversion.h"
#include "isa/program.h"
#include "isa/shapes.h"

/* Meaning of an operand type of a LANE row: KIND_OF_B32 = K_REG, LITERAL_OF_B32 = LIT_INT. */
enum {
#define TYPE(id, kind, literal, numbers, doc) \
    KIND_OF_##id = K_##kind, LITERAL_OF_##id = LIT_##literal, NUMBERS_OF_##id = NUMBERS_##numbers,
#include "isa/types.def"
};

/*
 * Meaning of the rows of formats.def. An initializer cannot copy from another table, so that a format is kept as
 * five constants, FORMAT_LD_0 and so on, that hold kind, place and literal in one byte each.
 */
#define LITERAL_OF_KIND(kind) (((kind) == K_REG_IMM || (kind) == K_REG_IMM_OPT || (kind) == K_MEM) ? LIT_INT : LIT_NONE)
#define OP(kind, place) (K_##kind | PLACE_##place << 8 | LITERAL_OF_KIND(K_##kind) << 16)
#define ITEM_0(o0, ...) o0
#define ITEM_1(o0, o1, ...) o1
#define ITEM_2(o0, o1, o2, ...) o2
#define ITEM_3(o0, o1, o2, o3, ...) o3
#define ITEM_4(o0, o1, o2, o3, o4, ...) o4
enum {
#define FORMAT(id, wide, ...) \
    FORMAT_##id##_WIDE = wide, FORMAT_##id##_0 = ITEM_0(__VA_ARGS__, 0, 0, 0, 0, 0), \
    FORMAT_##id##_1 = ITEM_1(__VA_ARGS__, 0, 0, 0, 0, 0), FORMAT_##id##_2 = ITEM_2(__VA_ARGS__, 0, 0, 0, 0, 0), \
    FORMAT_##id##_3 = ITEM_3(__VA_ARGS__, 0, 0, 0, 0, 0), FORMAT_##id##_4 = ITEM_4(__VA_ARGS__, 0, 0, 0, 0, 0),
#include "isa/formats.def"
};

#define TYPED(type, where) \
    { KIND_OF_##type, PLACE_##where, LITERAL_OF_##type, NUMBERS_OF_##type }
#define TYPED_LIST(d, a, b, c) TYPED(d, D), TYPED(a, A), TYPED(b, B), TYPED(c, C)
#define UNPACK(o) \
    { (o) & 255, (o) >> 8 & 255, (o) >> 16, NUMBERS_NONE }
#define FORMAT_LIST(f) \
    { \
        UNPACK(FORMAT_##f##_0), UNPACK(FORMAT_##f##_1), UNPACK(FORMAT_##f##_2), UNPACK(FORMAT_##f##_3), \
            UNPACK(FORMAT_##f##_4) \
    }

/* A LANEI row whose only operands are a pair and the immediate has room for 64 bits of it. */
#define LANEI_IS_WIDE(d, a) ((int)KIND_OF_##d == K_REG2 && (int)KIND_OF_##a == K_NONE)

/* Members that every row sets. */
#define COMMON(what, opcode, ident, text, operation_, class_, mods, doc_) \
    .kind = ROW_##what, .code = opcode, .id = ident, .name = text, .operation = operation_, .iclass = class_, \
    .groups = mods, .doc = doc_

const struct isa_row isa_rows[OP_COUNT] = {
#define LANE(opcode, ident, text, d, a, b, c, cls, mods, expr, doc_) \
    [OP_##ident] = {COMMON(LANE, opcode, #ident, text, #expr, CLASS_##cls, mods, doc_), \
                    .operand = {TYPED_LIST(d, a, b, c)}},
#define LANEI(opcode, ident, text, d, a, b, c, cls, mods, expr, doc_) \
    [OP_##ident] = {COMMON(LANEI, opcode, #ident, text, #expr, CLASS_##cls, mods, doc_), .wide = LANEI_IS_WIDE(d, a), \
                    .operand = {TYPED_LIST(d, a, b, c), \
                                {K_IMM, PLACE_IMM, LANEI_IS_WIDE(d, a) ? LIT_ANY : LIT_INT, NUMBERS_NONE}}},
#define ATOM(opcode, ident, text, format, cls, mods, expr, doc_) \
    [OP_##ident] = {COMMON(ATOM, opcode, #ident, text, #expr, CLASS_##cls, mods, doc_), \
                    .wide = FORMAT_##format##_WIDE, .operand = FORMAT_LIST(format)},
#define WARP(opcode, ident, text, format, cls, mods, function, synopsis, doc_) \
    [OP_##ident] = {COMMON(WARP, opcode, #ident, text, synopsis, CLASS_##cls, mods, doc_), \
                    .wide = FORMAT_##format##_WIDE, .operand = FORMAT_LIST(format)},
#define PRODUCT(opcode, ident, text, format, shape_, type, chain, doc_) \
    [OP_##ident] = {COMMON(WARP, opcode, #ident, text, chain, CLASS_MMA, 0, doc_), .shape = SHAPE_##shape_, \
                    .element = ELEMENT_##type, .operand = FORMAT_LIST(format)},
#include "isa/isa.def"
};

const struct isa_class isa_classes[CLASS_COUNT] = {
#define CLASS(ident, text, runs_on, memory_, lanes_, doc_) \
    [CLASS_##ident] = {text, doc_, UNIT_##runs_on, MEMORY_##memory_, LANES_##lanes_},
#include "isa/classes.def"
};

const struct isa_named isa_units[UNIT_COUNT] = {
#define UNIT(ident, text, doc_) [UNIT_##ident] = {.name = text, .doc = doc_},
#include "isa/classes.def"
};

const struct isa_group isa_groups[GROUP_COUNT] = {
#define GROUP(ident, lowest, width, value, doc_) \
    [GROUP_##ident] = {.name = #ident, .doc = doc_, .shift = lowest, .bits = width, .def = value},
#include "isa/modifiers.def"
};

const struct isa_mod isa_mods[] = {
#define MOD(of, number, spelling, doc_) {.text = spelling, .doc = doc_, .group = GROUP_##of, .value = number},
#include "isa/modifiers.def"
};
const size_t isa_mod_count = COUNT_OF(isa_mods);

const struct isa_named isa_sregs[SREG_COUNT] = {
#define SREG(ident, text, width, by_, expr, doc_) \
    [SREG_##ident] = {.name = text, .doc = doc_, .bits = width, .by = BY_##by_},
#include "isa/sregs.def"
};

const struct isa_named isa_aliases[] = {
#define ALIAS(spelling, row) {.name = spelling, .doc = row},
#include "isa/aliases.def"
};
const size_t isa_alias_count = COUNT_OF(isa_aliases);

bool isa_in_register(u16 *op) {
    static const u16 pairs[][2] = {
#define IN_REGISTER(row, with) {OP_##row, OP_##with},
#include "isa/aliases.def"
    };
    for (size_t i = 0; i < COUNT_OF(pairs); i++) {
        if (pairs[i][0] == *op) {
            *op = pairs[i][1];
            return true;
        }
    }
    return false;
}

const struct etype_row etypes[ET_COUNT] = {
#define ETYPE(ident, text, means, size, npy, doc_) \
    [ET_##ident] = {.name = text, .descr = npy, .doc = doc_, .kind = ETYPE_##means, .bytes = size},
#include "isa/etypes.def"
};

static bool same(const char *name, const char *text, size_t len) {
    return strncmp(name, text, len) == 0 && name[len] == '\0';
}

int isa_find(const char *name, size_t len) {
    for (int op = 0; op < OP_COUNT; op++)
        if (same(isa_rows[op].name, name, len))
            return op;
    for (size_t i = 0; i < isa_alias_count; i++)
        if (same(isa_aliases[i].name, name, len))
            return isa_find(isa_aliases[i].doc, strlen(isa_aliases[i].doc));
    return -1;
}

enum etype etype_find(const char *name, size_t len) {
    for (u32 t = 0; t < ET_COUNT; t++)
        if (same(etypes[t].name, name, len))
            return (enum etype)t;
    return ET_COUNT;
}

bool etype_is_whole(enum etype type) {
    return etypes[type].kind == ETYPE_SIGNED || etypes[type].kind == ETYPE_UNSIGNED;
}

const struct float_spec *etype_float_format(enum etype type) {
    if (etypes[type].kind != ETYPE_FLOAT && etypes[type].kind != ETYPE_COMPLEX) {
        return NULL;
    }
    switch (type) {
    case ET_F16: return &float_fp16;
    case ET_BF16: return &float_bf16;
    case ET_F32:
    case ET_C64: return &float_fp32;
    case ET_F64: return &float_fp64;
    default: BUG("a floating-point type without a format");
    }
}

bool etype_accepts(enum etype want, enum etype have) {
    return want == have || (etypes[want].kind == ETYPE_RAW && etypes[want].bytes == etypes[have].bytes);
}

u32 mtype_regs(enum mtype t) {
    return t == MT_B128 ? 4 : t == MT_B64 ? 2 : 1;
}

u32 mtype_bytes(enum mtype t) {
    switch (t) {
    case MT_U8:
    case MT_S8: return 1;
    case MT_U16:
    case MT_S16: return 2;
    case MT_B64: return 8;
    case MT_B128: return 16;
    case MT_B32: break;
    }
    return 4;
}

u32 space_address_bits(enum space s) {
    return s == SPACE_GENERIC || s == SPACE_GLOBAL ? 64 : 32;
}

bool operand_is_immediate(const struct inst *i, const struct operand *o) {
    return i->isel != 0 && o->place == i->isel; /* PLACE_A is 1, as in isel */
}
_Static_assert(PLACE_A == 1 && PLACE_B == 2 && PLACE_C == 3, "isel numbers the sources as places do");

u32 operand_regs(const struct inst *i, const struct operand *o) {
    if (operand_is_immediate(i, o))
        return 0;
    switch ((enum operand_kind)o->kind) {
    case K_REG:
    case K_REG_IMM:
    case K_REG_IMM_OPT: return 1;
    case K_REG2:
    case K_MASK_OPT: return 2;
    case K_REG4: return 4;
    case K_REGT: return i->d >> CONVERSION_WORDS * (o->place - 1) & ((1 << CONVERSION_WORDS) - 1);
    case K_REGM: return mtype_regs((enum mtype)inst_mod(i, GROUP_MTYPE));
    case K_MEM: return space_address_bits((enum space)inst_mod(i, GROUP_SPACE)) / 32;
    case K_NONE:
    case K_PRED:
    case K_PRED_OPT:
    case K_NUM:
    case K_IMM:
    case K_TRANSIT:
    case K_PHASE:
    case K_BARRIER:
    case K_SREG:
    case K_LABEL:
    case K_FUNCTION:
    case K_TEXT_OPT:
    case K_TEXT:
    case K_WORDS: break;
    }
    return 0;
}

u32 inst_access_bytes(const struct inst *i) {
    const struct isa_row *row = &isa_rows[i->op];
    if (op_memory(i->op) == MEMORY_LOAD || op_memory(i->op) == MEMORY_STORE)
        return mtype_bytes((enum mtype)inst_mod(i, GROUP_MTYPE));
    for (u32 n = 0; n < OPERANDS_MAX && row->kind == ROW_ATOM; n++)
        if (row->operand[n].place == PLACE_B)
            return 4 * operand_regs(i, &row->operand[n]);
    return 1;
}

u8 inst_field(const struct inst *i, enum operand_place p) {
    switch (p) {
    case PLACE_D: return i->d;
    case PLACE_A: return i->a;
    case PLACE_B: return i->b;
    case PLACE_C: return i->c;
    case PLACE_IMM: break;
    }
    return RZ;
}

u8 inst_pred_field(const struct inst *i, enum operand_place p) {
    switch (p) {
    case PLACE_D: return i->pd;
    case PLACE_A: return i->pa;
    case PLACE_B: return i->pb;
    case PLACE_C: return i->pc;
    case PLACE_IMM: break;
    }
    return PT;
}

struct inst inst_blank(enum op op) {
    struct inst i = {
        .op = (u16)op, .guard = PT, .d = RZ, .a = RZ, .b = RZ, .c = RZ, .pd = PT, .pa = PT, .pb = PT, .pc = PT};
    for (const struct operand *o = isa_rows[op].operand; o < isa_rows[op].operand + OPERANDS_MAX; o++)
        if (o->kind == K_WORDS)
            i.d = 0; /* no values before the text is known */
    for (u32 g = 0; g < GROUP_COUNT; g++)
        if (isa_rows[op].groups >> g & 1 && isa_groups[g].def > 0)
            i.mods = (u16)(i.mods | isa_groups[g].def << isa_groups[g].shift);
    return i;
}

const char *isa_mod_text(enum mod_group group, u32 value) {
    for (size_t m = 0; m < isa_mod_count; m++)
        if (isa_mods[m].group == group && isa_mods[m].value == value)
            return isa_mods[m].text;
    return NULL;
}

/* Count classes by space: row by row as in isa_mods, only the SPACE rows used. */
static const struct {
    const char *ld, *st, *atom, *red;
} count_names[] = {
#define MOD(group, value, text, doc) {"ld." text, "st." text, "atom." text, "red." text},
#include "isa/modifiers.def"
};

const char *inst_count_class(const struct inst *i) {
    u32 iclass = isa_rows[i->op].iclass;
    u32 space = inst_mod(i, GROUP_SPACE);
    size_t m = 0;
    while (m < isa_mod_count && !(isa_mods[m].group == GROUP_SPACE && isa_mods[m].value == space))
        m++;
    if (m == isa_mod_count)
        return isa_classes[iclass].name;
    switch ((enum iclass)iclass) {
    case CLASS_LD: return count_names[m].ld;
    case CLASS_ST: return count_names[m].st;
    case CLASS_ATOM: return count_names[m].atom;
    case CLASS_RED: return count_names[m].red;
    default: return isa_classes[iclass].name;
    }
}
