/*
 * The reference of the instruction table: for each row a function written from the row's documentation alone. The
 * tests run every row on the machine and compare.
 */
#ifndef HEDDLE_TESTS_ISA_REF_H
#define HEDDLE_TESTS_ISA_REF_H

#include "tests/isa/isa_num.h"

/* Operands of one lane. 32-bit ones are zero-extended, predicates are 0 or 1. */
struct ref_in {
    u64 a, b, c;
    u64 imm; /* LANEI rows */
    u8 rnd;  /* enum rounding */
    bool ftz, sat;
};

struct ref;
typedef u64 (*ref_fn)(const struct ref_in *in, const struct ref *r);

/*
 * `types` has a letter per source, which chooses the values tried:
 *   i I   integers of 32, 64 bits          s     shift counts             k     byte selectors of prmt
 *   f F   fp32, fp64                       h w   pairs of fp16, bf16      H W   one fp16, bf16 in the low half
 *   r     fp32 to be converted, with the ones beside ties of smaller formats
 *   p     predicate                        n     a number in the text     g     generic addresses
 */
struct ref {
    u16 op; /* enum op */
    const char *types;
    ref_fn fn;
    const struct fmt *to, *from; /* formats, for families that have them */
    u8 what;                     /* which member of a family */
    u8 ulp;                      /* units in the last place that an fp32 result may be away */
};

/* The reference of a LANE or LANEI row, or NULL. */
const struct ref *ref_find(enum op op);

/* A list for each file, ended by a row without function. */
extern const struct ref ref_int[], ref_logic[], ref_compare[], ref_float[], ref_convert[];

enum relation { REL_EQ, REL_NE, REL_LT, REL_LE, REL_GT, REL_GE, REL_NUM, REL_NAN };

#endif
