/*
 * Structures of heddle.h as tables: a walk over the table of structures (sim/api/record.h), with the names of C. Lists
 * are counted from 1, and so are [index] fields; a list of structures that have a name is a table by names. What C
 * marks as unknown, a NULL, line 0 or UINT64_MAX, is nil.
 */
#include "sim/api/record.h"

#include <ctype.h>
#include <string.h>

#include "sim/lua/module.h"

/* ---- the walk: the table that is filled is on top of the stack; below it are its key and the table around it ---- */

static void push_key(lua_State *L, const char *name) {
    luaL_checkstack(L, 8, NULL);
    if (name)
        lua_pushstring(L, name);
    else
        lua_pushinteger(L, (lua_Integer)lua_rawlen(L, -1) + 1);
}

static void open_table(void *ctx, const char *name, char bracket) {
    (void)bracket;
    push_key(ctx, name);
    lua_newtable(ctx);
}

static void close_table(void *ctx, char bracket) {
    (void)bracket;
    lua_rawset(ctx, -3);
}

static void set_value(void *ctx, const char *name, const struct heddle_value *v) {
    lua_State *L = ctx;
    if (v->kind == HEDDLE_KIND_WHOLE && !v->whole && v->field && strcmp(v->field->name, "line") == 0)
        return;
    push_key(L, name);
    switch (v->kind) {
    case HEDDLE_KIND_BOOL: lua_pushboolean(L, v->truth); break;
    case HEDDLE_KIND_WHOLE: lua_pushinteger(L, (lua_Integer)v->whole + (v->field && v->field->index)); break;
    case HEDDLE_KIND_HEX: lua_pushinteger(L, (lua_Integer)v->whole); break;
    case HEDDLE_KIND_SIGNED: lua_pushinteger(L, v->number); break;
    case HEDDLE_KIND_REAL: lua_pushnumber(L, v->real); break;
    case HEDDLE_KIND_TEXT: lua_pushstring(L, v->text); break;
    case HEDDLE_KIND_BYTES: lua_pushlstring(L, v->text, v->whole); break;
    case HEDDLE_KIND_RECORD: BUG("a walk opens structures");
    }
    lua_rawset(L, -3);
}

static void set_false(void *ctx, const char *name) {
    push_key(ctx, name);
    lua_pushboolean(ctx, false);
    lua_rawset(ctx, -3);
}

/* Keeps the place of an unknown value in a list. */
static void set_none(void *ctx, const char *name) {
    if (!name)
        set_false(ctx, name);
}

/* ---- documentation ---- */

/* Pushes the documentation of a field in the header, in the words of Lua. */
static void push_doc(lua_State *L, const struct heddle_field *f) {
    const char *doc = luaL_gsub(L, f->doc, "UINT64_MAX", "nil");
    doc = luaL_gsub(L, doc, "NULL", "nil");
    if (strcmp(f->name, "line") == 0)
        doc = luaL_gsub(L, doc, "0 = ", "nil = ");
    if (f->index)
        doc = luaL_gsub(L, luaL_gsub(L, doc, ", from 0", ""), "from 0", "its number");
    lua_pushfstring(L, "%c%s%s", toupper((unsigned char)*doc), doc + 1, f->index ? ", from 1." : ".");
}

static void add_row(lua_State *L, const char *group, const struct heddle_field *f, const char *path) {
    lua_createtable(L, 0, 4);
    lua_field_string(L, "group", lua_module_prefix(group));
    lua_field_string(L, "name", f->columns ? "COLUMN" : f->name);
    lua_field_string(L, "signature", path);
    int top = lua_gettop(L);
    push_doc(L, f);
    lua_setfield(L, top, "doc");
    lua_settop(L, top);
    lua_rawseti(L, 1, luaL_len(L, 1) + 1);
}

/* Adds the fields of a structure, but for those of the outermost one that have a row of their own in api.def. */
static void add_rows(lua_State *L, const char *group, const struct heddle_record *of, const char *before, u32 first) {
    bool outermost = strcmp(before, lua_module_prefix(group)) == 0;
    for (u32 i = first; i < of->nfields; i++) {
        const struct heddle_field *f = &of->fields[i];
        if ((f->without & HEDDLE_LUA) || (outermost && lua_module_is_value(group, f->name)))
            continue;
        int top = lua_gettop(L);
        luaL_checkstack(L, 16, NULL);
        const char *path = lua_pushfstring(L, "%s.%s", before, f->columns ? "COLUMN" : f->name);
        add_row(L, group, f, path);
        bool map = f->list && f->record && f->record->named;
        if (f->record && !f->record->value)
            add_rows(L, group, f->record, lua_pushfstring(L, "%s%s", path, map ? "[name]" : f->list ? "[i]" : ""), map);
        lua_settop(L, top);
    }
}

void lua_record_rows(lua_State *L, const char *group) {
    static const struct {
        const char *group, *record;
    } groups[] = {{"RESULT", "heddle_result"}, {"PROOF", "heddle_proof"}, {"ERROR", "heddle_fault_info"}};
    for (size_t i = 0; i < COUNT_OF(groups); i++)
        if (strcmp(groups[i].group, group) == 0)
            add_rows(L, group, heddle_record(groups[i].record), lua_module_prefix(group), 0);
}

/* ---- what others call ---- */

static struct heddle_sink sink_of(lua_State *L) {
    return (struct heddle_sink){L, HEDDLE_LUA, open_table, close_table, set_value, set_none, NULL};
}

void lua_record_set(lua_State *L, const char *record, const void *at) {
    const struct heddle_sink sink = sink_of(L);
    heddle_walk(&sink, heddle_record(record), at);
}

void lua_record_push(lua_State *L, const char *record, const void *at) {
    lua_newtable(L);
    lua_record_set(L, record, at);
}

void lua_event_push(lua_State *L, const struct heddle *h, const struct heddle_event *event) {
    const struct heddle_sink sink = sink_of(L);
    lua_newtable(L);
    heddle_walk_event(&sink, h, event);
}

/* Pushes a state, with false for registers of which it is not known when they can be read. */
void lua_state_push(lua_State *L, const struct heddle_state *state) {
    struct heddle_sink sink = sink_of(L);
    lua_record_push(L, "heddle_state", state);
    sink.none = set_false;
    heddle_walk_registers(&sink, state, state->cycle);
}

void lua_result_push(lua_State *L, const struct heddle_result *r) {
    const struct heddle_sink sink = sink_of(L);
    lua_record_push(L, "heddle_result", r);
    lua_getfield(L, -1, "explain");
    for (u32 i = 0; i < r->nexplain; i++) {
        lua_geti(L, -1, (lua_Integer)i + 1);
        if (r->explain[i].shown)
            heddle_walk_lanes(&sink, &r->explain[i], r->warp);
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
}
