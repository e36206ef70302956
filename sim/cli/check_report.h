/* What the checkers of a launch found, for people. */
#ifndef HEDDLE_CLI_CHECK_REPORT_H
#define HEDDLE_CLI_CHECK_REPORT_H

#include "sim/api/heddle.h"
#include "sim/base/buf.h"

/* The answer first, then at most CHECK_REPORT_MOST findings. `file`: the kernel file that was run. */
enum { CHECK_REPORT_MOST = 20 };
void check_report_text(const struct heddle_result *s, const char *file, struct buf *out);

#endif
