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

#include "sim/api/heddle.h"

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

/* What that script returned, if it was a string; NULL if it was not. Valid until the next call. */
const char *lua_session_returned(const struct lua_session *s, size_t *len);

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

/* ---- cases: the lines `;!` of a kernel file (docs/assembly.md, "Expectations") ---- */

/* Texts are valid as long as the session. */
struct lua_case {
    uint32_t number, count; /* the case, from 1, of so many */
    const char *entry;      /* kernel */
    const char *text;       /* "run saxpy grid=4 block=64" */
    const char *board;      /* of configs/; NULL = none */
};

/* Which case of a file is meant (docs/running.md). */
struct lua_case_asked {
    const char *which; /* what --case says; NULL = none of its own */
    const char *entry; /* then it is of this kernel; NULL = of any */
    bool big;          /* and then the one of the name `big`, if there is one, before the first */
};

/*
 * That case, which will be a launch on `h`. An entry of NULL in `found` is no case, when none was asked for. False:
 * lua_session_error.
 */
bool lua_session_case(struct lua_session *s, struct heddle *h, const struct heddle_file *file,
                      const struct lua_case_asked *asked, struct lua_case *found);

/* What a command line gives in place of the case's own. */
struct lua_case_given {
    uint32_t warp;                 /* 0 = not given */
    uint32_t board_warp;           /* of the board, which chooses among the case's own */
    const struct heddle_arg *args; /* scalars as text, and the names of buffers */
    uint32_t nargs;
};

/*
 * Makes the buffers of that case and fills them, but those that are given; sets what the case says of a launch of `p`:
 * kernel, sizes, limit and arguments, which are valid as long as the session.
 */
bool lua_session_case_fill(struct lua_session *s, const struct heddle_program *p, const struct lua_case_given *given,
                           struct heddle_launch *launch);

struct lua_case_verdict {
    uint32_t total, met; /* expectations */
    const char *text;    /* those not met, lines; valid as long as the session */
};

/* Compares what the launch left in the buffers of `h` with what the case expects; `metrics` among it. */
bool lua_session_case_check(struct lua_session *s, const struct heddle_result *result, bool metrics,
                            struct lua_case_verdict *verdict);

/*
 * Sets the elements of the buffer `name` of `h` from an expression of the index `i`, as behind `;! in x : f32[n] =
 * expr`; it sees the scalars among the arguments and, after lua_session_case_fill, all that expressions of the case
 * see.
 */
bool lua_session_fill(struct lua_session *s, struct heddle *h, const char *name, const char *expression,
                      const struct heddle_arg *args, uint32_t nargs);

/* Stops the running statement or launch soon, as an error "interrupted". May be called in a signal handler. */
void lua_session_interrupt(struct lua_session *s);

#endif
