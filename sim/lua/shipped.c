/* Kernels and boards as scripts name them, like the command line: the user's file, or a shipped one. */
#include "sim/lua/module.h"

#include <limits.h>
#include <unistd.h>

#include "sim/file/computer.h"
#include "sim/file/shipped.h"

enum { HOME_BYTES = PATH_MAX + 16 };

/* Finds the folder with shipped files: the session's, or for a stock interpreter the one around the module. */
static bool find_home(lua_State *L, char *home, size_t size) {
    char module[PATH_MAX];
    bool given = lua_getfield(L, LUA_REGISTRYINDEX, LUA_HOME) == LUA_TSTRING;
    if (given)
        snprintf(home, size, "%s", lua_tostring(L, -1));
    lua_pop(L, 1);
    return given || (self_file((void (*)(void))find_home, module, sizeof module) && shipped_home(module, home, size));
}

static int raise_several(lua_State *L, const char *name, struct buf *names) {
    struct lua_block *block = lua_block_new(L);
    block->data = names->data;
    lua_block_push(L, block, names->len);
    lua_pushfstring(L, "%s: no such file, and several kernels that ship have the name: %s", name, lua_tostring(L, -1));
    return lua_raise_message(L, "input", lua_tostring(L, -1));
}

const char *lua_shipped_kernel(lua_State *L, const char *name) {
    char home[HOME_BYTES], path[HOME_BYTES];
    struct buf names = {0};
    if (access(name, F_OK) == 0 || !find_home(L, home, sizeof home))
        return name;
    enum shipped_answer answer = shipped_kernel(home, name, path, sizeof path, &names);
    if (answer == SHIPPED_SEVERAL && names.data)
        raise_several(L, name, &names);
    buf_free(&names);
    return answer == SHIPPED_FOUND ? lua_pushstring(L, path) : name;
}

const char *lua_shipped_board(lua_State *L, const char *name) {
    char home[HOME_BYTES], path[HOME_BYTES];
    bool found = find_home(L, home, sizeof home) && shipped_board(home, name, path, sizeof path);
    return found ? lua_pushstring(L, path) : name;
}
