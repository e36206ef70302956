/*
 * Conditions that a later run must not meet, as --fail-if writes them: NAME < VALUE or NAME > VALUE.
 *
 *   cycles > +5%          compared with the first run: more than 105 % of its cycles
 *   l2.hit_rate < -2      likewise: more than 2 less than there
 *   seconds > 2ms         with a number, which may have a unit
 */
#ifndef HEDDLE_CLI_DIFF_CONDITION_H
#define HEDDLE_CLI_DIFF_CONDITION_H

#include "sim/cli/diff/diff.h"

enum { DIFF_CONDITIONS = 32 };

struct diff_condition {
    const char *text; /* as it was given */
    char name[64], unit[32];
    bool greater, relative, percent;
    double value;
};

struct diff_conditions {
    u32 n;
    struct diff_condition list[DIFF_CONDITIONS];
};

/* Reads one; false after a message. The text must stay. */
bool diff_condition(struct diff_conditions *all, const char *text);

/*
 * Whether a run but the first meets one, in any launch. Adds to `verdicts`, for each condition,
 * {"condition": text, "met": [{"run": 1, "launch": 1, "value": .., "limit": ..}]}. False, after a message, when a value
 * is not known.
 */
bool diff_judge(const struct diff_conditions *all, const struct diff_runs *r, json_t *verdicts, bool *met);

/* A line on stderr for each that was met. */
void diff_show_met(const struct diff_conditions *all, const struct diff_runs *r, const json_t *verdicts);

#endif
