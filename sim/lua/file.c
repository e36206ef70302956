/* Files as the Lua module reads and writes them. */
#include "sim/lua/module.h"

#include <errno.h>
#include <string.h>

#include "sim/file/read.h"
#include "sim/file/write.h"
#include "sim/api/npy.h"

static int file_error(lua_State *L, const char *path, int why) {
    lua_pushfstring(L, "%s: %s", path, strerror(why));
    return lua_raise_message(L, "input", lua_tostring(L, -1));
}

/* ---- reading ---- */

/* Pushes the file as far as it is wanted; how many bytes that are. */
static size_t push_wanted(lua_State *L, const char *path, input_wanted_fn wanted) {
    struct lua_block *block = lua_block_new(L);
    struct buf bytes = {0};
    bool ok = input_read(path, wanted, &bytes);
    block->data = bytes.data;
    if (!ok)
        file_error(L, path, errno);
    lua_block_push(L, block, bytes.len);
    lua_remove(L, -2);
    return bytes.len;
}

void lua_file_read(lua_State *L, const char *path) {
    if (push_wanted(L, path, input_text) <= INPUT_TEXT_MOST)
        return;
    lua_pushfstring(L, "%s: it is longer than %I bytes, the most that is read", path, (LUAI_UACINT)INPUT_TEXT_MOST);
    lua_raise_message(L, "input", lua_tostring(L, -1));
}

void lua_file_read_npy(lua_State *L, const char *path) {
    push_wanted(L, path, npy_wanted);
}

/* ---- writing ---- */

static void write_all(lua_State *L, const struct file_output *list, size_t n) {
    size_t failed;
    if (!output_write_all(list, n, &failed))
        file_error(L, strcmp(list[failed].path, "-") == 0 ? "standard output" : list[failed].path, errno);
}

void lua_file_write(lua_State *L, const char *path, const char *bytes, size_t len) {
    struct file_output out = {path, bytes, len};
    write_all(L, &out, 1);
}

/* The table {path = bytes} at index 1; its strings stay where they are, since it stays on the stack. */
static void write_table(lua_State *L) {
    size_t n = 0;
    for (lua_pushnil(L); lua_next(L, 1); lua_pop(L, 1), n++)
        luaL_argcheck(L, lua_type(L, -2) == LUA_TSTRING && lua_type(L, -1) == LUA_TSTRING, 1,
                      "a table of path = bytes is expected");
    struct file_output *list = lua_newuserdatauv(L, (n ? n : 1) * sizeof *list, 0);
    n = 0;
    for (lua_pushnil(L); lua_next(L, 1); lua_pop(L, 1), n++) {
        list[n].path = lua_tostring(L, -2);
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
    const char *path = luaL_checkstring(L, 1);
    const char *bytes = luaL_checklstring(L, 2, &len);
    lua_file_write(L, path, bytes, len);
    return 0;
}

/* ---- before ---- */

int lua_module_writable(lua_State *L) {
    const char *path = luaL_checkstring(L, 1);
    bool ok = output_possible(path);
    lua_pushboolean(L, ok);
    if (ok)
        return 1;
    lua_pushfstring(L, "%s: %s", path, strerror(errno));
    return 2;
}

int lua_module_same_file(lua_State *L) {
    const char *a = luaL_checkstring(L, 1), *b = luaL_checkstring(L, 2);
    lua_pushboolean(L, lua_toboolean(L, 3) ? output_is_input(a, b) : output_same(a, b));
    return 1;
}
