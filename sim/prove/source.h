/*
 * What an expression depends on: words of buffers and uninitialised values; and its value on one set of data.
 *
 *   struct source *of = source_table(e, &arena);       one row for each atom
 *   of[bit_atom(bit)].input                            an atom of a buffer's word that it depends on, 0 for none
 *
 *   u64 *value = source_values(e, &values);            what each atom is on that data
 */
#ifndef HEDDLE_PROVE_SOURCE_H
#define HEDDLE_PROVE_SOURCE_H

#include "sim/arch/eval.h"
#include "sim/prove/term.h"

/* Kinds of operands of an atom. */
enum operand_is { OPERAND_WORD, OPERAND_BIT, OPERAND_NUMBER };
enum operand_is source_operand(const struct terms *e, u32 atom, u32 k);

/* Words that operand k, a word, begins: 2 for a pair. */
u32 source_together(const struct terms *e, u32 atom, u32 k);

/* True if two atoms are results of one instruction with the same modifiers. */
static inline bool source_same(const struct terms *e, u32 atom, u32 other) {
    return term_at(e, atom)->code == term_at(e, other)->code && term_at(e, atom)->mods == term_at(e, other)->mods;
}

/* The atoms whose bits operand k has; how many. */
u32 source_atoms(const struct terms *e, u32 atom, u32 k, u32 of[32]);

struct source {
    u32 input; /* the first word of a buffer that it depends on: an atom, or 0 */
    u32 fresh; /* the first uninitialised value: an atom, or 0 */
    u32 size;  /* the first part of an unknown size, or address: an atom, or 0 */
};

/* NULL when out of memory. */
struct source *source_table(const struct terms *e, struct arena *arena);

struct source_values {
    const struct memory *start; /* the buffers as they were at the start */
    struct eval *eval;          /* 64 lanes wide */
    struct arena *arena;        /* holds the values */
};

/* Value for each atom; NULL when out of memory. */
u64 *source_values(const struct terms *e, const struct source_values *on);

/* A bit, and a word, under such values. */
u64 source_bit(const u64 *value, u32 bit);
u32 source_word(const struct terms *e, const u64 *value, u32 word);

#endif
