/* heddle.read_table: reads a table as text, as lists of its columns or of its rows. */
#include "sim/lua/module.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/api/delimited.h"
#include "sim/base/ascii.h"

/* The stack: the arguments, the reading, its precisions, the result, then the lists of columns. */
enum { TEXT = 1, OPTIONS, READING, PRECISION, RESULT };

/* A table being read: after an error of Lua, the garbage collector frees it. */
struct reading {
    struct delimited d;
    bool empty_nan;
    struct precision {
        int place;   /* exponent of ten of the last digit written */
        bool single; /* all numbers so far look as an fp32 would be written */
        bool padded; /* a number ends with a zero that it does not need */
        bool wanted;
    } * precision; /* [columns] */
};

static int release(lua_State *L) {
    struct reading *r = luaL_checkudata(L, 1, LUA_READING);
    delimited_close(&r->d);
    return 0;
}

void lua_read_table_open(lua_State *L) {
    static const luaL_Reg meta[] = {{"__gc", release}, {NULL, NULL}};
    luaL_newmetatable(L, LUA_READING);
    luaL_setfuncs(L, meta, 0);
    lua_pop(L, 1);
}

/* ---- precision ---- */

/* Finds the exponent of ten of the last digit of a decimal number. */
static int last_place(const char *text, u32 len) {
    int places = 0;
    bool in_fraction = false;
    for (u32 i = 0; i < len; i++) {
        if ((text[i] | 0x20) == 'e') {
            long exponent = strtol(text + i + 1, NULL, 10);
            return (int)(exponent < -5000 ? -5000 : exponent > 5000 ? 5000 : exponent) - places;
        }
        places += in_fraction && is_digit(text[i]);
        in_fraction |= text[i] == '.';
    }
    return -places;
}

/* True if an fp32 printed to the same last digit would look like it. */
static bool is_single(double v, int place) {
    double narrow = (double)(float)v;
    return fabs(v - narrow) <= 0.5000001 * pow(10, place);
}

static void measure(struct precision *p, const struct field *f, double v) {
    if (!isfinite(v) || !f->len)
        return;
    int place = last_place(f->text, f->len);
    p->place = place < p->place ? place : p->place;
    p->single = p->single && is_single(v, place);
    p->padded |= place < -1 && memchr(f->text, '.', f->len) && f->text[f->len - 1] == '0';
}

/* ---- rows ---- */

static void push_text(lua_State *L, const struct field *f) {
    luaL_Buffer b;
    luaL_buffinit(L, &b);
    for (u32 i = 0; i < f->len; i++) {
        luaL_addchar(&b, f->text[i]);
        i += f->quoted && f->text[i] == '"';
    }
    luaL_pushresult(&b);
}

static void push_texts(lua_State *L, const struct field *f, u32 n) {
    lua_createtable(L, (int)n, 0);
    for (u32 i = 0; i < n; i++) {
        push_text(L, &f[i]);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
}

/* Reads each row as a list of texts. */
static lua_Integer read_words(lua_State *L, struct reading *r) {
    lua_Integer row = 0;
    while (delimited_row(&r->d)) {
        push_texts(L, delimited_fields(&r->d), r->d.columns);
        lua_rawseti(L, RESULT, ++row);
    }
    return row;
}

/* Reads each wanted column as a list of numbers, on the stack in their order. */
static lua_Integer read_numbers(lua_State *L, struct reading *r) {
    lua_Integer row = 0;
    while (delimited_row(&r->d)) {
        int list = RESULT;
        row++;
        for (u32 i = 0; i < r->d.columns; i++) {
            const struct field *f = &delimited_fields(&r->d)[i];
            u64 bits = 0;
            double v;
            if (!r->precision[i].wanted)
                continue;
            bool ok = field_value(&r->d, f, r->empty_nan, &bits);
            memcpy(&v, &bits, sizeof v);
            if (ok && field_is_pattern(f))
                diag_error(&r->d.diag, (struct span){f->line, f->col, f->len},
                           "a pattern of bits, and no decimal number");
            else if (ok)
                measure(&r->precision[i], f, v);
            lua_pushnumber(L, v);
            lua_rawseti(L, ++list, row);
        }
    }
    return row;
}

/* ---- the function ---- */

/* Pushes a field of the options; true if it is given. */
static bool option(lua_State *L, const char *name) {
    return lua_istable(L, OPTIONS) && lua_getfield(L, OPTIONS, name) != LUA_TNIL;
}

/* Pushes the reading. Strings of the options live as long as they do. */
static struct reading *begin(lua_State *L) {
    size_t len;
    const char *text = luaL_checklstring(L, TEXT, &len);
    lua_options_only(L, OPTIONS, "heddle.read_table",
                     (const char *const[]){"columns", "empty", "words", "name", "line", NULL});
    struct reading *r = lua_newuserdatauv(L, sizeof *r, 0);
    *r = (struct reading){.d = {.text = text, .len = len, .type = ET_F64, .diag = {.file = "table"}}};
    luaL_setmetatable(L, LUA_READING);
    r->d.words = option(L, "words") && lua_toboolean(L, -1);
    r->d.line = option(L, "line") ? (u32)luaL_checkinteger(L, -1) - 1 : 0;
    if (option(L, "name"))
        r->d.diag.file = luaL_checkstring(L, -1);
    r->empty_nan = option(L, "empty") && lua_empty_nan(L, OPTIONS);
    if (!r->d.line) {
        r->d.diag.source = text;
        r->d.diag.source_len = len;
    }
    lua_settop(L, READING);
    return r;
}

/* Pushes the precisions, and marks the columns of the option, or all without it. */
static void choose(lua_State *L, struct reading *r) {
    u32 n = r->d.columns;
    r->precision = lua_newuserdatauv(L, n * sizeof *r->precision + 1, 0);
    bool all = !option(L, "columns");
    for (u32 i = 0; i < n; i++)
        r->precision[i] = (struct precision){.place = 400, .single = true, .wanted = all};
    for (lua_Integer k = 1; !all && k <= luaL_len(L, -1); k++) {
        lua_Integer c = lua_geti(L, -1, k) == LUA_TNUMBER ? lua_tointeger(L, -1) : 0;
        lua_pop(L, 1);
        luaL_argcheck(L, c >= 1, OPTIONS, "columns are counted from 1");
        if (c <= (lua_Integer)n)
            r->precision[c - 1].wanted = true;
    }
    lua_settop(L, PRECISION);
}

/* Sets the lists, and what is known about their numbers. */
static void keep(lua_State *L, const struct reading *r) {
    int list = RESULT;
    lua_createtable(L, 0, 0);
    lua_createtable(L, 0, 0);
    lua_createtable(L, 0, 0);
    int padded = lua_gettop(L), single = padded - 1, place = single - 1;
    for (u32 i = 0; i < r->d.columns; i++) {
        lua_Integer column = (lua_Integer)i + 1;
        if (!r->precision[i].wanted)
            continue;
        lua_pushvalue(L, ++list);
        lua_rawseti(L, RESULT, column);
        lua_pushinteger(L, r->precision[i].place);
        lua_rawseti(L, place, column);
        lua_pushboolean(L, r->precision[i].single);
        lua_rawseti(L, single, column);
        lua_pushboolean(L, r->precision[i].padded);
        lua_rawseti(L, padded, column);
    }
    lua_setfield(L, RESULT, "padded");
    lua_setfield(L, RESULT, "single");
    lua_setfield(L, RESULT, "place");
}

static void check(lua_State *L, const struct reading *r) {
    struct lua_block *block = lua_block_new(L);
    struct buf text = {0};
    if (r->d.failed)
        lua_raise_message(L, "memory", "out of memory");
    if (r->d.diag.errors) {
        diag_render(&r->d.diag, &text);
        block->data = text.data;
        lua_block_push(L, block, text.len);
        lua_raise_message(L, "input", lua_tostring(L, -1));
    }
    lua_pop(L, 1);
}

int lua_module_read_table(lua_State *L) {
    lua_settop(L, OPTIONS);
    struct reading *r = begin(L);
    bool open = delimited_open(&r->d);
    check(L, r);
    choose(L, r);
    lua_createtable(L, 0, 8);
    for (u32 i = 0; i < r->d.columns && !r->d.words; i++)
        if (r->precision[i].wanted) {
            luaL_checkstack(L, 8, "too many columns");
            lua_createtable(L, 0, 0);
        }
    lua_Integer rows = !open ? 0 : r->d.words ? read_words(L, r) : read_numbers(L, r);
    check(L, r);
    if (!r->d.words)
        keep(L, r);
    if (delimited_names(&r->d)) {
        push_texts(L, delimited_names(&r->d), r->d.columns);
        lua_setfield(L, RESULT, "names");
    }
    lua_settop(L, RESULT);
    lua_field_integer(L, "rows", (u64)rows);
    lua_field_integer(L, "width", r->d.columns);
    lua_field_integer(L, "first", r->d.first);
    if (r->d.named)
        lua_field_integer(L, "named", r->d.named);
    return 1;
}
