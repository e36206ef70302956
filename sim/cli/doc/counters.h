/* Output of `heddle doc counters`. */
#ifndef HEDDLE_CLI_DOC_COUNTERS_H
#define HEDDLE_CLI_DOC_COUNTERS_H

#include "sim/api/heddle.h"
#include "sim/base/arena.h"
#include "sim/base/buf.h"

/* Prints every counter and metric, or those of a name (NULL = all). False after a message. */
bool doc_counters(const char *name, bool markdown);

/* Adds all as struct heddle_metric: metrics, and columns of buffers and lines as "traffic.x", "line.x". */
void doc_counters_list(struct arena *a, struct buf *all);

/* Formats a formula for output. */
void doc_counters_formula(const char *formula, struct buf *out);

#endif
