/*
 * Output of `heddle results`: rows of a store (sim/sweep/store.h) as a table.
 *
 *   struct results r = {.store = store};
 *   struct results_question q = {.columns = "dram*,arg.n"};
 *   results_question(&r, &q)               or results_sql(&r, "SELECT ...")
 *   ... r.table ...
 *   results_free(&r)
 *
 * Functions that return false have printed the reason.
 */
#ifndef HEDDLE_CLI_SWEEP_ASK_RESULTS_H
#define HEDDLE_CLI_SWEEP_ASK_RESULTS_H

#include "sim/base/arena.h"
#include "sim/cli/sweep/sweep.h"
#include "sim/file/table.h"
#include "sim/sweep/store.h"

#define RESULTS_WITHIN 0.05  /* share of the best: a knee */
#define RESULTS_BEST "best " /* before the name of an objective: its best value among points that differ in one thing */

struct results {
    struct store *store;
    struct arena arena;
    struct buf names;    /* list of const char *: columns of the last question */
    struct buf values;   /* list of struct store_value, row by row */
    const char *caption; /* of the table; NULL = none */
    struct table table;  /* keys and titles with units, "rate.dram [GB/s]" */
};

/* NULL = not given. */
struct results_question {
    const char *columns;   /* "dram*,arg.n" */
    const char *where;     /* a condition that points meet */
    const char *objective; /* "seconds", the least first; "max:rate.dram" */
    const char *knee;      /* the least value of this column that is within... */
    double within;         /* ...this share of the best */
    const char *plot;      /* "X,Y[,SERIES]": three columns, two of numbers and the name of the curve */
    const char *pareto;    /* objectives: points that no other point dominates */
    bool all;              /* every column, unless some are chosen */
};

/*
 * Selects points with their columns: the chosen ones; or all; or the columns that vary, the parameters, and the state
 * of each. They are ordered by the columns that vary, unless an objective gives another order.
 */
bool results_question(struct results *r, const struct results_question *q);

/* Runs the SQL of --sql. */
bool results_sql(struct results *r, const char *sql);

/* Runs a query and keeps the rows as a table. `given`: an error is shown in the value of --sql. */
bool results_rows(struct results *r, const char *sql, bool given);
bool results_table(struct results *r);
void results_free(struct results *r);

/* Returns the unit of a column; "" if it has none. */
struct short_text results_unit(const char *name);

static inline u32 results_columns(const struct results *r) {
    return (u32)(r->names.len / sizeof(char *));
}

static inline const char *results_column(const struct results *r, u32 i) {
    return ((const char *const *)(const void *)r->names.data)[i];
}

static inline const struct store_value *results_value(const struct results *r, size_t i) {
    return &((const struct store_value *)(const void *)r->values.data)[i];
}

/* `heddle sweep --knee NAME`: how much of an axis is enough, from the sweep's own points. */

/* Checks that NAME is an axis of numbers. False after a message. */
bool knee_check(const struct sweep *s, const char *name);

/* Prints the knees. False after a message. */
bool knee_show(const struct sweep *s, struct store *store, const char *name, const char *objective);

/*
 * Parts of the questions of `heddle results` (results.h), which become SQL: query.c has names and the points covered,
 * query_curves.c their differences, and --knee, --pareto and --plot have a file each.
 *
 * Functions that return false, or NULL, have printed the reason.
 */

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
