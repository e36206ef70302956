/*
 * Launches: options in, result table (result.c) or error object out.
 */
#include "sim/lua/module.h"

#include <stdio.h>
#include <string.h>

/* Calls function(share, step): protected, because making the text may run out of memory. */
static int call_progress(lua_State *L) {
    lua_pushstring(L, lua_touserdata(L, 3)); /* nil for NULL */
    lua_replace(L, 3);
    lua_call(L, 2, 1);
    return 1;
}

bool lua_watch_progress(struct lua_watch *w, double share, const char *step) {
    if (w->failed || (w->interrupt && *w->interrupt))
        return false;
    if (!w->function)
        return true;
    lua_pushcfunction(w->L, call_progress);
    lua_pushvalue(w->L, w->function);
    lua_pushnumber(w->L, share);
    lua_pushlightuserdata(w->L, (void *)(uintptr_t)step);
    w->failed = lua_pcall(w->L, 3, 1, 0) != LUA_OK;
    if (w->failed)
        return false;
    bool go_on = lua_isnil(w->L, -1) || lua_toboolean(w->L, -1);
    lua_pop(w->L, 1);
    return go_on;
}

static bool watch_progress(void *ctx, double share) {
    return lua_watch_progress(ctx, share, NULL);
}

/* ---- options ---- */

int lua_option_error(lua_State *L, const char *name, const char *what) {
    lua_pushfstring(L, "%s: %s", name, what);
    return luaL_argerror(L, 3, lua_tostring(L, -1));
}

static u64 option_integer(lua_State *L, int index, const char *name) {
    int whole = 0;
    lua_Integer v = lua_type(L, index) == LUA_TNUMBER ? lua_tointegerx(L, index, &whole) : 0;
    if (!whole || v < 0)
        lua_option_error(L, name, "a whole number, 0 or more, expected");
    return (u64)v;
}

static u32 option_u32(lua_State *L, int index, const char *name) {
    u64 v = option_integer(L, index, name);
    if (v > UINT32_MAX)
        lua_option_error(L, name, "number too large");
    return (u32)v;
}

static u32 option_dim(lua_State *L, int index, const char *name) {
    u32 v = option_u32(L, index, name);
    if (v == 0)
        lua_option_error(L, name, "a dimension is at least 1");
    return v;
}

void lua_option_dims(lua_State *L, const char *name, u32 dims[3]) {
    int kind = lua_getfield(L, 3, name);
    if (kind == LUA_TTABLE) {
        lua_Integer n = luaL_len(L, -1);
        if (n < 1 || n > 3)
            lua_option_error(L, name, "a number or a list of one to three expected");
        for (int i = 0; i < n; i++) {
            lua_geti(L, -1, i + 1);
            dims[i] = option_dim(L, -1, name);
            lua_pop(L, 1);
        }
    } else if (kind != LUA_TNIL) {
        dims[0] = option_dim(L, -1, name);
    }
    lua_pop(L, 1);
}

const char *lua_option_string(lua_State *L, const char *name) {
    if (lua_getfield(L, 3, name) == LUA_TNIL)
        return NULL;
    if (lua_type(L, -1) != LUA_TSTRING)
        lua_option_error(L, name, "a string expected");
    return lua_text(L, -1);
}

/* Reads a number from 1 on; 0 if it is not given. */
static u64 option_limit(lua_State *L, const char *name) {
    u64 v = 0;
    if (lua_getfield(L, 3, name) != LUA_TNIL) {
        v = option_integer(L, -1, name);
        if (v == 0)
            lua_option_error(L, name, "at least 1 expected");
    }
    lua_pop(L, 1);
    return v;
}

static bool option_boolean(lua_State *L, const char *name) {
    int kind = lua_getfield(L, 3, name);
    if (kind != LUA_TNIL && kind != LUA_TBOOLEAN)
        lua_option_error(L, name, "true or false expected");
    bool v = lua_toboolean(L, -1);
    lua_pop(L, 1);
    return v;
}

static bool option_caches(lua_State *L, const char *name) {
    const char *text = lua_option_string(L, name);
    bool warm = text && strcmp(text, "warm") == 0;
    if (text && !warm && strcmp(text, "cold") != 0)
        lua_option_error(L, name, "\"cold\" or \"warm\" expected");
    return warm;
}

static const char *option_sample(lua_State *L, const char *name) {
    int kind = lua_getfield(L, 3, name);
    if (kind == LUA_TBOOLEAN)
        return lua_toboolean(L, -1) ? "error:5%" : NULL;
    return lua_option_string(L, name);
}

static u32 option_warp(lua_State *L, const char *name) {
    u32 v = 0;
    if (lua_getfield(L, 3, name) != LUA_TNIL) {
        v = option_u32(L, -1, name);
        if (v != 8 && v != 16 && v != 32 && v != 64)
            lua_option_error(L, name, "8, 16, 32 or 64 expected");
    }
    lua_pop(L, 1);
    return v;
}

/* Reads the number of threads. No computer has more than a u32: a launch uses those that exist. */
static u32 option_threads(lua_State *L, const char *name) {
    u64 v = option_limit(L, name);
    return v > UINT32_MAX ? UINT32_MAX : (u32)v;
}

void lua_option_names(lua_State *L, const char *group) {
    for (lua_pushnil(L); lua_next(L, 3); lua_pop(L, 1)) {
        if (lua_type(L, -2) != LUA_TSTRING)
            luaL_argerror(L, 3, "options have names");
        if (!lua_module_is_value(group, lua_tostring(L, -2)))
            lua_module_no_field(L, group, lua_tostring(L, -2));
    }
}

/* ---- arguments ---- */

/* Finds the parameter of that name of the kernel that will run; false if the kernel is not known here. */
static bool find_param(const struct heddle_program *p, const char *entry, const char *name,
                       struct heddle_param_info *info) {
    struct heddle_kernel_info kernel;
    for (u32 k = 0; heddle_kernel_info(p, k, &kernel); k++) {
        if (entry && strcmp(kernel.name, entry) != 0)
            continue;
        for (u32 i = 0; i < kernel.nparams && heddle_param_info(p, k, i, info); i++)
            if (strcmp(info->name, name) == 0)
                return true;
    }
    return false;
}

/* Puts the number at the top of the stack into `arg`; integers as text, which is exact and kept in the table `keep`. */
static void number_arg(lua_State *L, struct heddle_arg *arg, const struct heddle_param_info *param, int keep) {
    if (!lua_isinteger(L, -1)) {
        arg->number = lua_tonumber(L, -1);
        return;
    }
    lua_Integer v = lua_tointeger(L, -1);
    bool wraps = v < 0 && param && (strcmp(param->type, "u64") == 0 || strcmp(param->type, "b64") == 0);
    if (wraps) { /* the bits of an unsigned number above 2^63 */
        char text[24];
        snprintf(text, sizeof text, "%llu", (unsigned long long)v);
        lua_pushstring(L, text);
    } else {
        lua_pushfstring(L, "%I", v);
    }
    arg->text = lua_tostring(L, -1);
    luaL_ref(L, keep);
}

/* Programs that a launch, or a proof, is about. */
struct programs {
    const struct heddle_program *p[2]; /* the second may be NULL */
    const char *entry;
};

/* Reads one entry of args: the name at -2, the value at -1. */
static void read_arg(lua_State *L, struct heddle_arg *arg, const struct programs *of, int keep) {
    struct heddle_param_info info;
    *arg = (struct heddle_arg){.name = lua_text(L, -2)};
    bool found = find_param(of->p[0], of->entry, arg->name, &info) ||
                 (of->p[1] && find_param(of->p[1], of->entry, arg->name, &info));
    const struct heddle_param_info *param = found ? &info : NULL;
    switch (lua_type(L, -1)) {
    case LUA_TUSERDATA: {
        struct lua_buffer *b = luaL_testudata(L, -1, LUA_BUFFER);
        if (b && b->ctx == lua_context_check(L, 1))
            arg->buffer = b->name;
        else
            lua_option_error(L, arg->name, "a buffer of this context expected");
        break;
    }
    case LUA_TSTRING:
        if (param && !param->buffer)
            arg->text = lua_text(L, -1);
        else
            arg->buffer = lua_text(L, -1);
        break;
    case LUA_TBOOLEAN: arg->number = lua_toboolean(L, -1); break;
    case LUA_TNUMBER: number_arg(L, arg, param, keep); break;
    default: lua_option_error(L, arg->name, "a buffer, a number, a boolean or a string expected");
    }
}

/* Reads options.args into an array that stays on the stack, as does the table of its strings. */
static void read_args(lua_State *L, struct heddle_launch *l, const struct programs *of) {
    int kind = lua_getfield(L, 3, "args");
    if (kind == LUA_TNIL)
        return;
    if (kind != LUA_TTABLE)
        lua_option_error(L, "args", "a table expected");
    int args = lua_gettop(L);
    u32 n = 0;
    for (lua_pushnil(L); lua_next(L, args); lua_pop(L, 1)) {
        if (lua_type(L, -2) != LUA_TSTRING)
            lua_option_error(L, "args", "parameters have names");
        n++;
    }
    struct heddle_arg *array = lua_newuserdatauv(L, (n ? n : 1) * sizeof *array, 0);
    lua_newtable(L);
    int keep = lua_gettop(L);
    u32 i = 0;
    for (lua_pushnil(L); i < n && lua_next(L, args); lua_pop(L, 1))
        read_arg(L, &array[i++], of, keep);
    l->args = array;
    l->nargs = i;
}

/* ---- the launch ---- */

void lua_watch_find(lua_State *L, struct lua_watch *w) {
    int kind = lua_getfield(L, 3, "progress");
    if (kind == LUA_TFUNCTION)
        w->function = lua_gettop(L);
    else if (kind != LUA_TNIL)
        lua_option_error(L, "progress", "a function expected");
    lua_rawgetp(L, LUA_REGISTRYINDEX, &lua_interrupt_key);
    w->interrupt = lua_touserdata(L, -1);
    luaL_checkstack(L, LUA_MINSTACK, NULL);
}

/* Each kind of launch.def. */
#define GET_DIMS(L, name, to) lua_option_dims(L, name, to)
#define GET_BLOCK(L, name, to) lua_option_dims(L, name, to)
#define GET_WARP(L, name, to) (to) = option_warp(L, name)
#define GET_FLAG(L, name, to) (to) = option_boolean(L, name)
#define GET_CACHES(L, name, to) (to) = option_caches(L, name)
#define GET_COUNT(L, name, to) (to) = option_limit(L, name)
#define GET_THREADS(L, name, to) (to) = option_threads(L, name)
#define GET_CHECKS(L, name, to) (to) = lua_option_string(L, name)
#define GET_SCHEDULE(L, name, to) (to) = lua_option_string(L, name)
#define GET_SAMPLE(L, name, to) (to) = option_sample(L, name)
#define GET_TEXT(L, name, to) (to) = lua_option_string(L, name)
#define GET_ROWS GET_TEXT

void lua_launch_options(lua_State *L, const struct heddle_program *first, const struct heddle_program *second,
                        struct heddle_launch *l) {
    l->entry = lua_option_string(L, "entry");
#define LAUNCH_OPTION(declaration, member, kind, key, name, argument, group, standard, help, doc) \
    GET_##kind(L, key, l->member);
#include "sim/base/launch.def"
    const struct programs of = {{first, second}, l->entry};
    read_args(L, l, &of);
}

/* Targets of the pointers in a launch's options. */
struct asked {
    struct heddle_explain explain;
    struct heddle_watch watch;
};

static void read_options(lua_State *L, const struct heddle_program *p, struct heddle_launch *l, struct asked *asked) {
    lua_option_names(L, "LAUNCH");
    lua_recording_option(L, l, &asked->watch);
    if (lua_getfield(L, 3, "explain") != LUA_TNIL) {
        lua_explain_option(L, &asked->explain);
        l->explain = &asked->explain;
    }
    lua_launch_options(L, p, NULL, l);
}

/* Leaves the options, which are optional, at index 3 and on the top. */
static void options_table(lua_State *L) {
    if (lua_isnoneornil(L, 3)) {
        lua_settop(L, 2);
        lua_newtable(L);
    }
    luaL_checktype(L, 3, LUA_TTABLE);
    lua_settop(L, 3);
}

/* A launch that has ended. */
struct ended {
    struct lua_context *ctx;
    enum heddle_status status;
    struct heddle_result result;
};

/* Pushes the result, or the error object. Protected, because the context is busy meanwhile. */
static int push_ended(lua_State *L) {
    static const char *const kept[] = {"checked",      "findings",        "allowed", "allow_warnings",
                                       "check_memory", "check_forgotten", "orders"};
    const struct ended *e = lua_touserdata(L, 1);
    if (e->status == HEDDLE_OK) {
        lua_result_push(L, &e->result);
    } else {
        lua_status_push(L, e->ctx, e->status, &e->result.fault);
        lua_record_push(L, "heddle_result", &e->result);
        for (u32 i = 0; i < COUNT_OF(kept); i++) {
            lua_getfield(L, -1, kept[i]);
            lua_setfield(L, -3, kept[i]);
        }
        lua_pop(L, 1);
    }
    return 1;
}

int lua_context_launch(lua_State *L) {
    struct lua_context *ctx = lua_context_check(L, 1);
    struct lua_program *program = lua_program_check(L, 2);
    struct heddle_launch l = {0};
    struct ended ended = {.ctx = ctx};
    struct asked asked = {0};
    struct lua_watch w = {.L = L};
    options_table(L);
    lua_watch_find(L, &w);
    read_options(L, program->p, &l, &asked);
    l.progress = w.function || w.interrupt ? watch_progress : NULL;
    l.progress_ctx = &w;
    lua_pushvalue(L, 2);
    lua_setiuservalue(L, 1, 1);
    lua_pushcfunction(L, push_ended);
    lua_pushlightuserdata(L, &ended);
    lua_context_check(L, 1);
    ctx->busy = true;
    ended.status = heddle_launch(ctx->h, program->p, &l, &ended.result);
    ctx->result = ended.result;
    bool pushed = !w.failed && lua_pcall(L, 1, 1, 0) == LUA_OK;
    ctx->busy = false;
    if (!pushed)
        return lua_error(L);
    if (w.interrupt && *w.interrupt)
        return lua_raise_message(L, "interrupted", "interrupted");
    return ended.status == HEDDLE_OK ? 1 : lua_error(L);
}

/* ---- several at one time ---- */

/* Launches at one time; in a userdata of the call. */
struct together {
    struct lua_context *ctx;
    enum heddle_status status;
    u32 n;
    struct heddle_beside beside[HEDDLE_BESIDE_MAX];
    struct heddle_launch launch[HEDDLE_BESIDE_MAX];
    struct asked asked[HEDDLE_BESIDE_MAX];
    struct heddle_result result[HEDDLE_BESIDE_MAX], board;
};

/* Pushes the results and the board's, or the error object. Protected, because the context is busy meanwhile. */
static int push_together(lua_State *L) {
    const struct together *t = lua_touserdata(L, 1);
    const struct heddle_fault_info none = {0}, *fault = &none;
    lua_newtable(L);
    for (u32 i = 0; i < t->n; i++) {
        fault = t->result[i].fault.kind ? &t->result[i].fault : fault;
        if (t->status == HEDDLE_OK) {
            lua_result_push(L, &t->result[i]);
            lua_rawseti(L, -2, (lua_Integer)i + 1);
        }
    }
    if (t->status == HEDDLE_OK)
        lua_result_push(L, &t->board);
    else
        lua_status_push(L, t->ctx, t->status, fault);
    return 2;
}

/* Reads {program, options, priority = n, alone = true}, at the top, with the program and the options at 2 and 3. */
static void read_together(lua_State *L, struct together *t, u32 i) {
    int item = lua_gettop(L);
    luaL_checktype(L, item, LUA_TTABLE);
    lua_geti(L, item, 1);
    lua_replace(L, 2);
    if (lua_geti(L, item, 2) == LUA_TNIL)
        lua_newtable(L);
    lua_replace(L, 3);
    luaL_checktype(L, 3, LUA_TTABLE);
    lua_getfield(L, item, "priority");
    lua_getfield(L, item, "alone");
    t->beside[i] = (struct heddle_beside){lua_program_check(L, 2)->p, &t->launch[i],
                                          (int32_t)luaL_optinteger(L, item + 1, 0), lua_toboolean(L, item + 2)};
    luaL_checkstack(L, LUA_MINSTACK, NULL);
    read_options(L, t->beside[i].program, &t->launch[i], &t->asked[i]);
}

int lua_context_launch_all(lua_State *L) {
    enum { LIST = 4 };
    struct lua_context *ctx = lua_context_check(L, 1);
    luaL_checktype(L, 2, LUA_TTABLE);
    lua_settop(L, 2);
    lua_newtable(L);
    lua_pushvalue(L, 2);
    lua_Integer n = luaL_len(L, LIST);
    luaL_argcheck(L, n >= 1 && n <= HEDDLE_BESIDE_MAX, 2, "1 to 64 launches expected");
    struct together *t = lua_newuserdatauv(L, sizeof *t, 0);
    memset(t, 0, sizeof *t);
    t->ctx = ctx;
    t->n = (u32)n;
    for (u32 i = 0; i < t->n; i++) {
        lua_geti(L, LIST, (lua_Integer)i + 1);
        read_together(L, t, i);
    }
    lua_pushcfunction(L, push_together);
    lua_pushlightuserdata(L, t);
    lua_context_check(L, 1);
    ctx->busy = true;
    t->status = heddle_launch_all(ctx->h, t->beside, t->n, t->result, &t->board);
    bool pushed = lua_pcall(L, 1, 2, 0) == LUA_OK;
    ctx->busy = false;
    return pushed && t->status == HEDDLE_OK ? 2 : lua_error(L);
}

/* Reads {boards = n, by = name, along = "x"} at the fourth place. */
static struct heddle_share read_share(lua_State *L) {
    luaL_checktype(L, 4, LUA_TTABLE);
    lua_options_only(L, 4, "share", (const char *const[]){"boards", "by", "along", NULL});
    lua_getfield(L, 4, "boards");
    lua_Integer boards = luaL_checkinteger(L, -1);
    luaL_argcheck(L, boards >= 1 && boards <= HEDDLE_BOARDS_MAX, 4, "boards: 1 to 1,024");
    lua_getfield(L, 4, "by");
    lua_getfield(L, 4, "along");
    return (struct heddle_share){luaL_optstring(L, -2, NULL), (uint32_t)boards, luaL_optstring(L, -1, NULL)};
}

int lua_context_share(lua_State *L) {
    struct lua_context *ctx = lua_context_check(L, 1);
    struct lua_program *program = lua_program_check(L, 2);
    struct heddle_launch l = {0};
    struct asked asked = {0};
    luaL_checktype(L, 3, LUA_TTABLE);
    lua_settop(L, 4);
    const struct heddle_share share = read_share(L);
    read_options(L, program->p, &l, &asked);
    struct heddle_board_part *part = lua_newuserdatauv(L, share.boards * sizeof *part, 0);
    const char *by = heddle_share(ctx->h, program->p, &l, &share, part);
    if (!by)
        return lua_raise(L, ctx, "input");
    lua_newtable(L);
    for (u32 i = 0; i < share.boards; i++) {
        lua_record_push(L, "heddle_board_part", &part[i]);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    lua_pushstring(L, by);
    lua_setfield(L, -2, "by");
    return 1;
}

int lua_context_fits(lua_State *L) {
    struct lua_context *ctx = lua_context_check(L, 1);
    struct lua_program *program = lua_program_check(L, 2);
    struct heddle_launch l = {0};
    struct asked asked = {0};
    options_table(L);
    read_options(L, program->p, &l, &asked);
    bool fits = heddle_fits(ctx->h, program->p, &l);
    lua_pushboolean(L, fits);
    if (fits)
        return 1;
    const char *why = heddle_error(ctx->h);
    size_t len = strlen(why);
    lua_pushlstring(L, why, len - (len > 0)); /* without the final newline */
    return 2;
}
