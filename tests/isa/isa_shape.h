/*
 * Ways to write one instruction: which registers, what is an immediate, which guard. The test kernel keeps the sources
 * in r8:r9, r10:r11, r12:r13 and p1..p3, the destination in r14:r15 and p4, the guard in p0.
 */
#ifndef HEDDLE_TESTS_ISA_SHAPE_H
#define HEDDLE_TESTS_ISA_SHAPE_H

#include "tests/isa/isa_cases.h"

enum place_how { AT_NOWHERE, AT_REG, AT_PRED, AT_IMM };

struct at {
    u8 how; /* enum place_how */
    u8 reg; /* register, or predicate */
    bool neg;
    u64 value;     /* immediates */
    char text[24]; /* immediates */
};

enum { GUARD_NONE, GUARD_IF, GUARD_UNLESS };

struct shape {
    struct at d, s[3];
    struct at imm; /* LANEI rows */
    u8 guard;
};

/* A choice of the modifiers that a row takes. */
struct mod_choice {
    char text[32]; /* ".rz.ftz" */
    u8 value[GROUP_COUNT];
};

enum { SHAPES_MAX = 700, CHOICES_MAX = 24 };

/* Every combination of modifiers, left out ones among them. */
u32 mod_choices(const struct isa_row *row, struct mod_choice out[CHOICES_MAX]);

/*
 * The shapes of a row; the first `*plain` are register-only shapes worth running over every case, the others are run
 * over a sample.
 */
u32 shapes_of(enum op op, const char *types, struct shape *out, u32 *plain);

/* "@p0 fma.f32.ftz r8, r8, r10, r12" */
void shape_print(enum op op, const struct shape *s, const struct mod_choice *mods, struct buf *out);

/* Returns the state that the instruction must leave, given the reference. */
struct lane_state shape_expect(enum op op, const struct ref *ref, const struct shape *s, const struct mod_choice *mods,
                               const struct lane_state *before);

/* The operand of a row in a place, or NULL. */
const struct operand *row_operand(const struct isa_row *row, enum operand_place place);

#endif
