/* What the orders of a launch's warps leave: the same facts as `heddle run --schedule=all`. */
#include "sim/lua/module.h"

static void push_steps(lua_State *L, const struct heddle_order *o) {
    lua_createtable(L, (int)o->nsteps, 0);
    for (u32 i = 0; i < o->nsteps; i++) {
        const struct heddle_order_step *s = &o->steps[i];
        lua_createtable(L, 0, 8);
        lua_field_place(L, s->file, s->line);
        lua_field_string(L, "text", s->text);
        lua_field_string(L, "disassembly", s->disassembly);
        lua_field_string(L, "how", s->how);
        lua_field_string(L, "what", s->what);
        lua_field_dims(L, "block", s->block);
        lua_field_integer(L, "warp", s->warp);
        lua_field_integer(L, "lane", s->lane);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
}

static void push_orders(lua_State *L, const struct heddle_orders *o) {
    lua_createtable(L, 0, 8);
    lua_field_integer(L, "executed", o->executed);
    lua_field_integer(L, "bound", o->bound);
    lua_pushboolean(L, o->all);
    lua_setfield(L, -2, "all");
    lua_pushboolean(L, o->same);
    lua_setfield(L, -2, "same");
    lua_field_string(L, "text", o->text);
    if (o->same)
        return;
    if (o->buffer) {
        lua_field_string(L, "buffer", o->buffer);
        lua_field_integer(L, "element", o->element + 1);
    }
    lua_createtable(L, 2, 0);
    for (u32 i = 0; i < 2; i++) {
        lua_createtable(L, 0, 3);
        if (o->order[i].value)
            lua_field_string(L, "value", o->order[i].value);
        if (o->order[i].fault.kind) {
            lua_field_string(L, "fault", o->order[i].fault.kind);
            lua_field_string(L, "message", o->order[i].message);
        }
        push_steps(L, &o->order[i]);
        lua_setfield(L, -2, "steps");
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    lua_setfield(L, -2, "order");
}

void lua_orders_set(lua_State *L, const struct heddle_orders *o) {
    if (!o)
        return;
    push_orders(L, o);
    lua_setfield(L, -2, "orders");
}
