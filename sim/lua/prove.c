/*
 * Proofs: options in, a table out.
 */
#include "sim/lua/module.h"

#include <string.h>

#include "sim/file/solver.h"
#include "sim/file/computer.h"

/* ---- the result ---- */

/* Gets an element, or the number of all, of the list that the upvalue names. */
static int list_index(lua_State *L) {
    if (!lua_isinteger(L, 2))
        return 0;
    lua_getfield(L, 1, lua_tostring(L, lua_upvalueindex(1)));
    lua_geti(L, -1, lua_tointeger(L, 2));
    return 1;
}

static int list_length(lua_State *L) {
    lua_getfield(L, 1, lua_tostring(L, lua_upvalueindex(1)));
    lua_pushinteger(L, luaL_len(L, -1));
    return 1;
}

/* Lets the table on top of the stack, or nil, be read as the list of before 0.2; until the release after it. */
static void set_list(lua_State *L, const char *field) {
    static const luaL_Reg meta[] = {{"__index", list_index}, {"__len", list_length}, {NULL, NULL}};
    if (lua_isnil(L, -1))
        return;
    lua_createtable(L, 0, 2);
    lua_pushstring(L, field);
    luaL_setfuncs(L, meta, 1);
    lua_setmetatable(L, -2);
}

/* Called with the proof as a light userdata. */
static int push_proof(lua_State *L) {
    const struct heddle_proof *p = lua_touserdata(L, 1);
    lua_record_push(L, "heddle_proof", p);
    lua_getfield(L, -1, "difference");
    set_list(L, "sides");
    lua_getfield(L, -2, "findings");
    for (int i = 0; i < 2; i++) {
        lua_geti(L, -1, i + 1);
        set_list(L, "list");
        lua_pop(L, 1);
    }
    lua_pop(L, 2);
    if (p->assumed & HEDDLE_ASSUME_REASSOCIATION)
        lua_field_string(L, "assumed", "reassociation");
    return 1;
}

/* ---- options ---- */

/* The two programs of the list at index 2, which stay on the stack. */
static void read_programs(lua_State *L, struct heddle_prove *asked) {
    luaL_checktype(L, 2, LUA_TTABLE);
    luaL_argcheck(L, luaL_len(L, 2) == 2, 2, "a list of two programs expected");
    for (int i = 0; i < 2; i++) {
        lua_geti(L, 2, i + 1);
        const struct lua_program *program = luaL_testudata(L, -1, LUA_PROGRAM);
        luaL_argcheck(L, program, 2, "a list of two programs expected");
        asked->kernel[i].program = program->p;
    }
}

static enum heddle_role read_role(lua_State *L, const char *name) {
    static const char *const names[] = {"inout", "in", "out", "scratch"}; /* in the order of enum heddle_role */
    const char *text = lua_type(L, -1) == LUA_TSTRING ? lua_text(L, -1) : "";
    for (u32 i = 0; i < COUNT_OF(names); i++)
        if (strcmp(names[i], text) == 0)
            return (enum heddle_role)i;
    lua_option_error(L, name, "\"in\", \"inout\", \"out\" or \"scratch\" expected");
    return HEDDLE_ROLE_ANY;
}

/* Pairs in the table at an index. */
static u32 count_pairs(lua_State *L, int table) {
    u32 n = 0;
    for (lua_pushnil(L); lua_next(L, table); lua_pop(L, 1))
        n++;
    return n;
}

/* Reads options.roles into an array that stays on the stack. */
static void read_roles(lua_State *L, struct heddle_prove *asked) {
    int kind = lua_getfield(L, 3, "roles");
    if (kind == LUA_TNIL)
        return;
    if (kind != LUA_TTABLE)
        lua_option_error(L, "roles", "a table expected");
    int roles = lua_gettop(L);
    u32 n = count_pairs(L, roles), i = 0;
    struct heddle_prove_buffer *list = lua_newuserdatauv(L, (n ? n : 1) * sizeof *list, 0);
    for (lua_pushnil(L); i < n && lua_next(L, roles); lua_pop(L, 1)) {
        if (lua_type(L, -2) != LUA_TSTRING)
            lua_option_error(L, "roles", "buffers have names");
        list[i].name = lua_text(L, -2);
        list[i].role = read_role(L, list[i].name);
        i++;
    }
    asked->buffers = list;
    asked->nbuffers = i;
}

static void read_assumption(lua_State *L, struct heddle_prove *asked) {
    const char *name = lua_option_string(L, "assume");
    if (name && strcmp(name, "reassociation") != 0)
        lua_option_error(L, "assume", "\"reassociation\" expected");
    asked->assume = name ? HEDDLE_ASSUME_REASSOCIATION : 0;
}

/* Seconds, 0 when they are not given. */
static double option_seconds(lua_State *L, const char *name) {
    double seconds = 0;
    if (lua_getfield(L, 3, name) != LUA_TNIL) {
        seconds = lua_type(L, -1) == LUA_TNUMBER ? lua_tonumber(L, -1) : 0;
        if (!(seconds > 0 && seconds <= 1e6))
            lua_option_error(L, name, "seconds, more than 0, expected");
    }
    lua_pop(L, 1);
    return seconds;
}

static void read_solver(lua_State *L, struct heddle_prove *asked, struct solver *solver) {
    const char *choice = lua_option_string(L, "solver");
    if (!solver_find(choice ? choice : "auto", solver))
        lua_option_error(L, "solver", "\"auto\", \"none\" or a program that is installed expected");
    asked->solver = (struct heddle_solver){.name = solver->name, .ask = solver_ask, .ctx = solver};
    asked->solver_seconds = option_seconds(L, "solver_time");
}

static void read_bound(lua_State *L, struct heddle_prove *asked) {
    enum { MOST = 1 << 16 };
    if (lua_getfield(L, 3, "bound") != LUA_TNIL) {
        int whole;
        lua_Integer n = lua_tointegerx(L, -1, &whole);
        if (!whole || n < 0 || n > MOST)
            lua_option_error(L, "bound", "a whole number, at most 65536, expected");
        asked->bound = n ? (s32)n : -1;
    }
    lua_pop(L, 1);
}

/* Reads options.sizes = {range = "n=1..", grid = "ceil(n/256)", shapes = {x = "f32[n]"}}, which stays on the stack. */
static void read_sizes(lua_State *L, struct heddle_prove *asked) {
    static const char *const grid[] = {"grid_a", "grid_b"};
    luaL_checkstack(L, LUA_MINSTACK, NULL);
    int kind = lua_getfield(L, 3, "sizes");
    if (kind == LUA_TNIL)
        return;
    int sizes = lua_gettop(L);
    bool ok = kind == LUA_TTABLE && lua_getfield(L, sizes, "range") == LUA_TSTRING;
    asked->sizes.range = ok ? lua_text(L, -1) : NULL;
    for (u32 i = 0; i < 2 && ok; i++) {
        if (lua_getfield(L, sizes, grid[i]) == LUA_TNIL)
            lua_getfield(L, sizes, "grid");
        ok = lua_isnil(L, -1) || lua_isstring(L, -1);
        asked->sizes.grid[i] = lua_isnil(L, -1) ? NULL : lua_text(L, -1);
    }
    ok = ok && lua_getfield(L, sizes, "shapes") == LUA_TTABLE;
    int shapes = lua_gettop(L);
    u32 n = ok ? count_pairs(L, shapes) : 0, i = 0;
    struct heddle_prove_shape *list = lua_newuserdatauv(L, (n ? n : 1) * sizeof *list, 0);
    for (lua_pushnil(L); i < n && lua_next(L, shapes); lua_pop(L, 1)) {
        ok &= lua_type(L, -2) == LUA_TSTRING && lua_type(L, -1) == LUA_TSTRING;
        if (!ok)
            break;
        list[i++] = (struct heddle_prove_shape){lua_text(L, -2), lua_text(L, -1)};
    }
    if (!ok)
        lua_option_error(L, "sizes", "{range = \"n=1..\", grid = \"ceil(n/256)\", shapes = {x = \"f32[n]\"}} expected");
    asked->sizes.shapes = list;
    asked->sizes.nshapes = n;
}

static void read_options(lua_State *L, struct heddle_prove *asked) {
    static const char *const entry[] = {"entry_a", "entry_b"}, *const grid[] = {"grid_a", "grid_b"},
                             *const block[] = {"block_a", "block_b"};
    struct heddle_launch both = {0};
    lua_option_names(L, "PROVE");
    lua_launch_options(L, asked->kernel[0].program, asked->kernel[1].program, &both);
    for (u32 i = 0; i < 2; i++) {
        struct heddle_prove_kernel *k = &asked->kernel[i];
        k->entry = lua_option_string(L, entry[i]);
        k->entry = k->entry ? k->entry : both.entry;
        lua_option_dims(L, grid[i], k->grid);
        lua_option_dims(L, block[i], k->block);
        if (!k->grid[0])
            memcpy(k->grid, both.grid, sizeof k->grid);
        if (!k->block[0])
            memcpy(k->block, both.block, sizeof k->block);
    }
    asked->warp = both.warp;
    asked->args = both.args;
    asked->nargs = both.nargs;
    asked->max_instructions = both.max_instructions;
    asked->shared_bytes = both.shared_bytes;
    read_roles(L, asked);
    read_sizes(L, asked);
}

static bool on_progress(void *ctx, double share, const char *step) {
    return lua_watch_progress(ctx, share, step);
}

int lua_context_prove(lua_State *L) {
    struct lua_context *ctx = lua_context_check(L, 1);
    struct heddle_prove asked = {0};
    struct heddle_proof proof;
    struct solver solver;
    struct lua_watch watch = {.L = L};
    if (lua_isnoneornil(L, 3)) {
        lua_settop(L, 2);
        lua_newtable(L);
    }
    luaL_checktype(L, 3, LUA_TTABLE);
    lua_settop(L, 3);
    read_programs(L, &asked);
    read_options(L, &asked);
    read_bound(L, &asked);
    read_assumption(L, &asked);
    read_solver(L, &asked, &solver);
    asked.max_seconds = option_seconds(L, "max_time");
    asked.clock = stopwatch_now;
    lua_watch_find(L, &watch);
    asked.progress = watch.function || watch.interrupt ? on_progress : NULL;
    asked.progress_ctx = &watch;
    lua_pushcfunction(L, push_proof);
    lua_pushlightuserdata(L, &proof);
    lua_context_check(L, 1);
    ctx->busy = true;
    enum heddle_status status = heddle_prove(ctx->h, &asked, &proof);
    bool copied = !watch.failed && (status != HEDDLE_OK || lua_pcall(L, 1, 1, 0) == LUA_OK);
    ctx->busy = false;
    if (!copied)
        return lua_error(L);
    if (watch.interrupt && *watch.interrupt)
        return lua_raise_message(L, "interrupted", "interrupted");
    if (status != HEDDLE_OK)
        return lua_raise_status(L, ctx, status, &proof.fault);
    return 1;
}
