/*
 * What `heddle results` shows: rows of a store (sim/sweep/store.h) as a table.
 *
 *   struct results r = {.store = store};
 *   struct results_question q = {.columns = "dram*,arg.n"};
 *   results_question(&r, &q)               or results_sql(&r, "SELECT ...")
 *   ... r.table ...
 *   results_free(&r)
 *
 * Functions that return false have said why.
 */
#ifndef HEDDLE_CLI_RESULTS_H
#define HEDDLE_CLI_RESULTS_H

#include "sim/base/arena.h"
#include "sim/file/table.h"
#include "sim/sweep/store.h"

#define RESULTS_WITHIN 0.05  /* of the best: a knee */
#define RESULTS_BEST "best " /* before the name of an objective: its best value among points that differ in one thing */

struct results {
    struct store *store;
    struct arena arena;
    struct buf names;    /* const char * each: of the columns of the last question */
    struct buf values;   /* struct store_value each, row by row */
    const char *caption; /* of the table; NULL = none */
    struct table table;  /* its keys and titles have units, "rate.dram [GB/s]" */
};

/* NULL is what was not asked for. */
struct results_question {
    const char *columns;   /* "dram*,arg.n" */
    const char *where;     /* a condition that points meet */
    const char *objective; /* "seconds", the least first; "max:rate.dram" */
    const char *knee;      /* the smallest value of this column that is within... */
    double within;         /* ...this share of the best */
    const char *plot;      /* "X,Y[,SERIES]": three columns of numbers and the name of the curve */
    const char *pareto;    /* objectives: points that no other is better than in all of them */
    bool all;              /* every column, if none was chosen */
};

/*
 * Points with their columns: those that were chosen; or all; or those that say how points differ, what was asked for,
 * and what became of each. They are in the order of what they differ in, unless an objective gives another.
 */
bool results_question(struct results *r, const struct results_question *q);

/* Shows what SQL asks, the value of --sql. */
bool results_sql(struct results *r, const char *sql);

/* Asks and keeps the rows; makes a table of those that are kept. `given`: a mistake is shown in the value of --sql. */
bool results_rows(struct results *r, const char *sql, bool given);
bool results_table(struct results *r);
void results_free(struct results *r);

/* The unit of a column; "" when it has none. */
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

#endif
