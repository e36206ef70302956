/*
 * The instruction set: what the table's rows become in C, and one instruction as data.
 *
 *   const struct isa_row *row = &isa_rows[OP_ADD_S32];      name, operands, class, documentation
 *   struct inst i = {.op = OP_ADD_S32, .guard = PT, ...};   one instruction
 *   inst_encode(&i, word);  inst_decode(word, &i);          128-bit binary form (pictured in isa.def)
 *
 * Nothing here knows a machine or a cycle.
 */
#ifndef HEDDLE_ISA_ISA_H
#define HEDDLE_ISA_ISA_H

#include "sim/base/types.h"

enum {
    ISA_VERSION = 1,   /* meaning of the encoded instructions; kept in object files */
    RZ = 255,          /* reads as 0, writes are dropped */
    REG_COUNT = 255,   /* r0..r254 */
    PT = 15,           /* always true, writes are dropped */
    PRED_COUNT = 15,   /* p0..p14 */
    PRED_NEG = 16,     /* set in guard, pa, pb, pc: the predicate is negated */
    TRANSIT_COUNT = 4, /* x0..x3 */
    TRANSIT_SLOTS = 4, /* 32-bit slots of a transit register, per lane */
    BARRIER_COUNT = 16,
    INST_BYTES = 16,
    OPERANDS_MAX = 5
};

/* Widest warp; widths are 8, 16, 32 and 64. */
enum { WARP_MAX = 64 };

/* Start of a space's window among generic addresses; global addresses are below all of them. */
#define WINDOW_SHARED ((u64)1 << 40)
#define WINDOW_LOCAL ((u64)2 << 40)
#define WINDOW_CONST ((u64)3 << 40)
#define WINDOW_PARAM ((u64)4 << 40)

enum op {
#define LANE(code, id, ...) OP_##id,
#define LANEI(code, id, ...) OP_##id,
#define ATOM(code, id, ...) OP_##id,
#define WARP(code, id, ...) OP_##id,
#include "isa/isa.def"
    OP_COUNT
};

enum unit {
#define UNIT(id, name, doc) UNIT_##id,
#include "isa/classes.def"
    UNIT_COUNT
};

enum iclass {
#define CLASS(id, name, unit, memory, lanes, doc) CLASS_##id,
#include "isa/classes.def"
    CLASS_COUNT
};

enum sreg {
#define SREG(id, name, bits, by, expr, doc) SREG_##id,
#include "isa/sregs.def"
    SREG_COUNT
};

enum mod_group {
#define GROUP(id, shift, bits, def, doc) GROUP_##id,
#include "isa/modifiers.def"
    GROUP_COUNT
};

/* Bits of isa_row.groups. */
enum {
#define GROUP(id, shift, bits, def, doc) M_##id = 1 << GROUP_##id,
#include "isa/modifiers.def"
};

/* Values of modifiers, which isa/modifiers.def spells. They are encoded: a number is never given another meaning. */
enum space { SPACE_GENERIC, SPACE_GLOBAL, SPACE_SHARED, SPACE_LOCAL, SPACE_CONST, SPACE_PARAM, SPACE_COUNT };
enum mtype { MT_B32, MT_U8, MT_S8, MT_U16, MT_S16, MT_B64, MT_B128 };
enum rounding { RN, RZERO, RM, RP };
enum hint { HINT_NONE, HINT_CA, HINT_CG, HINT_CS, HINT_CV, HINT_VOLATILE, HINT_ACQUIRE, HINT_RELEASE };

/* The space of a generic address, which becomes an address in it; SPACE_COUNT, and unchanged, outside every window. */
static inline enum space space_of_generic(u64 *addr) {
    u64 window = *addr >> 40;
    if (window > WINDOW_PARAM >> 40)
        return SPACE_COUNT;
    *addr -= window << 40;
    return (enum space)(SPACE_GLOBAL + window);
}

enum operand_kind {
    K_NONE,
    K_REG,         /* one register; a source may be an immediate if the row is a LANE row */
    K_REG2,        /* even pair; a source of a LANE row may be an immediate */
    K_REG4,        /* four registers, the first of them a multiple of 4 */
    K_REGM,        /* one, two or four registers, by the MTYPE modifier */
    K_REG_IMM,     /* one register or an immediate */
    K_REG_IMM_OPT, /* the same, may be left out */
    K_PRED,        /* predicate */
    K_PRED_OPT,    /* "|p" after the destination, may be left out */
    K_NUM,         /* number 0..255 in a register field */
    K_IMM,         /* 32-bit immediate (LANEI rows); 64-bit if the row is wide */
    K_MEM,         /* [register + offset], [offset], [register]: a and the immediate */
    K_MASK_OPT,    /* member mask in an even pair, may be left out: every active lane */
    K_TRANSIT,     /* x0..x3 */
    K_PHASE,       /* 0..3 */
    K_BARRIER,     /* 0..15 */
    K_SREG,        /* special register */
    K_LABEL,       /* code address */
    K_FUNCTION,    /* code address of a .func */
    K_TEXT_OPT,    /* "text", may be left out: the immediate is its number among those of the program, from 1 on */
    K_TEXT,        /* the same, of a print; it gives the field of the next kind */
    K_WORDS,       /* no text: registers of each value, CONVERSION_WORDS bits each (isa/conversion.h) */
    K_REGT         /* none, one or two registers, by K_WORDS in d */
};

/* Which field of the instruction holds an operand: D A B C name d/pd, a/pa, b/pb, c/pc. */
enum operand_place { PLACE_D, PLACE_A, PLACE_B, PLACE_C, PLACE_IMM };

/* The way a literal is read. */
enum literal { LIT_NONE, LIT_INT, LIT_ANY, LIT_F32, LIT_F64, LIT_H2, LIT_W2 };

/* The floating-point numbers in a register of a LANE row. */
enum numbers { NUMBERS_NONE, NUMBERS_F16, NUMBERS_BF16, NUMBERS_F16X2, NUMBERS_BF16X2, NUMBERS_F32, NUMBERS_F64 };

struct operand {
    u8 kind;    /* enum operand_kind */
    u8 place;   /* enum operand_place */
    u8 literal; /* enum literal */
    u8 numbers; /* enum numbers */
};

enum row_kind { ROW_LANE, ROW_LANEI, ROW_ATOM, ROW_WARP };

struct isa_row {
    const char *name;                     /* "add.s32" */
    const char *id;                       /* "ADD_S32" */
    const char *operation;                /* the C expression, or a synopsis */
    const char *doc;                      /* one sentence */
    u16 code;                             /* opcode in the binary form */
    u8 kind;                              /* enum row_kind */
    u8 iclass;                            /* enum iclass */
    u16 groups;                           /* M_ bits: modifiers that may follow */
    bool wide;                            /* second word is one immediate or two code addresses */
    u8 shape;                             /* enum shape (isa/shapes.h), of a matrix product */
    u8 element;                           /* enum element (isa/shapes.h): of its A and B */
    struct operand operand[OPERANDS_MAX]; /* in the order of the text; K_NONE entries are passed over */
};

/* Effects of a class on memory: the address is the K_MEM operand. Fences and barriers order accesses. */
enum class_memory {
    MEMORY_NONE,
    MEMORY_LOAD,
    MEMORY_STORE,
    MEMORY_ATOMIC,
    MEMORY_FENCE,
    MEMORY_BARRIER,
    MEMORY_WARP_BARRIER
};

/* Whose values a lane's result depends on. LANES_ALL: all lanes of the warp have to execute it. */
enum class_lanes { LANES_OWN, LANES_OTHERS, LANES_ALL };

struct isa_class {
    const char *name, *doc;
    u8 unit;   /* enum unit */
    u8 memory; /* enum class_memory */
    u8 lanes;  /* enum class_lanes */
};

/* The origin of the value of a special register. */
enum sreg_by { BY_LAUNCH, BY_LANES, BY_BOARD, BY_RUN, BY_TIME };

struct isa_group {
    const char *name, *doc;
    u8 shift, bits;
    s8 def; /* value when none is written; -1 = one must be */
};

struct isa_mod {
    const char *text, *doc;
    u8 group, value;
};

struct isa_named { /* units, special registers, aliases */
    const char *name, *doc;
    u32 bits;
    u8 by; /* of a special register: enum sreg_by */
};

extern const struct isa_row isa_rows[OP_COUNT];
extern const struct isa_class isa_classes[CLASS_COUNT];
extern const struct isa_named isa_units[UNIT_COUNT];
extern const struct isa_group isa_groups[GROUP_COUNT];
extern const struct isa_mod isa_mods[];
extern const size_t isa_mod_count;
extern const struct isa_named isa_sregs[SREG_COUNT];
extern const struct isa_named isa_aliases[]; /* name = spelling, doc = name of the row */
extern const size_t isa_alias_count;

static inline enum class_memory op_memory(u32 op) {
    return (enum class_memory)isa_classes[isa_rows[op].iclass].memory;
}

static inline enum class_lanes op_lanes(u32 op) {
    return (enum class_lanes)isa_classes[isa_rows[op].iclass].lanes;
}

static inline bool op_accesses(u32 op) {
    enum class_memory m = op_memory(op);
    return m == MEMORY_LOAD || m == MEMORY_STORE || m == MEMORY_ATOMIC;
}

static inline bool op_writes(u32 op) {
    return op_memory(op) == MEMORY_STORE || op_memory(op) == MEMORY_ATOMIC;
}

#define CASES_BAR_RED \
    case OP_BAR_RED_AND: \
    case OP_BAR_RED_OR: \
    case OP_BAR_RED_POPC

/* Waits at a block barrier and gets what its threads hold together. */
static inline bool op_reduces(u32 op) {
    switch (op) {
    CASES_BAR_RED:
        return true;
    default: return false;
    }
}

/* Waits at a block barrier, where bar.arrive goes on. */
static inline bool op_waits(u32 op) {
    return op == OP_BAR_SYNC || op_reduces(op);
}

/* Does nothing, with the class of branches. */
static inline bool op_idles(u32 op) {
    return op == OP_NOP || op == OP_PMEVENT || op == OP_PMEVENT_MASK;
}

/* Turns *op into the instruction that takes registers where this one takes numbers; false: none does. */
bool isa_in_register(u16 *op);

/* One instruction, unpacked. Unused register fields are RZ, unused predicate fields PT. */
struct inst {
    u16 op;            /* enum op */
    u8 guard;          /* predicate, PRED_NEG set when negated; PT = always */
    u8 isel;           /* 0 none, 1..3: source a, b or c is the immediate */
    u8 d, a, b, c;     /* registers, numbers, transit or special registers */
    u8 pd, pa, pb, pc; /* predicates; PRED_NEG may be set in sources */
    u16 mods;          /* modifier field, groups at their shifts */
    u64 imm;           /* immediate; branches: target, and reconvergence << 32 */
};

enum { NO_RECONVERGENCE = 0x7fffffff }; /* paths that meet only at the end of the thread */

/* A no-op with every field at its unused value. */
struct inst inst_blank(enum op op);

static inline u32 inst_mod(const struct inst *i, enum mod_group g) {
    return (u32)(i->mods >> isa_groups[g].shift) & ((1u << isa_groups[g].bits) - 1);
}

/* Value of a modifier; `otherwise` if the instruction takes none of the group. */
static inline u32 inst_mod_or(const struct inst *i, enum mod_group g, u32 otherwise) {
    return isa_rows[i->op].groups >> g & 1 ? inst_mod(i, g) : otherwise;
}

static inline u32 inst_target(const struct inst *i) {
    return (u32)i->imm;
}

static inline u32 inst_reconvergence(const struct inst *i) {
    return (u32)(i->imm >> 32);
}

/* Registers moved by a load or store of this memory type: 1, 2 or 4. */
u32 mtype_regs(enum mtype t);

/* Bytes moved per lane: 1, 2, 4, 8 or 16. */
u32 mtype_bytes(enum mtype t);

/* Bits of an address in this space: 64 for global and generic, 32 for the rest. */
u32 space_address_bits(enum space s);

/* Registers that the operand occupies in this instruction (0 for operands that are no registers). */
u32 operand_regs(const struct inst *i, const struct operand *o);

/* Bytes that a lane moves; 1 if it accesses no memory. */
u32 inst_access_bytes(const struct inst *i);

/* The register field of a place: d, a, b or c. */
u8 inst_field(const struct inst *i, enum operand_place p);

/* The predicate field of a place: pd, pa, pb or pc. */
u8 inst_pred_field(const struct inst *i, enum operand_place p);

/* True if this operand of this instruction is the immediate. */
bool operand_is_immediate(const struct inst *i, const struct operand *o);

void inst_encode(const struct inst *i, u64 word[2]);

/*
 * Unpacks and checks one instruction; addresses of branches are checked by the program, which knows its size. False
 * with the reason in `*why` when the words are no instruction: unknown opcode, misaligned pair, reserved bits, ...
 */
bool inst_decode(const u64 word[2], struct inst *i, const char **why);

/* Row index by exact name or alias; -1 when there is none. */
int isa_find(const char *name, size_t len);

/* Text of a modifier's value, "shared"; NULL when the group has no such value. */
const char *isa_mod_text(enum mod_group group, u32 value);

/* Count class of an instruction, with loads, stores and atomics separate by space: "ld.shared". */
const char *inst_count_class(const struct inst *i);

#endif
