/* Files as the Lua module reads and writes them. */
#include "sim/lua/module.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "sim/file/read.h"
#include "sim/file/write.h"
#include "sim/api/npy.h"

int lua_file_error(lua_State *L, const char *path, int why) {
    lua_pushfstring(L, "%s: %s", path, strerror(why));
    return lua_raise_message(L, "input", lua_tostring(L, -1));
}

/* ---- the files that this state has read and written ---- */

#define REPLACES_INPUT "%s: '%s' is read, and is not replaced"

static const char guard_key; /* key in the registry */

static int free_guard(lua_State *L) {
    guard_free(lua_touserdata(L, 1));
    return 0;
}

struct file_guard *lua_file_guard(lua_State *L) {
    if (lua_rawgetp(L, LUA_REGISTRYINDEX, &guard_key) == LUA_TNIL) {
        struct file_guard *made = lua_newuserdatauv(L, sizeof *made, 0);
        *made = (struct file_guard){0};
        lua_createtable(L, 0, 1);
        lua_pushcfunction(L, free_guard);
        lua_setfield(L, -2, "__gc");
        lua_setmetatable(L, -2);
        lua_pushvalue(L, -1);
        lua_rawsetp(L, LUA_REGISTRYINDEX, &guard_key);
        lua_remove(L, -2);
    }
    struct file_guard *guard = lua_touserdata(L, -1);
    lua_pop(L, 1); /* kept by the registry */
    return guard;
}

/* Guards modules written in Lua as inputs too: package.searchpath finds their files. */
static void guard_modules(lua_State *L) {
    int top = lua_gettop(L);
    lua_getfield(L, LUA_REGISTRYINDEX, LUA_LOADED_TABLE);
    int loaded = lua_gettop(L);
    if (lua_getfield(L, loaded, LUA_LOADLIBNAME) == LUA_TTABLE && lua_getfield(L, -1, "searchpath") == LUA_TFUNCTION &&
        lua_getfield(L, -2, "path") == LUA_TSTRING) {
        int path = lua_gettop(L), search = path - 1;
        for (lua_pushnil(L); lua_next(L, loaded); lua_settop(L, path + 1)) {
            lua_pushvalue(L, search);
            lua_pushvalue(L, path + 1);
            lua_pushvalue(L, path);
            if (lua_type(L, path + 1) == LUA_TSTRING && lua_pcall(L, 2, 1, 0) == LUA_OK && lua_isstring(L, -1))
                guard_input(lua_file_guard(L), lua_tostring(L, -1));
        }
    }
    lua_settop(L, top);
}

/* Promises the outputs. Raises if one of them is an input or another output; then nothing is promised. */
static void promise(lua_State *L, const struct file_output *list, size_t n) {
    struct file_guard *guard = lua_file_guard(L);
    const char *other;
    guard_modules(L);
    for (size_t i = 0; i < n; i++) {
        const char *path = list[i].path;
        enum guard_answer answer = guard_output(guard, path, path, &other);
        if (answer == GUARD_FREE)
            continue;
        guard_forget(guard);
        if (answer == GUARD_MEMORY)
            lua_raise_message(L, "memory", "out of memory");
        lua_pushfstring(L, answer == GUARD_INPUT ? REPLACES_INPUT : "%s: '%s' is the same file", path, other);
        lua_raise_message(L, "input", lua_tostring(L, -1));
    }
}

/* ---- reading ---- */

/* Pushes the wanted part of a file; returns its length. */
static size_t push_wanted(lua_State *L, const char *path, input_wanted_fn wanted) {
    struct lua_block *block = lua_block_new(L);
    struct file_guard *guard = lua_file_guard(L);
    struct buf bytes = {0};
    bool ok = input_read(guard, path, wanted, &bytes);
    block->data = bytes.data;
    if (!ok)
        lua_file_error(L, path, errno);
    lua_block_push(L, block, bytes.len);
    lua_remove(L, -2);
    return bytes.len;
}

void lua_file_read(lua_State *L, const char *path) {
    if (push_wanted(L, path, input_text) <= INPUT_TEXT_MOST)
        return;
    lua_pushfstring(L, "%s: it is longer than %s bytes, the most that is read", path, grouped(INPUT_TEXT_MOST).text);
    lua_raise_message(L, "input", lua_tostring(L, -1));
}

void lua_file_read_npy(lua_State *L, const char *path) {
    push_wanted(L, path, npy_wanted);
}

/* ---- writing ---- */

static void write_all(lua_State *L, const struct file_output *list, size_t n) {
    size_t failed;
    promise(L, list, n);
    bool ok = output_write_all(list, n, &failed);
    int why = errno;
    if (ok)
        guard_written(lua_file_guard(L));
    else
        guard_forget(lua_file_guard(L));
    errno = why;
    if (!ok)
        lua_file_error(L, strcmp(list[failed].path, "-") == 0 ? "standard output" : list[failed].path, errno);
}

void lua_file_write(lua_State *L, const char *path, const char *bytes, size_t len) {
    struct file_output out = {path, bytes, len};
    write_all(L, &out, 1);
}

/* Writes the table {path = bytes} at index 1; its strings stay in place, since it stays on the stack. */
static void write_table(lua_State *L) {
    size_t n = 0;
    for (lua_pushnil(L); lua_next(L, 1); lua_pop(L, 1), n++)
        luaL_argcheck(L, lua_type(L, -2) == LUA_TSTRING && lua_type(L, -1) == LUA_TSTRING, 1,
                      "a table of path = bytes is expected");
    struct file_output *list = lua_newuserdatauv(L, (n ? n : 1) * sizeof *list, 0);
    n = 0;
    for (lua_pushnil(L); lua_next(L, 1); lua_pop(L, 1), n++) {
        list[n].path = lua_text(L, -2);
        list[n].bytes = lua_tolstring(L, -1, &list[n].len);
    }
    write_all(L, list, n);
}

int lua_module_write(lua_State *L) {
    size_t len = 0;
    if (lua_istable(L, 1)) {
        lua_settop(L, 1);
        write_table(L);
        return 0;
    }
    const char *path = lua_check_text(L, 1);
    const char *bytes = luaL_checklstring(L, 2, &len);
    lua_file_write(L, path, bytes, len);
    return 0;
}

/* ---- checks before writing ---- */

int lua_module_writable(lua_State *L) {
    const char *path = lua_check_text(L, 1), *input = NULL;
    struct file_guard *guard = lua_file_guard(L);
    guard_modules(L);
    bool is_input = guard_output(guard, path, path, &input) == GUARD_INPUT;
    guard_forget(guard);
    bool ok = !is_input && output_possible(path);
    lua_pushboolean(L, ok);
    if (ok)
        return 1;
    if (is_input)
        lua_pushfstring(L, REPLACES_INPUT, path, input);
    else
        lua_pushfstring(L, "%s: %s", path, strerror(errno));
    return 2;
}

int lua_module_path(lua_State *L) {
    const char *path = lua_check_text(L, 1);
    char real[PATH_MAX];
    struct stat st;
    if (!realpath(path, real) || stat(real, &st) != 0) {
        lua_pushnil(L);
        lua_pushfstring(L, "%s: %s", path, strerror(errno));
        return 2;
    }
    lua_pushstring(L, real);
    lua_pushstring(L, S_ISREG(st.st_mode) ? "file" : S_ISDIR(st.st_mode) ? "folder" : "other");
    return 2;
}

int lua_module_same_file(lua_State *L) {
    const char *a = lua_check_text(L, 1), *b = lua_check_text(L, 2);
    lua_pushboolean(L, lua_toboolean(L, 3) ? output_is_input(a, b) : output_same(a, b));
    return 1;
}
