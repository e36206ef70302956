/* `heddle run --html`: a result as a page of HTML, which scripts/report.lua makes from its JSON. */
#ifndef HEDDLE_CLI_PAGE_H
#define HEDDLE_CLI_PAGE_H

#include "sim/base/buf.h"

/*
 * Adds the page of a result, "heddle-run-2" or "heddle-runs-2"; `changes`: the output of `heddle diff --csv` for its
 * runs, or NULL. False after a message.
 */
bool page_put(const struct buf *json, const struct buf *changes, struct buf *out);

#endif
