/*
 * The option --metrics: names of metrics with commas between them; "l1" is every metric whose first word that is, and
 * * and ? stand for any characters and for any one.
 */
#ifndef HEDDLE_CLI_METRICS_OPTION_H
#define HEDDLE_CLI_METRICS_OPTION_H

#include "sim/api/heddle.h"
#include "sim/base/buf.h"

/* The row of a metric. False when there is none of that name. */
bool metric_find(const char *name, struct heddle_metric *row);

/* Whether the first `len` bytes of `name` mean the metric. */
bool metric_meant(const char *metric, const char *name, size_t len);

/* Adds a list of names, which the text holds, to `names`: const char * each. False after a message. */
bool metrics_option(const char *text, struct buf *names);

/* Calls `put` for each metric, by its index in heddle_metric_row, in the order of the names; each once. */
void metrics_each(const struct buf *names, void (*put)(void *ctx, u32 metric), void *ctx);

#endif
