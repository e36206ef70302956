#include "sim/file/computer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PATH = 4096 };

/* Reads the first line of a file; false if it cannot be read. */
static bool first_line(const char *path, char line[PATH]) {
    FILE *f = fopen(path, "re");
    bool ok = f && fgets(line, PATH, f);
    if (f)
        fclose(f);
    if (ok)
        line[strcspn(line, "\n")] = 0;
    return ok;
}

static u64 smaller(u64 limit, const char *path) {
    char line[PATH];
    if (!first_line(path, line) || line[0] < '0' || line[0] > '9') /* "max" */
        return limit;
    u64 bytes = strtoull(line, NULL, 10);
    return bytes && bytes < (u64)1 << 62 && (!limit || bytes < limit) ? bytes : limit;
}

/* Reads memory.max in each folder of the path "0::/a/b" in /proc/self/cgroup (version 2), or one file (version 1). */
u64 file_memory_limit_in(const char *root) {
    char path[PATH], line[PATH], group[PATH] = "";
    u64 limit = 0;
    snprintf(path, sizeof path, "%s/proc/self/cgroup", root);
    FILE *f = fopen(path, "re");
    while (f && fgets(line, sizeof line, f))
        if (strncmp(line, "0::", 3) == 0) {
            line[strcspn(line, "\n")] = 0;
            memcpy(group, line + 3, strlen(line + 3) + 1);
        }
    if (f)
        fclose(f);
    for (char *end = group + strlen(group);; end = strrchr(group, '/')) {
        if (!end)
            break;
        *end = 0;
        if (snprintf(path, sizeof path, "%s/sys/fs/cgroup%s/memory.max", root, group) < PATH)
            limit = smaller(limit, path);
    }
    snprintf(path, sizeof path, "%s/sys/fs/cgroup/memory/memory.limit_in_bytes", root);
    return smaller(limit, path);
}

u64 file_memory_limit(void) {
    return file_memory_limit_in("");
}
