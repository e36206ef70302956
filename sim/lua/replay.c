/* context:replay_trace: a trace of memory requests through the DRAM of the board alone. */
#include "sim/lua/module.h"

enum { CHANNELS_MOST = 4096 };

static bool option_truth(lua_State *L, const char *name) {
    lua_getfield(L, 3, name);
    bool truth = lua_toboolean(L, -1);
    lua_pop(L, 1);
    return truth;
}

/* Reads the options; texts stay on the stack. */
static void read_options(lua_State *L, struct heddle_replay *asked) {
    lua_options_only(L, 3, "replay_trace",
                     (const char *const[]){"name", "format", "channels", "open", "commands", NULL});
    if (lua_isnil(L, 3))
        return;
    asked->open = option_truth(L, "open");
    asked->commands = option_truth(L, "commands");
    if (lua_getfield(L, 3, "channels") != LUA_TNIL) {
        lua_Integer n = lua_isinteger(L, -1) ? lua_tointeger(L, -1) : 0;
        luaL_argcheck(L, n >= 1 && n <= CHANNELS_MOST, 3, "channels: a number from 1 to 4096 expected");
        asked->channels = (u32)n;
    }
    lua_pop(L, 1);
    asked->name = lua_option_string(L, "name");
    asked->format = lua_option_string(L, "format");
}

int lua_context_replay_trace(lua_State *L) {
    struct lua_context *ctx = lua_context_check(L, 1);
    struct heddle_replay asked = {.open = false};
    struct heddle_replayed m;
    size_t len;
    const char *text = luaL_checklstring(L, 2, &len);
    lua_settop(L, 3);
    read_options(L, &asked);
    lua_context_check(L, 1);
    if (!heddle_replay_text(ctx->h, &asked, text, len, &m))
        return lua_raise(L, ctx, "input");
    lua_record_push(L, "heddle_replayed", &m);
    return 1;
}

int lua_context_trace_memory(lua_State *L) {
    struct lua_context *ctx = lua_context_check(L, 1);
    luaL_checktype(L, 2, LUA_TBOOLEAN);
    heddle_trace_memory(ctx->h, lua_toboolean(L, 2));
    return 0;
}

int lua_context_memory_trace(lua_State *L) {
    struct lua_context *ctx = lua_context_check(L, 1);
    const char *form = lua_check_text(L, 2);
    struct lua_block *block = lua_block_new(L);
    size_t len = 0;
    lua_context_check(L, 1);
    block->data = heddle_memory_trace(ctx->h, form, &len);
    if (!block->data)
        return lua_raise(L, ctx, "input");
    lua_block_push(L, block, len);
    return 1;
}
