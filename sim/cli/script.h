/* Running Lua from the command line, as `heddle lua` and `heddle study` do. */
#ifndef HEDDLE_CLI_SCRIPT_H
#define HEDDLE_CLI_SCRIPT_H

#include <argp.h>

#include "sim/base/arena.h"
#include "sim/lua/session.h"

/* Makes a session with the shipped scripts and a limit of contexts (0 = none); NULL after a message. */
struct heddle_session *script_session(u64 max_memory);

/*
 * Runs a script file (NULL = standard input), or the text `code` if given, with its arguments; Ctrl-C stops it with a
 * Lua error. Shows errors. Returns an exit status.
 */
int script_run(const char *file, const char *code, int argc, char *const *argv);
int script_run_bounded(u64 max_memory, const char *file, const char *code, int argc, char *const *argv);

/* Runs a script of heddle's own, by its name below scripts/. */
int script_run_own(const char *name, int argc, char *const *argv);

/* Options of a command for such a script, as "--name=value". */
struct script_call {
    const char *script;                       /* for script_command: its name, as of script_run_own */
    error_t (*finish)(struct script_call *c); /* adds what the script gets besides; NULL = nothing */
    struct arena memory;
    int argc;
    char **argv;
};

/* Runs a command that is such a script; `c` is the first member of what the options are parsed into. */
int script_command(const struct argp *argp, int argc, char **argv, struct script_call *c);

/* Makes room for `most` options. False after a message. */
bool script_call_begin(struct script_call *c, int most);

/* Adds an option, by its name or the key of its row. For argp: ENOMEM, ARGP_ERR_UNKNOWN if no row has the key. */
error_t script_call_add(struct script_call *c, const char *name, const char *value);
error_t script_call_self(struct script_call *c); /* the path of this program, as "--self"; "" where it is unknown */
error_t script_call_option(struct script_call *c, const struct argp_option *rows, int key, const char *value);
void script_call_free(struct script_call *c);

#endif
