/*
 * The module "heddle": its own functions, and the tables of all. The tables of functions, the help text and the
 * reference are walks over sim/lua/api.def.
 */
#include "sim/lua/module.h"

#include <string.h>

#include "sim/base/diag.h"
#include "sim/base/knee.h"

/* ---- rows ---- */

struct row {
    const char *group, *name;
    lua_CFunction function; /* NULL = a field */
    const char *signature, *doc;
};

static const struct row rows[] = {
#define LUA_FUNCTION(group, name, function, signature, doc) {#group, name, function, signature, doc},
#define LUA_FIELD(group, name, doc) {#group, name, NULL, NULL, doc},
#include "sim/lua/api.def"
};

static void push_signature(lua_State *L, const struct row *r) {
    if (r->signature)
        lua_pushstring(L, r->signature);
    else
        lua_pushfstring(L, "%s%s%s", lua_module_prefix(r->group), r->name[0] == '[' ? "" : ".", r->name);
}

/* Sets the functions of one group of rows in the table on top of the stack. */
static void set_functions(lua_State *L, const char *group) {
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        if (strcmp(rows[i].group, group) == 0 && rows[i].function) {
            lua_pushcfunction(L, rows[i].function);
            lua_setfield(L, -2, rows[i].name);
        }
    }
}

/* ---- help ---- */

/* Inserts a list of all rows at index 1. */
static void insert_reference(lua_State *L) {
    lua_createtable(L, COUNT_OF(rows), 0);
    lua_insert(L, 1);
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        if (i == 0 || strcmp(rows[i].group, rows[i - 1].group) != 0)
            lua_record_rows(L, rows[i].group);
        lua_createtable(L, 0, 4);
        lua_field_string(L, "group", lua_module_prefix(rows[i].group));
        lua_field_string(L, "name", rows[i].name);
        push_signature(L, &rows[i]);
        lua_setfield(L, -2, "signature");
        lua_field_string(L, "doc", rows[i].doc);
        lua_rawseti(L, 1, luaL_len(L, 1) + 1);
    }
}

int lua_module_reference(lua_State *L) {
    lua_settop(L, 0);
    insert_reference(L);
    return 1;
}

int lua_module_help(lua_State *L) {
    enum { LIST = 1, ROW = 3 };
    const char *name = luaL_optstring(L, 1, NULL);
    luaL_Buffer out;
    bool any = false;
    lua_settop(L, 1);
    insert_reference(L);
    lua_pushnil(L);
    luaL_buffinit(L, &out);
    for (lua_Integer i = 1; lua_geti(L, LIST, i) == LUA_TTABLE; i++) {
        lua_replace(L, ROW);
        lua_getfield(L, ROW, "name");
        bool other = name && strcmp(lua_tostring(L, -1), name) != 0;
        lua_pop(L, 1);
        if (other)
            continue;
        lua_getfield(L, ROW, "signature");
        luaL_addvalue(&out);
        luaL_addstring(&out, "\n    ");
        lua_getfield(L, ROW, "doc");
        luaL_addvalue(&out);
        luaL_addchar(&out, '\n');
        any = true;
    }
    lua_pop(L, 1);
    luaL_pushresult(&out);
    luaL_argcheck(L, any, 1, "there is no help on that name");
    return 1;
}

/* ---- suggestions ---- */

/* Returns a name of the list at stack index 2, which keeps it alive. */
static const char *listed_name(const void *ctx, size_t i) {
    lua_State *L = (lua_State *)(uintptr_t)ctx;
    lua_rawgeti(L, 2, (lua_Integer)i + 1);
    const char *name = lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : NULL;
    lua_pop(L, 1);
    return name;
}

int lua_module_nearest(lua_State *L) {
    const char *word = luaL_checkstring(L, 1);
    luaL_checktype(L, 2, LUA_TTABLE);
    lua_pushstring(L, nearest_name(word, lua_rawlen(L, 2), listed_name, L));
    return 1;
}

/* ---- curves ---- */

int lua_module_knee(lua_State *L) {
    luaL_checktype(L, 1, LUA_TTABLE);
    double within = luaL_optnumber(L, 2, 0.05);
    lua_Unsigned n = lua_rawlen(L, 1);
    luaL_argcheck(L, n <= 1 << 24, 1, "too long a list");
    luaL_argcheck(L, within >= 0, 2, "a share from 0 on expected");
    double *result = lua_newuserdatauv(L, n * sizeof *result + 1, 0);
    struct knee knee;
    for (lua_Unsigned i = 0; i < n; i++) {
        lua_rawgeti(L, 1, (lua_Integer)i + 1);
        luaL_argcheck(L, lua_isnumber(L, -1), 1, "a list of numbers expected");
        result[i] = lua_tonumber(L, -1);
        lua_pop(L, 1);
    }
    if (!knee_find(result, (u32)n, within, false, &knee))
        return 0;
    lua_pushinteger(L, (lua_Integer)knee.first + 1);
    lua_pushinteger(L, (lua_Integer)knee.last + 1);
    return 2;
}

/* ---- the instruction set ---- */

int lua_module_isa(lua_State *L) {
    size_t len = 0;
    const char *want = luaL_optlstring(L, 1, "", &len);
    lua_Integer n = 0;
    struct heddle_isa_row row;
    lua_newtable(L);
    for (u32 i = 0; i < heddle_isa_count(); i++) {
        if (!heddle_isa_row(i, &row) || strncmp(row.name, want, len) != 0)
            continue;
        if (len && row.name[len] && row.name[len] != '.')
            continue;
        lua_record_push(L, "heddle_isa_row", &row);
        lua_rawseti(L, -2, ++n);
    }
    return 1;
}

/* Writes the manual; the context serves its error text only, and lives as long as the call. */
int lua_module_manual(lua_State *L) {
    const char *mnemonic = luaL_optstring(L, 1, NULL);
    bool markdown = lua_toboolean(L, 2);
    size_t len = 0;
    lua_settop(L, 2);
    lua_pushcfunction(L, lua_module_new);
    lua_call(L, 0, 1);
    struct lua_context *ctx = lua_context_check(L, 3);
    struct lua_block *block = lua_block_new(L);
    block->data = heddle_isa_manual(ctx->h, mnemonic, markdown, &len);
    if (!block->data)
        return lua_raise(L, ctx, "input");
    lua_block_push(L, block, len);
    return 1;
}

/* ---- opening ---- */

/* Makes the functions of a group the methods of a class. */
static void set_methods(lua_State *L, const char *metatable, const char *group) {
    luaL_getmetatable(L, metatable);
    lua_getfield(L, -1, "methods");
    set_functions(L, group);
    lua_pop(L, 2);
}

__attribute__((visibility("default"))) int luaopen_heddle(lua_State *L) {
    lua_block_open(L);
    lua_error_open(L);
    lua_context_open(L);
    lua_program_open(L);
    lua_buffer_open(L);
    lua_debugger_open(L);
    lua_json_open(L);
    lua_parse_open(L);
    lua_read_table_open(L);
    lua_table_open(L);
    set_methods(L, LUA_CONTEXT, "CONTEXT");
    set_methods(L, LUA_PROGRAM, "PROGRAM");
    set_methods(L, LUA_BUFFER, "BUFFER");
    set_methods(L, LUA_DEBUGGER, "DEBUGGER");
    lua_newtable(L);
    set_functions(L, "MODULE");
    lua_field_string(L, "version", heddle_version());
    lua_field_integer(L, "threads_max", HEDDLE_THREADS_MAX);
    lua_json_null(L);
    lua_setfield(L, -2, "null");
    return 1;
}
