/*
 * Calls with a bound on the memory of Lua, and on what large blocks take in all: counted instructions do not show the
 * time that filling them takes, as in a loop of s = s .. s.
 */
#include "sim/lua/module.h"

/* The state's own allocator, and what has been allocated beyond the blocks that were there at the start. */
struct bound {
    lua_Alloc alloc;
    void *ctx;
    s64 used, most;
    s64 filled; /* bytes of large blocks, also of those that are free again */
};

enum { LARGE = 1 << 16, FILLS = 4 }; /* bytes; times `most` */

static void *allocate(void *ctx, void *block, size_t old, size_t size) {
    struct bound *b = ctx;
    s64 more = (s64)size - (block ? (s64)old : 0); /* without a block, `old` is a kind of object */
    if (size >= LARGE)
        b->filled += (s64)size;
    if (more > 0 && (b->used + more > b->most || (size >= LARGE && b->filled / FILLS > b->most)))
        return NULL;
    void *made = b->alloc(b->ctx, block, old, size);
    if (made || size == 0)
        b->used += more;
    return made;
}

int lua_module_bounded(lua_State *L) {
    struct bound b = {.most = luaL_checkinteger(L, 1)};
    luaL_checktype(L, 2, LUA_TFUNCTION);
    b.alloc = lua_getallocf(L, &b.ctx);
    lua_setallocf(L, allocate, &b);
    int status = lua_pcall(L, lua_gettop(L) - 2, LUA_MULTRET, 0);
    lua_setallocf(L, b.alloc, b.ctx);
    lua_pushboolean(L, status == LUA_OK);
    lua_replace(L, 1);
    return lua_gettop(L);
}
