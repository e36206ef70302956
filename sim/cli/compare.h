/*
 * Values of several runs or boards side by side: sections of rows, a column for each, and behind all but the first how
 * they differ from that. Written as text, as Markdown, or as one CSV of all sections.
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
#include "sim/cli/json.h"
#include "sim/file/table.h"

enum { COMPARE_MOST = 8, COMPARE_COLUMNS = 2 * COMPARE_MOST + 2, COMPARE_ALL = -1 };

enum compare_form { COMPARE_TEXT, COMPARE_MARKDOWN, COMPARE_CSV, COMPARE_JSON };

struct compare_row {
    const char *name, *unit;
    const json_t *values; /* an array, null where a value is not known */
    double weight;        /* for the order; rows of equal weight stand as they were added */
};

struct compare_section {
    const char *name;  /* in CSV */
    const char *title; /* in text; NULL = the name */
    const char *idle;  /* what rows of weight 0 are, when some are not shown: " of parts that were idle"; or NULL */
    int most;          /* rows shown; COMPARE_ALL */
    bool exact;        /* values are settings: all of their digits are shown */
    struct buf rows;   /* struct compare_row each */
};

struct compare {
    u32 n;
    const char *title[COMPARE_MOST];
    enum compare_form form;
    const char *more; /* what shows the rows that are left out: "--all shows them" */
    struct buf *out;
    bool launches; /* there are several */
    u32 launch;    /* of them, to which the sections that follow belong, from 1; 0 = to all */
    struct table csv;
    struct table_column csv_column[COMPARE_MOST + 4];
};

void compare_row(struct compare_section *s, const struct compare_row *row);

/* Nothing when there are no rows. */
void compare_write(struct compare *c, struct compare_section *s);

/* A line of text, which Markdown has as a paragraph and CSV does not have. */
void compare_line(struct compare *c, const char *line);

/* Another table, behind a blank line, in the same form: text or Markdown; frees it. */
void compare_table(struct compare *c, struct table *t);

/* "... and 33 more, 21 of them WHAT: --all shows them", as `more` has it */
void compare_rest(struct compare *c, size_t more, size_t idle, const char *what);

void compare_end(struct compare *c);

/* A title from the name of a file: "tiled" of "results/tiled.json". */
struct short_text compare_stem(const char *file);

/* Whether numbers of the unit are shown with a prefix of it: "543 ns". */
bool compare_prefixed(const char *unit);

/* As in a cell: "544 ns", "16,162", "0.0023"; `exact` with all digits. */
struct short_text compare_number(double value, const char *unit, bool exact);

/* "x 0.57", "+12.3 points" of a share; "" where there is no number to compare with. */
struct short_text compare_change(const json_t *base, const json_t *value, const char *unit);

/* How large the greatest change among them is, from 0 to 1: a part of the largest, or points of a share. */
double compare_weight(const json_t *values, const char *unit);

#endif
