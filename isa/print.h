/* Parts of the disassembler that others use; private to isa. */
#ifndef HEDDLE_ISA_PRINT_H
#define HEDDLE_ISA_PRINT_H

#include "isa/program.h"

/*
 * An immediate as the shortest text that the assembler reads back to the same bits: whole numbers in decimal or
 * hexadecimal, floating-point ones in decimal where nine digits suffice, else as bits.
 */
void literal_print(u64 imm, enum literal literal, bool pair, struct buf *out);

/* Prints the 64-bit immediate of a wide row likewise. */
void literal_print_wide(u64 imm, struct buf *out);

/* "@!p0"; nothing for an instruction without a guard. */
void guard_print(const struct inst *i, struct buf *out);

/* The name with its modifiers: "ld.global.b32.cg". */
void mnemonic_print(const struct inst *i, struct buf *out);

/* Names for printing instructions; all may be NULL. */
struct print_names {
    const struct program *program; /* functions */
    const char *label;             /* labels are this and the address */
    const struct kernel *kernel;   /* parameters */
    const struct variable *base;   /* that the address names */
};

/* In quotes, as the assembler reads it. */
void text_print(const char *text, struct buf *out);

void operands_print(const struct inst *i, const struct print_names *names, struct buf *out);

#endif
