/*
 * What `heddle results` shows: rows of a store (sim/sweep/store.h) as a table.
 *
 *   struct results r = {.store = store};
 *   results_query(&r, "dram*,arg.n", false, &sql)      the question in SQL for these columns; NULL: a choice
 *   results_ask(&r, sql.data)
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

struct results {
    struct store *store;
    struct arena arena;
    struct buf names;  /* const char * each: of the columns of the last question */
    struct buf values; /* struct store_value each, row by row */
    struct table table;
};

/*
 * The points with their columns: those that `wanted` names; or all; or those that say how points differ, and what
 * became of each. They are in the order of what they differ in.
 */
bool results_query(struct results *r, const char *wanted, bool all, struct buf *sql);

/* `given`: the SQL is the value of an option, in which a mistake is shown. */
bool results_ask(struct results *r, const char *sql, bool given);
void results_free(struct results *r);

#endif
