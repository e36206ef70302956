/* heddle.table: formats a table as text, CSV or Markdown, as the commands do. */
#include "sim/lua/module.h"

#include <stdio.h>
#include <string.h>

#include "sim/file/table.h"
#include "sim/file/computer.h"

/* A table being filled: after an error of Lua, the garbage collector frees it. */
struct filled {
    struct table t;
    struct table_column column[TABLE_COLUMNS]; /* texts of the argument */
};

static int release(lua_State *L) {
    struct filled *f = luaL_checkudata(L, 1, LUA_TABLE);
    table_free(&f->t);
    return 0;
}

void lua_table_open(lua_State *L) {
    static const luaL_Reg meta[] = {{"__gc", release}, {NULL, NULL}};
    luaL_newmetatable(L, LUA_TABLE);
    luaL_setfuncs(L, meta, 0);
    lua_pop(L, 1);
}

/* ---- arguments ---- */

enum { COLUMNS = 1, ROWS, OPTIONS };

/* Returns the text of a member of the table on top of the stack, which keeps it alive; NULL = nil. */
static const char *member(lua_State *L, const char *name, int arg) {
    lua_pushstring(L, name);
    int type = lua_rawget(L, -2);
    luaL_argcheck(L, type == LUA_TNIL || type == LUA_TSTRING, arg, lua_pushfstring(L, "%s must be a text", name));
    const char *text = lua_text(L, -1);
    lua_pop(L, 1);
    return text;
}

static enum table_kind kind_of(lua_State *L, const char *name) {
    static const char *const kinds[] = {
        [TABLE_WORD] = "word",     [TABLE_NUMBER] = "number", [TABLE_PROSE] = "prose", [TABLE_SOURCE] = "source",
        [TABLE_VARIES] = "varies", [TABLE_BAR] = "bar",       [TABLE_BELOW] = "below"};
    for (size_t i = 0; i < COUNT_OF(kinds); i++)
        if (strcmp(kinds[i], name ? name : "word") == 0)
            return (enum table_kind)i;
    luaL_argerror(L, COLUMNS, "kind is one of word, number, prose, source, bar and below");
    return TABLE_WORD;
}

static void read_columns(lua_State *L, struct filled *f) {
    lua_Unsigned n = lua_rawlen(L, COLUMNS);
    luaL_argcheck(L, n >= 1 && n <= TABLE_COLUMNS, COLUMNS, "1 to 64 columns expected");
    for (u32 c = 0; c < n; c++) {
        bool given = lua_rawgeti(L, COLUMNS, c + 1) == LUA_TTABLE && lua_rawgeti(L, -1, 1) == LUA_TSTRING;
        luaL_argcheck(L, given, COLUMNS, "a column is {title, kind = ..., key = ...}");
        const char *title = lua_text(L, -1);
        lua_pop(L, 1);
        const char *key = member(L, "key", COLUMNS);
        f->column[c] = (struct table_column){key ? key : title, title, kind_of(L, member(L, "kind", COLUMNS))};
        lua_pop(L, 1);
    }
    f->t = (struct table){.name = "", .column = f->column, .columns = (u32)n};
}

/* ---- cells ---- */

static struct short_text shown(lua_State *L, int value) {
    struct short_text s;
    snprintf(s.text, sizeof s.text, "%s", luaL_tolstring(L, value, NULL));
    lua_pop(L, 1);
    return s;
}

/* Adds the cell on top of the stack: nil, a text, a number, or {number, its text}. */
static void add_cell(lua_State *L, struct table *t) {
    int top = lua_gettop(L), type = lua_type(L, top);
    if (type == LUA_TNIL) {
        table_word(t, "");
    } else if (type == LUA_TSTRING) {
        table_word(t, lua_text(L, top));
    } else if (type == LUA_TNUMBER) {
        table_number(t, lua_tonumber(L, top), shown(L, top));
    } else {
        bool pair =
            type == LUA_TTABLE && lua_rawgeti(L, top, 1) == LUA_TNUMBER && lua_rawgeti(L, top, 2) == LUA_TSTRING;
        luaL_argcheck(L, pair, ROWS, "a cell is nil, a text, a number or {number, text}");
        table_number(t, lua_tonumber(L, top + 1), shown(L, top + 2));
    }
    lua_settop(L, top - 1);
}

static void read_rows(lua_State *L, struct table *t) {
    for (lua_Unsigned row = 1; row <= lua_rawlen(L, ROWS); row++) {
        luaL_argcheck(L, lua_rawgeti(L, ROWS, (lua_Integer)row) == LUA_TTABLE, ROWS, "a list of lists expected");
        for (u32 c = 1; c <= t->columns; c++) {
            lua_rawgeti(L, -1, c);
            add_cell(L, t);
        }
        lua_pop(L, 1);
    }
}

/* ---- the function ---- */

enum { WIDTH_LEAST = 20 };

int lua_module_width(lua_State *L) {
    lua_pushinteger(L, terminal_width());
    return 1;
}

static void write_as(lua_State *L, const struct table *t, struct buf *out) {
    lua_Integer width = terminal_width();
    const char *as = "text";
    if (!lua_isnoneornil(L, OPTIONS)) {
        luaL_checktype(L, OPTIONS, LUA_TTABLE);
        lua_pushvalue(L, OPTIONS);
        const char *given = member(L, "as", OPTIONS);
        as = given ? given : as;
        lua_pushliteral(L, "width");
        if (lua_rawget(L, OPTIONS) != LUA_TNIL)
            width = lua_tointeger(L, -1);
        luaL_argcheck(L, width >= WIDTH_LEAST && width <= INT32_MAX, OPTIONS, "width is at least 20");
    }
    if (strcmp(as, "csv") == 0)
        table_csv(t, out);
    else if (strcmp(as, "markdown") == 0)
        table_markdown(t, out);
    else if (strcmp(as, "text") == 0)
        table_text(t, (u32)width, out);
    else
        luaL_argerror(L, OPTIONS, "as is one of text, csv and markdown");
}

int lua_module_table(lua_State *L) {
    struct buf out = {0};
    luaL_checktype(L, COLUMNS, LUA_TTABLE);
    luaL_checktype(L, ROWS, LUA_TTABLE);
    lua_settop(L, OPTIONS);
    struct filled *f = lua_newuserdatauv(L, sizeof *f, 0);
    f->t = (struct table){.name = NULL};
    luaL_setmetatable(L, LUA_TABLE);
    struct lua_block *block = lua_block_new(L);
    read_columns(L, f);
    read_rows(L, &f->t);
    write_as(L, &f->t, &out);
    block->data = out.data;
    if (out.failed)
        return lua_raise_message(L, "memory", "out of memory");
    lua_block_push(L, block, out.len);
    return 1;
}
