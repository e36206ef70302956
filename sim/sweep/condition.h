/*
 * Conditions on points, which are SQL: "dram.channels <= 16 AND arg.n % 64 = 0". Names with a point need no quotes:
 * those that are known are put into them.
 */
#ifndef HEDDLE_SWEEP_CONDITION_H
#define HEDDLE_SWEEP_CONDITION_H

#include "sim/base/buf.h"

#define CONDITION_CLOSES "it closes no parenthesis of the condition" /* what is wrong where condition_is_one fails */

/* The column that a name means; NULL: none, and SQLite says so. */
typedef const char *condition_resolve(const void *ctx, const char *name);

/* Appends the condition, with the columns in double quotes. */
void condition_sql(const char *text, condition_resolve *resolve, const void *ctx, struct buf *sql);

/* The place in the text of the one `at` in what was appended. */
size_t condition_place(const char *text, condition_resolve *resolve, const void *ctx, size_t at);

/* Whether it ends no parenthesis that it has not begun, at *at: then it would not be one condition among others. */
bool condition_is_one(const char *text, size_t *at);

/* Appends a name as SQL takes it. */
void condition_name(const char *name, struct buf *sql);

/* Appends a value as SQL takes it: 8, 0.5, 4194304 of "4MiB", or a text in quotes. */
void condition_value(const char *text, struct buf *sql);

#endif
