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

#endif
