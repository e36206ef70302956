/* The context object: named buffers, and programs that use them. */

#include "sim/lua/module.h"

#include "sim/file/computer.h"

struct lua_context *lua_context_check(lua_State *L, int index) {
    struct lua_context *ctx = luaL_checkudata(L, index, LUA_CONTEXT);
    luaL_argcheck(L, ctx->h, index, "the context is closed");
    luaL_argcheck(L, !ctx->busy, index, "the context is inside a launch");
    return ctx;
}

/* Reads the option max_memory, at stack index 1, or else the session's limit. */
static u64 max_memory(lua_State *L) {
    uint64_t bytes = 0;
    lua_settop(L, 1);
    lua_getfield(L, LUA_REGISTRYINDEX, LUA_MAX_MEMORY);
    u64 most = (u64)lua_tointeger(L, -1);
    if (lua_isnoneornil(L, 1))
        return most;
    lua_options_only(L, 1, "heddle.new", (const char *const[]){"max_memory", NULL});
    if (lua_getfield(L, 1, "max_memory") != LUA_TNIL && !heddle_size(luaL_tolstring(L, -1, NULL), &bytes))
        luaL_argerror(L, 1, "max_memory must be a number of bytes, such as 1000000, \"512M\" or \"2G\"");
    return bytes && (!most || bytes < most) ? bytes : most;
}

int lua_module_new(lua_State *L) {
    u64 bytes = max_memory(L);
    struct lua_context *ctx = lua_newuserdatauv(L, sizeof *ctx, 1);
    *ctx = (struct lua_context){0};
    luaL_setmetatable(L, LUA_CONTEXT);
    ctx->h = heddle_new();
    if (!ctx->h)
        return lua_raise_message(L, "memory", "out of memory");
    heddle_max_memory(ctx->h, bytes);
    heddle_computer_memory(ctx->h, file_memory_limit());
    return 1;
}

int lua_context_memory(lua_State *L) {
    struct heddle_memory m = heddle_memory(lua_context_check(L, 1)->h);
    lua_pushinteger(L, (lua_Integer)m.used);
    lua_pushinteger(L, (lua_Integer)m.peak);
    return 2;
}

void lua_context_borrow(lua_State *L, struct heddle *h) {
    struct lua_context *ctx = lua_newuserdatauv(L, sizeof *ctx, 1);
    *ctx = (struct lua_context){.h = h, .borrowed = true};
    luaL_setmetatable(L, LUA_CONTEXT);
}

int lua_context_close(lua_State *L) {
    struct lua_context *ctx = luaL_checkudata(L, 1, LUA_CONTEXT);
    luaL_argcheck(L, !ctx->busy, 1, "the context is inside a launch");
    if (!ctx->borrowed)
        heddle_free(ctx->h);
    ctx->h = NULL;
    ctx->generation++;
    return 0;
}

int lua_context_get(lua_State *L) {
    lua_context_check(L, 1);
    lua_buffer_push(L, 1, lua_check_text(L, 2));
    return 1;
}

int lua_context_names(lua_State *L) {
    struct lua_context *ctx = lua_context_check(L, 1);
    lua_newtable(L);
    for (u32 i = 0; ctx->h && i < heddle_buffer_count(ctx->h); i++) {
        lua_pushstring(L, heddle_buffer_name(ctx->h, i));
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    return 1;
}

int lua_context_drop(lua_State *L) {
    struct lua_context *ctx = lua_context_check(L, 1);
    const struct lua_buffer *b = luaL_testudata(L, 2, LUA_BUFFER);
    luaL_argcheck(L, !b || b->ctx == ctx, 2, "a buffer of this context expected");
    const char *name = b ? b->name : lua_check_text(L, 2);
    lua_context_check(L, 1);
    ctx->generation++;
    if (!heddle_buffer_drop(ctx->h, name))
        return lua_raise(L, ctx, "input");
    return 0;
}

int lua_context_variables(lua_State *L) {
    struct lua_context *ctx = lua_context_check(L, 1);
    const struct lua_program *program = lua_program_check(L, 2);
    struct heddle_variable_info info;
    ctx->generation++;
    if (!heddle_module_make(ctx->h, program->p))
        return lua_raise(L, ctx, "input");
    lua_newtable(L);
    for (u32 i = 0; heddle_module_info(program->p, i, &info); i++) {
        lua_record_push(L, "heddle_variable_info", &info);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    return 1;
}

static int context_index(lua_State *L) {
    luaL_checkudata(L, 1, LUA_CONTEXT);
    return lua_module_method(L, "CONTEXT");
}

static int context_tostring(lua_State *L) {
    struct lua_context *ctx = luaL_checkudata(L, 1, LUA_CONTEXT);
    if (ctx->h)
        lua_pushfstring(L, "heddle.context (%d buffers)", (int)heddle_buffer_count(ctx->h));
    else
        lua_pushliteral(L, "heddle.context (closed)");
    return 1;
}

void lua_context_open(lua_State *L) {
    static const luaL_Reg meta[] = {{"__index", context_index},
                                    {"__tostring", context_tostring},
                                    {"__gc", lua_context_close},
                                    {"__close", lua_context_close},
                                    {NULL, NULL}};
    lua_module_class(L, LUA_CONTEXT, meta);
    lua_pop(L, 1);
}
