/*
 * Decimal text and numbers, the same on every host and in every locale.
 *
 *   decimal_read, decimal_write          numbers of board descriptions: each is written so that it reads back as itself
 *   float_from_decimal                   literals: text to a binary format, rounded once, to nearest even; exact, the
 *                                        digits become one big integer, so that no tie is missed
 */
#ifndef HEDDLE_BASE_DECIMAL_H
#define HEDDLE_BASE_DECIMAL_H

#include "sim/base/types.h"

enum { DECIMAL_TEXT = 40 };

/* Reads digits, at most 15 significant ones, and perhaps a point among them: "12", "0.283". False for anything else. */
bool decimal_read(const char *text, double *value);

/* A whole number in decimal, at most 10^12. */
bool decimal_read_whole(const char *text, double *value);

/* The shortest text of a number that decimal_read gave; other numbers are rounded to 15 digits. */
struct decimal {
    char text[DECIMAL_TEXT];
};
struct decimal decimal_write(double value);

/* Factor to a number of that unit from one with a suffix, "MiB" or "GHz"; false if they do not fit together. */
bool decimal_unit(const char *unit, const char *suffix, double *factor);

struct float_spec {
    const char *name;    /* "fp32" */
    const char *largest; /* its largest number, for messages */
    u8 bits;             /* of the whole number: 16, 32, 64 */
    u8 mantissa;         /* bits, with the hidden one */
};

extern const struct float_spec float_fp16, float_bf16, float_fp32, float_fp64;

/* Digits with at most one point and an exponent ("1", "2.5", ".5", "1e-3"); false when the text is something else. */
bool float_is_decimal(const char *text, size_t len);

/* The bits of such a text; too large a number gives infinity. */
u64 float_from_decimal(const struct float_spec *f, const char *text, size_t len);

u64 float_from_integer(const struct float_spec *f, u64 n);

/* Infinity, the canonical NaN, and the sign bit of a format. */
u64 float_infinity(const struct float_spec *f);
u64 float_nan(const struct float_spec *f);
u64 float_sign(const struct float_spec *f);

#endif
