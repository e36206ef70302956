#include "sim/file/system_none.h"

#include <errno.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Appends "/part" to a path of `len` bytes, or removes the last part; returns the new length, SIZE_MAX if too long. */
static size_t step(char *path, size_t len, const char *part, size_t n) {
    if (n == 0 || (n == 1 && part[0] == '.'))
        return len;
    if (n == 2 && part[0] == '.' && part[1] == '.') {
        while (len && path[--len] != '/')
            ;
        return len;
    }
    if (len + 1 + n >= PATH_MAX)
        return SIZE_MAX;
    path[len] = '/';
    memcpy(path + len + 1, part, n);
    return len + 1 + n;
}

char *realpath(const char *path, char *resolved) {
    struct stat st;
    size_t len = 0;
    for (const char *part = path; *part && len != SIZE_MAX;) {
        size_t n = strcspn(part, "/");
        len = step(resolved, len, part, n);
        part += n + (part[n] == '/');
    }
    if (len == SIZE_MAX) {
        errno = ENAMETOOLONG;
        return NULL;
    }
    if (!len)
        resolved[len++] = '/';
    resolved[len] = 0;
    return stat(resolved, &st) == 0 ? resolved : NULL;
}

/* Stub for os.execute and io.tmpfile of Lua: wasi-libc only declares them. */
int system(const char *command) {
    errno = ENOSYS;
    return command ? -1 : 0;
}

FILE *tmpfile(void) {
    errno = ENOSYS;
    return NULL;
}
