/*
 * The manual of the instruction set, written from the tables: nothing in it can be out of date.
 *
 *   struct buf out = {0};
 *   if (!isa_manual("shfl", false, &out)) ... isa_suggest("shfl")
 */
#ifndef HEDDLE_ISA_MANUAL_H
#define HEDDLE_ISA_MANUAL_H

#include "isa/isa.h"
#include "sim/base/buf.h"

/*
 * Prints all about an instruction, as text or as markdown. `mnemonic` is a row's name or alias, with or without
 * modifiers ("ld.global.b32"), the beginning of several ("shfl", "setp.lt"), or a special register ("%tid.x"); NULL
 * gives everything. False, and nothing written, when it is none of these.
 */
bool isa_manual(const char *mnemonic, bool markdown, struct buf *out);

/* Prints the syntax of a row: "shfl.up.b32{.seg} d{|pd}, a, b{, c:2}". */
void isa_syntax(const struct isa_row *row, struct buf *out);

/* The name nearest to what was written, or NULL. */
const char *isa_suggest(const char *word);

#endif
