/* The checkers, as a table. */
#include "sim/lua/module.h"

#include <string.h>

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
