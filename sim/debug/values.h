/* Numbers as commands print them. */
#ifndef HEDDLE_DEBUG_VALUES_H
#define HEDDLE_DEBUG_VALUES_H

#include "sim/debug/debug.h"

enum form { FORM_HEX, FORM_SIGNED, FORM_UNSIGNED, FORM_FLOAT, FORM_HALF };

/* Names a form: "hex"; NULL past the last. */
const char *values_form_name(u32 form);

/* Reads `as FORM` at the end of the words, which then end before it; without it *form is unchanged. */
bool values_form(struct debug *d, struct words *w, enum form *form);

/* Prints a register, or a word of memory, after `mark`; as wide as any other in that form. */
void values_put(struct buf *out, char mark, u32 v, enum form form);

/* Prints a word without a value, after `mark`: `sign`, once for each digit of a hexadecimal number. */
void values_put_none(struct buf *out, char mark, char sign, enum form form);

/* Prints an element of a type as in a .param, "f32", of `size` bytes; after a blank, at least 12 characters. */
void values_put_element(struct buf *out, const char *type, const u8 *bytes, u32 size);

#endif
