/*
 * Functions of bits, in normal form: equal functions are one bit.
 *
 *   u32 abc[] = {a, b, c};
 *   logic_function(e, 0x80, abc)          a & b & c
 *   logic_choose(e, c, a, b)              c ? a : b
 *
 * A function of up to six bits is its truth table over those that it does depend on (ATOM_TABLE), however it is put
 * together. Of more bits, up to 64, a ^ b ^ ... is a sorted list (ATOM_XOR), and so is a & b & ... (ATOM_AND); a | b |
 * ... is made of complements. What is neither is a function of functions, and can have several forms.
 */
#ifndef HEDDLE_PROVE_LOGIC_H
#define HEDDLE_PROVE_LOGIC_H

#include "sim/prove/term.h"

enum { TABLE_BITS = 6, LOGIC_OPERANDS = 64 };

/* The function whose value for bits a, b, c is bit a * 4 + b * 2 + c of the table. */
u32 logic_function(struct terms *e, u8 table, const u32 abc[3]);

/* Bit that is 1 where all of some bits are 1; best of up to 64. */
u32 logic_all(struct terms *e, const u32 *bit, u32 n);

/* The bit where a condition is 1 or 0, as far as its nearest operands show. */
u32 logic_given(struct terms *e, u32 bit, u32 condition, u32 value);

/* `condition` ? `yes` : `no` */
u32 logic_choose(struct terms *e, u32 condition, u32 yes, u32 no);

/* True if an atom is a function of bits. */
static inline bool logic_is(const struct terms *e, u32 atom) {
    return term_at(e, atom)->code >= ATOM_TABLE;
}

/* Table of an ATOM_TABLE: bit m is its value where operand k is m >> k & 1, operands being bits; they are `n`. */
static inline u64 logic_table(const struct terms *e, u32 atom) {
    return term_operands(e, atom)[0] | (u64)term_operands(e, atom)[1] << 32;
}

static inline u32 logic_table_bits(const struct terms *e, u32 atom) {
    return term_at(e, atom)->count - 2;
}

/* The table of bit k itself, as far as tables of `n` bits go. */
u64 logic_column(u32 k, u32 n);

#endif
