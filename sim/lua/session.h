/*
 * Lua for the command line: an interpreter with the module "heddle" preloaded, all standard libraries, and package.path
 * extended by SHARE/scripts/lib/?.lua. The same module loads into a stock lua5.4 with require "heddle".
 *
 *   struct heddle_session *s = heddle_session_new(share, 0);
 *   int status = lua_session_run(s, "sweep.lua", argc, argv);
 *   if (status)
 *       fputs(heddle_session_error(s), stderr);
 *   heddle_session_free(s);
 *
 * No Lua type appears here: only the files of sim/lua include lua.h. Scripts print; the session does not.
 */
#ifndef HEDDLE_LUA_SESSION_H
#define HEDDLE_LUA_SESSION_H

#include "sim/lua/heddle_cases.h"

/*
 * Runs a script with the global `arg` (arg[0] the file, arg[1..argc] the arguments) and the same arguments as `...`.
 * `file` NULL reads the script from standard input, called "stdin". A study is a script under SHARE/scripts/studies.
 * Returns an exit status: 0; 1 an error, with its traceback in heddle_session_error; 2 a missing file, a syntax error
 * or out of memory. A script that calls os.exit does not return.
 */
int lua_session_run(struct heddle_session *s, const char *file, int argc, char *const *argv);

/* Runs `text` in the same way; `name` is shown in messages ("(command line)"). */
int lua_session_run_text(struct heddle_session *s, const char *name, const char *text, int argc, char *const *argv);

/* Returns the string that the last script returned; NULL if it returned none. Valid until the next call. */
const char *lua_session_returned(const struct heddle_session *s, size_t *len);

/* Source of typed lines; sim/cli/prompt.c makes one of a terminal and libedit. */
struct lua_terminal {
    /* Reads a line without its newline, valid until the next call; NULL at the end of input. Sets `cancelled` if the
     * user gave up the whole statement. */
    const char *(*read)(void *ctx, const char *prompt, bool *cancelled);
    void (*show)(void *ctx, const char *message); /* shows an error, lines that end in a newline */
    void *ctx;
};

/*
 * Reads, evaluates and prints until the end of input. An incomplete statement continues on the next line; an expression
 * is printed. The global `heddle` is the module. Returns an exit status.
 */
int lua_session_prompt(struct heddle_session *s, const struct lua_terminal *terminal);

/* Stops the running statement or launch soon, as an error "interrupted". May be called in a signal handler. */
void lua_session_interrupt(struct heddle_session *s);

#endif
