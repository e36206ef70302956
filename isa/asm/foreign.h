/* What the assembler reports of a file that is not a kernel at all. */
#ifndef HEDDLE_ISA_ASM_FOREIGN_H
#define HEDDLE_ISA_ASM_FOREIGN_H

#include "sim/base/diag.h"

/*
 * Replaces the errors of a text in another language, or of no text, by one that names it; the text is `diag->source`
 * and those that it includes.
 */
void foreign_explain(struct diag *diag);

#endif
