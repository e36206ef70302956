/* One element of a tensor as text and as a number, for output. */
#ifndef HEDDLE_API_ELEMENT_H
#define HEDDLE_API_ELEMENT_H

#include "sim/api/heddle.h"
#include "sim/base/buf.h"

/* Finds the name of an element type, a string that stays; NULL if it is unknown. */
const char *element_type(const char *name, size_t len);

/* The shortest text for an element, "-0.25", and its value (for a c64, the real part). */
struct short_text element_text(const struct heddle_tensor *t, u64 i);
double element_number(const struct heddle_tensor *t, u64 i);

#endif
