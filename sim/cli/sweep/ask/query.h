/*
 * Parts of the questions of `heddle results` (results.h), which become SQL: query.c has names and the points covered,
 * query_curves.c their differences, and --knee, --pareto and --plot have a file each.
 *
 * Functions that return false, or NULL, have printed the reason.
 */
#ifndef HEDDLE_CLI_SWEEP_ASK_QUERY_H
#define HEDDLE_CLI_SWEEP_ASK_QUERY_H

#include "sim/cli/sweep/ask/results.h"

/* Parts of a question in SQL. */
struct query {
    const struct results *all; /* its names are the columns of the store */
    struct results *asked;     /* for queries about the points */
    const struct results_question *q;
    struct buf points; /* SQL of the points covered */
    struct buf varied; /* list of const char *: columns of the configuration that vary */
    struct buf chosen; /* list of const char *: columns shown */
    bool failures;     /* some points have no result */
};

/* ---- names ---- */

/* Finds the column of a word, or the key of the board without its "board."; NULL without a message. */
const char *query_resolve(const void *all, const char *name);

/* Reports that a word, at `at` of the option's text, is no column. */
void query_unknown(const struct query *k, const char *option, const char *text, size_t at, const char *word);

/* Reads the word at `at` in a list separated by commas; returns its length. */
size_t query_word(const char *at, char *word, size_t size);

/* Finds the column of an objective; "max:" before it reverses the order. */
const char *query_objective(const struct query *k, const char *option, const char *text, const char *at, bool *most);

/* Add a name to a list once; append a list as SQL, and the order of points. */
void query_choose(struct buf *chosen, const char *name);
void query_list(struct buf *sql, const struct buf *list, const char *separator);
void query_order(const struct query *k, struct buf *sql);

/* Chooses the columns shown, into k->chosen. */
bool query_columns(struct query *k);

/* ---- how points differ ---- */

bool query_varied(struct query *k);
bool query_failures(struct query *k);

/* Finds the columns that distinguish curves over the axis. */
bool query_curves(struct query *k, const char *axis, struct buf *curves);

/* ---- questions ---- */

struct query_knee {
    double within;
    bool most;
    u32 curves; /* number of the first columns, which distinguish curves; the axis and the objective follow */
};

/* Reads the points of the curves; then replaces their rows by the knees. */
bool query_knee(struct query *k, struct buf *sql, struct query_knee *knee);
bool query_knees(const struct query_knee *knee, struct results *r);

bool query_pareto(struct query *k, struct buf *sql);
bool query_plot(struct query *k, struct buf *sql);

#endif
