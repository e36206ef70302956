/*
 * Fills a buffer from a Lua value: tables (flat or nested as the shape), bytes, one value for all, a function of the
 * index, another buffer. Functions and metamethods may do anything, even drop the buffer: the address is looked up
 * again at each element.
 */
#include "sim/lua/module.h"

#include <string.h>

enum { ELEMENT_BYTES = 16 };

/* Progress of a fill. */
struct fill {
    struct lua_buffer *b;
    int arg;  /* argument number, for messages */
    u64 next; /* element to be set */
};

static int wrong_element(lua_State *L, const struct fill *f, const char *wrong) {
    lua_pushfstring(L, "element %I (%s): %s", (lua_Integer)f->next + 1, f->b->tensor.type, wrong);
    return luaL_argerror(L, f->arg, lua_tostring(L, -1));
}

/* Sets the next element from the top of the stack, which is popped. */
static void set_next(lua_State *L, struct fill *f) {
    u8 bytes[ELEMENT_BYTES];
    const char *wrong = element_read(L, -1, f->b->element, bytes);
    if (wrong)
        wrong_element(L, f, wrong);
    memcpy(lua_buffer_at(L, f->b, f->next), bytes, f->b->element.size);
    f->next++;
    lua_pop(L, 1);
}

/* ---- tables ---- */

/* True if a table holds rows rather than elements; a c64 element may itself be a table, of two. */
static bool is_nested(lua_State *L, int table, const struct lua_buffer *b) {
    const struct heddle_tensor *t = &b->tensor;
    if (t->ndim < 2)
        return false;
    lua_geti(L, table, 1);
    bool rows = lua_istable(L, -1);
    lua_pop(L, 1);
    u64 n = (u64)luaL_len(L, table);
    bool pairs = b->element.kind == ELEMENT_COMPLEX && n == t->count && n != t->shape[0];
    return (rows && !pairs) || (t->count == 0 && n == t->shape[0]);
}

static void set_rows(lua_State *L, struct fill *f, int table, u32 dim) {
    const struct heddle_tensor *t = &f->b->tensor;
    u64 want = dim == t->ndim ? t->count : t->shape[dim]; /* ndim = a flat table */
    bool last = dim + 1 >= t->ndim;
    lua_Integer n = luaL_len(L, table);
    luaL_checkstack(L, 4, "nested too deeply");
    if ((u64)n != want) {
        lua_pushfstring(L, "%I values expected in a table, got %I", (lua_Integer)want, n);
        luaL_argerror(L, f->arg, lua_tostring(L, -1));
    }
    for (lua_Integer i = 1; i <= n; i++) {
        lua_geti(L, table, i);
        if (last) {
            set_next(L, f);
        } else if (lua_istable(L, -1)) {
            set_rows(L, f, lua_gettop(L), dim + 1);
            lua_pop(L, 1);
        } else {
            wrong_element(L, f, "a table for the row expected");
        }
    }
}

u32 lua_shape_of(lua_State *L, int value, struct element e, u64 *shape) {
    size_t len = 0;
    u32 ndim = 0;
    int top = lua_gettop(L);
    switch (lua_type(L, value)) {
    case LUA_TSTRING:
        lua_tolstring(L, value, &len);
        luaL_argcheck(L, len % e.size == 0, value, "the bytes are not a whole number of elements");
        shape[0] = len / e.size;
        return 1;
    case LUA_TTABLE: break;
    case LUA_TNUMBER:
    case LUA_TBOOLEAN: return 0;
    default: return (u32)luaL_argerror(L, value - 1, "a shape is needed (number or list)");
    }
    lua_pushvalue(L, value);
    while (lua_istable(L, -1)) {
        lua_Integer n = luaL_len(L, -1);
        lua_geti(L, -1, 1);
        if (e.kind == ELEMENT_COMPLEX && ndim && n == 2 && !lua_istable(L, -1))
            break; /* {re, im} */
        luaL_argcheck(L, ndim < HEDDLE_DIMS_MAX, value, "more dimensions than 8");
        shape[ndim++] = (u64)n;
    }
    lua_settop(L, top);
    return ndim;
}

/* ---- other values ---- */

static void set_all(lua_State *L, struct fill *f, int value) {
    u8 bytes[ELEMENT_BYTES];
    u32 size = f->b->element.size;
    const char *wrong = element_read(L, value, f->b->element, bytes);
    if (wrong)
        luaL_argerror(L, f->arg, wrong);
    for (u64 i = 0; i < f->b->tensor.count; i++)
        memcpy(f->b->tensor.data + i * size, bytes, size);
}

static void set_bytes(lua_State *L, struct fill *f, const char *bytes, size_t len) {
    struct heddle_tensor *t = &f->b->tensor;
    if (len != t->bytes) {
        lua_pushfstring(L, "%I bytes expected, got %I", (lua_Integer)t->bytes, (lua_Integer)len);
        luaL_argerror(L, f->arg, lua_tostring(L, -1));
    }
    if (len)
        memmove(t->data, bytes, len);
}

static void set_called(lua_State *L, struct fill *f, int function) {
    for (u64 n = f->b->tensor.count; f->next < n;) {
        lua_pushvalue(L, function);
        lua_pushinteger(L, (lua_Integer)f->next + 1);
        lua_call(L, 1, 1);
        set_next(L, f);
    }
}

void lua_buffer_fill(lua_State *L, struct lua_buffer *b, int value, int arg) {
    struct fill f = {b, arg, 0};
    size_t len = 0;
    lua_buffer_written(b);
    switch (lua_type(L, value)) {
    case LUA_TTABLE: set_rows(L, &f, value, is_nested(L, value, b) ? 0 : b->tensor.ndim); break;
    case LUA_TSTRING: {
        const char *bytes = lua_tolstring(L, value, &len);
        set_bytes(L, &f, bytes, len);
        break;
    }
    case LUA_TNUMBER:
    case LUA_TBOOLEAN: set_all(L, &f, value); break;
    case LUA_TFUNCTION: set_called(L, &f, value); break;
    case LUA_TUSERDATA: {
        struct lua_buffer *from = lua_buffer_check(L, value);
        set_bytes(L, &f, (const char *)from->tensor.data, from->tensor.bytes);
        break;
    }
    default: luaL_argerror(L, arg, "table, string, number, boolean, function or buffer expected");
    }
}
