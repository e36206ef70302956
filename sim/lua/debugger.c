/* The debugger object: a cursor in the recording of the context's last launch. User values: context, program. */
#include "sim/lua/module.h"

#include <string.h>

struct lua_debugger {
    struct heddle_debugger *d;
};

/* Returns the debugger at index 1, whose context is open and not inside a launch. */
static struct heddle_debugger *check(lua_State *L) {
    struct lua_debugger *debugger = luaL_checkudata(L, 1, LUA_DEBUGGER);
    lua_getiuservalue(L, 1, 1);
    const struct lua_context *ctx = lua_touserdata(L, -1);
    bool open = ctx && ctx->h;
    luaL_argcheck(L, open, 1, "the context is closed");
    luaL_argcheck(L, !open || !ctx->busy, 1, "the context is inside a launch");
    lua_pop(L, 1);
    return debugger->d;
}

int lua_context_debugger(lua_State *L) {
    struct lua_debugger *debugger = lua_newuserdatauv(L, sizeof *debugger, 2);
    debugger->d = NULL;
    luaL_setmetatable(L, LUA_DEBUGGER);
    luaL_checkudata(L, 1, LUA_CONTEXT);
    lua_pushvalue(L, 1);
    lua_setiuservalue(L, -2, 1);
    lua_getiuservalue(L, 1, 1);
    const struct lua_program *program = luaL_testudata(L, -1, LUA_PROGRAM);
    struct lua_context *ctx = lua_context_check(L, 1);
    if (!program || !ctx->result.events)
        return lua_raise_message(L, "input", "the last launch has not been recorded: its option watch does that");
    lua_setiuservalue(L, -2, 2);
    debugger->d = heddle_debugger_new(ctx->h, program->p, &ctx->result);
    return debugger->d ? 1 : lua_raise(L, ctx, "input");
}

int lua_debugger_command(lua_State *L) {
    const char *line = lua_check_text(L, 2), *text;
    if (heddle_debugger_command(check(L), line, &text)) {
        lua_pushstring(L, text);
        return 1;
    }
    lua_pushnil(L);
    lua_pushstring(L, text);
    return 2;
}

int lua_debugger_go(lua_State *L) {
    struct heddle_debugger *d = check(L);
    lua_Integer block = luaL_checkinteger(L, 2), warp = luaL_checkinteger(L, 3), events = luaL_checkinteger(L, 4);
    bool right = block >= 0 && warp >= 0 && warp < UINT32_MAX && events >= 0;
    lua_pushboolean(L, right && heddle_debugger_go(d, (u64)block, (u32)warp, (u64)events));
    return 1;
}

static int debugger_index(lua_State *L) {
    const char *key = lua_type(L, 2) == LUA_TSTRING ? lua_tostring(L, 2) : "";
    if (!lua_module_is_value("DEBUGGER", key))
        return lua_module_method(L, "DEBUGGER");
    const struct heddle_debugger_place at = heddle_debugger_place(check(L));
    const struct {
        const char *name;
        u64 value;
    } fields[] = {{"block", at.block}, {"warp", at.warp}, {"cycle", at.cycle}, {"event", at.events}};
    for (size_t i = 0; i < COUNT_OF(fields); i++)
        if (strcmp(fields[i].name, key) == 0) {
            lua_pushinteger(L, (lua_Integer)fields[i].value);
            return 1;
        }
    return 0;
}

static int debugger_release(lua_State *L) {
    struct lua_debugger *debugger = luaL_checkudata(L, 1, LUA_DEBUGGER);
    heddle_debugger_free(debugger->d);
    debugger->d = NULL;
    return 0;
}

void lua_debugger_open(lua_State *L) {
    static const luaL_Reg meta[] = {{"__index", debugger_index}, {"__gc", debugger_release}, {NULL, NULL}};
    lua_module_class(L, LUA_DEBUGGER, meta);
    lua_pop(L, 1);
}
