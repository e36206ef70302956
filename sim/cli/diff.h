/*
 * What changed between two results of `heddle run --json`, as JSON itself: everything that differs is a pair [a, b].
 *
 *   {"same": false, "board": {"sms": [108, 54]}, "launches": [{"run": {...}, "cycles": [983, 556], "limiter": [..],
 *    "counts": {...}, "classes": {...}, "metrics": {...}, "traffic": {"x": {...}}, "lines": [...], "only_a": [...],
 *    "only_b": [...]}], "unmatched": [1, 0]}
 */
#ifndef HEDDLE_CLI_DIFF_H
#define HEDDLE_CLI_DIFF_H

#include "sim/base/buf.h"
#include "sim/cli/json.h"

/* Reads a result. NULL after a message when it is none. */
json_t *diff_read(const char *path);

/* The same of its text; `name` is shown in messages. */
json_t *diff_parse(const char *name, const char *text, size_t len);

/* The object above; NULL when out of memory. */
json_t *diff_of(const json_t *a, const json_t *b);

/* In words and tables: the largest changes, or with `all` every one. */
void diff_text(const json_t *diff, const char *a, const char *b, bool all, struct buf *out);

#endif
