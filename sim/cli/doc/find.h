/* `heddle doc WORD...`: what a word means, wherever it is declared. */
#ifndef HEDDLE_CLI_DOC_FIND_H
#define HEDDLE_CLI_DOC_FIND_H

#include "sim/base/buf.h"

/* The entries of that name, else those in which all of the words stand. EXIT_FAULT when there are none. */
int doc_find(const char *const *word, size_t n, bool markdown);

/* Every name of one word, a line each: for completion. */
void doc_find_names(struct buf *out);

#endif
