/* The board of a context, as scripts choose it. */
#include "sim/api/lua_module.h"

#include <stdio.h>
#include <string.h>

#include "sim/base/buf.h"

enum { PATH_BYTES = 4096, FILES_MAX = 16 };

/* Files that `base:` names, beside the one that is read; they stay until the board is read. */
struct files {
    const char *path; /* of the first file */
    struct buf text[FILES_MAX];
    u32 count;
};

/* Called from inside the reader, so that it must not raise: a file that cannot be read is not there. */
static const char *read_base(void *ctx, const char *name, size_t *len) {
    struct files *files = ctx;
    const char *slash = strrchr(files->path, '/');
    char path[PATH_BYTES], chunk[1024];
    size_t n;
    int folder = slash && *name != '/' ? (int)(slash - files->path) + 1 : 0;
    int need = snprintf(path, sizeof path, "%.*s%s", folder, files->path, name);
    FILE *f = need < PATH_BYTES && files->count < FILES_MAX ? fopen(path, "rb") : NULL;
    if (!f)
        return NULL;
    struct buf *text = &files->text[files->count++];
    while ((n = fread(chunk, 1, sizeof chunk, f)) > 0)
        buf_append(text, chunk, n);
    bool ok = !ferror(f) && !text->failed;
    fclose(f);
    *len = text->len;
    return ok ? text->data : NULL;
}

static bool load(struct lua_context *ctx, const char *path, const char *text, size_t len) {
    struct files files = {.path = path};
    bool ok = heddle_board_load(ctx->h, path, text, len, read_base, &files);
    for (u32 i = 0; i < files.count; i++)
        buf_free(&files.text[i]);
    return ok;
}

/* The pairs of the table at index 3, as "key=value". */
static void set_values(lua_State *L, struct lua_context *ctx) {
    lua_pushnil(L);
    while (lua_next(L, 3)) {
        luaL_argcheck(L, lua_type(L, -2) == LUA_TSTRING && lua_isinteger(L, -1), 3,
                      "expected {key = whole number, ...}");
        lua_pushfstring(L, "%s=%I", lua_tostring(L, -2), (LUAI_UACINT)lua_tointeger(L, -1));
        lua_context_check(L, 1);
        if (!heddle_board_set(ctx->h, lua_tostring(L, -1)))
            lua_raise(L, ctx, "input");
        lua_pop(L, 2); /* the text and the value: the key is where the search goes on */
    }
}

int lua_context_board(lua_State *L) {
    struct lua_context *ctx = lua_context_check(L, 1);
    const char *path = luaL_optstring(L, 2, NULL);
    struct lua_block *block;
    size_t len = 0;
    lua_settop(L, 3);
    if (!lua_isnil(L, 3))
        luaL_checktype(L, 3, LUA_TTABLE);
    if (path) {
        lua_file_read(L, path);
        const char *text = lua_tolstring(L, -1, &len);
        lua_context_check(L, 1);
        if (!load(ctx, path, text, len))
            return lua_raise(L, ctx, "input");
    }
    if (!lua_isnil(L, 3))
        set_values(L, ctx);
    block = lua_block_new(L);
    lua_context_check(L, 1);
    block->data = heddle_board_text(ctx->h, &len);
    if (!block->data)
        return lua_raise(L, ctx, "memory");
    lua_block_push(L, block, len);
    return 1;
}
