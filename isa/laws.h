/* Laws of instructions (laws.def), by name. */
#ifndef HEDDLE_ISA_LAWS_H
#define HEDDLE_ISA_LAWS_H

#include "sim/base/types.h"

/* Operations of WHOLE rows. */
enum whole {
    WHOLE_NONE,
    WHOLE_ADD,
    WHOLE_SUB,
    WHOLE_NEG,
    WHOLE_ABS,
    WHOLE_SAD,
    WHOLE_MUL,
    WHOLE_MUL_WIDE,
    WHOLE_MUL_HIGH,
    WHOLE_SHL,
    WHOLE_DIV,
    WHOLE_REM,
    WHOLE_MIN,
    WHOLE_MAX,
    WHOLE_LOW,
    WHOLE_CHOOSE,
    WHOLE_CHOOSE_SIGN,
    WHOLE_EQ,
    WHOLE_NE,
    WHOLE_LT,
    WHOLE_LE,
    WHOLE_GT,
    WHOLE_GE
};

/* Dependence of a half of the result, in HALVES rows. */
enum halves {
    HALVES_NONE,
    HALVES_EACH,   /* that half of each operand */
    HALVES_PACK,   /* the low half on all of a, the high half on all of b */
    HALVES_FROM,   /* both, and more of it if there is, on the low half of a */
    HALVES_INTO,   /* the low half on all of each operand; the high half is 0 */
    HALVES_CONVERT /* the low half on the low half of each operand; the high half is 0 */
};

/* What is left of a shifted value where the count is not below its width, in SHIFTS rows. */
enum past {
    PAST_NONE,    /* the instruction is no shift */
    PAST_NOTHING, /* zero */
    PAST_SIGN,    /* copies of the sign */
    PAST_WRAPS,   /* the count is taken modulo the width */
    PAST_CLAMPS,  /* a count above the width is the width */
    PAST_FIELD    /* of a field of bits: all counts are as good */
};

struct law_shift {
    u8 past;         /* enum past */
    u8 count, width; /* enum operand_place; bits */
};

struct law_shift law_shift(u32 op);

/* Places of the operands that are indices where the result is one: 1 << PLACE_A, and so on. */
u32 law_index(u32 op);

/* 32-bit addition, subtraction, multiplication or left shift that an instruction computes, adding c if it is fused. */
enum whole law_arithmetic(u32 op, bool *fused);

/* A redux of fp32: the sum to begin with, and the bits of each value that are looked at; 0, 0 for all others. */
struct law_redux {
    u32 start, bits;
};

struct law_redux law_redux(u32 op);

/* Row of one lane that an atomic or a reduction applies; OP_COUNT for what is neither, and for exchanges. */
u32 law_applied(u32 op);

/*
 * Instruction that an atomic applies to memory, if several atomics of it leave the same in any order, so that they can
 * be added up before; OP_COUNT where they do not, and for what is no atomic.
 */
u32 law_commuting(u32 op);

#endif
