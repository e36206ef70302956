/* What `heddle doc counters` prints. */
#ifndef HEDDLE_CLI_DOC_COUNTERS_H
#define HEDDLE_CLI_DOC_COUNTERS_H

#include "sim/api/heddle.h"
#include "sim/base/arena.h"
#include "sim/base/buf.h"

/* Every counter and metric, or those of a name (NULL = all). False after a message. */
bool doc_counters(const char *name, bool markdown);

/* Adds all of them, struct heddle_metric each: metrics, and columns of buffers and lines as "traffic.x", "line.x". */
void doc_counters_list(struct arena *a, struct buf *all);

/* A formula as it is printed. */
void doc_counters_formula(const char *formula, struct buf *out);

#endif
