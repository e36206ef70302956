/*
 * Structures of heddle.h as tables: a walk over the table of structures (sim/api/record.h), with the names of C. Lists
<<<<<<< HEAD
 * are counted from 1, and so are elements of buffers; a list of structures that have a name is a table by names. What C
 * marks as unknown, a NULL, line 0 or UINT64_MAX, is nil.
=======
 * are counted from 1, and so are elements of buffers; a list of structures that have a name is a table by names; bytes
 * are a string. Values that C marks as unknown, a NULL, line 0 or UINT64_MAX, are nil.
>>>>>>> 85edead1 (api: Shorten comments of the table of structures)
 */
#include "sim/api/record.h"

#include <ctype.h>
#include <string.h>

#include "sim/lua/module.h"

/* Fields that are not walked: the code of their structure gives them another form. */
static const struct {
    const char *record, *field;
} own[] = {
    {"heddle_explained", "columns"}, {"heddle_proof", "verdict"}, {"heddle_proof", "name"},
    {"heddle_proof", "assumed"},     {"heddle_proof", "data"},    {"heddle_state", "regs"},
    {"heddle_state", "preds"},       {"heddle_state", "transit"}, {"heddle_state", "ready"},
};

<<<<<<< HEAD
/* Numbers of elements are counted from 0 in C. */
=======
/* Structures that were lists before 0.2: until the release after it, their elements can be read by numbers. */
static const struct {
    const char *record, *list;
} lists[] = {{"heddle_proof_difference", "sides"}, {"heddle_proof_findings", "list"}};

static int list_index(lua_State *L) {
    if (!lua_isinteger(L, 2))
        return 0;
    lua_getfield(L, 1, lua_tostring(L, lua_upvalueindex(1)));
    lua_geti(L, -1, lua_tointeger(L, 2));
    return 1;
}

static int list_length(lua_State *L) {
    lua_getfield(L, 1, lua_tostring(L, lua_upvalueindex(1)));
    lua_pushinteger(L, luaL_len(L, -1));
    return 1;
}

/* Lets the table on top of the stack be read as a list, if the structure was one. */
static void set_list(lua_State *L, const char *record) {
    static const luaL_Reg meta[] = {{"__index", list_index}, {"__len", list_length}, {NULL, NULL}};
    for (size_t i = 0; i < COUNT_OF(lists); i++) {
        if (strcmp(lists[i].record, record) != 0)
            continue;
        if (luaL_newmetatable(L, record)) {
            lua_pushstring(L, lists[i].list);
            luaL_setfuncs(L, meta, 1);
        }
        lua_setmetatable(L, -2);
    }
}

/* ---- values ---- */

static void set_fields(lua_State *L, const struct heddle_record *of, const void *at, u32 first);
static void push_field(lua_State *L, const struct heddle_field *f, const void *at);

static void push_record(lua_State *L, const struct heddle_record *of, const void *at, u32 first) {
    luaL_checkstack(L, 8, NULL);
    lua_createtable(L, 0, (int)of->nfields);
    set_fields(L, of, at, first);
    set_list(L, of->name);
}

/* True for a member of a list of two that one of them lacks. */
static bool is_absent(const struct heddle_record *of, const void *at) {
    return strcmp(of->name, "heddle_proof_depends") == 0 && !heddle_field_there(&of->fields[0], at);
}

/* True for numbers of elements, which C counts from 0. */
>>>>>>> 85edead1 (api: Shorten comments of the table of structures)
static bool is_index(const char *name) {
    return strcmp(name, "element") == 0 || strcmp(name, "from_element") == 0;
}

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
    if (v->kind == HEDDLE_KIND_WHOLE && (v->whole == UINT64_MAX || (!v->whole && name && strcmp(name, "line") == 0)))
        return;
    push_key(L, name);
    switch (v->kind) {
    case HEDDLE_KIND_BOOL: lua_pushboolean(L, v->truth); break;
    case HEDDLE_KIND_WHOLE: lua_pushinteger(L, (lua_Integer)v->whole + (name && is_index(name))); break;
    case HEDDLE_KIND_HEX: lua_pushinteger(L, (lua_Integer)v->whole); break;
    case HEDDLE_KIND_SIGNED: lua_pushinteger(L, v->number); break;
    case HEDDLE_KIND_REAL: lua_pushnumber(L, v->real); break;
    case HEDDLE_KIND_TEXT: lua_pushstring(L, v->text); break;
    case HEDDLE_KIND_RECORD: BUG("a walk opens structures");
    }
    lua_rawset(L, -3);
}

<<<<<<< HEAD
static void set_none(void *ctx, const char *name) {
    (void)ctx;
    (void)name;
}

static bool leave_out(const struct heddle_sink *to, const struct heddle_record *of, const struct heddle_field *f,
                      const void *record) {
    (void)to;
    (void)record;
=======
/* Sets elements that a function names, in the table on top of the stack. */
static void set_named(lua_State *L, const struct heddle_field *f, const void *at, bool zeros) {
    const char *name;
    for (u32 i = 0; (name = f->element(i, NULL)) != NULL; i++) {
        u64 number = heddle_field_value(f, at, i).whole;
        if (number || zeros)
            lua_field_integer(L, name, number);
    }
}

/* Pushes structures by their names, which are their first fields. */
static void push_map(lua_State *L, const struct heddle_field *f, const void *at) {
    u64 count = heddle_field_count(f, at);
    lua_createtable(L, 0, (int)count);
    for (u64 i = 0; i < count; i++) {
        const void *element = heddle_field_value(f, at, i).record;
        push_value(L, &f->record->fields[0], element, 0);
        if (!f->record->value)
            push_record(L, f->record, element, 1);
        else if (heddle_field_there(f->record->value, element))
            push_field(L, f->record->value, element);
        else
            lua_pushnil(L);
        lua_rawset(L, -3);
    }
}

static void push_bytes(lua_State *L, const struct heddle_field *f, const void *at) {
    luaL_Buffer bytes;
    u64 count = heddle_field_count(f, at);
    char *to = luaL_buffinitsize(L, &bytes, count);
    for (u64 i = 0; i < count; i++)
        to[i] = (char)heddle_field_value(f, at, i).whole;
    luaL_pushresultsize(&bytes, count);
}

static void push_list(lua_State *L, const struct heddle_field *f, const void *at) {
    u64 count = heddle_field_count(f, at);
    lua_createtable(L, (int)count, 0);
    for (u64 i = 0; i < count; i++) {
        push_value(L, f, at, i);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
}

static void push_field(lua_State *L, const struct heddle_field *f, const void *at) {
    if (!f->list) {
        push_value(L, f, at, 0);
    } else if (f->element) {
        lua_newtable(L);
        set_named(L, f, at, false);
    } else if (f->kind == HEDDLE_KIND_WHOLE && f->size == 1) {
        push_bytes(L, f, at);
    } else if (f->record && (f->record->named || f->record->value)) {
        push_map(L, f, at);
    } else {
        push_list(L, f, at);
    }
}

static bool is_own(const struct heddle_record *of, const struct heddle_field *f) {
>>>>>>> 85edead1 (api: Shorten comments of the table of structures)
    for (size_t i = 0; i < COUNT_OF(own); i++)
        if (strcmp(own[i].field, f->name) == 0 && strcmp(own[i].record, of->name) == 0)
            return true;
    return false;
}

/* ---- documentation ---- */

/* Pushes the header's comment on a field, in the words of Lua. */
static void push_doc(lua_State *L, const struct heddle_field *f) {
    const char *doc = luaL_gsub(L, f->doc, "UINT64_MAX", "nil");
    doc = luaL_gsub(L, doc, "NULL", "nil");
    if (strcmp(f->name, "line") == 0)
        doc = luaL_gsub(L, doc, "0 = ", "nil = ");
    if (is_index(f->name))
        doc = luaL_gsub(L, luaL_gsub(L, doc, ", from 0", ""), "from 0", "its number");
    lua_pushfstring(L, "%c%s%s", toupper((unsigned char)*doc), doc + 1, is_index(f->name) ? ", from 1." : ".");
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

static void add_rows(lua_State *L, const char *group, const struct heddle_record *of, const char *before, u32 first) {
    for (u32 i = first; i < of->nfields; i++) {
        const struct heddle_field *f = &of->fields[i];
        if (leave_out(NULL, of, f, NULL) || lua_module_is_value(group, f->name))
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

/* ---- for other files ---- */

void lua_record_set(lua_State *L, const char *record, const void *at) {
    const struct heddle_sink sink = {L, open_table, close_table, set_value, set_none, leave_out};
    heddle_walk(&sink, heddle_record(record), at);
}

void lua_record_push(lua_State *L, const char *record, const void *at) {
    lua_newtable(L);
    lua_record_set(L, record, at);
}
