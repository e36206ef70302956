/* The columns of the points of a store. */
#ifndef HEDDLE_CLI_SWEEP_COLUMNS_H
#define HEDDLE_CLI_SWEEP_COLUMNS_H

#include "sim/base/arena.h"
#include "sim/base/buf.h"

/* Whether it holds what became of a point: it is of the store, and not of a result. */
bool column_is_own(const char *name);

/* Whether it says what a point is: points that differ in it are different. */
bool column_is_configuration(const char *name);

/* Whether it is a key of the board that is a peak: it may follow from others. */
bool column_is_peak(const char *name);

/* Whether its values have no order: those of hashes. */
bool column_is_hash(const char *name);

/* Options of `heddle run` that an axis can be; NULL behind the last. */
const char *column_option(size_t i);

/*
 * Adds what a new store begins with, const char * each, in the order in which a reader looks for them: what was asked,
 * what came out and, of `heddle run`, the machine. False after a message.
 */
bool columns_list(struct arena *arena, bool run, struct buf *columns);

#endif
