/* Parts of the plan of a sweep: the command whose points it has, its two command lines, the columns of its store. */
#ifndef HEDDLE_CLI_SWEEP_PLAN_PLAN_H
#define HEDDLE_CLI_SWEEP_PLAN_PLAN_H

#include "sim/base/arena.h"
#include "sim/base/buf.h"
#include "sim/cli/command.h"
#include "sim/cli/sweep/sweep.h"

/* Commands whose results can be points of a sweep, and the options of each. */

/* True if it is `run`, or writes its results as JSON. */
bool words_command(const char *name);

/* True if heddle ships a study of that name. */
bool sweep_study_ships(const char *study);

/*
 * Lists the options of a command with these words, followed by the sweep's own. *known: the list is complete; those of
 * a user's own study are not in it. NULL after a message.
 */
const struct argp_option *words_options(const char *command, const char *study, const struct argp_option *sweep,
                                        struct arena *arena, bool *known);

/*
 * The two command lines of `heddle sweep`: the words of the sweep, and those of its points. Options of the sweep, the
 * rows `own`, may be anywhere, also after the command; "--" ends them.
 *
 * Functions that return false have printed the reason.
 */

struct lines {
    char **own, **point;
    int nown, npoint;
};

/* Finds the option of a word, NULL = none; *value: its value is the next word. */
const struct argp_option *lines_option(const struct argp_option *options, const char *word, bool *value);

bool lines_split(const struct argp_option *own, int argc, char **argv, struct arena *arena, struct lines *l);

/*
 * Inserts the words of the sweep's file before those of the command line. An axis or an option in both is taken from
 * the command line, with a note; an axis keeps its place among those of the file.
 */
bool lines_insert(struct sweep *s, const struct argp_option *own, struct lines *l);

/* True if the command of the points has a word that is neither an option nor the value of one. */
bool lines_operand(const struct lines *l, const struct argp_option *options);

/* Writes the words of the sweep for tasks: "--" separates those of the points. */
void lines_put(const struct lines *l, struct buf *words);

/* The columns of the points of a store. */

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
