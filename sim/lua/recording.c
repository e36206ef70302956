/* The launch option `watch`, and the events of the launch that was watched. */
#include "sim/lua/module.h"

#include <string.h>

/* A number of cycles or bytes; 0 when it is not given. */
static u64 span_number(lua_State *L, const char *name) {
    int whole = 0;
    lua_Integer v = 0;
    if (lua_getfield(L, -1, name) != LUA_TNIL) {
        v = lua_type(L, -1) == LUA_TNUMBER ? lua_tointegerx(L, -1, &whole) : 0;
        if (!whole || v < 0)
            lua_option_error(L, "watch", "from, to and bytes are numbers from 0 on");
    }
    lua_pop(L, 1);
    return (u64)v;
}

void lua_recording_option(lua_State *L, struct heddle_launch *l, struct heddle_watch *watch) {
    int kind = lua_getfield(L, 3, "watch");
    if (kind == LUA_TTABLE) {
        for (lua_pushnil(L); lua_next(L, -2); lua_pop(L, 1)) {
            const char *key = lua_type(L, -2) == LUA_TSTRING ? lua_tostring(L, -2) : "";
            if (strcmp(key, "from") != 0 && strcmp(key, "to") != 0 && strcmp(key, "bytes") != 0)
                lua_option_error(L, "watch", "from, to and bytes are its names");
        }
        *watch = (struct heddle_watch){span_number(L, "from"), span_number(L, "to"), span_number(L, "bytes")};
    } else if (kind != LUA_TNIL && kind != LUA_TBOOLEAN) {
        lua_option_error(L, "watch", "true or a table {from = cycle, to = cycle, bytes = n} expected");
    }
    if (lua_toboolean(L, -1))
        l->watch = watch;
    lua_pop(L, 1);
}

void lua_recording_set(lua_State *L, const struct heddle_result *r) {
    lua_field_integer(L, "events", r->nevents);
    if (r->complete != UINT64_MAX)
        lua_field_integer(L, "complete", r->complete);
}

/* ---- an event ---- */

static void set_rows(lua_State *L, const struct heddle *h, const struct heddle_event *e) {
    struct heddle_event_row row;
    lua_newtable(L);
    for (u32 i = 0; heddle_event_row(h, e, i, &row); i++) {
        lua_createtable(L, (int)row.nvalues, 0);
        for (u32 k = 0; k < row.nvalues; k++) {
            lua_pushinteger(L, row.values[k]);
            lua_rawseti(L, -2, (lua_Integer)k + 1);
        }
        lua_setfield(L, -2, row.name);
    }
    lua_setfield(L, -2, "rows");
}

static void set_levels(lua_State *L, const struct heddle_event *e) {
    static const char *const names[] = {"lanes", "next", "reconverge"};
    lua_createtable(L, (int)e->ntail / 3, 0);
    for (u32 i = 0; i < e->ntail; i++) {
        if (i % 3 == 0)
            lua_createtable(L, 0, 3);
        lua_field_integer(L, names[i % 3], e->tail[i]);
        if (i % 3 == 2)
            lua_rawseti(L, -2, (lua_Integer)i / 3 + 1);
    }
    lua_setfield(L, -2, "levels");
}

static void set_addresses(lua_State *L, const struct heddle_event *e) {
    lua_createtable(L, (int)e->ntail, 0);
    for (u32 i = 0; i < e->ntail; i++) {
        lua_pushinteger(L, (lua_Integer)e->tail[i]);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    lua_setfield(L, -2, "addresses");
}

static void push_event(lua_State *L, const struct heddle *h, const struct heddle_event *e) {
    enum heddle_tail tail;
    lua_createtable(L, 0, 14);
    lua_field_string(L, "kind", heddle_event_kind(e->kind, NULL, &tail, NULL));
    lua_field_integer(L, "cycle", e->cycle);
    lua_field_integer(L, "sm", e->sm);
    lua_field_integer(L, "block", e->block);
    if (e->warp != UINT32_MAX)
        lua_field_integer(L, "warp", e->warp);
    if (e->pc != UINT32_MAX)
        lua_field_integer(L, "pc", e->pc);
    for (u32 i = 0; i < e->nvalues; i++) {
        const char *name = heddle_event_field(e->kind, i, NULL);
        if (strcmp(name, "reason") == 0)
            lua_field_string(L, name, heddle_stall_name((u32)e->value[i], NULL));
        else
            lua_field_integer(L, name, e->value[i]);
    }
    switch (tail) {
    case HEDDLE_TAIL_NONE: break;
    case HEDDLE_TAIL_ROWS: set_rows(L, h, e); break;
    case HEDDLE_TAIL_LEVELS: set_levels(L, e); break;
    case HEDDLE_TAIL_ADDRESSES: set_addresses(L, e); break;
    }
}

int lua_context_event(lua_State *L) {
    struct lua_context *ctx = lua_context_check(L, 1);
    lua_Integer i = luaL_checkinteger(L, 2);
    struct heddle_event e;
    if (i < 1 || !heddle_event(ctx->h, (u64)i - 1, &e))
        return 0;
    push_event(L, ctx->h, &e);
    return 1;
}

int lua_context_event_at(lua_State *L) {
    struct lua_context *ctx = lua_context_check(L, 1);
    lua_Integer cycle = luaL_checkinteger(L, 2);
    lua_pushinteger(L, (lua_Integer)heddle_event_at(ctx->h, cycle < 0 ? 0 : (u64)cycle) + 1);
    return 1;
}

int lua_module_events(lua_State *L) {
    const char *name, *doc, *tail_doc;
    lua_newtable(L);
    for (u32 i = 0; (name = heddle_event_kind(i, &doc, NULL, &tail_doc)) != NULL; i++) {
        lua_createtable(L, 0, 4);
        lua_field_string(L, "name", name);
        lua_field_string(L, "doc", doc);
        if (tail_doc)
            lua_field_string(L, "tail", tail_doc);
        lua_newtable(L);
        for (u32 k = 0; (name = heddle_event_field(i, k, &doc)) != NULL; k++) {
            lua_createtable(L, 0, 2);
            lua_field_string(L, "name", name);
            lua_field_string(L, "doc", doc);
            lua_rawseti(L, -2, (lua_Integer)k + 1);
        }
        lua_setfield(L, -2, "fields");
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    return 1;
}
