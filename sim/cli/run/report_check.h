/* What the checkers of a launch found: for people, as JSON, and as SARIF for services that show findings in code. */
#ifndef HEDDLE_CLI_RUN_REPORT_CHECK_H
#define HEDDLE_CLI_RUN_REPORT_CHECK_H

#include "sim/api/heddle.h"
#include "sim/base/buf.h"
#include "sim/cli/json.h"

/*
 * The answer first, then at most `most` groups of findings: those of one class at one pair of lines. `file`: the kernel
 * file that was run. `launch`: "" or what tells the launch from others, "launch 2 of 3, ".
 */
void check_report_text(const struct heddle_result *s, const char *file, const char *launch, u32 most, struct buf *out);

/* {"kinds", "memory", "forgotten", "findings"} */
json_t *check_report_json(const struct heddle_result *s);

/* Adds the findings that it has not to a list of SARIF results. */
void check_sarif_add(json_t *results, const struct heddle_result *s, const char *file);

/* The log: a run with these results, whose references stay the caller's. `fault`: the error that ended it, or NULL. */
json_t *check_sarif(json_t *results, const char *fault);

#endif
