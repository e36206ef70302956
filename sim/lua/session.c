/*
 * Interpreter sessions for the command line. Everything that can raise a Lua error, even building the argument table,
 * runs inside one protected call; errors become text in the session.
 */
#include "sim/lua/session.h"

#include <string.h>

#include "sim/lua/module.h"
#include "sim/base/arena.h"
#include "sim/base/buf.h"

struct heddle_session {
    struct arena arena; /* holds the session itself */
    lua_State *L;
    struct buf error;                  /* text of the last error */
    struct buf returned;               /* string that the last script returned */
    bool returns;                      /* it returned a string */
    volatile sig_atomic_t interrupted; /* set by lua_session_interrupt, read by launches */
    bool no_memory;                    /* why the last call ended */
};

/* A job to run. */
struct job {
    struct heddle_session *session;
    const char *file; /* NULL = standard input, unless `text` is set */
    const char *text; /* NULL = read from a file */
    int argc;
    char *const *argv;
    const struct lua_terminal *terminal;
    int status; /* exit status */
};

/* ---- errors ---- */

static void set_error(struct heddle_session *s, const char *message) {
    s->error.len = 0;
    buf_puts(&s->error, message);
    if (s->error.len == 0 || s->error.data[s->error.len - 1] != '\n')
        buf_putc(&s->error, '\n');
}

/* Message handler: adds the traceback to the error's text. */
static int with_traceback(lua_State *L) {
    struct heddle_session *s = lua_touserdata(L, lua_upvalueindex(1));
    if (lua_istable(L, 1)) {
        lua_pushliteral(L, "kind");
        s->no_memory = lua_rawget(L, 1) == LUA_TSTRING && strcmp(lua_tostring(L, -1), "memory") == 0;
        lua_pop(L, 1);
    }
    if (lua_type(L, 1) != LUA_TSTRING && !luaL_getmetafield(L, 1, "__tostring")) {
        lua_pushfstring(L, "(error object is a %s value)", luaL_typename(L, 1));
        return 1;
    }
    const char *message = luaL_tolstring(L, 1, NULL);
    luaL_traceback(L, L, message, 1);
    return 1;
}

const char *heddle_session_error(const struct heddle_session *s) {
    return s->error.len ? s->error.data : "";
}

/* ---- interruption ---- */

static void stop_hook(lua_State *L, lua_Debug *at) {
    (void)at;
    lua_sethook(L, NULL, 0, 0);
    luaL_error(L, "interrupted");
}

void lua_session_interrupt(struct heddle_session *s) {
    s->interrupted = 1;
    lua_sethook(s->L, stop_hook, LUA_MASKCALL | LUA_MASKRET | LUA_MASKLINE | LUA_MASKCOUNT, 1);
}

/* Calls the function below its `nargs` arguments; false leaves the message with its traceback on the stack. */
static bool call_traced(struct heddle_session *s, int nargs, int nresults) {
    lua_State *L = s->L;
    int handler = lua_gettop(L) - nargs;
    s->interrupted = 0;
    lua_sethook(L, NULL, 0, 0);
    s->no_memory = false;
    lua_pushlightuserdata(L, s);
    lua_pushcclosure(L, with_traceback, 1);
    lua_insert(L, handler);
    int status = lua_pcall(L, nargs, nresults, handler);
    s->no_memory |= status == LUA_ERRMEM;
    lua_sethook(L, NULL, 0, 0);
    lua_remove(L, handler);
    return status == LUA_OK;
}

/* ---- scripts ---- */

/* Sets the globals of a script or the prompt: the module as `heddle`, and `arg`. */
static void set_globals(lua_State *L, const struct job *job) {
    lua_getglobal(L, "require");
    lua_pushliteral(L, "heddle");
    lua_call(L, 1, 1);
    lua_setglobal(L, "heddle");
    lua_createtable(L, job->argc, 1);
    lua_pushstring(L, job->file ? job->file : "stdin");
    lua_rawseti(L, -2, 0);
    for (int i = 0; i < job->argc; i++) {
        lua_pushstring(L, job->argv[i]);
        lua_rawseti(L, -2, i + 1);
    }
    lua_setglobal(L, "arg");
}

/* Loads text only: the interpreter does not check precompiled code. */
static int load_job(lua_State *L, const struct job *job) {
    if (!job->text && job->file)
        guard_input(lua_file_guard(L), job->file);
    if (!job->text)
        return luaL_loadfilex(L, job->file, "t");
    lua_pushfstring(L, "=%s", job->file);
    int status = luaL_loadbufferx(L, job->text, strlen(job->text), lua_tostring(L, -1), "t");
    lua_remove(L, -2);
    return status;
}

/* Keeps the string on the top, if the script has ended well. */
static void keep_returned(struct heddle_session *s, bool ended) {
    size_t len = 0;
    s->returns = ended && lua_type(s->L, -1) == LUA_TSTRING;
    const char *text = s->returns ? lua_tolstring(s->L, -1, &len) : "";
    s->returned.len = 0;
    buf_append(&s->returned, text, len);
    if (s->returned.failed)
        luaL_error(s->L, "not enough memory");
}

static int run_script(lua_State *L) {
    struct job *job = lua_touserdata(L, 1);
    set_globals(L, job);
    int loaded = load_job(L, job);
    job->status = 2;
    if (loaded == LUA_OK) {
        luaL_checkstack(L, job->argc + LUA_MINSTACK, "too many arguments");
        for (int i = 0; i < job->argc; i++)
            lua_pushstring(L, job->argv[i]);
        job->status = call_traced(job->session, job->argc, 1) ? 0 : job->session->no_memory ? 2 : 1;
        keep_returned(job->session, job->status == 0);
    }
    if (job->status)
        set_error(job->session, lua_tostring(L, -1));
    return 0;
}

/* Runs `body` on the job; only running out of memory escapes it. */
static int run_protected(struct job *job, lua_CFunction body) {
    lua_State *L = job->session->L;
    job->session->error.len = 0;
    lua_pushcfunction(L, body);
    lua_pushlightuserdata(L, job);
    if (lua_pcall(L, 1, 0, 0) != LUA_OK) {
        const char *message = lua_tostring(L, -1);
        set_error(job->session, message ? message : "error");
        job->status = 2;
    }
    lua_settop(L, 0);
    return job->status;
}

/* Message handler: leaves the error's text alone. */
static int as_text(lua_State *L) {
    luaL_tolstring(L, 1, NULL);
    return 1;
}

bool lua_session_call(struct heddle_session *s, lua_CFunction body, void *job) {
    lua_State *L = s->L;
    s->error.len = 0;
    lua_settop(L, 0);
    lua_pushcfunction(L, as_text);
    lua_pushcfunction(L, body);
    lua_pushlightuserdata(L, job);
    bool ok = lua_pcall(L, 1, 0, 1) == LUA_OK;
    if (!ok)
        set_error(s, lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : "error");
    lua_settop(L, 0);
    return ok;
}

int lua_session_run(struct heddle_session *s, const char *file, int argc, char *const *argv) {
    struct job job = {.session = s, .file = file, .argc = argc, .argv = argv};
    return run_protected(&job, run_script);
}

int lua_session_run_text(struct heddle_session *s, const char *name, const char *text, int argc, char *const *argv) {
    struct job job = {.session = s, .file = name, .text = text, .argc = argc, .argv = argv};
    return run_protected(&job, run_script);
}

const char *lua_session_returned(const struct heddle_session *s, size_t *len) {
    *len = s->returned.len;
    return !s->returns ? NULL : *len ? s->returned.data : "";
}

/* ---- the prompt ---- */

/* True if loading failed only because the text is not complete. */
static bool incomplete(lua_State *L, int status) {
    size_t len = 0;
    const char *message = lua_tolstring(L, -1, &len);
    static const char mark[] = "<eof>";
    size_t n = sizeof mark - 1;
    return status == LUA_ERRSYNTAX && len >= n && strcmp(message + len - n, mark) == 0;
}

/* Pushes one typed line; false at the end of input. */
static bool push_line(lua_State *L, const struct lua_terminal *t, const char *prompt, bool *cancelled) {
    const char *line = t->read(t->ctx, prompt, cancelled);
    if (!line)
        return false;
    lua_pushstring(L, line);
    return true;
}

static int load_text(lua_State *L, const char *text, size_t len) {
    return luaL_loadbufferx(L, text, len, "=stdin", "t");
}

/*
 * Replaces the first line, on the top of the stack, by the function of the statement that begins there, reading on
 * while it is incomplete. Returns the status of loading; `*cancelled` if the user cancelled it.
 */
static int load_statement(lua_State *L, const struct lua_terminal *t, bool *cancelled) {
    size_t len = 0;
    lua_pushfstring(L, "return %s", lua_tostring(L, -1)); /* an expression? */
    const char *text = lua_tolstring(L, -1, &len);
    int status = load_text(L, text, len);
    lua_remove(L, -2);
    while (status != LUA_OK) {
        lua_pop(L, 1);
        text = lua_tolstring(L, -1, &len);
        status = load_text(L, text, len);
        if (!incomplete(L, status))
            break;
        if (!push_line(L, t, ">> ", cancelled) || *cancelled)
            break;
        lua_remove(L, -2); /* the message */
        lua_pushliteral(L, "\n");
        lua_insert(L, -2);
        lua_concat(L, 3);
        lua_pushnil(L); /* in place of a message */
    }
    lua_remove(L, -2);
    return status;
}

/* Prints the results of a statement with the present `print`. */
static void print_results(lua_State *L, const struct lua_terminal *t, int first) {
    int n = lua_gettop(L) - first + 1;
    if (n == 0)
        return;
    luaL_checkstack(L, LUA_MINSTACK, "too many results to print");
    lua_getglobal(L, "print");
    lua_insert(L, first);
    if (lua_pcall(L, n, 0, 0) != LUA_OK)
        t->show(t->ctx, "the results cannot be printed\n");
}

static int run_prompt(lua_State *L) {
    struct job *job = lua_touserdata(L, 1);
    const struct lua_terminal *t = job->terminal;
    set_globals(L, job);
    for (;;) {
        bool cancelled = false;
        lua_settop(L, 1);
        if (!push_line(L, t, "> ", &cancelled))
            return 0;
        if (cancelled)
            continue;
        bool ok = load_statement(L, t, &cancelled) == LUA_OK;
        if (cancelled)
            continue;
        ok = ok && call_traced(job->session, 0, LUA_MULTRET);
        if (ok) {
            print_results(L, t, 2);
        } else {
            set_error(job->session, lua_tostring(L, -1));
            t->show(t->ctx, heddle_session_error(job->session));
        }
    }
}

int lua_session_prompt(struct heddle_session *s, const struct lua_terminal *terminal) {
    struct job job = {.session = s, .terminal = terminal};
    return run_protected(&job, run_prompt);
}

/* ---- sessions ---- */

/* Opens a session; called with the share folder or nil, the interrupt flag, and the limit of contexts. */
static int open_session(lua_State *L) {
    luaL_openlibs(L);
    luaL_getsubtable(L, LUA_REGISTRYINDEX, LUA_PRELOAD_TABLE);
    lua_pushcfunction(L, luaopen_heddle);
    lua_setfield(L, -2, "heddle");
    lua_pushvalue(L, 2);
    lua_rawsetp(L, LUA_REGISTRYINDEX, &lua_interrupt_key);
    lua_pushvalue(L, 3);
    lua_setfield(L, LUA_REGISTRYINDEX, LUA_MAX_MEMORY);
    if (!lua_isnil(L, 1)) {
        lua_getglobal(L, "package");
        lua_getfield(L, -1, "path");
        const char *share = lua_touserdata(L, 1);
        lua_pushstring(L, share);
        lua_setfield(L, LUA_REGISTRYINDEX, LUA_HOME);
        lua_pushfstring(L, "%s/scripts/lib/?.lua;%s", share, lua_tostring(L, -1));
        lua_setfield(L, -3, "path");
    }
    return 0;
}

struct heddle_session *heddle_session_new(const char *share, uint64_t max_memory) {
    struct arena arena = {0};
    struct heddle_session *s = arena_alloc(&arena, sizeof *s);
    if (!s)
        return NULL;
    s->arena = arena;
    s->L = luaL_newstate();
    if (s->L) {
        lua_pushcfunction(s->L, open_session);
        if (share)
            lua_pushlightuserdata(s->L, (void *)(uintptr_t)share);
        else
            lua_pushnil(s->L);
        lua_pushlightuserdata(s->L, (void *)(uintptr_t)&s->interrupted);
        lua_pushinteger(s->L, (lua_Integer)max_memory);
        if (lua_pcall(s->L, 3, 0, 0) == LUA_OK)
            return s;
    }
    heddle_session_free(s);
    return NULL;
}

void heddle_session_free(struct heddle_session *s) {
    if (!s)
        return;
    if (s->L)
        lua_close(s->L);
    buf_free(&s->error);
    buf_free(&s->returned);
    struct arena arena = s->arena;
    arena_free(&arena);
}
