/*
 * The two command lines of `heddle sweep`: the words of the sweep, and those of its points. Options of the sweep, the
 * rows `own`, may be anywhere, also after the command; "--" ends them.
 *
 * Functions that return false have printed the reason.
 */
#ifndef HEDDLE_CLI_SWEEP_PLAN_COMMAND_LINES_H
#define HEDDLE_CLI_SWEEP_PLAN_COMMAND_LINES_H

#include "sim/cli/sweep/sweep.h"

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

#endif
