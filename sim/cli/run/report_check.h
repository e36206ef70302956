/* Findings of a launch's checkers: as text, as JSON, and as SARIF for services that show findings in code. */
#ifndef HEDDLE_CLI_RUN_REPORT_CHECK_H
#define HEDDLE_CLI_RUN_REPORT_CHECK_H

#include "sim/api/heddle.h"
#include "sim/base/buf.h"
#include "sim/cli/json.h"

/*
 * Prints the answer, then at most `most` groups of findings: those of one class at one pair of lines. `file`: the
 * kernel file. `launch`: "" or the number among several launches, "launch 2 of 3, ".
 */
void check_report_text(const struct heddle_result *s, const char *file, const char *launch, u32 most, struct buf *out);

/* Lists the checkers that ran, as a list of texts. */
json_t *check_report_kinds(const struct heddle_result *s);

/* Adds findings to a list of SARIF results, each once. */
void check_sarif_add(json_t *results, const struct heddle_result *s, const char *file);

/* Makes the log: a run with these results, whose references stay the caller's. `fault`: the final error, or NULL. */
json_t *check_sarif(json_t *results, const char *fault);

#endif
