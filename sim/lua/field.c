/* Texts, fields of the table on top of the stack, and tables of options. */
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

void lua_field_string(lua_State *L, const char *name, const char *v) {
    lua_pushstring(L, v);
    lua_setfield(L, -2, name);
}

/* ---- options ---- */

void lua_options_only(lua_State *L, int index, const char *of, const char *const *names) {
    if (lua_isnoneornil(L, index))
        return;
    luaL_checktype(L, index, LUA_TTABLE);
    for (lua_pushnil(L); lua_next(L, index); lua_pop(L, 1)) {
        u32 i = 0;
        while (names[i] && (lua_type(L, -2) != LUA_TSTRING || strcmp(lua_tostring(L, -2), names[i]) != 0))
            i++;
        if (names[i])
            continue;
        lua_pushfstring(L, "no option '%s' of %s; there %s %s", luaL_tolstring(L, -2, NULL), of,
                        names[1] ? "are" : "is", names[0]);
        for (i = 1; names[i]; i++)
            lua_pushfstring(L, "%s%s%s", lua_tostring(L, -1), names[i + 1] ? ", " : " and ", names[i]);
        luaL_error(L, "%s", lua_tostring(L, -1));
    }
}

bool lua_empty_nan(lua_State *L, int index) {
    const char *empty = lua_isnil(L, -1) ? "error" : lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : "";
    bool nan = strcmp(empty, "nan") == 0;
    luaL_argcheck(L, nan || strcmp(empty, "error") == 0, index, "empty is \"error\" or \"nan\"");
    return nan;
}
