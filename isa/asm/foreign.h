/* What the assembler says of a file that is no kernel at all. */
#ifndef HEDDLE_ISA_ASM_FOREIGN_H
#define HEDDLE_ISA_ASM_FOREIGN_H

#include "sim/base/diag.h"

/*
 * Of a text with errors, `diag->source` and those that it includes: if it is in another language, or no text, one
 * error that says so takes the place of the others.
 */
void foreign_explain(struct diag *diag);

#endif
