/*
 * The buffer object: a name in a context. Its tensor is looked up again whenever the context may have changed, so that
 * an object never reads freed memory.
 */
#include "sim/lua/module.h"

#include <limits.h>
#include <string.h>

void lua_buffer_refresh(lua_State *L, struct lua_buffer *b) {
    if (!b->ctx->h)
        luaL_error(L, "the context is closed");
    if (b->seen == b->ctx->generation)
        return;
    if (!heddle_buffer_look(b->ctx->h, b->name, &b->tensor))
        luaL_error(L, "the buffer '%s' was dropped", b->name);
    b->element = element_of(b->tensor.type);
    b->seen = b->ctx->generation;
}

u8 *lua_buffer_at(lua_State *L, struct lua_buffer *b, u64 i) {
    lua_buffer_refresh(L, b);
    if (i >= b->tensor.count)
        luaL_error(L, "the buffer '%s' was replaced by a smaller one", b->name);
    return b->tensor.data + i * b->element.size;
}

void lua_buffer_written(const struct lua_buffer *b) {
    struct heddle_tensor t;
    heddle_buffer_get(b->ctx->h, b->name, &t);
}

struct lua_buffer *lua_buffer_check(lua_State *L, int index) {
    struct lua_buffer *b = luaL_checkudata(L, index, LUA_BUFFER);
    lua_buffer_refresh(L, b);
    return b;
}

bool lua_buffer_push(lua_State *L, int context, const char *name) {
    struct lua_context *ctx = lua_context_check(L, context);
    struct heddle_tensor t;
    context = lua_absindex(L, context);
    if (!heddle_buffer_look(ctx->h, name, &t)) {
        lua_pushnil(L);
        return false;
    }
    struct lua_buffer *b = lua_newuserdatauv(L, sizeof *b, 2);
    *b = (struct lua_buffer){.ctx = ctx, .seen = ctx->generation - 1};
    lua_pushvalue(L, context);
    lua_setiuservalue(L, -2, 1);
    b->name = lua_pushstring(L, name); /* lives as long as the user value */
    lua_setiuservalue(L, -2, 2);
    luaL_setmetatable(L, LUA_BUFFER);
    return true;
}

/* ---- constructors ---- */

/* Reads a shape argument; returns the number of dimensions. */
static u32 check_shape(lua_State *L, int index, u64 *shape) {
    bool list = lua_istable(L, index);
    lua_Integer n = list ? luaL_len(L, index) : 1;
    luaL_argcheck(L, n <= HEDDLE_DIMS_MAX, index, "more dimensions than 8");
    for (lua_Integer i = 0; i < n; i++) {
        int whole = 0;
        if (list)
            lua_geti(L, index, i + 1);
        else
            lua_pushvalue(L, index);
        lua_Integer d = lua_type(L, -1) == LUA_TNUMBER ? lua_tointegerx(L, -1, &whole) : 0;
        luaL_argcheck(L, whole && d >= 0, index, "a dimension must be a whole number, 0 or more");
        shape[i] = (u64)d;
        lua_pop(L, 1);
    }
    return (u32)n;
}

int lua_context_buffer(lua_State *L) {
    struct lua_context *ctx = lua_context_check(L, 1);
    const char *name = lua_check_text(L, 2);
    const char *type = lua_check_text(L, 3);
    u64 shape[HEDDLE_DIMS_MAX];
    lua_settop(L, 5);
    u32 ndim = lua_isnil(L, 4) ? lua_shape_of(L, 5, element_of(type), shape) : check_shape(L, 4, shape);
    lua_context_check(L, 1);
    ctx->generation++;
    if (!heddle_buffer(ctx->h, name, type, ndim, shape))
        return lua_raise(L, ctx, "input");
    lua_buffer_push(L, 1, name);
    if (!lua_isnil(L, 5))
        lua_buffer_fill(L, lua_buffer_check(L, -1), 5, 5);
    return 1;
}

/* Pushes the buffer that was read, and the notes on its file, or nil. */
static int push_with_notes(lua_State *L, struct lua_context *ctx, const char *name) {
    lua_pushstring(L, heddle_notes(ctx->h));
    lua_buffer_push(L, 1, name);
    if (lua_rawlen(L, -2) == 0)
        return 1;
    lua_insert(L, -2);
    return 2;
}

int lua_context_npy(lua_State *L) {
    struct lua_context *ctx = lua_context_check(L, 1);
    size_t len = 0;
    const char *name = lua_check_text(L, 2);
    const char *bytes = luaL_checklstring(L, 3, &len);
    const char *file = "(bytes)";
    if (len == 0 || bytes[0] != '\x93') { /* no path begins like an .npy file */
        file = lua_text(L, 3);
        lua_file_read_npy(L, file);
        bytes = lua_tolstring(L, -1, &len);
    }
    lua_context_check(L, 1);
    ctx->generation++;
    if (!heddle_npy_read(ctx->h, name, file, bytes, len))
        return lua_raise(L, ctx, "input");
    return push_with_notes(L, ctx, name);
}

int lua_context_csv(lua_State *L) {
    struct lua_context *ctx = lua_context_check(L, 1);
    size_t len = 0;
    u64 shape[HEDDLE_DIMS_MAX];
    const char *name = lua_check_text(L, 2);
    struct heddle_csv csv = {.file = "(text)", .type = lua_check_text(L, 3)};
    const char *text = luaL_checklstring(L, 4, &len);
    lua_settop(L, 5);
    lua_options_only(L, 5, "context:csv", (const char *const[]){"shape", "empty", NULL});
    if (lua_istable(L, 5)) {
        lua_getfield(L, 5, "empty");
        csv.empty_nan = lua_empty_nan(L, 5);
        lua_getfield(L, 5, "shape");
        csv.ndim = lua_isnil(L, 7) ? 0 : check_shape(L, 7, shape);
        csv.shape = lua_isnil(L, 7) ? NULL : shape;
    }
    if (!memchr(text, '\n', len)) {
        csv.file = lua_text(L, 4);
        lua_file_read(L, csv.file);
        text = lua_tolstring(L, -1, &len);
    }
    lua_context_check(L, 1);
    ctx->generation++;
    if (!heddle_csv_read(ctx->h, name, &csv, text, len))
        return lua_raise(L, ctx, "input");
    return push_with_notes(L, ctx, name);
}

/* ---- reading and writing ---- */

int lua_buffer_table(lua_State *L) {
    struct lua_buffer *b = lua_buffer_check(L, 1);
    lua_Integer n = (lua_Integer)b->tensor.count;
    lua_Integer first = luaL_optinteger(L, 2, 1), last = luaL_optinteger(L, 3, n);
    luaL_argcheck(L, first >= 1, 2, "indices start at 1");
    luaL_argcheck(L, last <= n, 3, "past the last element");
    lua_Integer room = last < first ? 0 : last - first + 1;
    lua_createtable(L, room > INT_MAX ? INT_MAX : (int)room, 0);
    for (lua_Integer i = 0; i < room; i++) {
        element_push(L, b->element, lua_buffer_at(L, b, (u64)(first - 1 + i)));
        lua_rawseti(L, -2, i + 1);
    }
    return 1;
}

int lua_buffer_bytes(lua_State *L) {
    struct lua_buffer *b = lua_buffer_check(L, 1);
    lua_pushlstring(L, (const char *)b->tensor.data, b->tensor.bytes);
    return 1;
}

int lua_buffer_set(lua_State *L) {
    struct lua_buffer *b = lua_buffer_check(L, 1);
    luaL_checkany(L, 2);
    lua_buffer_fill(L, b, 2, 2);
    lua_settop(L, 1);
    return 1;
}

int lua_buffer_fill_word(lua_State *L) {
    struct lua_buffer *b = lua_buffer_check(L, 1);
    const char *fill = lua_check_text(L, 2);
    if (!heddle_buffer_fill(b->ctx->h, b->name, fill))
        return lua_raise(L, b->ctx, "input");
    lua_settop(L, 1);
    return 1;
}

int lua_buffer_npy(lua_State *L) {
    struct lua_block *block = lua_block_new(L);
    struct lua_buffer *b = lua_buffer_check(L, 1);
    size_t len = 0;
    block->data = heddle_npy_write(b->ctx->h, b->name, &len);
    if (!block->data)
        return lua_raise(L, b->ctx, "input");
    lua_block_push(L, block, len);
    return 1;
}

int lua_buffer_save(lua_State *L) {
    size_t len = 0;
    const char *path = lua_check_text(L, 2);
    lua_buffer_npy(L);
    const char *bytes = lua_tolstring(L, -1, &len);
    lua_file_write(L, path, bytes, len);
    return 0;
}

/* ---- access as a table ---- */

static void push_shape(lua_State *L, const struct heddle_tensor *t) {
    lua_createtable(L, (int)t->ndim, 0);
    for (u32 i = 0; i < t->ndim; i++) {
        lua_pushinteger(L, (lua_Integer)t->shape[i]);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
}

static bool push_field(lua_State *L, const struct lua_buffer *b, const char *key) {
    struct heddle_tensor now;
    if (strcmp(key, "shape") == 0)
        push_shape(L, &b->tensor);
    else if (strcmp(key, "type") == 0)
        lua_pushstring(L, b->tensor.type);
    else if (strcmp(key, "name") == 0)
        lua_pushstring(L, b->name);
    else if (strcmp(key, "count") == 0)
        lua_pushinteger(L, (lua_Integer)b->tensor.count);
    else if (strcmp(key, "address") == 0)
        lua_pushinteger(L, (lua_Integer)b->tensor.address);
    else if (strcmp(key, "written") == 0)
        lua_pushboolean(L, heddle_buffer_look(b->ctx->h, b->name, &now) && now.written);
    else
        return false;
    return true;
}

/* Reads the element number at `index`, from 1; raises unless it is within 1..last. */
static lua_Integer check_element(lua_State *L, int index, const struct lua_buffer *b, lua_Integer last) {
    int whole = 0;
    lua_Integer i = lua_tointegerx(L, index, &whole);
    if (!whole)
        luaL_error(L, "element number %s of the buffer '%s' is not whole", luaL_tolstring(L, index, NULL), b->name);
    if (i < 1 || i > last)
        luaL_error(L, "element %I is outside the buffer '%s': 1 to %I", i, b->name, (lua_Integer)b->tensor.count);
    return i;
}

static int buffer_index(lua_State *L) {
    struct lua_buffer *b = luaL_checkudata(L, 1, LUA_BUFFER);
    if (lua_type(L, 2) == LUA_TNUMBER) {
        lua_buffer_refresh(L, b);
        lua_Integer n = (lua_Integer)b->tensor.count;
        lua_Integer i = check_element(L, 2, b, n + 1);
        if (i > n)
            lua_pushnil(L);
        else
            element_push(L, b->element, lua_buffer_at(L, b, (u64)i - 1));
        return 1;
    }
    if (lua_type(L, 2) == LUA_TSTRING && lua_module_is_value("BUFFER", lua_tostring(L, 2))) {
        lua_buffer_refresh(L, b);
        if (push_field(L, b, lua_tostring(L, 2)))
            return 1;
    }
    return lua_module_method(L, "BUFFER");
}

static int buffer_newindex(lua_State *L) {
    struct lua_buffer *b = lua_buffer_check(L, 1);
    if (lua_type(L, 2) != LUA_TNUMBER)
        return luaL_error(L, "only elements of the buffer '%s' can be assigned", b->name);
    lua_Integer i = check_element(L, 2, b, (lua_Integer)b->tensor.count);
    u8 bytes[16];
    const char *wrong = element_read(L, 3, b->element, bytes);
    if (wrong)
        return luaL_error(L, "element %I of the buffer '%s' (%s): %s", i, b->name, b->tensor.type, wrong);
    memcpy(lua_buffer_at(L, b, (u64)i - 1), bytes, b->element.size);
    lua_buffer_written(b);
    return 0;
}

static int buffer_len(lua_State *L) {
    lua_pushinteger(L, (lua_Integer)lua_buffer_check(L, 1)->tensor.count);
    return 1;
}

static int buffer_tostring(lua_State *L) {
    struct lua_buffer *b = luaL_checkudata(L, 1, LUA_BUFFER);
    struct heddle_tensor t;
    if (!b->ctx->h || !heddle_buffer_look(b->ctx->h, b->name, &t)) {
        lua_pushfstring(L, "heddle.buffer %s (gone)", b->name);
        return 1;
    }
    luaL_Buffer out;
    luaL_buffinit(L, &out);
    lua_pushfstring(L, "heddle.buffer %s: %s[", b->name, t.type);
    luaL_addvalue(&out);
    for (u32 i = 0; i < t.ndim; i++) {
        lua_pushfstring(L, i ? ",%I" : "%I", (lua_Integer)t.shape[i]);
        luaL_addvalue(&out);
    }
    luaL_addchar(&out, ']');
    luaL_pushresult(&out);
    return 1;
}

void lua_buffer_open(lua_State *L) {
    static const luaL_Reg meta[] = {{"__index", buffer_index},
                                    {"__newindex", buffer_newindex},
                                    {"__len", buffer_len},
                                    {"__tostring", buffer_tostring},
                                    {NULL, NULL}};
    lua_module_class(L, LUA_BUFFER, meta);
    lua_pop(L, 1);
}
