/* Operand values for the tests of the instruction table: corner values of each kind, their cross products, and more. */
#ifndef HEDDLE_TESTS_ISA_CASES_H
#define HEDDLE_TESTS_ISA_CASES_H

#include "tests/isa/isa_ref.h"
#include "tests/isa/isa_state.h"

/* A source a, b, c sits in r8:r9, r10:r11, r12:r13 or p1, p2, p3; the destination in r14:r15 or p4; the guard is p0. */
struct cases {
    u32 n;
    struct lane_state *list;
};

/* Cross product of the corner values of `types` (see isa_ref.h), then random ones. */
struct cases cases_make(const char *types, u64 seed);

/*
 * Cases close together around what a rounding, a quotient or a field depends on; none for operands that have no such
 * places.
 */
struct cases cases_dense(const char *types, u64 seed);

/* Values as a case; the register beside a 32-bit operand holds another value of its type. */
struct lane_state case_make(const char *types, const u64 v[3], const u64 beside[3], u64 *seed);

/* About `n` of them, spread evenly. */
struct cases cases_sample(const struct cases *from, u32 n);

void cases_free(struct cases *c);

/* The i-th corner value of a type; false when there are no more. */
bool corner_value(char type, u32 i, u64 *value);

#endif
