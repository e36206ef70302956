/* The least number of elements of a buffer, which `.param y : f32[2*n+1]` states over scalar parameters. */
#ifndef HEDDLE_API_EXTENT_H
#define HEDDLE_API_EXTENT_H

#include "sim/api/scalar.h"

/* Computes an extent from the bytes of the kernel's parameters. False if a number is negative or too large. */
bool extent_value(const struct kernel *k, const char *extent, const u8 *params, u64 *value, struct reason *why);

#endif
