/*
 * Expressions in words, for people:
 *
 *   src[5]                               an element, copied
 *   bits 8..15 of src[5]
 *   add.s32(mul.lo.s32(src[5], 2), 1)
 *   ~src[5]
 *   0x3f800000
 *   setp.lt.u32(src[5], 100) ? src[5] : 100
 *   {0..7: bits 0..7 of src[5]; 8..31: 0}
 *
 * What lies deep, or would be long, is shown as "...".
 */
#ifndef HEDDLE_PROVE_DESCRIBE_H
#define HEDDLE_PROVE_DESCRIBE_H

#include "sim/arch/machine.h"
#include "sim/prove/term.h"

/* Names of the buffers, by the numbers that ATOM_INPUT has. */
struct describe_buffer {
    const char *name;
    u32 bytes; /* of an element: 1, 2, 4 or 8 */
};

struct describe {
    const struct terms *e;
    const struct describe_buffer *buffer;
    const struct launch *launch; /* [2] of the kernels, for the names of registers */
    u32 length;                  /* about where a description ends in "..."; 0 = DESCRIBE_LENGTH */
};

enum { DESCRIBE_LENGTH = 160 };

/* Appends `n` bits, the lowest first, as one thing; n is at most 64. */
void describe_bits(const struct describe *d, const u32 *bit, u32 n, struct buf *out);

/*
 * Describes two values that are not the same, never in the same words: in full where both are short; else as far down
 * as they have one operation in common, "... add.f32(..., x[1]) ..." and "... add.f32(..., x[2]) ...".
 */
void describe_difference(const struct describe *d, const u32 *a, const u32 *b, u32 n, struct buf out[2]);

/* "add.f32.ftz" */
void describe_operation(const struct describe *d, u32 atom, struct buf *out);

/* True if the operands of nested ones of these are printed as those of one: add.s32(a, b, c). */
bool describe_flat(const struct terms *e, u32 code);

/* True if the bits are one element as it was at the start: which. */
bool describe_copy(const struct describe *d, const u32 *bit, u32 n, u32 *buffer, u64 *element);

#endif
