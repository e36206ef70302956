/*
 * Conditions on points, in SQL: "dram.channels <= 16 AND arg.n % 64 = 0". Names with a point need no quotes: known
 * names get them.
 */
#ifndef HEDDLE_SWEEP_CONDITION_H
#define HEDDLE_SWEEP_CONDITION_H

#include "sim/base/buf.h"

#define CONDITION_CLOSES "it closes no parenthesis of the condition" /* error if condition_is_one fails */

/* Returns the column for a name; NULL if unknown, which SQLite then reports. */
typedef const char *condition_resolve(const void *ctx, const char *name);

/* Appends the condition, with the columns in double quotes. */
void condition_sql(const char *text, condition_resolve *resolve, const void *ctx, struct buf *sql);

/* Maps the place `at` in the appended SQL to its place in the text. */
size_t condition_place(const char *text, condition_resolve *resolve, const void *ctx, size_t at);

/* True if it closes no parenthesis that it has not opened; else *at: it would not be one condition among others. */
bool condition_is_one(const char *text, size_t *at);

/* Appends a name, quoted for SQL. */
void condition_name(const char *name, struct buf *sql);

/* Appends a value for SQL: 8, 0.5, 4194304 for "4MiB", or a quoted text. */
void condition_value(const char *text, struct buf *sql);

#endif
