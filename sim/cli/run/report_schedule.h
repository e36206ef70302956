/* Results of all orders of warps (`heddle run --schedule=all`). */
#ifndef HEDDLE_CLI_RUN_REPORT_SCHEDULE_H
#define HEDDLE_CLI_RUN_REPORT_SCHEDULE_H

#include "sim/api/heddle.h"
#include "sim/base/buf.h"

/* Prints the answer, and two orders that differ; nothing if no orders were executed. `file`: the kernel's. */
void schedule_report_text(const struct heddle_result *s, const char *file, struct buf *out);

/* True if the result depends on the order. */
static inline bool schedule_report_differs(const struct heddle_result *s) {
    return s->orders && !s->orders->same;
}

#endif
