/*
 * The Lua side as the command line sees it: an interpreter with the module "heddle" preloaded, all standard
 * libraries, and package.path extended by SHARE/scripts/lib/?.lua. The same module loads into a stock lua5.4 with
 * require "heddle".
 *
 *   struct lua_session *s = lua_session_new(share, 0);
 *   int status = lua_session_run(s, "sweep.lua", argc, argv);
 *   if (status)
 *       fputs(lua_session_error(s), stderr);
 *   lua_session_free(s);
 *
 * No Lua type appears here: only the files of sim/lua know lua.h. Scripts print by themselves; the session does not.
 */
#ifndef HEDDLE_LUA_SESSION_H
#define HEDDLE_LUA_SESSION_H

#include <stdbool.h>
#include <stdint.h>

struct lua_session;

/*
 * `max_memory` bounds each context, in bytes; 0 = no bound.
 * `share` is the folder that holds scripts/ and kernels/, NULL when there is none. NULL when out of memory. On an
 * error here, and below, lua_session_error says why.
 */
struct lua_session *lua_session_new(const char *share, uint64_t max_memory);
void lua_session_free(struct lua_session *s);

/*
 * Runs a script with the global `arg` (arg[0] the file, arg[1..argc] the arguments) and the same arguments as `...`.
 * `file` NULL reads the script from standard input, called "stdin". A study is a script under SHARE/scripts/studies.
 * Returns an exit status: 0; 1 an error, with its traceback in lua_session_error; 2 a missing
 * file, a syntax error or no memory left.
 * A script that calls os.exit does not come back.
 */
int lua_session_run(struct lua_session *s, const char *file, int argc, char *const *argv);

/* Runs `text` in the same way; `name` is shown in messages ("(command line)"). */
int lua_session_run_text(struct lua_session *s, const char *name, const char *text, int argc, char *const *argv);

/* Why the last call failed: lines that end in a newline; "" if it did not. Valid until the next call. */
const char *lua_session_error(const struct lua_session *s);

/* A place where lines are typed; sim/cli/prompt.c makes one of a terminal and libedit. */
struct lua_terminal {
    /* One line without its newline, valid until the next call; NULL at the end of input. Sets `cancelled` when the user
     * gave the whole statement up. */
    const char *(*read)(void *ctx, const char *prompt, bool *cancelled);
    void (*show)(void *ctx, const char *message); /* an error, lines that end in a newline */
    void *ctx;
};

/*
 * Read, evaluate, print, until the end of input. Incomplete statements go on in the next line; an expression is
 * printed. The global `heddle` is the module. Returns an exit status.
 */
int lua_session_prompt(struct lua_session *s, const struct lua_terminal *terminal);

/* Stops the running statement or launch soon, as an error "interrupted". May be called in a signal handler. */
void lua_session_interrupt(struct lua_session *s);

#endif
