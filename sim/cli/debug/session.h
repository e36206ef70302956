/* The debugger's prompt, and files of commands. */
#ifndef HEDDLE_CLI_DEBUG_SESSION_H
#define HEDDLE_CLI_DEBUG_SESSION_H

#include "sim/debug/debug.h"

/* Reads commands from a file, or, with NULL, from standard input; `title` is that of the view. An exit status. */
int debug_session(struct debug *d, const char *commands, const char *title);

#endif
