/*
 * The program object: an assembled or loaded file.
 */
#include "sim/lua/module.h"

#include <string.h>

#include "sim/file/read.h"

struct lua_program *lua_program_check(lua_State *L, int index) {
    struct lua_program *program = luaL_checkudata(L, index, LUA_PROGRAM);
    luaL_argcheck(L, program->p, index, "the program was closed");
    return program;
}

/* True for the contents of a program: text has a line end, an object file begins with bytes that no path has. */
static bool is_contents(const char *text, size_t len) {
    return memchr(text, '\n', len) || memchr(text, '\0', len);
}

/* Raises the program's errors, and notes that its includes were refused. */
static int load_failed(lua_State *L, struct lua_context *ctx, const char *within) {
    static const char unread[] = " cannot be read";
    const char *why = heddle_error(ctx->h), *at = within ? strstr(why, unread) : NULL;
    if (!at)
        return lua_raise(L, ctx, "input");
    at += sizeof unread - 1;
    lua_pushlstring(L, why, (size_t)(at - why));
    lua_pushfstring(L, ": only plain files below %s may be included here%s", within, at);
    lua_concat(L, 2);
    return lua_raise_message(L, "input", lua_tostring(L, -1));
}

int lua_context_load(lua_State *L) {
    struct lua_context *ctx = lua_context_check(L, 1);
    size_t len = 0;
    const char *text = luaL_checklstring(L, 2, &len);
    const char *name = lua_isnoneornil(L, 3) ? NULL : lua_check_text(L, 3);
    const char *within = lua_isnoneornil(L, 4) ? NULL : lua_check_text(L, 4);
    lua_settop(L, 4);
    if (!name && !is_contents(text, len)) {
        name = lua_shipped_kernel(L, text);
        lua_file_read(L, name);
        text = lua_tolstring(L, -1, &len);
    } else if (!name) {
        name = "(text)";
    }
    struct lua_program *program = lua_newuserdatauv(L, sizeof *program, 1);
    program->p = NULL;
    luaL_setmetatable(L, LUA_PROGRAM);
    lua_pushstring(L, name);
    lua_setiuservalue(L, -2, 1);
    lua_context_check(L, 1);
    struct texts texts = {.guard = lua_file_guard(L), .within = within};
    const struct heddle_file file = {name, text, len, texts_read, &texts};
    program->p = heddle_load_file(ctx->h, &file);
    texts_free(&texts);
    if (texts.why)
        return lua_file_error(L, texts.unread, texts.why);
    if (!program->p)
        return load_failed(L, ctx, texts.refused ? within : NULL);
    return 1;
}

static int program_release(lua_State *L) {
    struct lua_program *program = luaL_checkudata(L, 1, LUA_PROGRAM);
    heddle_program_free(program->p);
    program->p = NULL;
    return 0;
}

/* ---- contents ---- */

static void push_params(lua_State *L, const struct heddle_program *p, u32 kernel) {
    struct heddle_param_info info;
    lua_newtable(L);
    for (u32 i = 0; heddle_param_info(p, kernel, i, &info); i++) {
        lua_record_push(L, "heddle_param_info", &info);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
}

static void push_variables(lua_State *L, const struct heddle_program *p, u32 kernel) {
    struct heddle_variable_info info;
    lua_newtable(L);
    for (u32 i = 0; heddle_variable_info(p, kernel, i, &info); i++) {
        lua_record_push(L, "heddle_variable_info", &info);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
}

static void push_kernel(lua_State *L, const struct heddle_program *p, u32 kernel,
                        const struct heddle_kernel_info *info) {
    lua_record_push(L, "heddle_kernel_info", info);
    lua_newtable(L);
    for (int i = 0, n = 0; i < 4; i++) {
        if (info->widths[i]) {
            lua_pushinteger(L, 8 << i);
            lua_rawseti(L, -2, ++n);
        }
    }
    lua_setfield(L, -2, "widths");
    push_params(L, p, kernel);
    lua_setfield(L, -2, "params");
    push_variables(L, p, kernel);
    lua_setfield(L, -2, "variables");
}

int lua_program_kernels(lua_State *L) {
    struct lua_program *program = lua_program_check(L, 1);
    struct heddle_kernel_info info;
    lua_newtable(L);
    for (u32 i = 0; heddle_kernel_info(program->p, i, &info); i++) {
        push_kernel(L, program->p, i, &info);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    return 1;
}

int lua_program_names(lua_State *L) {
    struct lua_program *program = lua_program_check(L, 1);
    struct heddle_name_info info;
    lua_newtable(L);
    for (u32 i = 0; heddle_name_info(program->p, i, &info); i++) {
        lua_record_push(L, "heddle_name_info", &info);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    return 1;
}

int lua_program_instructions(lua_State *L) {
    struct lua_program *program = lua_program_check(L, 1);
    struct heddle_instruction_info info;
    lua_newtable(L);
    for (u32 i = 0; heddle_instruction_info(program->p, i, &info); i++) {
        lua_record_push(L, "heddle_instruction_info", &info);
        lua_field_integer(L, "pc", i);
        lua_field_integer(L, "line", info.line); /* also 0 = unknown */
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    return 1;
}

/* ---- other forms; each needs a context for its error text, which lives as long as the call ---- */

static struct lua_context *call_context(lua_State *L) {
    lua_pushcfunction(L, lua_module_new);
    lua_call(L, 0, 1);
    return lua_context_check(L, -1);
}

static int push_form(lua_State *L, char *(*form)(struct heddle *, const struct heddle_program *, size_t *)) {
    struct lua_program *program = lua_program_check(L, 1);
    struct lua_context *ctx = call_context(L);
    struct lua_block *block = lua_block_new(L);
    size_t len = 0;
    block->data = form(ctx->h, program->p, &len);
    if (!block->data)
        return lua_raise(L, ctx, "memory");
    lua_block_push(L, block, len);
    return 1;
}

int lua_program_object(lua_State *L) {
    return push_form(L, heddle_program_object);
}

int lua_program_text(lua_State *L) {
    return push_form(L, heddle_program_text);
}

int lua_program_lint(lua_State *L) {
    struct lua_program *program = lua_program_check(L, 1);
    struct lua_context *ctx = call_context(L);
    struct lua_block *block = lua_block_new(L);
    u32 warnings = 0;
    block->data = heddle_program_lint(ctx->h, program->p, &warnings);
    if (!block->data)
        return lua_raise(L, ctx, "memory");
    lua_block_push(L, block, strlen(block->data));
    lua_pushinteger(L, warnings);
    return 2;
}

static int program_index(lua_State *L) {
    lua_program_check(L, 1);
    if (lua_type(L, 2) == LUA_TSTRING && strcmp(lua_tostring(L, 2), "name") == 0) {
        lua_getiuservalue(L, 1, 1);
        return 1;
    }
    return lua_module_method(L, "PROGRAM");
}

static int program_tostring(lua_State *L) {
    luaL_checkudata(L, 1, LUA_PROGRAM);
    lua_getiuservalue(L, 1, 1);
    lua_pushfstring(L, "heddle.program (%s)", lua_tostring(L, -1));
    return 1;
}

void lua_program_open(lua_State *L) {
    static const luaL_Reg meta[] = {{"__index", program_index},
                                    {"__tostring", program_tostring},
                                    {"__gc", program_release},
                                    {NULL, NULL}};
    lua_module_class(L, LUA_PROGRAM, meta);
    lua_pop(L, 1);
}
