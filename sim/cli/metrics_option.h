/*
 * The option --metrics: names of metrics with commas between them; "l1" is every metric with that first word, * stands
 * for any characters and ? for any one.
 */
#ifndef HEDDLE_CLI_METRICS_OPTION_H
#define HEDDLE_CLI_METRICS_OPTION_H

#include "sim/api/heddle.h"
#include "sim/base/buf.h"

/* Finds the row of a metric. False if the name is unknown. */
bool metric_find(const char *name, struct heddle_metric *row);

/* True if the first `len` bytes of `name` mean the metric. */
bool metric_meant(const char *metric, const char *name, size_t len);

/* Adds a list of names, which stay in the text, to `names`, a list of const char *. False after a message. */
bool metrics_option(const char *text, struct buf *names);

/* Calls `put` for each metric, by its index in heddle_metric_row, in the order of the names; each once. */
void metrics_each(const struct buf *names, void (*put)(void *ctx, u32 metric), void *ctx);

#endif
