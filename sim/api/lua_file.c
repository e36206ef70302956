/* Files as the Lua module reads and writes them. */
#include "sim/api/lua_module.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "sim/api/npy.h"
#include "sim/api/lua_output.h"

static int file_error(lua_State *L, const char *path, int why) {
    lua_pushfstring(L, "%s: %s", path, strerror(why));
    return lua_raise_message(L, "input", lua_tostring(L, -1));
}

static int stream_close(lua_State *L) {
    luaL_Stream *s = luaL_checkudata(L, 1, LUA_FILEHANDLE);
    fclose(s->f);
    return 0;
}

/* ---- reading ---- */

static const u64 text_most = (u64)1 << 28; /* bytes of a program or a board, which are read whole */

static u64 wanted_text(const u8 *bytes, size_t len) {
    (void)bytes;
    return len > text_most ? len : text_most + 1;
}

/* Pushes the file up to its end, or until no more bytes are wanted: a device may have no end. */
static size_t read_wanted(lua_State *L, const char *path, u64 (*wanted)(const u8 *, size_t)) {
    luaL_Stream *s = lua_newuserdatauv(L, sizeof *s, 0); /* closes the file if memory runs out on the way */
    s->closef = NULL;
    luaL_setmetatable(L, LUA_FILEHANDLE);
    s->f = fopen(path, "rb");
    if (!s->f)
        file_error(L, path, errno);
    s->closef = stream_close;
    luaL_Buffer out;
    luaL_buffinit(L, &out);
    size_t n = 1;
    u64 want;
    errno = 0;
    while (n && (want = wanted((const u8 *)luaL_buffaddr(&out), luaL_bufflen(&out))) > luaL_bufflen(&out)) {
        u64 rest = want - luaL_bufflen(&out);
        n = fread(luaL_prepbuffer(&out), 1, rest < LUAL_BUFFERSIZE ? (size_t)rest : LUAL_BUFFERSIZE, s->f);
        luaL_addsize(&out, n);
    }
    int why = ferror(s->f) ? errno : 0;
    s->closef = NULL;
    fclose(s->f);
    luaL_pushresult(&out);
    if (why)
        file_error(L, path, why);
    lua_remove(L, -2);
    return lua_rawlen(L, -1);
}

void lua_file_read(lua_State *L, const char *path) {
    if (read_wanted(L, path, wanted_text) <= text_most)
        return;
    lua_pushfstring(L, "%s: it is longer than %I bytes, the most that is read", path, (LUAI_UACINT)text_most);
    lua_raise_message(L, "input", lua_tostring(L, -1));
}

void lua_file_read_npy(lua_State *L, const char *path) {
    read_wanted(L, path, npy_wanted);
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
