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
    HALVES_INTO,   /* the low half on all of a; the high half is 0 */
    HALVES_CONVERT /* the low half on the low half of a; the high half is 0 */
};

/*
 * Instruction that an atomic applies to memory, if several atomics of it leave the same in any order, so that they can
 * be added up before; OP_COUNT where they do not, and for what is no atomic.
 */
u32 law_commuting(u32 op);

#endif
