/* `heddle run --explain`: the request and the answer. */
#ifndef HEDDLE_CLI_RUN_REPORT_EXPLAIN_H
#define HEDDLE_CLI_RUN_REPORT_EXPLAIN_H

#include "sim/api/heddle.h"
#include "sim/base/arena.h"
#include "sim/base/buf.h"
#include "sim/cli/record_json.h"

/* Reads [FILE:]LINE[:BLOCK[:WARP[:N]]] or worst[:N]. False after a message. */
bool explain_option(struct heddle_explain *x, const char *text, struct arena *arena);

static inline bool explain_asked(const struct heddle_explain *x) {
    return x->line || x->worst;
}

/* Prints tables, sentences and totals of the request; of a repeated line only the first round, unless `each`. */
void explain_report_text(const struct heddle_result *r, const struct heddle_explain *asked, bool each, struct buf *out);

/* Writes columns of values as rows: `lanes`, of each lane, and `titles`, columns by the names of registers. */
void explain_report_put(const struct heddle_sink *to, const void *explained);

#endif
