/* Running Lua from the command line, as `heddle lua` and `heddle study` do. */
#ifndef HEDDLE_CLI_SCRIPT_H
#define HEDDLE_CLI_SCRIPT_H

#include "sim/base/types.h"
#include "sim/lua/session.h"

/* A session that knows the shipped scripts, whose contexts have a bound (0 = none); NULL after a message. */
struct lua_session *script_session(u64 max_memory);

/*
 * Runs a script file (NULL: standard input), or the text `code` when that is given, with its arguments; Ctrl-C stops it
 * with a Lua error. Shows errors. Returns an exit status.
 */
int script_run(const char *file, const char *code, int argc, char *const *argv);
int script_run_bounded(u64 max_memory, const char *file, const char *code, int argc, char *const *argv);

/* The same of a script of heddle's own, by its name below scripts/. */
int script_run_own(const char *name, int argc, char *const *argv);

#endif
