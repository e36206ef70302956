/*
 * Cases of kernel files for C. scripts/lib/heddle/cases/press.lua evaluates them; the registry keeps its results, and
 * all strings of them that C uses.
 */
#include "sim/lua/module.h"

/* Keys of the registry. */
static const char found_key;   /* result of press.find */
static const char context_key; /* the context object */

/* Arguments of the functions below. */
struct job {
    struct heddle *h;
    const struct heddle_file *file;
    const struct heddle_case_asked *asked;
    struct heddle_case *found;
    const struct heddle_program *program;
    const struct heddle_case_given *given;
    const char *buffer, *expression;
    struct heddle_launch *launch;
    const struct heddle_result *result;
    bool metrics;
    struct heddle_case_verdict *verdict;
};

/* Pushes the function of that name in press.lua. */
static void push_function(lua_State *L, const char *name) {
    lua_getglobal(L, "require");
    lua_pushliteral(L, "heddle.cases.press");
    lua_call(L, 1, 1);
    lua_getfield(L, -1, name);
    lua_remove(L, -2);
}

/* Keeps the values from stack index `first` on, which stay there, until the next case is searched. */
static void keep(lua_State *L, int first) {
    luaL_getsubtable(L, LUA_REGISTRYINDEX, "heddle.case");
    for (int i = first, top = lua_gettop(L); i < top; i++) {
        lua_pushvalue(L, i);
        luaL_ref(L, top);
    }
    lua_pop(L, 1);
}

/* Returns a text field of the table on the top, which is kept. */
static const char *field_text(lua_State *L, const char *name) {
    lua_getfield(L, -1, name);
    keep(L, lua_gettop(L));
    const char *text = lua_text(L, -1);
    lua_pop(L, 1);
    return text;
}

static u32 field_u32(lua_State *L, const char *name) {
    lua_getfield(L, -1, name);
    u32 v = (u32)lua_tointeger(L, -1);
    lua_pop(L, 1);
    return v;
}

static int find(lua_State *L) {
    const struct job *job = lua_touserdata(L, 1);
    lua_pushnil(L);
    lua_setfield(L, LUA_REGISTRYINDEX, "heddle.case");
    push_function(L, "find");
    lua_context_borrow(L, job->h);
    lua_pushvalue(L, -1);
    lua_rawsetp(L, LUA_REGISTRYINDEX, &context_key);
    lua_pushlstring(L, job->file->text, job->file->len);
    lua_pushstring(L, job->file->name);
    lua_createtable(L, 0, 3);
    lua_field_string(L, "case", job->asked->which);
    lua_field_string(L, "entry", job->asked->entry);
    lua_field_integer(L, "sms", job->asked->sms);
    lua_call(L, 4, 1);
    if (lua_isnil(L, -1))
        return 0;
    lua_pushvalue(L, -1);
    lua_rawsetp(L, LUA_REGISTRYINDEX, &found_key);
    *job->found = (struct heddle_case){field_u32(L, "number"), field_u32(L, "count"),  field_text(L, "entry"),
                                       field_text(L, "text"),  field_text(L, "board"), field_text(L, "buffers")};
    return 0;
}

/* Sets fields of the table on the top: "args" and "buffers" (name = text). */
static void push_given(lua_State *L, const struct heddle_case_given *given) {
    lua_newtable(L);
    lua_newtable(L);
    for (u32 i = 0; i < given->nargs; i++) {
        const struct heddle_arg *a = &given->args[i];
        if (a->buffer)
            lua_pushstring(L, a->buffer);
        else
            lua_pushstring(L, a->text);
        lua_setfield(L, a->buffer ? -2 : -3, a->name);
    }
    lua_setfield(L, -3, "buffers");
    lua_setfield(L, -2, "args");
}

static int fill(lua_State *L) {
    const struct job *job = lua_touserdata(L, 1);
    lua_settop(L, 0);
    lua_rawgetp(L, LUA_REGISTRYINDEX, &context_key); /* 1, as lua_launch_options expects it */
    lua_pushnil(L);
    push_function(L, "fill");
    lua_rawgetp(L, LUA_REGISTRYINDEX, &found_key);
    lua_createtable(L, 0, 4);
    if (job->given->warp)
        lua_field_integer(L, "warp", job->given->warp);
    lua_field_integer(L, "board_warp", job->given->board_warp);
    push_given(L, job->given);
    lua_call(L, 2, 1); /* the options are at 3 */
    luaL_checkstack(L, 64, NULL);
    lua_launch_options(L, job->program, NULL, job->launch);
    keep(L, 3);
    return 0;
}

static int check(lua_State *L) {
    const struct job *job = lua_touserdata(L, 1);
    const struct heddle_result *r = job->result;
    bool faulted = r->fault.kind != NULL;
    lua_rawgetp(L, LUA_REGISTRYINDEX, &context_key);
    lua_context_check(L, -1)->generation++; /* C has made buffers since */
    push_function(L, "check");
    lua_rawgetp(L, LUA_REGISTRYINDEX, &found_key);
    if (faulted)
        lua_pushnil(L);
    else
        lua_result_push(L, r);
    lua_pushboolean(L, job->metrics);
    lua_createtable(L, 0, 2);
    lua_field_string(L, "kind", r->fault.kind);
    lua_field_integer(L, "line", r->fault.line);
    if (!faulted) {
        lua_pop(L, 1);
        lua_pushnil(L);
    }
    lua_call(L, 4, 1);
    *job->verdict = (struct heddle_case_verdict){field_u32(L, "total"), field_u32(L, "met"), field_text(L, "text")};
    return 0;
}

static int expression(lua_State *L) {
    const struct job *job = lua_touserdata(L, 1);
    push_function(L, "expression");
    lua_context_borrow(L, job->h);
    lua_pushstring(L, job->buffer);
    lua_pushstring(L, job->expression);
    lua_newtable(L);
    push_given(L, job->given);
    lua_rawgetp(L, LUA_REGISTRYINDEX, &found_key);
    lua_call(L, 5, 0);
    return 0;
}

bool heddle_case_find(struct heddle_session *s, struct heddle *h, const struct heddle_file *file,
                      const struct heddle_case_asked *asked, struct heddle_case *found) {
    struct job job = {.h = h, .file = file, .asked = asked, .found = found};
    *found = (struct heddle_case){0};
    return lua_session_call(s, find, &job);
}

bool heddle_case_fill(struct heddle_session *s, const struct heddle_program *p, const struct heddle_case_given *given,
                      struct heddle_launch *launch) {
    struct job job = {.program = p, .given = given, .launch = launch};
    return lua_session_call(s, fill, &job);
}

bool heddle_case_check(struct heddle_session *s, const struct heddle_result *result, bool metrics,
                       struct heddle_case_verdict *verdict) {
    struct job job = {.result = result, .metrics = metrics, .verdict = verdict};
    return lua_session_call(s, check, &job);
}

bool heddle_case_expression(struct heddle_session *s, struct heddle *h, const char *name, const char *expression_text,
                            const struct heddle_arg *args, uint32_t nargs) {
    const struct heddle_case_given given = {.args = args, .nargs = nargs};
    struct job job = {.h = h, .buffer = name, .expression = expression_text, .given = &given};
    return lua_session_call(s, expression, &job);
}
