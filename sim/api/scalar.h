/*
 * Values from text: bits of a scalar argument, contents of a buffer, least number of its elements. A scalar may come
 * from a double, too.
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

/*
 * Contents of a buffer without a file: one of a few words, in every element type, the same on every host.
 *
 *   iota           0, 1, 2, ...
 *   zeros, ones
 *   fill:V         V in every element, written as a scalar argument
 *   random[:SEED]  element i from z = mix(SEED + (i + 1) * 0x9e3779b97f4a7c15), all in 64 bits, where mix is
 *                      z ^= z >> 30, z *= 0xbf58476d1ce4e5b9, z ^= z >> 27, z *= 0x94d049bb133111eb, z ^= z >> 31
 *                  (splitmix64); SEED is a whole number, 0 if absent. Whole numbers are (z >> 32) % 100, so 0 ... 99,
 *                  a bool z >> 63; floating-point numbers are k / 2^(P-1) - 1, in [-1, 1), with k the upper P bits of
 *                  z: 24, of f16 11, of bf16 8, so that each is exact. Of a c64 the imaginary part is 0.
 *
 * Whole numbers wrap; floating-point ones are rounded to nearest.
 */

enum fill { FILL_IOTA, FILL_ZEROS, FILL_ONES, FILL_VALUE, FILL_RANDOM, FILL_NONE };

/* The first words of the fills; NULL past the last. */
const char *fill_word(size_t i);

#define FILL_EXPECTED "expected iota, zeros, ones, fill:V or random[:SEED]"

/* Counts the bytes at the start of the text that are a fill, to a ':' or the end; 0 if none. V may be invalid. */
size_t fill_length(const char *text);

/* Writes `count` elements. False with a reason if the text is no fill, or V no element of that type. */
bool fill_elements(const char *text, enum etype type, u8 *data, u64 count, struct reason *why);

/* The least number of elements of a buffer, which `.param y : f32[2*n+1]` states over scalar parameters. */

/* Computes an extent from the bytes of the kernel's parameters. False if a number is negative or too large. */
bool extent_value(const struct kernel *k, const char *extent, const u8 *params, u64 *value, struct reason *why);

#endif
