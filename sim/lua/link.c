/* heddle.links and context:transfer: links between boards and hosts, and what goes over them. */
#include "sim/lua/module.h"

int lua_module_links(lua_State *L) {
    struct heddle_link_info link;
    lua_newtable(L);
    for (u32 i = 0; heddle_link_info(i, &link); i++) {
        lua_record_push(L, "heddle_link_info", &link);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    return 1;
}

/* Reads a whole number of the options; `least` where it is not given. */
static u64 option_whole(lua_State *L, const char *name, lua_Integer least, lua_Integer most) {
    lua_Integer n = least;
    if (lua_getfield(L, 2, name) != LUA_TNIL) {
        int whole;
        n = lua_tointegerx(L, -1, &whole);
        if (!whole || n < least || n > most)
            luaL_error(L, "transfer: %s is no whole number from %I to %I", name, least, most);
    }
    lua_pop(L, 1);
    return (u64)n;
}

/* Reads a text of the options, which stays on the stack; NULL where it is not given. */
static const char *option_text(lua_State *L, const char *name) {
    int type = lua_getfield(L, 2, name);
    if (type != LUA_TNIL && type != LUA_TSTRING)
        luaL_error(L, "transfer: %s is no text", name);
    return lua_tostring(L, -1);
}

int lua_context_transfer(lua_State *L) {
    struct lua_context *ctx = lua_context_check(L, 1);
    struct heddle_transfer asked = {.boards = 1};
    struct heddle_transferred t;
    luaL_checktype(L, 2, LUA_TTABLE);
    lua_settop(L, 2);
    lua_options_only(L, 2, "transfer", (const char *const[]){"link", "bytes", "kind", "way", "boards", NULL});
    asked.bytes = option_whole(L, "bytes", 0, (lua_Integer)1 << 53);
    asked.boards = (u32)option_whole(L, "boards", 1, HEDDLE_BOARDS_MAX);
    asked.link = option_text(L, "link");
    asked.kind = option_text(L, "kind");
    asked.way = option_text(L, "way");
    lua_context_check(L, 1);
    if (!heddle_transfer(ctx->h, &asked, &t))
        return lua_raise(L, ctx, "input");
    lua_record_push(L, "heddle_transferred", &t);
    return 1;
}
