/*
 * The bits of a scalar argument, from text (exact) or from a double.
 *
 *   u64 bits;
 *   struct reason why;
 *   if (!scalar_from_text(ET_F32, "2.5", &bits, &why))
 *       complain(why.text);                             "f32 takes a number such as 2.5, ..., not 'abc'"
 */
#ifndef HEDDLE_API_SCALAR_H
#define HEDDLE_API_SCALAR_H

#include "isa/program.h"

struct reason {
    char text[240];
};

/*
 * Reads a scalar. Whole types take decimal (also 1e6), 0x and 0b numbers in their range, the latter as bits too
 * (0xffffffff is an i32 -1); floating-point types decimal numbers, inf, nan and, as 0x, their bits; bool 0, 1, true,
 * false (words in any case); c64 "RE" or "RE,IM".
 */
bool scalar_from_text(enum etype type, const char *text, u64 *bits, struct reason *why);

/* Converts a number, which must be a value of the type; floating-point types round it to the nearest. */
bool scalar_from_double(enum etype type, double number, u64 *bits, struct reason *why);

#endif
