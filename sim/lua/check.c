/* The checkers, and what they count as written, as tables. */
#include "sim/lua/module.h"

#include <string.h>

static void set_classes(lua_State *L, const char *of) {
    const char *kind, *name, *doc;
    enum heddle_by by;
    lua_newtable(L);
    for (u32 i = 0; heddle_check_class(i, &kind, &name, &doc, &by); i++) {
        if (strcmp(kind, of) != 0)
            continue;
        lua_createtable(L, 0, 4);
        lua_field_string(L, "name", name);
        lua_field_string(L, "doc", doc);
        lua_pushboolean(L, by == HEDDLE_BY_ALL);
        lua_setfield(L, -2, "standard");
        lua_pushboolean(L, by == HEDDLE_BY_PROOF);
        lua_setfield(L, -2, "proof");
        lua_rawseti(L, -2, (lua_Integer)lua_rawlen(L, -2) + 1);
    }
    lua_setfield(L, -2, "classes");
}

int lua_module_contents(lua_State *L) {
    const char *where, *how, *doc;
    bool written;
    lua_newtable(L);
    for (u32 i = 0; heddle_content(i, &where, &how, &doc, &written); i++) {
        lua_createtable(L, 0, 4);
        lua_field_string(L, "where", where);
        lua_field_string(L, "how", how);
        lua_field_string(L, "doc", doc);
        lua_pushboolean(L, written);
        lua_setfield(L, -2, "written");
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    return 1;
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
