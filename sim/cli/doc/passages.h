/* Passages of the documentation's pages that answer a question. */
#ifndef HEDDLE_CLI_DOC_PASSAGES_H
#define HEDDLE_CLI_DOC_PASSAGES_H

#include "sim/cli/doc/query.h"

/* Appends the best `most` passages, each with its page and section, "docs/memory.md, Sectors"; returns their number. */
size_t passages_put(const struct query *q, size_t most, bool markdown, struct buf *out);

/* Appends a text, folded and indented. */
void doc_put_folded(const char *text, struct buf *out);

#endif
