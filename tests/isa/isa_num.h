/*
 * Exact numbers for the reference tests: results by IEEE 754, computed in whole numbers. Slow, small and without the
 * host's floating-point unit, so that it cannot share a mistake with the code under test.
 *
 *   num_pack(num_add(num_unpack(a, &FMT_F32), num_unpack(b, &FMT_F32)), &FMT_F32, RN)
 */
#ifndef HEDDLE_TESTS_ISA_NUM_H
#define HEDDLE_TESTS_ISA_NUM_H

#include "isa/isa.h"

__extension__ typedef unsigned __int128 u128;
__extension__ typedef __int128 s128;

struct fmt {
    int ebits; /* exponent */
    int mbits; /* fraction, without the hidden one */
};

extern const struct fmt FMT_F16, FMT_BF16, FMT_F32, FMT_F64;

enum num_kind { NUM_FINITE, NUM_INF, NUM_NAN };

/* The value m * 2^e; with `more`, that and a part of one more 2^e. */
struct num {
    enum num_kind kind;
    bool neg;
    bool more;
    u128 m;
    int e;
};

struct num num_unpack(u64 bits, const struct fmt *f);

/* Rounds once. A NaN becomes the canonical one: all ones below a clear sign. */
u64 num_pack(struct num x, const struct fmt *f, enum rounding rnd);

/* Sums, with IEEE 754's sign when rounding to nearest. Operands have 64 bits at most, except results of num_mul. */
struct num num_add(struct num a, struct num b);
struct num num_mul(struct num a, struct num b);
struct num num_div(struct num a, struct num b);
struct num num_sqrt(struct num a);
struct num num_neg(struct num a);

struct num num_from_int(bool neg, u64 magnitude);

/* To a whole number; infinities and NaN stay. */
struct num num_round(struct num x, enum rounding rnd);

/* Compares results of num_unpack: -1, 0, 1; 2 = unordered. */
int num_compare(struct num a, struct num b);

bool fmt_is_nan(u64 bits, const struct fmt *f);
bool fmt_is_denormal(u64 bits, const struct fmt *f);
u64 fmt_sign(const struct fmt *f);
u64 fmt_canonical_nan(const struct fmt *f);
u64 fmt_infinity(const struct fmt *f);

#endif
