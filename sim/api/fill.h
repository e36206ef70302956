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
#ifndef HEDDLE_API_FILL_H
#define HEDDLE_API_FILL_H

#include "sim/api/scalar.h"

#define FILL_EXPECTED "expected iota, zeros, ones, fill:V or random[:SEED]"

/* Counts the bytes at the start of the text that are a fill, to a ':' or the end; 0 if none. V may be invalid. */
size_t fill_length(const char *text);

/* Writes `count` elements. False with a reason if the text is no fill, or V no element of that type. */
bool fill_elements(const char *text, enum etype type, u8 *data, u64 count, struct reason *why);

#endif
