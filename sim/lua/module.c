/*
 * The module "heddle": its own functions, and what its classes share. The tables of functions, the help text and the
 * reference are walks over sim/lua/api.def.
 */
#include "sim/lua/module.h"

#include <string.h>

#include "sim/base/diag.h"

const char lua_interrupt_key = 0;

/* ---- memory of heddle's that becomes a string ---- */

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

/* ---- rows ---- */

struct row {
    const char *group, *name;
    lua_CFunction function; /* NULL: a field */
    const char *signature, *doc;
};

static const struct row rows[] = {
#define LUA_FUNCTION(group, name, function, signature, doc) {#group, name, function, signature, doc},
#define LUA_FIELD(group, name, doc) {#group, name, NULL, NULL, doc},
#include "sim/lua/api.def"
};

/* How a group's fields are written: heddle.version, buffer.shape. */
static const char *group_prefix(const char *group) {
    static const struct {
        const char *group, *prefix;
    } prefixes[] = {{"MODULE", "heddle"}, {"CONTEXT", "context"}, {"PROGRAM", "program"},
                    {"BUFFER", "buffer"}, {"LAUNCH", "options"},  {"RESULT", "result"},
                    {"PROVE", "prove"},   {"PROOF", "proof"},     {"ERROR", "error"}};
    for (size_t i = 0; i < COUNT_OF(prefixes); i++)
        if (strcmp(prefixes[i].group, group) == 0)
            return prefixes[i].prefix;
    return "";
}

static void push_signature(lua_State *L, const struct row *r) {
    if (r->signature)
        lua_pushstring(L, r->signature);
    else
        lua_pushfstring(L, "%s%s%s", group_prefix(r->group), r->name[0] == '[' ? "" : ".", r->name);
}

void lua_module_class(lua_State *L, const char *metatable, const luaL_Reg *meta, const char *group) {
    luaL_newmetatable(L, metatable);
    luaL_setfuncs(L, meta, 0);
    lua_pushboolean(L, false);
    lua_setfield(L, -2, "__metatable"); /* scripts must not call __gc on an object in use */
    lua_newtable(L);
    lua_module_functions(L, group);
    lua_setfield(L, -2, "methods");
}

void lua_module_functions(lua_State *L, const char *group) {
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        if (strcmp(rows[i].group, group) == 0 && rows[i].function) {
            lua_pushcfunction(L, rows[i].function);
            lua_setfield(L, -2, rows[i].name);
        }
    }
}

static const char *row_name(const void *group, size_t i) {
    return strcmp(rows[i].group, group) == 0 ? rows[i].name : NULL;
}

bool lua_module_is_value(const char *group, const char *key) {
    for (size_t i = 0; i < COUNT_OF(rows); i++)
        if (!rows[i].function && strcmp(rows[i].group, group) == 0 && strcmp(rows[i].name, key) == 0)
            return true;
    return false;
}

int lua_module_no_field(lua_State *L, const char *group, const char *key) {
    const char *near = nearest_name(key, COUNT_OF(rows), row_name, group);
    if (near)
        return luaL_error(L, "no '%s' in %s; did you mean '%s'?", key, group_prefix(group), near);
    return luaL_error(L, "no '%s' in %s", key, group_prefix(group));
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

/* ---- help ---- */

int lua_module_help(lua_State *L) {
    const char *name = luaL_optstring(L, 1, NULL);
    luaL_Buffer out;
    bool any = false;
    luaL_buffinit(L, &out);
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        if (name && strcmp(rows[i].name, name) != 0)
            continue;
        push_signature(L, &rows[i]);
        luaL_addvalue(&out);
        luaL_addstring(&out, "\n    ");
        luaL_addstring(&out, rows[i].doc);
        luaL_addchar(&out, '\n');
        any = true;
    }
    luaL_pushresult(&out);
    luaL_argcheck(L, any, 1, "there is no help on that name");
    return 1;
}

int lua_module_reference(lua_State *L) {
    lua_createtable(L, COUNT_OF(rows), 0);
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        lua_createtable(L, 0, 4);
        lua_field_string(L, "group", group_prefix(rows[i].group));
        lua_field_string(L, "name", rows[i].name);
        push_signature(L, &rows[i]);
        lua_setfield(L, -2, "signature");
        lua_field_string(L, "doc", rows[i].doc);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    return 1;
}

/* ---- suggestions ---- */

/* A name of the list at stack index 2; it stays alive because the list holds it. */
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
        lua_createtable(L, 0, 6);
        lua_field_string(L, "name", row.name);
        lua_field_string(L, "class", row.class_name);
        lua_field_string(L, "syntax", row.syntax);
        lua_field_string(L, "operation", row.operation);
        lua_field_string(L, "doc", row.doc);
        lua_field_integer(L, "code", row.code);
        lua_rawseti(L, -2, ++n);
    }
    return 1;
}

/* The manual needs a context only for its error text; this one lives as long as the call. */
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

__attribute__((visibility("default"))) int luaopen_heddle(lua_State *L) {
    static const luaL_Reg block_meta[] = {{"__gc", block_release}, {NULL, NULL}};
    luaL_newmetatable(L, LUA_BLOCK);
    luaL_setfuncs(L, block_meta, 0);
    lua_pop(L, 1);
    lua_error_open(L);
    lua_context_open(L);
    lua_program_open(L);
    lua_buffer_open(L);
    lua_newtable(L);
    lua_module_functions(L, "MODULE");
    lua_field_string(L, "version", heddle_version());
    lua_field_integer(L, "threads_max", HEDDLE_THREADS_MAX);
    return 1;
}
