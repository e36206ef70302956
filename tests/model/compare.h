/* Random programs (tests/fuzz/program.h) on the machine and on the model: the same bytes in every buffer? */
#ifndef HEDDLE_TESTS_MODEL_COMPARE_H
#define HEDDLE_TESTS_MODEL_COMPARE_H

#include "tests/fuzz/program.h"

/* Compares the model, with turns by the seed, and the machine; false with the reason, and the program, in `why`. */
bool model_agrees(const struct program_text *t, u32 seed, struct buf *why);

#endif
