#include "sim/cli/home.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sim/cli/file.h"

static bool is_folder(const char *folder, const char *name) {
    char path[PATH_MAX];
    struct stat st;
    int n = snprintf(path, sizeof path, "%s/%s", folder, name);
    return n < (int)sizeof path && stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

static bool is_home(const char *folder) {
    return is_folder(folder, "kernels") && is_folder(folder, "scripts");
}

static bool search(char *folder, size_t size) {
    const char *given = getenv("HEDDLE_HOME");
    char path[PATH_MAX];
    if (given && *given) {
        snprintf(folder, size, "%s", given);
        return true;
    }
    ssize_t len = readlink("/proc/self/exe", path, sizeof path - 1);
    if (len < 0)
        return false;
    path[len] = 0;
    /* From bin/heddle one up to share/heddle; from build/heddle, or build/san/heddle, up to the tree. */
    for (char *slash; (slash = strrchr(path, '/')) != NULL;) {
        *slash = 0;
        snprintf(folder, size, "%s/share/heddle", path);
        if (is_home(folder))
            return true;
        snprintf(folder, size, "%s", path);
        if (*path && is_home(folder))
            return true;
    }
    return false;
}

const char *home_folder(void) {
    static char folder[PATH_MAX + 16];
    static enum { UNKNOWN, FOUND, NONE } state;
    if (state == UNKNOWN)
        state = search(folder, sizeof folder) ? FOUND : NONE;
    return state == FOUND ? folder : NULL;
}

bool home_file(char *path, size_t size, const char *folder, const char *name) {
    const char *home = home_folder();
    if (!home || *name == '/')
        return false;
    int n = snprintf(path, size, "%s/%s/%s", home, folder, name);
    return n >= 0 && (size_t)n < size && file_exists(path);
}
