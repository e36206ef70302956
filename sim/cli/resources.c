#include "sim/cli/resources.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "sim/cli/ui.h"
#include "sim/file/shipped.h"

static bool search(char *folder, size_t size) {
    const char *given = getenv("HEDDLE_HOME");
    if (!given || !*given)
        return shipped_home("/proc/self/exe", folder, size);
    snprintf(folder, size, "%s", given);
    return true;
}

const char *resources_root(void) {
    static char folder[PATH_MAX + 16];
    static enum { UNKNOWN, FOUND, NONE } state;
    if (state == UNKNOWN)
        state = search(folder, sizeof folder) ? FOUND : NONE;
    return state == FOUND ? folder : NULL;
}

bool resources_kernel(char *path, size_t size, const char *name) {
    struct buf names = {0};
    enum shipped_answer answer =
        resources_root() ? shipped_kernel(resources_root(), name, path, size, &names) : SHIPPED_NONE;
    if (answer == SHIPPED_NONE)
        snprintf(path, size, "%s", name);
    if (answer == SHIPPED_SEVERAL)
        ui_error_as(name, "no such file, and several kernels that ship have the name: %s", names.data);
    buf_free(&names);
    return answer != SHIPPED_SEVERAL;
}

bool resources_kernels(char *path, size_t size, const char *name) {
    struct stat st;
    snprintf(path, size, "%s", name);
    if (stat(name, &st) == 0)
        return true;
    if (resources_root() && *name && *name != '/') {
        int n = snprintf(path, size, "%s/kernels/%s", resources_root(), name);
        if (n > 0 && (size_t)n < size && stat(path, &st) == 0)
            return true;
    }
    return resources_kernel(path, size, name);
}
