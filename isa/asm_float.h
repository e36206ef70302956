/*
 * Decimal text to a binary floating-point format, rounded once, to nearest even, on every host and in every locale.
 * Exact: the digits become one big integer, so that no tie is missed.
 */
#ifndef HEDDLE_ISA_ASM_FLOAT_H
#define HEDDLE_ISA_ASM_FLOAT_H

#include "isa/program.h"

struct float_format {
    const char *name;    /* "fp32" */
    const char *largest; /* its largest number, for messages */
    u8 bits;             /* of the whole number: 16, 32, 64 */
    u8 mantissa;         /* bits, with the hidden one */
};

extern const struct float_format float_fp16, float_bf16, float_fp32, float_fp64;

/* Of the elements of a type, or of the parts of a complex one; NULL when they are no such numbers. */
const struct float_format *float_of_etype(enum etype type);

/* Digits with at most one point and an exponent ("1", "2.5", ".5", "1e-3"); false when the text is something else. */
bool float_is_decimal(const char *text, size_t len);

/* The bits of such a text; too large a number gives infinity. */
u64 float_from_decimal(const struct float_format *f, const char *text, size_t len);

u64 float_from_integer(const struct float_format *f, u64 n);

/* Infinity, the canonical NaN, and the sign bit of a format. */
u64 float_infinity(const struct float_format *f);
u64 float_nan(const struct float_format *f);
u64 float_sign(const struct float_format *f);

#endif
