/* The board of a context, set by scripts. */
#include "sim/lua/module.h"

#include <string.h>

#include "sim/file/read.h"

enum { SETS_MAX = 1000 };

/* Pushes "key=value"; the value is at the top, its key below it. Whole numbers keep their digits. */
static void push_assignment(lua_State *L, const char *section) {
    const char *dot = *section ? "." : "";
    luaL_argcheck(L, lua_type(L, -2) == LUA_TSTRING, 3, "expected {key = value, ...}");
    const char *key = lua_text(L, -2);
    lua_Integer whole = 0;
    int exact = 0;
    if (lua_type(L, -1) == LUA_TNUMBER)
        whole = lua_tointegerx(L, -1, &exact);
    if (exact)
        lua_pushfstring(L, "%s%s%s=%I", section, dot, key, (LUAI_UACINT)whole);
    else if (lua_type(L, -1) == LUA_TNUMBER)
        lua_pushfstring(L, "%s%s%s=%f", section, dot, key, lua_tonumber(L, -1));
    else if (lua_type(L, -1) == LUA_TSTRING)
        lua_pushfstring(L, "%s%s%s=%s", section, dot, key, lua_text(L, -1));
    else
        luaL_argerror(L, 3, "a value is a number, or text such as \"gto\" or \"204 derived\"");
}

/* Adds the pairs of the table at `table`, as text, to the list at `list`; a table in it is a section. */
static void collect(lua_State *L, int table, int list, const char *section) {
    luaL_checkstack(L, 8, "the values of a board");
    lua_pushnil(L);
    while (lua_next(L, table)) {
        if (lua_type(L, -1) == LUA_TTABLE && lua_type(L, -2) == LUA_TSTRING && !*section) {
            collect(L, lua_gettop(L), list, lua_text(L, -2));
        } else {
            luaL_argcheck(L, lua_rawlen(L, list) < SETS_MAX, 3, "too many values");
            push_assignment(L, section);
            lua_rawseti(L, list, (lua_Integer)lua_rawlen(L, list) + 1);
        }
        lua_pop(L, 1); /* the key for the next lua_next */
    }
}

/* Pushes the pairs of the table or nil at `table` as a list of texts, and these as an array; returns their number. */
static u32 push_values(lua_State *L, int table) {
    lua_newtable(L);
    int list = lua_gettop(L);
    if (!lua_isnil(L, table))
        collect(L, table, list, "");
    u32 n = (u32)lua_rawlen(L, list);
    const char **texts = lua_newuserdatauv(L, (n + 1) * sizeof *texts, 0);
    for (u32 i = 0; i < n; i++) {
        lua_rawgeti(L, list, (lua_Integer)i + 1);
        texts[i] = lua_tostring(L, -1); /* kept by the list */
        lua_pop(L, 1);
    }
    return n;
}

int lua_context_board(lua_State *L) {
    struct lua_context *ctx = lua_context_check(L, 1);
    const char *path = lua_isnoneornil(L, 2) ? NULL : lua_check_text(L, 2);
    struct lua_block *block;
    size_t len = 0;
    lua_settop(L, 3);
    if (!lua_isnil(L, 3))
        luaL_checktype(L, 3, LUA_TTABLE);
    if (path)
        path = lua_shipped_board(L, path);
    struct texts bases = {.beside = path, .guard = lua_file_guard(L)};
    struct heddle_file file = {.name = path, .read = texts_read, .ctx = &bases};
    if (path) {
        lua_file_read(L, path);
        file.text = lua_tolstring(L, -1, &file.len);
    }
    u32 count = push_values(L, 3);
    lua_context_check(L, 1);
    bool ok = heddle_board_load(ctx->h, path ? &file : NULL, lua_touserdata(L, -1), count);
    texts_free(&bases);
    if (bases.why)
        return lua_file_error(L, bases.unread, bases.why);
    if (!ok)
        return lua_raise(L, ctx, "input");
    block = lua_block_new(L);
    lua_context_check(L, 1);
    block->data = heddle_board_text(ctx->h, &len);
    if (!block->data)
        return lua_raise(L, ctx, "memory");
    lua_block_push(L, block, len);
    return 1;
}

static void push_number(lua_State *L, const struct heddle_board_value *v, double number) {
    if (v->real)
        lua_pushnumber(L, number);
    else
        lua_pushinteger(L, (lua_Integer)number);
}

static void push_value(lua_State *L, const struct heddle_board_value *v) {
    if (v->choice)
        lua_pushstring(L, v->choice);
    else
        push_number(L, v, v->number);
}

/* Pushes an end of the value's range, nil when it has none. */
static void push_end(lua_State *L, const struct heddle_board_value *v, double end) {
    if (v->ranged)
        push_number(L, v, end);
    else
        lua_pushnil(L);
}

int lua_context_board_value(lua_State *L) {
    struct lua_context *ctx = lua_context_check(L, 1);
    const char *key = lua_check_text(L, 2);
    struct heddle_board_value v;
    lua_context_check(L, 1);
    if (!heddle_board_value(ctx->h, key, &v))
        return lua_raise(L, ctx, "input");
    push_value(L, &v);
    lua_pushstring(L, v.basis); /* nil when it has none */
    push_end(L, &v, v.low);
    push_end(L, &v, v.high);
    return 4;
}

static int push_rows(lua_State *L, bool (*row)(const struct heddle *, uint32_t, struct heddle_board_value *)) {
    struct lua_context *ctx = lua_context_check(L, 1);
    struct heddle_board_value v;
    lua_newtable(L);
    for (u32 i = 0; ctx->h && row(ctx->h, i, &v); i++) {
        lua_record_push(L, "heddle_board_value", &v);
        push_value(L, &v);
        lua_setfield(L, -2, "value");
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    return 1;
}

int lua_context_values(lua_State *L) {
    return push_rows(L, heddle_board_value_at);
}

int lua_context_device(lua_State *L) {
    struct lua_context *ctx = lua_context_check(L, 1);
    lua_pushstring(L, heddle_board_device(ctx->h)); /* nil for NULL */
    return 1;
}

int lua_module_devices(lua_State *L) {
    const char *name;
    lua_newtable(L);
    for (u32 i = 0; (name = heddle_device_name(i)) != NULL; i++) {
        lua_pushstring(L, name);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    return 1;
}

int lua_context_derived(lua_State *L) {
    return push_rows(L, heddle_board_derived);
}

int lua_context_peaks(lua_State *L) {
    struct lua_context *ctx = lua_context_check(L, 1);
    struct heddle_board_peak peak;
    lua_newtable(L);
    for (u32 i = 0; ctx->h && heddle_board_peak(ctx->h, i, &peak); i++) {
        lua_record_push(L, "heddle_board_peak", &peak);
        lua_field_string(L, "name", NULL); /* which is its key */
        lua_setfield(L, -2, peak.name);
    }
    return 1;
}

int lua_context_warnings(lua_State *L) {
    struct lua_context *ctx = lua_context_check(L, 1);
    struct lua_block *block = lua_block_new(L);
    size_t len = 0;
    lua_context_check(L, 1);
    block->data = heddle_board_warnings(ctx->h, &len);
    if (!block->data)
        return lua_raise(L, ctx, "memory");
    lua_block_push(L, block, len);
    const char *at = lua_tostring(L, -1);
    lua_newtable(L);
    for (lua_Integer i = 1; *at; i++) {
        size_t line = strcspn(at, "\n");
        lua_pushlstring(L, at, line);
        lua_rawseti(L, -2, i);
        at += line + (at[line] == '\n');
    }
    return 1;
}
