/* `heddle run --explain`: the request, and how the answer is printed. */
#ifndef HEDDLE_CLI_EXPLAIN_REPORT_H
#define HEDDLE_CLI_EXPLAIN_REPORT_H

#include "sim/api/heddle.h"
#include "sim/base/arena.h"
#include "sim/base/buf.h"
#include "sim/cli/json.h"

/* Reads [FILE:]LINE[:BLOCK[:WARP[:N]]]. False after a message. */
bool explain_option(struct heddle_explain *x, const char *text, struct arena *arena);

/* Tables, sentences and totals; nothing when nothing was requested. */
void explain_report_text(const struct heddle_result *r, struct buf *out);

/* The same as the JSON that heddle(1) documents; NULL when nothing was requested, or when out of memory. */
json_t *explain_report_json(const struct heddle_result *r);

#endif
