/*
 * Files as the Lua module reads and writes them. A file that is written appears whole or not at all: the bytes go to a
 * temporary name in the same folder, which is then renamed. What is no regular file (a terminal, /dev/null) is
 * written to directly.
 */
#include "sim/api/lua_module.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int file_error(lua_State *L, const char *path, int why) {
    lua_pushfstring(L, "%s: %s", path, strerror(why));
    return lua_raise_message(L, "input", lua_tostring(L, -1));
}

static int stream_close(lua_State *L) {
    luaL_Stream *s = luaL_checkudata(L, 1, LUA_FILEHANDLE);
    fclose(s->f);
    return 0;
}

void lua_file_read(lua_State *L, const char *path) {
    luaL_Stream *s = lua_newuserdatauv(L, sizeof *s, 0); /* closes the file if memory runs out on the way */
    s->closef = NULL;
    luaL_setmetatable(L, LUA_FILEHANDLE);
    s->f = fopen(path, "rb");
    if (!s->f)
        file_error(L, path, errno);
    s->closef = stream_close;
    luaL_Buffer out;
    luaL_buffinit(L, &out);
    size_t n;
    errno = 0;
    do {
        n = fread(luaL_prepbuffer(&out), 1, LUAL_BUFFERSIZE, s->f);
        luaL_addsize(&out, n);
    } while (n == LUAL_BUFFERSIZE);
    int why = ferror(s->f) ? errno : 0;
    s->closef = NULL;
    fclose(s->f);
    luaL_pushresult(&out);
    if (why)
        file_error(L, path, why);
    lua_remove(L, -2);
}

/* ---- writing ---- */

enum { PATH_BYTES = 4096, TRIES = 100 };

static bool write_all(int fd, const char *bytes, size_t len) {
    while (len) {
        ssize_t n = write(fd, bytes, len);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        bytes += n;
        len -= (size_t)n;
    }
    return true;
}

/* Opens a new file beside `path` and puts its name into `temporary`. */
static int open_beside(const char *path, char temporary[PATH_BYTES]) {
    for (int i = 0; i < TRIES; i++) {
        int n = snprintf(temporary, PATH_BYTES, "%s.%ld-%d.tmp", path, (long)getpid(), i);
        if (n < 0 || n >= PATH_BYTES) {
            errno = ENAMETOOLONG;
            return -1;
        }
        int fd = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (fd >= 0 || errno != EEXIST)
            return fd;
    }
    return -1;
}

/* 0, or why not. */
static int write_file(const char *path, const char *bytes, size_t len) {
    struct stat at;
    char temporary[PATH_BYTES];
    bool exists = stat(path, &at) == 0;
    bool direct = exists && !S_ISREG(at.st_mode);
    int fd = direct ? open(path, O_WRONLY | O_CLOEXEC) : open_beside(path, temporary);
    if (fd < 0)
        return errno;
    bool ok = write_all(fd, bytes, len);
    int why = errno;
    if (exists && !direct)
        (void)!fchmod(fd, at.st_mode & 07777); /* a file that is replaced keeps its mode where that is allowed */
    if (close(fd) != 0 && ok) {
        ok = false;
        why = errno;
    }
    if (ok && !direct && rename(temporary, path) != 0) {
        ok = false;
        why = errno;
    }
    if (!ok && !direct)
        unlink(temporary);
    return ok ? 0 : why;
}

void lua_file_write(lua_State *L, const char *path, const char *bytes, size_t len) {
    int why = write_file(path, bytes, len);
    if (why)
        file_error(L, path, why);
}

int lua_module_write(lua_State *L) {
    size_t len = 0;
    const char *path = luaL_checkstring(L, 1);
    const char *bytes = luaL_checklstring(L, 2, &len);
    lua_file_write(L, path, bytes, len);
    return 0;
}
