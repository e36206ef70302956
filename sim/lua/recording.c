/* The launch option `watch`, and the events of the launch that was watched. */
#include "sim/lua/module.h"

#include <string.h>

/* A number of cycles or bytes; 0 when it is not given. */
static u64 span_number(lua_State *L, const char *name) {
    int whole = 0;
    lua_Integer v = 0;
    if (lua_getfield(L, -1, name) != LUA_TNIL) {
        v = lua_type(L, -1) == LUA_TNUMBER ? lua_tointegerx(L, -1, &whole) : 0;
        if (!whole || v < 0)
            lua_option_error(L, "watch", "from, to and bytes are numbers from 0 on");
    }
    lua_pop(L, 1);
    return (u64)v;
}

void lua_recording_option(lua_State *L, struct heddle_launch *l, struct heddle_watch *watch) {
    int kind = lua_getfield(L, 3, "watch");
    if (kind == LUA_TTABLE) {
        for (lua_pushnil(L); lua_next(L, -2); lua_pop(L, 1)) {
            const char *key = lua_type(L, -2) == LUA_TSTRING ? lua_tostring(L, -2) : "";
            if (strcmp(key, "from") != 0 && strcmp(key, "to") != 0 && strcmp(key, "bytes") != 0)
                lua_option_error(L, "watch", "from, to and bytes are its names");
        }
        *watch = (struct heddle_watch){span_number(L, "from"), span_number(L, "to"), span_number(L, "bytes")};
    } else if (kind != LUA_TNIL && kind != LUA_TBOOLEAN) {
        lua_option_error(L, "watch", "true or a table {from = cycle, to = cycle, bytes = n} expected");
    }
    if (lua_toboolean(L, -1))
        l->watch = watch;
    lua_pop(L, 1);
}

/* ---- events ---- */

int lua_context_event(lua_State *L) {
    struct lua_context *ctx = lua_context_check(L, 1);
    lua_Integer i = luaL_checkinteger(L, 2);
    struct heddle_event e;
    if (i < 1 || !heddle_event(ctx->h, (u64)i - 1, &e))
        return 0;
    lua_event_push(L, ctx->h, &e);
    return 1;
}

int lua_context_event_at(lua_State *L) {
    struct lua_context *ctx = lua_context_check(L, 1);
    lua_Integer cycle = luaL_checkinteger(L, 2);
    lua_pushinteger(L, (lua_Integer)heddle_event_at(ctx->h, cycle < 0 ? 0 : (u64)cycle) + 1);
    return 1;
}

/* ---- the state of a warp ---- */

/* Block, warp and event number, from 1, of a question. */
static struct lua_context *question(lua_State *L, u64 *block, u32 *warp, u64 *i) {
    struct lua_context *ctx = lua_context_check(L, 1);
    lua_Integer b = luaL_checkinteger(L, 2), w = luaL_checkinteger(L, 3), at = luaL_checkinteger(L, 4);
    *block = b < 0 ? UINT64_MAX : (u64)b;
    *warp = w < 0 || w >= UINT32_MAX ? UINT32_MAX : (u32)w;
    *i = at < 0 ? 0 : (u64)at;
    return ctx;
}

int lua_context_state(lua_State *L) {
    u64 block, before;
    u32 warp;
    struct heddle_state s;
    struct lua_context *ctx = question(L, &block, &warp, &before);
    if (!heddle_state(ctx->h, block, warp, before, &s)) {
        lua_pushnil(L);
        lua_pushstring(L, heddle_error(ctx->h));
        return 2;
    }
    lua_state_push(L, &s);
    return 1;
}

static int push_number(lua_State *L, u64 index) {
    if (index == UINT64_MAX)
        return 0;
    lua_pushinteger(L, (lua_Integer)index + 1);
    return 1;
}

int lua_context_event_next(lua_State *L) {
    u64 block, i;
    u32 warp;
    struct lua_context *ctx = question(L, &block, &warp, &i);
    return push_number(L, heddle_event_next(ctx->h, block, warp, i ? i - 1 : 0));
}

int lua_context_event_previous(lua_State *L) {
    u64 block, i;
    u32 warp;
    struct lua_context *ctx = question(L, &block, &warp, &i);
    return push_number(L, i ? heddle_event_previous(ctx->h, block, warp, i - 1) : UINT64_MAX);
}

/* ---- the table ---- */

int lua_module_events(lua_State *L) {
    static const char *const forms[] = {[HEDDLE_EVENT_NUMBER] = "number",
                                        [HEDDLE_EVENT_OPTIONAL] = "optional",
                                        [HEDDLE_EVENT_MASK] = "mask",
                                        [HEDDLE_EVENT_WORD] = "word"};
    const char *name, *doc, *tail_doc;
    enum heddle_event_form form;
    lua_newtable(L);
    for (u32 i = 0; (name = heddle_event_kind(i, &doc, NULL, &tail_doc)) != NULL; i++) {
        lua_createtable(L, 0, 4);
        lua_field_string(L, "name", name);
        lua_field_string(L, "doc", doc);
        if (tail_doc)
            lua_field_string(L, "tail", tail_doc);
        lua_newtable(L);
        for (u32 k = 0; (name = heddle_event_field(i, k, &form, &doc)) != NULL; k++) {
            lua_createtable(L, 0, 3);
            lua_field_string(L, "name", name);
            lua_field_string(L, "form", forms[form]);
            lua_field_string(L, "doc", doc);
            lua_rawseti(L, -2, (lua_Integer)k + 1);
        }
        lua_setfield(L, -2, "fields");
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    return 1;
}
