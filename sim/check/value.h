/*
 * Inside of the checker of values.
 *
 *   value.c         what instructions are; shift counts; indices that overflow
 *   value_slice.c   which results are indices
 *   value_float.c   floating-point results
 */
#ifndef HEDDLE_CHECK_VALUE_H
#define HEDDLE_CHECK_VALUE_H

#include "isa/check.h"
#include "isa/laws.h"
#include "sim/check/shadow.h"

struct value_inst {
    const struct float_spec *result; /* NULL: no floating-point result */
    const struct float_spec *operand[3];
    u8 halves; /* results in a register: 2 where numbers are packed */
    struct law_shift shift;
    u8 arithmetic; /* enum whole: 32-bit arithmetic, which could overflow; WHOLE_NONE */
    bool fused;    /* it adds c */
    bool index;    /* the result of the arithmetic goes on to an address */
};

struct value_note; /* of value_float.c */

struct value {
    struct value_inst *inst;     /* [ninst] */
    u32 source[3][2 * WARP_MAX]; /* operands, as they were before the instruction */
    u32 matrix[3][4 * WARP_MAX]; /* those of a matrix product */
    struct value_note *free;
};

/* Marks the instructions whose results are indices. False when out of memory. */
bool value_slice(struct check *c);

static inline struct check_finding value_at_lane(const struct site *t, u32 lane) {
    return (struct check_finding){.places = 1, .at = {site_place(t, lane)}, .space = SPACE_COUNT};
}

/* Floating-point numbers: of an atomic before it is executed; of other rows operands before, and results after it. */
void value_atomic(struct site *t);
void value_keep_sources(struct site *t);
void value_results(struct site *t);

#endif
