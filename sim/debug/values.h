/* Numbers as they are printed. */
#ifndef HEDDLE_DEBUG_VALUES_H
#define HEDDLE_DEBUG_VALUES_H

#include "sim/debug/debug.h"

enum form { FORM_HEX, FORM_SIGNED, FORM_UNSIGNED, FORM_FLOAT, FORM_HALF };

/* "hex"; NULL behind the last. */
const char *values_form_name(u32 form);

/* Reads `as FORM` at the end of the words, which then end before it; without it *form stays. */
bool values_form(struct debug *d, struct words *w, enum form *form);

/* A register, or a word of memory, behind `mark`; as wide as any other in that form. */
void values_put(struct buf *out, char mark, u32 v, enum form form);

/* The same for a word that has no value: this sign, as often as a hexadecimal number has digits. */
void values_put_none(struct buf *out, char mark, char sign, enum form form);

/* An element of a type as in a .param, "f32", of `size` bytes; behind a blank, 12 characters at least. */
void values_put_element(struct buf *out, const char *type, const u8 *bytes, u32 size);

#endif
