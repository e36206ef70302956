/* Parts that the classes share: metatables, names of fields, and memory that becomes a string. */
#include "sim/lua/module.h"

#include <string.h>

#include "sim/base/diag.h"

const char lua_interrupt_key = 0;

/* ---- memory of the library that becomes a string ---- */

static int block_release(lua_State *L) {
    struct lua_block *b = luaL_checkudata(L, 1, LUA_BLOCK);
    heddle_release(b->data);
    b->data = NULL;
    return 0;
}

struct lua_block *lua_block_new(lua_State *L) {
    struct lua_block *b = lua_newuserdatauv(L, sizeof *b, 0);
    b->data = NULL;
    luaL_setmetatable(L, LUA_BLOCK);
    return b;
}

void lua_block_push(lua_State *L, struct lua_block *block, size_t len) {
    lua_pushlstring(L, block->data, len);
    heddle_release(block->data);
    block->data = NULL;
}

void lua_block_open(lua_State *L) {
    static const luaL_Reg meta[] = {{"__gc", block_release}, {NULL, NULL}};
    luaL_newmetatable(L, LUA_BLOCK);
    luaL_setfuncs(L, meta, 0);
    lua_pop(L, 1);
}

/* ---- names ---- */

static const struct {
    const char *group, *name;
    bool is_function;
} rows[] = {
#define LUA_FUNCTION(group, name, function, signature, doc) {#group, name, true},
#define LUA_FIELD(group, name, doc) {#group, name, false},
#include "sim/lua/api.def"
};

const char *lua_module_prefix(const char *group) {
    static const struct {
        const char *group, *prefix;
    } prefixes[] = {{"MODULE", "heddle"},  {"CONTEXT", "context"}, {"PROGRAM", "program"},   {"BUFFER", "buffer"},
                    {"LAUNCH", "options"}, {"RESULT", "result"},   {"DEBUGGER", "debugger"}, {"PROVE", "prove"},
                    {"PROOF", "proof"},    {"ERROR", "error"}};
    for (size_t i = 0; i < COUNT_OF(prefixes); i++)
        if (strcmp(prefixes[i].group, group) == 0)
            return prefixes[i].prefix;
    return "";
}

static const char *row_name(const void *group, size_t i) {
    return strcmp(rows[i].group, group) == 0 ? rows[i].name : NULL;
}

bool lua_module_is_value(const char *group, const char *key) {
    for (size_t i = 0; i < COUNT_OF(rows); i++)
        if (!rows[i].is_function && strcmp(rows[i].group, group) == 0 && strcmp(rows[i].name, key) == 0)
            return true;
    return false;
}

int lua_module_no_field(lua_State *L, const char *group, const char *key) {
    const char *near = nearest_name(key, COUNT_OF(rows), row_name, group);
    if (near)
        return luaL_error(L, "no '%s' in %s; did you mean '%s'?", key, lua_module_prefix(group), near);
    return luaL_error(L, "no '%s' in %s", key, lua_module_prefix(group));
}

int lua_module_method(lua_State *L, const char *group) {
    if (lua_type(L, 2) == LUA_TSTRING && lua_getmetatable(L, 1)) {
        lua_getfield(L, -1, "methods");
        lua_pushvalue(L, 2);
        if (lua_rawget(L, -2) != LUA_TNIL)
            return 1;
    }
    return lua_module_no_field(L, group, luaL_tolstring(L, 2, NULL));
}

/* ---- metatables ---- */

void lua_module_class(lua_State *L, const char *metatable, const luaL_Reg *meta) {
    luaL_newmetatable(L, metatable);
    luaL_setfuncs(L, meta, 0);
    lua_pushboolean(L, false);
    lua_setfield(L, -2, "__metatable"); /* scripts must not call __gc on an object in use */
    lua_newtable(L);
    lua_setfield(L, -2, "methods");
}
