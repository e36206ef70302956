/*
 * Texts of `print`: conversions as those of C's printf, a register or a pair for each.
 *
 *   struct conversions c;
 *   const char *why = conversions_read("i=%d x=%8.3f", &c);     NULL: c.count == 2
 *
 *   %[-+ #0][width][.precision][l]K    K: d i u x X o c, f F e E g G a A; width and precision have two digits at most
 *   l or ll                            64 bits: a pair. Without, a float is an fp32
 *   %%                                 a percent sign
 *
 * What C leaves undefined, as `%#d`, is refused.
 */
#ifndef HEDDLE_ISA_CONVERSION_H
#define HEDDLE_ISA_CONVERSION_H

#include "sim/base/buf.h"

enum { CONVERSIONS_MAX = 3, CONVERSION_WORDS = 2 }; /* of a text; bits that give the registers of one */

struct conversion {
    u8 at, len; /* in the text */
    u8 words;   /* registers: 1 or 2 */
    char kind;
};

struct conversions {
    u32 count;
    struct conversion of[CONVERSIONS_MAX];
    u32 at, len; /* of the mistake */
};

/* NULL, or what is wrong with the text, of message_allows. */
const char *conversions_read(const char *text, struct conversions *c);

/* Registers of the values, CONVERSION_WORDS bits each: the field d of the instruction. */
u8 conversions_words(const struct conversions *c);

/* Appends the text with the values. A character that is not printable ASCII becomes '.'. */
void conversions_print(const char *text, const struct conversions *c, const u64 *value, struct buf *out);

#endif
