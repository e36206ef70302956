#include "sim/cli/resource_dir.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sim/base/diag.h"
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

/* ---- kernels ---- */

/* Kernel names for a list; without their folders if the word has none. */
struct kernel_names {
    char *list;
    bool bare;
};

static const char *nth_kernel(const void *ctx, size_t i) {
    const struct kernel_names *names = ctx;
    char *line = names->list;
    while (i-- && *line)
        line += strlen(line) + 1;
    return !*line ? NULL : names->bare && strrchr(line, '/') ? strrchr(line, '/') + 1 : line;
}

/* True, after a message, if the file is missing, but a shipped kernel has nearly the name. */
static bool misspelt(const char *name) {
    struct buf list = {0};
    const char *near = NULL;
    size_t n = 0;
    if (!resources_root() || access(name, F_OK) == 0 || strrchr(name, '.'))
        return false;
    shipped_kernels(resources_root(), &list);
    buf_append(&list, "\0", 2); /* ends the names */
    for (char *end = list.failed ? NULL : strchr(list.data, '\n'); end; end = strchr(end + 1, '\n')) {
        *end = 0;
        n++;
    }
    if (n)
        near = nearest_name(name, n, nth_kernel, &(struct kernel_names){list.data, !strchr(name, '/')});
    if (near)
        ui_error_as(name, "no such file, and no kernel that ships has the name; did you mean '%s'?", near);
    buf_free(&list);
    return near != NULL;
}

bool resources_kernel(char *path, size_t size, const char *name) {
    struct buf all = {0};
    enum shipped_answer answer =
        resources_root() ? shipped_kernel(resources_root(), name, path, size, &all) : SHIPPED_NONE;
    bool told = answer == SHIPPED_SEVERAL || (answer == SHIPPED_NONE && misspelt(name));
    if (answer == SHIPPED_NONE)
        snprintf(path, size, "%s", name);
    if (answer == SHIPPED_SEVERAL)
        ui_error_as(name, "no such file, and several kernels that ship have the name: %s", all.data ? all.data : "?");
    buf_free(&all);
    return !told;
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
