/*
 * Progress of a working command: Ctrl-C, and a line on the terminal after the first second.
 *
 *   struct progress p;
 *   progress_begin(&p);
 *   while (...) {
 *       if (progress_due(&p))
 *           fprintf(stderr, "half of it, %.0f s", progress_seconds(&p));
 *       if (progress_interrupted())
 *           break;
 *   }
 *   progress_end(&p);
 *
 * The first Ctrl-C is noted until the command reacts; a second one ends the program.
 */
#ifndef HEDDLE_CLI_PROGRESS_H
#define HEDDLE_CLI_PROGRESS_H

#include <signal.h>

#include "sim/base/types.h"

struct progress {
    double start, shown; /* seconds */
    bool terminal;
    struct sigaction before;
};

void progress_begin(struct progress *p);
void progress_end(struct progress *p); /* removes the line */

bool progress_interrupted(void);
double progress_seconds(const struct progress *p);

/* Clears the line, to print a message. */
void progress_hide(struct progress *p);

/* True if it is time to print the line, on standard error from its beginning. */
bool progress_due(struct progress *p);

#endif
