/* The columns of the points of a store. */
#ifndef HEDDLE_CLI_SWEEP_PLAN_COLUMNS_H
#define HEDDLE_CLI_SWEEP_PLAN_COLUMNS_H

#include "sim/base/arena.h"
#include "sim/base/buf.h"

/* True if it describes the state of a point: it belongs to the store, not to a result. */
bool column_is_own(const char *name);

/* True if it is part of a point's configuration: points that differ in it are different. */
bool column_is_configuration(const char *name);

/* True if it is a peak of the board, which may follow from other keys. */
bool column_is_peak(const char *name);

/* True if its values have no order: a hash. */
bool column_is_hash(const char *name);

/* Lists the options of `heddle run` that an axis can be; NULL past the last. */
const char *column_option(size_t i);

/*
 * Adds the columns of a new store, a list of const char *, in the order of interest: parameters, results and, for
 * `heddle run`, the board. False after a message.
 */
bool columns_list(struct arena *arena, bool run, struct buf *columns);

#endif
