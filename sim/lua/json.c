/*
 * heddle.json: writes a value of Lua as JSON. Reading the value calls no function of a script (raw access), and
 * jansson's tree is freed before an error is raised.
 */
#include "sim/lua/module.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "sim/base/diag.h"
#include "sim/file/document.h"

/* ---- values that Lua lacks: null, and lists that may be empty ---- */

static const char null_key; /* key in the registry */

static int null_tostring(lua_State *L) {
    lua_pushliteral(L, "null");
    return 1;
}

void lua_json_open(lua_State *L) {
    static const luaL_Reg meta[] = {{"__tostring", null_tostring}, {NULL, NULL}};
    luaL_newmetatable(L, LUA_ARRAY);
    lua_pop(L, 1);
    lua_newuserdatauv(L, 0, 0);
    luaL_newmetatable(L, LUA_NULL);
    luaL_setfuncs(L, meta, 0);
    lua_setmetatable(L, -2);
    lua_rawsetp(L, LUA_REGISTRYINDEX, &null_key);
}

void lua_json_null(lua_State *L) {
    lua_rawgetp(L, LUA_REGISTRYINDEX, &null_key);
}

int lua_module_array(lua_State *L) {
    luaL_checktype(L, 1, LUA_TTABLE);
    lua_settop(L, 1);
    if (lua_getmetatable(L, 1)) {
        luaL_getmetatable(L, LUA_ARRAY);
        luaL_argcheck(L, lua_rawequal(L, -1, -2), 1, "a table without a metatable expected");
        lua_settop(L, 1);
    }
    luaL_setmetatable(L, LUA_ARRAY);
    return 1;
}

/* ---- mistakes ---- */

/* A value, and its place. */
struct place {
    const struct place *in; /* the table that holds it; NULL = the whole */
    const void *table;      /* identity of the value, if it is a table */
    const char *key;        /* the member of that name; NULL = the element `index` */
    lua_Integer index;
    u32 depth;
};

struct writer {
    lua_State *L;
    int array, null;  /* stack indices of the metatable of arrays, and of null */
    int indent;       /* columns; 0 = all on one line */
    bool lossy;       /* replaces values that JSON lacks */
    bool full;        /* out of memory */
    struct buf wrong; /* the first mistake */
};

static void put_place(struct buf *out, const struct place *p) {
    if (!p->in)
        return;
    put_place(out, p->in);
    if (p->key)
        buf_printf(out, "%s%s", p->in->in ? "." : "", p->key);
    else
        buf_printf(out, "[%lld]", (long long)p->index);
}

/* Refuses the value. Returns NULL: nothing is built any more. */
PRINTF_LIKE(3, 4) static json_t *refuse(struct writer *w, const struct place *at, const char *fmt, ...) {
    char what[200];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(what, sizeof what, fmt, ap);
    va_end(ap);
    buf_printf(&w->wrong, "%s%s", what, at->in ? ", at " : "");
    put_place(&w->wrong, at);
    return NULL;
}

/* Checks a value that jansson made: it fails only when out of memory. */
static json_t *made(struct writer *w, json_t *v) {
    w->full |= !v;
    return v;
}

/* ---- values without parts ---- */

static json_t *number(struct writer *w, const struct place *at, int value) {
    static const double WHOLE = 0x1p53; /* below it, every integer is a double */
    if (lua_isinteger(w->L, value))
        return made(w, json_integer(lua_tointeger(w->L, value)));
    double v = lua_tonumber(w->L, value);
    if (!isfinite(v))
        return w->lossy ? json_null()
                        : refuse(w, at, "%s is not a number of JSON",
                                 isnan(v) ? "nan"
                                 : v > 0  ? "inf"
                                          : "-inf");
    bool whole = fabs(v) <= WHOLE && v == floor(v) && !(v == 0 && signbit(v));
    return made(w, whole ? json_integer((json_int_t)v) : json_real(v));
}

static json_t *text(struct writer *w, const struct place *at, const char *bytes, size_t len, bool lossy) {
    json_t *v = json_stringn(bytes, len);
    if (v || lossy)
        return v ? v : made(w, document_string(bytes, len));
    v = made(w, json_stringn_nocheck(bytes, len));
    json_decref(v);
    return v ? refuse(w, at, "text that is no UTF-8") : NULL;
}

/* ---- tables ---- */

static json_t *build(struct writer *w, const struct place *at, int value);

/* The keys of a table. */
struct keys {
    lua_Integer elements, last; /* number of positive integers, and the greatest of them */
    const char *name;           /* a text among them, kept alive by the table */
    const char *other;          /* type of a key that is neither */
};

static struct keys keys_of(lua_State *L, int table) {
    struct keys k = {0};
    for (lua_pushnil(L); lua_next(L, table); lua_pop(L, 1)) {
        lua_Integer i = lua_isinteger(L, -2) ? lua_tointeger(L, -2) : 0;
        if (lua_type(L, -2) == LUA_TSTRING)
            k.name = lua_tostring(L, -2);
        else if (i < 1)
            k.other = luaL_typename(L, -2);
        k.elements += i >= 1;
        k.last = i > k.last ? i : k.last;
    }
    return k;
}

static json_t *array_of(struct writer *w, const struct place *at, int table, lua_Integer n) {
    json_t *all = made(w, json_array());
    for (lua_Integer i = 1; i <= n && all; i++) {
        struct place part = {.in = at, .index = i, .depth = at->depth + 1};
        lua_rawgeti(w->L, table, i);
        json_t *v = build(w, &part, lua_gettop(w->L));
        lua_pop(w->L, 1);
        w->full |= v && json_array_append_new(all, v) != 0;
        if (!v || w->full) {
            json_decref(all);
            return NULL;
        }
    }
    return all;
}

/* Adds the member with its value at `value`, its key below. */
static bool add_member(struct writer *w, const struct place *at, json_t *all, int value) {
    size_t len = 0;
    const char *key = lua_tolstring(w->L, value - 1, &len);
    struct place part = {.in = at, .key = key, .depth = at->depth + 1};
    json_t *name = memchr(key, 0, len) ? refuse(w, &part, "a name with a NUL") : text(w, &part, key, len, false);
    json_t *v = name ? build(w, &part, value) : NULL;
    w->full |= v && json_object_set_new(all, key, v) != 0;
    json_decref(name);
    return v && !w->full;
}

static json_t *object_of(struct writer *w, const struct place *at, int table) {
    int top = lua_gettop(w->L);
    json_t *all = made(w, json_object());
    if (!all)
        return NULL;
    for (lua_pushnil(w->L); lua_next(w->L, table); lua_settop(w->L, top + 1)) {
        if (!add_member(w, at, all, top + 2)) {
            json_decref(all);
            lua_settop(w->L, top);
            return NULL;
        }
    }
    return all;
}

static json_t *table_of(struct writer *w, struct place *at, int table) {
    at->table = lua_topointer(w->L, table);
    for (const struct place *p = at->in; p; p = p->in)
        if (p->table == at->table)
            return refuse(w, at, "a table inside of itself");
    if (!lua_checkstack(w->L, 8))
        return made(w, NULL);
    struct keys k = keys_of(w->L, table);
    bool array = k.elements > 0;
    if (lua_getmetatable(w->L, table)) {
        array = array || lua_rawequal(w->L, -1, w->array);
        lua_pop(w->L, 1);
    }
    if (k.other)
        return refuse(w, at, "a table with a %s for a key", k.other);
    if (k.name && array)
        return refuse(w, at, "a list with a member '%s'", k.name);
    if (k.last != k.elements)
        return refuse(w, at, "a list with %lld of %lld elements", (long long)k.elements, (long long)k.last);
    return array ? array_of(w, at, table, k.last) : object_of(w, at, table);
}

static json_t *build(struct writer *w, const struct place *at, int value) {
    struct place here = *at;
    size_t len = 0;
    if (at->depth >= DOCUMENT_DEEPEST)
        return refuse(w, &(struct place){0}, "more than %d values inside of one another", DOCUMENT_DEEPEST);
    switch (lua_type(w->L, value)) {
    case LUA_TNIL: return json_null();
    case LUA_TBOOLEAN: return json_boolean(lua_toboolean(w->L, value));
    case LUA_TNUMBER: return number(w, at, value);
    case LUA_TTABLE: return table_of(w, &here, value);
    case LUA_TSTRING: {
        const char *bytes = lua_tolstring(w->L, value, &len);
        return text(w, at, bytes, len, w->lossy);
    }
    default:
        return lua_rawequal(w->L, value, w->null) ? json_null() : refuse(w, at, "a %s", luaL_typename(w->L, value));
    }
}

/* ---- the function ---- */

enum { INDENT = 2, INDENT_MOST = 31 };

/* Reads the table of options at index 2, if there is one. */
static void read_options(lua_State *L, struct writer *w) {
    if (lua_isnoneornil(L, 2))
        return;
    lua_options_only(L, 2, "heddle.json", (const char *const[]){"indent", "lossy", NULL});
    lua_getfield(L, 2, "lossy");
    w->lossy = lua_toboolean(L, -1);
    if (lua_getfield(L, 2, "indent") != LUA_TNIL) {
        int whole;
        lua_Integer n = lua_tointegerx(L, -1, &whole);
        luaL_argcheck(L, whole && n >= 0 && n <= INDENT_MOST, 2, "indent is a whole number from 0 to 31");
        w->indent = (int)n;
    }
    lua_pop(L, 2);
}

/* Raises the error; its text is in the block, where an error of Lua itself finds it too. */
static int raise_wrong(lua_State *L, struct writer *w, struct lua_block *block) {
    struct buf shown = {0};
    diag_put_text(&shown, w->wrong.data ? w->wrong.data : "", w->wrong.len);
    bool full = w->full || w->wrong.failed || shown.failed;
    buf_free(&w->wrong);
    block->data = shown.data;
    if (full)
        return lua_raise_message(L, "memory", "out of memory");
    lua_block_push(L, block, shown.len);
    return luaL_argerror(L, 1, lua_tostring(L, -1));
}

int lua_module_json(lua_State *L) {
    struct writer w = {.L = L, .indent = INDENT};
    struct buf out = {0};
    luaL_checkany(L, 1);
    read_options(L, &w);
    struct lua_block *block = lua_block_new(L);
    luaL_getmetatable(L, LUA_ARRAY);
    w.array = lua_gettop(L);
    lua_json_null(L);
    w.null = lua_gettop(L);
    /* from here on, no error of Lua may be raised: nothing else owns the tree */
    json_t *v = build(&w, &(struct place){0}, 1);
    size_t flags = JSON_SORT_KEYS | (w.indent ? JSON_INDENT((size_t)w.indent) : JSON_COMPACT);
    w.full |= v && !document_write(v, flags, &out);
    json_decref(v);
    block->data = out.data;
    if (!v || w.full)
        return buf_free(&out), raise_wrong(L, &w, block);
    lua_block_push(L, block, out.len);
    return 1;
}
