/*
 * Conditions that a later run must not meet, from --fail-if: NAME < VALUE or NAME > VALUE.
 *
 *   cycles > +5%          more than 105 % of the first run's cycles
 *   l2.hit_rate < -2      more than 2 below the first run's
 *   seconds > 2ms         above a number, which may have a unit
 */
#ifndef HEDDLE_CLI_DIFF_CONDITION_H
#define HEDDLE_CLI_DIFF_CONDITION_H

#include "sim/cli/diff/diff.h"

enum { DIFF_CONDITIONS = 32 };

struct diff_condition {
    const char *text; /* as given */
    char name[64], unit[32];
    bool greater, relative, percent;
    double value;
};

struct diff_conditions {
    u32 n;
    struct diff_condition list[DIFF_CONDITIONS];
};

/* Reads a condition; false after a message. The text must stay valid. */
bool diff_condition(struct diff_conditions *all, const char *text);

/*
 * True if a run but the first meets a condition, in any launch. Adds to `verdicts`, for each condition, {"condition":
 * text, "met": [{"run": 1, "launch": 1, "value": .., "limit": ..}]}. False, after a message, if a value is unknown.
 */
bool diff_judge(const struct diff_conditions *all, const struct diff_runs *r, json_t *verdicts, bool *met);

/* Prints a line on stderr for each condition that was met. */
void diff_show_met(const struct diff_conditions *all, const struct diff_runs *r, const json_t *verdicts);

#endif
