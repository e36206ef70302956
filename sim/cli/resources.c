#include "sim/cli/resources.h"

#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sim/base/buf.h"
#include "sim/cli/file.h"
#include "sim/cli/ui.h"

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

const char *resources_root(void) {
    static char folder[PATH_MAX + 16];
    static enum { UNKNOWN, FOUND, NONE } state;
    if (state == UNKNOWN)
        state = search(folder, sizeof folder) ? FOUND : NONE;
    return state == FOUND ? folder : NULL;
}

/* Writes the path of a file that ships; false when there is none, or no room. */
static bool home_file(char *path, size_t size, const char *name, const char *ending) {
    int n = snprintf(path, size, "%s/kernels/%s%s", resources_root(), name, ending);
    return n >= 0 && (size_t)n < size && file_exists(path);
}

/* Finds the kernels of a name in all folders; returns how many, `names` being a list of them and `path` the last. */
static u32 in_folders(char *path, size_t size, const char *name, struct buf *names) {
    char found[PATH_MAX + 300], inner[2 * NAME_MAX];
    struct dirent **folder = NULL;
    u32 count = 0;
    snprintf(found, sizeof found, "%s/kernels", resources_root());
    int n = scandir(found, &folder, NULL, alphasort);
    for (int i = 0; i < n; i++) {
        int len = snprintf(inner, sizeof inner, "%s/%s", folder[i]->d_name, name);
        bool there = folder[i]->d_name[0] != '.' && len < (int)sizeof inner &&
                     (home_file(found, sizeof found, inner, "") || home_file(found, sizeof found, inner, ".hd"));
        free(folder[i]);
        if (!there)
            continue;
        buf_printf(names, "%s%s", count++ ? ", " : "", inner);
        snprintf(path, size, "%s", found);
    }
    free(folder);
    return count;
}

bool resources_kernel(char *path, size_t size, const char *name) {
    struct buf names = {0};
    u32 count = 0;
    if (resources_root() && *name && *name != '/') {
        if (home_file(path, size, name, "") || home_file(path, size, name, ".hd"))
            return true;
        count = strchr(name, '/') ? 0 : in_folders(path, size, name, &names);
    }
    if (count == 0)
        snprintf(path, size, "%s", name);
    if (count > 1)
        ui_error_as(name, "no such file, and several kernels that ship have the name: %s", names.data);
    buf_free(&names);
    return count <= 1;
}
