/* What a launch did, as a table. */
#include "sim/lua/module.h"

int lua_module_metrics(lua_State *L) {
    struct heddle_metric m;
    lua_newtable(L);
    for (u32 i = 0; heddle_metric_row(i, &m); i++) {
        lua_createtable(L, 0, 4);
        lua_field_string(L, "name", m.name);
        lua_field_string(L, "unit", m.unit);
        lua_field_string(L, "doc", m.doc);
        if (*m.formula)
            lua_field_string(L, "formula", m.formula);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    return 1;
}

int lua_module_stalls(lua_State *L) {
    const char *doc, *name;
    lua_newtable(L);
    for (u32 i = 0; (name = heddle_stall_name(i, &doc)); i++) {
        lua_createtable(L, 0, 2);
        lua_field_string(L, "name", name);
        lua_field_string(L, "doc", doc);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    return 1;
}

int lua_module_advice_rules(lua_State *L) {
    const char *name, *action, *doc;
    lua_newtable(L);
    for (u32 i = 0; heddle_advice_rule(i, &name, &action, &doc); i++) {
        lua_createtable(L, 0, 3);
        lua_field_string(L, "name", name);
        lua_field_string(L, "action", action);
        lua_field_string(L, "doc", doc);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    return 1;
}

int lua_module_ideals(lua_State *L) {
    struct heddle_ideal row;
    lua_newtable(L);
    for (u32 i = 0; heddle_ideal(i, &row); i++) {
        lua_record_push(L, "heddle_ideal", &row);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    return 1;
}

static void push_columns(lua_State *L, bool (*column)(u32 index, struct heddle_column_info *info)) {
    struct heddle_column_info info;
    lua_newtable(L);
    for (u32 i = 0; column(i, &info); i++) {
        lua_record_push(L, "heddle_column_info", &info);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
}

int lua_module_columns(lua_State *L) {
    lua_createtable(L, 0, 3);
    push_columns(L, heddle_traffic_column);
    lua_setfield(L, -2, "traffic");
    push_columns(L, heddle_channel_column);
    lua_setfield(L, -2, "channels");
    push_columns(L, heddle_line_column);
    lua_setfield(L, -2, "line");
    return 1;
}
