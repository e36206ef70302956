/* heddle.parse: JSON as a value of Lua. */
#include "sim/lua/module.h"

#include "sim/base/diag.h"
#include "sim/file/document.h"

/* A document to be copied: after an error of Lua, the garbage collector frees it. */
struct document {
    json_t *v;
};

static int release(lua_State *L) {
    struct document *d = luaL_checkudata(L, 1, LUA_DOCUMENT);
    json_decref(d->v);
    d->v = NULL;
    return 0;
}

void lua_parse_open(lua_State *L) {
    static const luaL_Reg meta[] = {{"__gc", release}, {NULL, NULL}};
    luaL_newmetatable(L, LUA_DOCUMENT);
    luaL_setfuncs(L, meta, 0);
    lua_pop(L, 1);
}

static void push(lua_State *L, json_t *v);

static void push_array(lua_State *L, const json_t *v) {
    size_t n = json_array_size(v);
    lua_createtable(L, (int)(n < INT_MAX ? n : 0), 0);
    luaL_setmetatable(L, LUA_ARRAY);
    for (size_t i = 0; i < n; i++) {
        push(L, json_array_get(v, i));
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
}

static void push_object(lua_State *L, json_t *v) {
    size_t n = json_object_size(v);
    lua_createtable(L, 0, (int)(n < INT_MAX ? n : 0));
    for (void *i = json_object_iter(v); i; i = json_object_iter_next(v, i)) {
        lua_pushlstring(L, json_object_iter_key(i), json_object_iter_key_len(i));
        push(L, json_object_iter_value(i));
        lua_rawset(L, -3);
    }
}

static void push(lua_State *L, json_t *v) {
    luaL_checkstack(L, 4, "nested too deeply");
    switch (json_typeof(v)) {
    case JSON_OBJECT: push_object(L, v); break;
    case JSON_ARRAY: push_array(L, v); break;
    case JSON_STRING: lua_pushlstring(L, json_string_value(v), json_string_length(v)); break;
    case JSON_INTEGER: lua_pushinteger(L, json_integer_value(v)); break;
    case JSON_REAL: lua_pushnumber(L, json_real_value(v)); break;
    case JSON_TRUE: lua_pushboolean(L, true); break;
    case JSON_FALSE: lua_pushboolean(L, false); break;
    case JSON_NULL: lua_json_null(L); break;
    }
}

int lua_module_parse(lua_State *L) {
    size_t len = 0;
    const char *text = luaL_checklstring(L, 1, &len);
    const char *name = lua_isnoneornil(L, 2) ? "(text)" : lua_check_text(L, 2);
    struct lua_block *block = lua_block_new(L);
    struct document *d = lua_newuserdatauv(L, sizeof *d, 0);
    struct buf why = {0};
    d->v = NULL;
    luaL_setmetatable(L, LUA_DOCUMENT);
    d->v = document_read(name, text, len, &why);
    block->data = why.data;
    if (d->v) {
        push(L, d->v);
        return 1;
    }
    if (why.failed)
        return lua_raise_message(L, "memory", "out of memory");
    lua_block_push(L, block, why.len);
    return lua_raise_message(L, "input", lua_tostring(L, -1));
}
