#include "tests/fuzz/script.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "sim/lua/session.h"

enum { MEMORY = 4 << 20 }; /* bytes of a context */

static char folder[] = "/tmp/heddle-fuzz-XXXXXX";
static char *root; /* of the repository */

static void remove_folder(void) {
    rmdir(folder);
}

static const char *find_root(void) {
    if (!root)
        root = realpath(".", NULL);
    return root ? root : ".";
}

void script_leave(void) {
    find_root();
    if (!mkdtemp(folder) || chdir(folder) != 0) {
        perror(folder);
        abort();
    }
    atexit(remove_folder);
}

int script_fuzz(const char *name, const u8 *data, size_t size) {
    static const char digits[] = "0123456789abcdef";
    char path[4096], *text = malloc(2 * size + 1), *argument[1] = {text};
    struct heddle_session *s = heddle_session_new(find_root(), MEMORY);
    if (!text || !s)
        abort();
    for (size_t i = 0; i < size; i++) {
        text[2 * i] = digits[data[i] >> 4];
        text[2 * i + 1] = digits[data[i] & 15];
    }
    text[2 * size] = 0;
    snprintf(path, sizeof path, "%s/tests/fuzz/%s", find_root(), name);
    if (lua_session_run(s, path, 1, argument) != 0) {
        fputs(heddle_session_error(s), stderr);
        abort();
    }
    heddle_session_free(s);
    free(text);
    return 0;
}
