/* One element of a tensor as text and as a number, for whoever shows it. */
#ifndef HEDDLE_API_ELEMENT_H
#define HEDDLE_API_ELEMENT_H

#include "sim/api/heddle.h"
#include "sim/base/buf.h"

/* The name of an element type, which stays; NULL when there is none of that name. */
const char *element_type(const char *name, size_t len);

/* The shortest text that is this element, "-0.25", and its value (of a c64 the real part). */
struct short_text element_text(const struct heddle_tensor *t, u64 i);
double element_number(const struct heddle_tensor *t, u64 i);

#endif
