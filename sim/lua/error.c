/*
 * Errors that the library reports are raised as objects, so that a script can distinguish a fault from a wrong name and
 * read its place; printed they look like any other error. Wrong arguments are ordinary Lua errors.
 */
#include "sim/lua/module.h"

#include <string.h>

static int error_tostring(lua_State *L) {
    luaL_checktype(L, 1, LUA_TTABLE);
    lua_getfield(L, 1, "where");
    lua_getfield(L, 1, "message");
    const char *where = luaL_optstring(L, -2, "");
    const char *message = luaL_optstring(L, -1, "");
    const char *gap = !*where ? "" : strchr(message, '\n') ? "\n" : " ";
    lua_pushfstring(L, "%s%s%s", where, gap, message);
    return 1;
}

void lua_error_open(lua_State *L) {
    static const luaL_Reg meta[] = {{"__tostring", error_tostring}, {NULL, NULL}};
    luaL_newmetatable(L, LUA_ERROR);
    luaL_setfuncs(L, meta, 0);
    lua_pop(L, 1);
}

/* Pushes the place in the innermost Lua function, "script.lua:3:", without the blank at the end of luaL_where. */
static void push_where(lua_State *L) {
    lua_Debug at;
    for (int level = 1; lua_getstack(L, level, &at); level++) {
        lua_getinfo(L, "Sl", &at);
        if (at.currentline > 0) {
            lua_pushfstring(L, "%s:%d:", at.short_src, at.currentline);
            return;
        }
    }
    lua_pushliteral(L, "");
}

/* Pushes an error object with kind, message and where. */
static void push_error(lua_State *L, const char *kind, const char *message) {
    size_t len = strlen(message);
    while (len && message[len - 1] == '\n')
        len--;
    lua_pushlstring(L, message, len); /* first: the calls below may run finalizers, which may set another message */
    lua_createtable(L, 0, 9);
    lua_insert(L, -2);
    lua_setfield(L, -2, "message");
    lua_field_string(L, "kind", kind);
    push_where(L);
    lua_setfield(L, -2, "where");
    luaL_setmetatable(L, LUA_ERROR);
}

int lua_raise_message(lua_State *L, const char *kind, const char *message) {
    push_error(L, kind, message);
    return lua_error(L);
}

int lua_raise(lua_State *L, struct lua_context *ctx, const char *kind) {
    return lua_raise_message(L, kind, heddle_error(ctx->h));
}

void lua_status_push(lua_State *L, struct lua_context *ctx, enum heddle_status status,
                     const struct heddle_fault_info *f) {
    if (status != HEDDLE_FAULT || !f->kind) {
        push_error(L, status == HEDDLE_MEMORY ? "memory" : "input", heddle_error(ctx->h));
        return;
    }
    struct heddle_fault_info fault = *f; /* valid until the next call on the context: copied at once */
    push_error(L, fault.kind, heddle_error(ctx->h));
    lua_record_set(L, "heddle_fault_info", &fault);
}

int lua_raise_status(lua_State *L, struct lua_context *ctx, enum heddle_status status,
                     const struct heddle_fault_info *f) {
    lua_status_push(L, ctx, status, f);
    return lua_error(L);
}
