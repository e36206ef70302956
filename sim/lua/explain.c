/* The launch option `explain` and what it adds to the result: the same facts as `heddle run --explain`. */
#include "sim/lua/module.h"

#include <string.h>

static u64 explain_number(lua_State *L, lua_Integer least, const char *what) {
    int whole = 0;
    lua_Integer v = lua_type(L, -1) == LUA_TNUMBER ? lua_tointegerx(L, -1, &whole) : 0;
    if (!whole || v < least || v > UINT32_MAX) {
        lua_pushfstring(L, "explain: %s expected", what);
        luaL_argerror(L, 3, lua_tostring(L, -1));
    }
    return (u64)v;
}

/* "worst", or a list whose `worst` is how many. */
static bool worst_option(lua_State *L, struct heddle_explain *x) {
    if (lua_type(L, -1) == LUA_TSTRING) {
        if (strcmp(lua_tostring(L, -1), "worst") != 0)
            lua_option_error(L, "explain", "a line, a list or \"worst\" expected");
        x->worst = 1;
    } else if (lua_type(L, -1) == LUA_TTABLE) {
        if (lua_getfield(L, -1, "worst") != LUA_TNIL)
            x->worst = (u32)explain_number(L, 1, "in `worst` a number of accesses");
        lua_pop(L, 1);
    }
    return x->worst > 0;
}

void lua_explain_option(lua_State *L, struct heddle_explain *x) {
    static const char *const parts[] = {"a block, from 0,", "a warp, from 0,", "an execution, from 1,"};
    if (worst_option(L, x))
        return;
    if (lua_type(L, -1) != LUA_TTABLE) {
        x->line = (u32)explain_number(L, 1, "a line, or a list of a line, a block, a warp and an execution");
        return;
    }
    lua_Integer n = luaL_len(L, -1);
    if (n < 1 || n > 4) {
        luaL_argerror(L, 3, "explain: a list of one to four expected");
        return;
    }
    int type = lua_getfield(L, -1, "file");
    if (type != LUA_TNIL && type != LUA_TSTRING)
        lua_option_error(L, "explain", "a file's name expected");
    x->file = lua_text(L, -1); /* which the list keeps */
    lua_pop(L, 1);
    lua_geti(L, -1, 1);
    x->line = (u32)explain_number(L, 1, "a line");
    lua_pop(L, 1);
    x->given = (u32)n - 1;
    for (u32 i = 0; i < x->given; i++) {
        lua_geti(L, -1, (lua_Integer)i + 2);
        x->which[i] = explain_number(L, i == 2, parts[i]);
        lua_pop(L, 1);
    }
}
