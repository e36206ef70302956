/* Fields of the table on top of the stack. */
#include "sim/lua/module.h"

#include <string.h>

const char *lua_text(lua_State *L, int index) {
    size_t len = 0;
    const char *text = lua_tolstring(L, index, &len);
    if (text && strlen(text) != len)
        luaL_error(L, "'%s\\0...': a name or a path holds no NUL", text);
    return text;
}

const char *lua_check_text(lua_State *L, int arg) {
    luaL_checkstring(L, arg);
    return lua_text(L, arg);
}

void lua_field_integer(lua_State *L, const char *name, u64 v) {
    lua_pushinteger(L, (lua_Integer)v);
    lua_setfield(L, -2, name);
}

void lua_field_number(lua_State *L, const char *name, double v) {
    lua_pushnumber(L, v);
    lua_setfield(L, -2, name);
}

void lua_field_string(lua_State *L, const char *name, const char *v) {
    lua_pushstring(L, v);
    lua_setfield(L, -2, name);
}

void lua_field_dims(lua_State *L, const char *name, const u32 dims[3]) {
    lua_createtable(L, 3, 0);
    for (int i = 0; i < 3; i++) {
        lua_pushinteger(L, dims[i]);
        lua_rawseti(L, -2, i + 1);
    }
    lua_setfield(L, -2, name);
}

void lua_field_place(lua_State *L, const char *file, u32 line) {
    lua_field_string(L, "file", file);
    lua_field_integer(L, "line", line);
}
