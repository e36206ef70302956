/* The debugger's prompt, and files of commands. */
#ifndef HEDDLE_CLI_DEBUG_SESSION_H
#define HEDDLE_CLI_DEBUG_SESSION_H

#include "sim/debug/debug.h"

/* Runs the commands of a file, or, with NULL, of standard input; `title` is the view's. Returns an exit status. */
int debug_session(struct debug *d, const char *commands, const char *title);

#endif
