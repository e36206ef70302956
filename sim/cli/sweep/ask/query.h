/*
 * Parts of the questions of `heddle results` (results.h), which become SQL: query.c has names and the points that are
 * meant, query_curves.c how they differ, and a file each --knee, --pareto and --plot.
 *
 * Functions that return false, or NULL, have said why.
 */
#ifndef HEDDLE_CLI_SWEEP_QUERY_H
#define HEDDLE_CLI_SWEEP_QUERY_H

#include "sim/cli/sweep/ask/results.h"

/* What a question is made of. */
struct query {
    const struct results *all; /* its names are the columns of the store */
    struct results *asked;     /* for questions about the points */
    const struct results_question *q;
    struct buf points; /* SQL: those that are meant */
    struct buf varied; /* const char * each: columns of the configuration in which they differ */
    struct buf chosen; /* likewise, what is shown */
    bool failures;     /* some have no result */
};

bool query_no_memory(void);

/* ---- names ---- */

/* The column that a word means, or the key of the board without its "board."; NULL without a message. */
const char *query_resolve(const void *all, const char *name);

/* Says that a word, at `at` of the option's text, is no column. */
void query_unknown(const struct query *k, const char *option, const char *text, size_t at, const char *word);

/* The word at `at` in a list separated by commas; its length. */
size_t query_word(const char *at, char *word, size_t size);

/* The column of an objective; "max:" before it turns it round. */
const char *query_objective(const struct query *k, const char *option, const char *text, const char *at, bool *most);

/* Adds a name to a list that lacks it; appends a list as SQL, and the order of points. */
void query_choose(struct buf *chosen, const char *name);
void query_list(struct buf *sql, const struct buf *list, const char *separator);
void query_order(const struct query *k, struct buf *sql);

/* What is shown, into k->chosen. */
bool query_columns(struct query *k);

/* ---- how points differ ---- */

bool query_varied(struct query *k);
bool query_failures(struct query *k);

/* The columns that tell one curve over the axis from another. */
bool query_curves(struct query *k, const char *axis, struct buf *curves);

/* ---- questions ---- */

struct query_knee {
    double within;
    bool most;
    u32 curves; /* first columns, which tell one curve from another; behind them the axis and the objective */
};

/* The points of the curves; then, in place of their rows, the knees. */
bool query_knee(struct query *k, struct buf *sql, struct query_knee *knee);
bool query_knees(const struct query_knee *knee, struct results *r);

bool query_pareto(struct query *k, struct buf *sql);
bool query_plot(struct query *k, struct buf *sql);

#endif
