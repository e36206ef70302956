/* What a launch did, as a table. */
#include "sim/lua/module.h"

static void set_classes(lua_State *L, const struct heddle_result *r) {
    lua_createtable(L, 0, (int)r->nclasses);
    for (u32 i = 0; i < r->nclasses; i++)
        lua_field_integer(L, r->classes[i].name, r->classes[i].warp_instructions);
    lua_setfield(L, -2, "classes");
}

static void set_stalls(lua_State *L, const struct heddle_result *r, const struct heddle_line_count *l) {
    lua_newtable(L);
    for (u32 i = 0; i < r->nstalls; i++)
        if (l->stall[i])
            lua_field_integer(L, heddle_stall_name(i, NULL), l->stall[i]);
    lua_setfield(L, -2, "stall");
}

static void set_lines(lua_State *L, const struct heddle_result *r) {
    struct heddle_column_info column;
    lua_createtable(L, (int)r->nlines, 0);
    for (u32 i = 0; i < r->nlines; i++) {
        const struct heddle_line_count *l = &r->lines[i];
        lua_createtable(L, 0, l->stall ? 16 : 10);
        lua_field_place(L, l->file, l->line);
        lua_field_integer(L, "pc", l->pc);
        lua_field_integer(L, "first", l->first);
        lua_field_string(L, "text", l->text);
        lua_field_string(L, "rounds", l->rounds);
        lua_field_string(L, "disassembly", l->disassembly);
        if (l->used.line) {
            lua_createtable(L, 0, 2);
            lua_field_place(L, l->used.file, l->used.line);
            lua_setfield(L, -2, "used");
        }
        lua_field_integer(L, "warp_instructions", l->warp_instructions);
        lua_field_integer(L, "lanes", l->lanes);
        if (l->stall) {
            set_stalls(L, r, l);
            for (u32 c = 0; heddle_line_column(c, &column); c++)
                lua_field_integer(L, column.name, l->value[c]);
        }
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    lua_setfield(L, -2, "lines");
}

static void set_metrics(lua_State *L, const struct heddle_result *r) {
    lua_createtable(L, 0, (int)r->nmetrics);
    for (u32 i = 0; i < r->nmetrics; i++) {
        const struct heddle_metric *m = &r->metrics[i];
        if (m->absent)
            continue;
        if (m->whole)
            lua_field_integer(L, m->name, (u64)m->value);
        else
            lua_field_number(L, m->name, m->value);
    }
    lua_setfield(L, -2, "metrics");
}

static void set_traffic(lua_State *L, const struct heddle_result *r) {
    struct heddle_column_info column;
    lua_createtable(L, 0, (int)r->ntraffic);
    for (u32 i = 0; i < r->ntraffic; i++) {
        const struct heddle_traffic *t = &r->traffic[i];
        lua_newtable(L);
        for (u32 c = 0; heddle_traffic_column(c, &column); c++)
            lua_field_integer(L, column.name, t->value[c]);
        lua_field_number(L, "energy", t->energy);
        lua_setfield(L, -2, t->name);
    }
    lua_setfield(L, -2, "traffic");
}

static void set_advice(lua_State *L, const struct heddle_result *r) {
    lua_createtable(L, (int)r->nadvice, 0);
    for (u32 i = 0; i < r->nadvice; i++) {
        const struct heddle_advice *a = &r->advice[i];
        lua_createtable(L, 0, 5);
        lua_field_string(L, "rule", a->rule);
        lua_field_number(L, "gain", a->gain);
        lua_field_string(L, "text", a->text);
        lua_field_place(L, a->file, a->line);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    lua_setfield(L, -2, "advice");
}

static void set_timed(lua_State *L, const struct heddle_result *r) {
    lua_field_string(L, "board", r->board);
    lua_field_integer(L, "cycles", r->cycles);
    lua_field_number(L, "seconds", r->seconds);
    lua_field_integer(L, "overhead_cycles", r->overhead_cycles);
    lua_field_string(L, "caches", r->caches);
    lua_field_string(L, "limiter", r->limiter);
    lua_field_string(L, "hint", r->hint);
    set_advice(L, r);
    if (r->inconsistency)
        lua_field_string(L, "inconsistency", r->inconsistency);
    lua_field_string(L, "occupancy_limit", r->occupancy_limit);
    set_metrics(L, r);
    set_traffic(L, r);
}

void lua_result_push(lua_State *L, const struct heddle_result *r) {
    lua_createtable(L, 0, 24);
    lua_field_string(L, "kernel", r->kernel);
    lua_field_string(L, "engine", r->engine);
    if (r->schedule)
        lua_field_string(L, "schedule", r->schedule);
    lua_orders_set(L, r->orders);
    lua_field_dims(L, "grid", r->grid);
    lua_field_dims(L, "block", r->block);
    lua_field_integer(L, "warp", r->warp);
    lua_field_integer(L, "blocks", r->blocks);
    lua_field_integer(L, "warps", r->warps);
    lua_field_integer(L, "warp_instructions", r->warp_instructions);
    lua_field_integer(L, "thread_instructions", r->thread_instructions);
    set_classes(L, r);
    set_lines(L, r);
    lua_pushboolean(L, r->timed);
    lua_setfield(L, -2, "timed");
    if (r->timed)
        set_timed(L, r);
    if (r->nexplain) {
        lua_explain_push(L, r);
        lua_setfield(L, -2, "explain");
    }
    if (r->events)
        lua_recording_set(L, r);
    lua_findings_set(L, r);
}

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

static void push_columns(lua_State *L, bool (*column)(u32 index, struct heddle_column_info *info)) {
    struct heddle_column_info info;
    lua_newtable(L);
    for (u32 i = 0; column(i, &info); i++) {
        lua_createtable(L, 0, 3);
        lua_field_string(L, "name", info.name);
        lua_field_string(L, "unit", info.unit);
        lua_field_string(L, "doc", info.doc);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
}

int lua_module_columns(lua_State *L) {
    lua_createtable(L, 0, 2);
    push_columns(L, heddle_traffic_column);
    lua_setfield(L, -2, "traffic");
    push_columns(L, heddle_line_column);
    lua_setfield(L, -2, "line");
    return 1;
}
