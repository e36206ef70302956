/* What checkers found, and what they are, as tables. */
#include "sim/lua/module.h"

#include <string.h>

static void push_place(lua_State *L, bool timed, const struct heddle_finding_place *p) {
    lua_createtable(L, 0, 9);
    if (p->line)
        lua_field_place(L, p->file, p->line);
    lua_field_string(L, "text", p->text);
    lua_field_string(L, "disassembly", p->disassembly);
    lua_field_string(L, "source", p->source);
    lua_field_string(L, "how", p->how);
    lua_field_dims(L, "block", p->block);
    lua_field_integer(L, "warp", p->warp);
    lua_field_integer(L, "lane", p->lane);
    if (timed)
        lua_field_integer(L, "cycle", p->cycle);
}

static void push_finding(lua_State *L, bool timed, const struct heddle_finding *f) {
    lua_createtable(L, 0, 11);
    lua_field_string(L, "kind", f->kind);
    lua_field_string(L, "class", f->class_);
    lua_field_string(L, "doc", f->doc);
    lua_field_string(L, "text", f->text);
    lua_field_integer(L, "count", f->count);
    if (f->space) {
        lua_field_string(L, "space", f->space);
        lua_field_string(L, "buffer", f->buffer);
        lua_field_string(L, "variable", f->variable);
        lua_field_integer(L, "address", f->address);
        lua_field_integer(L, "bytes", f->bytes);
        lua_field_string(L, "where", f->where);
    }
    lua_createtable(L, (int)f->nplaces, 0);
    for (u32 i = 0; i < f->nplaces; i++) {
        push_place(L, timed, &f->places[i]);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    lua_setfield(L, -2, "places");
}

void lua_findings_push(lua_State *L, const struct heddle_finding *list, u32 count, bool timed) {
    lua_createtable(L, (int)count, 0);
    for (u32 i = 0; i < count; i++) {
        push_finding(L, timed, &list[i]);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
}

void lua_findings_set(lua_State *L, const struct heddle_result *r) {
    if (!r->checked)
        return;
    lua_field_string(L, "checked", r->checked);
    lua_field_integer(L, "check_memory", r->check_memory);
    lua_field_integer(L, "check_forgotten", r->check_forgotten);
    lua_findings_push(L, r->findings, r->nfindings, r->timed);
    lua_setfield(L, -2, "findings");
}

static void set_classes(lua_State *L, const char *of) {
    const char *kind, *name, *doc;
    bool proof;
    lua_newtable(L);
    for (u32 i = 0; heddle_check_class(i, &kind, &name, &doc, &proof); i++) {
        if (strcmp(kind, of) != 0)
            continue;
        lua_createtable(L, 0, 3);
        lua_field_string(L, "name", name);
        lua_field_string(L, "doc", doc);
        lua_pushboolean(L, proof);
        lua_setfield(L, -2, "proof");
        lua_rawseti(L, -2, (lua_Integer)lua_rawlen(L, -2) + 1);
    }
    lua_setfield(L, -2, "classes");
}

int lua_module_checkers(lua_State *L) {
    const char *name, *doc;
    bool standard;
    lua_newtable(L);
    for (u32 i = 0; heddle_check_kind(i, &name, &doc, &standard); i++) {
        lua_createtable(L, 0, 4);
        lua_field_string(L, "name", name);
        lua_field_string(L, "doc", doc);
        lua_pushboolean(L, standard);
        lua_setfield(L, -2, "standard");
        set_classes(L, name);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    return 1;
}
