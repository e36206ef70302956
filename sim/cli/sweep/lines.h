/*
 * The two command lines of `heddle sweep`: the words of the sweep, and those of its points. Options of the sweep, the
 * rows `own`, may stand anywhere, also behind the command; "--" ends them.
 *
 * Functions that return false have said why.
 */
#ifndef HEDDLE_CLI_SWEEP_LINES_H
#define HEDDLE_CLI_SWEEP_LINES_H

#include "sim/cli/sweep/sweep.h"

struct lines {
    char **own, **point;
    int nown, npoint;
};

bool lines_split(const struct argp_option *own, int argc, char **argv, struct arena *arena, struct lines *l);

/* What the sweep's file says, before what the command line adds. */
bool lines_insert(struct sweep *s, const struct argp_option *own, struct lines *l);

/* The words of the sweep, as tasks read them: "--" parts those of the points. */
void lines_put(const struct lines *l, struct buf *words);

#endif
