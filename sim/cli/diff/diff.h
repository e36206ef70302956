/*
 * Differences between results of `heddle run --json`, as JSON: everything that differs is an array with the value of
 * each run, null if a run does not have it. The first run is the base.
 *
 *   {"format": "heddle-diff-3",
 *    "runs": [{"file": "a.json", "name": "a", "board": "v100", "changed": {"sms": 10}}, ...],
 *    "same": false, "board": {"sms": [10, 54]}, "launches": [{"seconds": [..], "cycles": [983, 556], "run": {...},
 *    "limiter": [..], "counts": {...}, "classes": {...}, "metrics": {...}, "traffic": {"x": {...}}, "lines": [{"text":
 *    "..", "line": [9, null], ...}]}], "unmatched": [1, 2], "fault": [null, {...}], "conditions": [...]}
 *
 * Seconds and cycles are included even if they are equal.
 */
#ifndef HEDDLE_CLI_DIFF_H
#define HEDDLE_CLI_DIFF_H

#include "sim/base/buf.h"
#include "sim/cli/compare.h"
#include "sim/cli/json.h"

enum { DIFF_RUNS = COMPARE_MOST, DIFF_TITLE = 17 };

struct diff_run {
    const char *file;       /* name as given; for a file of several runs, with the board of each */
    char title[DIFF_TITLE]; /* title of columns */
    json_t *result;
};

struct diff_runs {
    u32 n;
    struct diff_run run[DIFF_RUNS];
};

/* Adds the result in a file, or all of its results (`heddle run --board v100,a100 --json`). False after a message if it
 * is none, or one too many. The file's name must stay valid. */
bool diff_read(struct diff_runs *r, const char *path);

/* Adds the results in a text. */
bool diff_parse(struct diff_runs *r, const char *file, const char *text, size_t len);

/* Adds a result; takes the reference. */
bool diff_add(struct diff_runs *r, const char *file, const char *title, json_t *result);

/* Gives the runs distinct titles, when all are added. */
void diff_name(struct diff_runs *r);

void diff_free(struct diff_runs *r);

/* Counts the launches of a result: itself, or those in it. */
size_t diff_launches(const json_t *result);
const json_t *diff_launch(const json_t *result, size_t i);

/* Makes the object above; NULL when out of memory. */
json_t *diff_of(const struct diff_runs *r);

struct diff_style {
    enum compare_form form;
    bool all;         /* every difference, not only the largest; CSV always has them */
    const char *more; /* how to see the rest: "--all shows them" */
};

/* Writes the comparison in words and tables. */
void diff_write(const struct diff_runs *r, const json_t *diff, const struct diff_style *style, struct buf *out);

/*
 * Conditions that a later run must not meet, from --fail-if: NAME < VALUE or NAME > VALUE.
 *
 *   cycles > +5%          more than 105 % of the first run's cycles
 *   l2.hit_rate < -2      more than 2 below the first run's
 *   seconds > 2ms         above a number, which may have a unit
 */

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

/* Types and functions that the parts of a comparison share. */

/* A part of the JSON, in each run; NULL = missing. */
struct sides {
    u32 n;
    const json_t *of[DIFF_RUNS];
};

struct sides diff_launch_sides(const struct diff_runs *r, size_t launch);

/* Gets a member of each side. */
struct sides diff_member(const struct sides *s, const char *name);

/* True if they are not all equal; a missing one equals null, and 4 equals 4.0. */
bool diff_differ(const struct sides *s);

/* [a, b, ...] */
json_t *diff_values(const struct sides *s);

/* Collects the members of objects that differ: {"NAME": [a, b, ...]}. */
json_t *diff_members(const struct sides *objects);

/* Add up the `count` rounds of a repeated line of a launch; name such a line: rounds.c. */
json_t *diff_sums(const json_t *lines);
const char *diff_text(const json_t *line);

/* Lists the instructions that differ: lines.c. */
json_t *diff_lines(const struct sides *launches);

/* Writes them as a table of at most `most` rows: lines_text.c. */
void diff_write_lines(struct compare *c, const json_t *lines, int most);

/*
 * Weighs a metric or a key of the board, from 0 to 1: weight.c. By the use of the part of the machine that it names, or
 * of one after it on the way to DRAM, in the run that used it most; for a latency, by how long warps waited at all; for
 * a class of instructions, by its share. 1 if the name means no part, or without a clock; 0 for energy, which takes no
 * time.
 */
double diff_use(const struct sides *launches, const char *name);

#endif
