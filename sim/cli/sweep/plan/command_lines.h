/*
 * The two command lines of `heddle sweep`: the words of the sweep, and those of its points. Options of the sweep, the
 * rows `own`, may stand anywhere, also behind the command; "--" ends them.
 *
 * Functions that return false have said why.
 */
#ifndef HEDDLE_CLI_SWEEP_COMMAND_LINES_H
#define HEDDLE_CLI_SWEEP_COMMAND_LINES_H

#include "sim/cli/sweep/sweep.h"

struct lines {
    char **own, **point;
    int nown, npoint;
};

/* The option that a word is, NULL: none; *value: its value is the next word. */
const struct argp_option *lines_option(const struct argp_option *options, const char *word, bool *value);

bool lines_split(const struct argp_option *own, int argc, char **argv, struct arena *arena, struct lines *l);

/*
 * What the sweep's file says, before what the command line adds. What both give, an axis or the value of an option, is
 * taken from the command line, and that is said; an axis keeps its place among those of the file.
 */
bool lines_insert(struct sweep *s, const struct argp_option *own, struct lines *l);

/* Whether the command of the points has a word that is no option of it, nor the value of one. */
bool lines_operand(const struct lines *l, const struct argp_option *options);

/* The words of the sweep, as tasks read them: "--" parts those of the points. */
void lines_put(const struct lines *l, struct buf *words);

#endif
