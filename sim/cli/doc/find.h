/* `heddle doc WORD...`: the meaning of a word, wherever it is declared. */
#ifndef HEDDLE_CLI_DOC_FIND_H
#define HEDDLE_CLI_DOC_FIND_H

#include "sim/base/buf.h"

/* Prints the entries of that name, else those that contain all of the words. EXIT_FAULT if there are none. */
int doc_find(const char *const *word, size_t n, bool markdown);

/* Lists every name of one word, one a line, for completion. */
void doc_find_names(struct buf *out);

#endif
