/*
 * Values of several runs or boards side by side: sections of rows, a column for each run, and for all but the first its
 * difference from that. Written as text, as Markdown, or as one CSV of all sections.
 *
 *   struct compare c = {.n = 2, .title = {"v100", "a100"}, .form = COMPARE_TEXT, .out = &text};
 *   struct compare_section s = {.name = "board", .most = 12};
 *   compare_row(&s, &(struct compare_row){.name = "sms", .values = [80, 108], .weight = 0.3});
 *   compare_write(&c, &s);        the heaviest rows first; frees them
 *   compare_end(&c);
 */
#ifndef HEDDLE_CLI_COMPARE_H
#define HEDDLE_CLI_COMPARE_H

#include "sim/base/buf.h"
#include "sim/cli/file.h"
#include "sim/cli/json.h"
#include "sim/file/table.h"

enum { COMPARE_MOST = 8, COMPARE_COLUMNS = 2 * COMPARE_MOST + 2, COMPARE_ALL = -1 };

enum compare_form { COMPARE_TEXT, COMPARE_MARKDOWN, COMPARE_CSV, COMPARE_JSON };

struct compare_row {
    const char *name, *unit;
    const json_t *values; /* an array, null for an unknown value */
    double weight;        /* for sorting; rows of equal weight keep their order */
};

struct compare_section {
    const char *name;  /* in CSV */
    const char *title; /* in text; NULL = the name */
    const char *idle;  /* for rows of weight 0 that are left out: " of parts that were idle"; or NULL */
    int most;          /* rows shown; COMPARE_ALL */
    bool exact;        /* values are settings, shown with all digits */
    struct buf rows;   /* list of struct compare_row */
};

struct compare {
    u32 n;
    const char *title[COMPARE_MOST];
    enum compare_form form;
    const char *more; /* how to see the rows left out: "--all shows them" */
    struct buf *out;
    bool launches; /* there are several launches */
    u32 launch;    /* launch of the sections that follow, from 1; 0 = all */
    struct table csv;
    struct table_column csv_column[COMPARE_MOST + 4];
};

void compare_row(struct compare_section *s, const struct compare_row *row);

/* Writes a section; nothing if it has no rows. */
void compare_write(struct compare *c, struct compare_section *s);

/* Adds a line of text, a paragraph in Markdown; CSV has none. */
void compare_line(struct compare *c, const char *line);

/* Adds another table in the same form, text or Markdown, after a blank line; frees it. */
void compare_table(struct compare *c, struct table *t);

/* Writes "... and 33 more, 21 of them WHAT: --all shows them", ending with `more`. */
void compare_rest(struct compare *c, size_t more, size_t idle, const char *what);

void compare_end(struct compare *c);

/* Makes a title from the name of a file: "tiled" from "results/tiled.json". */
struct short_text compare_stem(const char *file);

/* True if numbers of the unit have a prefix: "543 ns". */
bool compare_prefixed(const char *unit);

/* Formats a number for a cell: "544 ns", "16,162", "0.0023"; `exact` with all digits. */
struct short_text compare_number(double value, const char *unit, bool exact);

/* Formats a change: "x 0.57", "+12.3 points" for a share; "" if there is no number to compare with. */
struct short_text compare_change(const json_t *base, const json_t *value, const char *unit);

/* Measures the largest change among the values, from 0 to 1: as a part of the largest, or points of a share. */
double compare_weight(const json_t *values, const char *unit);

/* ---- where a comparison goes: --json FILE, --csv[=FILE] and --markdown[=FILE] of the commands that compare ---- */

struct compare_output {
    const char *json, *csv, *markdown; /* "-" is standard output, replacing the text; NULL = not given */
    const struct file_output *files;   /* written with them: `count` files */
    u32 count;
};

/* Promises the files (sim/cli/file.h). False after a message. */
bool compare_output_promise(const struct compare_output *o);

/* Writes a form of the comparison; false when out of memory. */
typedef bool compare_put(const void *ctx, enum compare_form form, struct buf *out);

/* Writes all files, or none, and text on standard output unless a form is written there. False after a message. */
bool compare_output_write(const struct compare_output *o, compare_put *put, const void *ctx);

#endif
