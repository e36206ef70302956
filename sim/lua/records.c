/* The structures of heddle.h for Lua, from the table of sim/api/record.h. */
#include "sim/api/record.h"
#include "sim/lua/module.h"

#include <string.h>

static const char *const kinds[] = {
    [HEDDLE_KIND_BOOL] = "bool",   [HEDDLE_KIND_WHOLE] = "whole",  [HEDDLE_KIND_SIGNED] = "signed",
    [HEDDLE_KIND_HEX] = "hex",     [HEDDLE_KIND_REAL] = "real",    [HEDDLE_KIND_TEXT] = "text",
    [HEDDLE_KIND_BYTES] = "bytes", [HEDDLE_KIND_RECORD] = "record"};

static void set_truth(lua_State *L, const char *name, bool value) {
    lua_pushboolean(L, value);
    lua_setfield(L, -2, name);
}

/*
 * True if a field may be missing: it has a condition, or is a pointer that may be NULL by its comment. The field by
 * which its structure exists never is.
 */
static bool optional(const struct heddle_record *of, const struct heddle_field *f) {
    bool text = !f->null && f->kind == HEDDLE_KIND_TEXT && f->size != 1 && !f->list && strstr(f->doc, "NULL");
    bool record = f->record && !f->list && (f->far || f->record->exists);
    return f != of->exists && (f->there || text || record || f->element);
}

static void push_field(lua_State *L, const struct heddle_record *of, const struct heddle_field *f) {
    lua_createtable(L, 0, 8);
    lua_field_string(L, "name", f->name);
    lua_field_string(L, "doc", f->doc);
    lua_field_string(L, "kind", kinds[f->kind]);
    lua_field_string(L, "record", f->record ? f->record->name : NULL);
    if (f->length)
        lua_field_integer(L, "length", f->length);
    set_truth(L, "list", f->list);
    set_truth(L, "rows", f->row != NULL);
    set_truth(L, "null", f->null);
    set_truth(L, "columns", f->columns);
    set_truth(L, "words", f->words);
    set_truth(L, "unknown", f->unknown);
    lua_field_string(L, "json", f->without & HEDDLE_JSON ? "" : f->json);
    lua_field_string(L, "python", f->without & HEDDLE_PYTHON ? "" : f->python);
    set_truth(L, "named", f->element || (f->list && f->record && f->record->named));
    set_truth(L, "optional", optional(of, f));
    if (!f->element)
        return;
    const char *name, *doc;
    lua_newtable(L);
    for (u32 i = 0; (name = f->element(i, &doc)); i++) {
        lua_createtable(L, 0, 2);
        lua_field_string(L, "name", name);
        lua_field_string(L, "doc", doc);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    lua_setfield(L, -2, "elements");
}

int lua_module_records(lua_State *L) {
    lua_newtable(L);
    for (const struct heddle_record *r = heddle_records; r->name; r++) {
        lua_createtable(L, 0, 3);
        lua_field_string(L, "doc", r->doc);
        lua_field_string(L, "value", r->value ? r->value->name : NULL);
        lua_field_string(L, "exists", r->exists ? r->exists->name : NULL);
        lua_field_string(L, "python", r->python);
        lua_createtable(L, (int)r->nfields, 0);
        for (u32 i = 0; i < r->nfields; i++) {
            push_field(L, r, &r->fields[i]);
            lua_rawseti(L, -2, (lua_Integer)i + 1);
        }
        lua_setfield(L, -2, "fields");
        lua_setfield(L, -2, r->name);
    }
    return 1;
}
