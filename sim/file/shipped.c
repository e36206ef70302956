#include "sim/file/shipped.h"

#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static bool is_folder(const char *folder, const char *name) {
    char path[PATH_MAX];
    struct stat st;
    int n = snprintf(path, sizeof path, "%s/%s", folder, name);
    return n < (int)sizeof path && stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

static bool is_home(const char *folder) {
    return is_folder(folder, "kernels") && is_folder(folder, "scripts");
}

bool shipped_home(const char *file, char *folder, size_t size) {
    char path[PATH_MAX];
    if (!realpath(file, path))
        return false;
    for (char *slash; (slash = strrchr(path, '/')) != NULL;) {
        *slash = 0;
        int n = snprintf(folder, size, "%s/share/heddle", path);
        if ((size_t)n < size && is_home(folder))
            return true;
        n = snprintf(folder, size, "%s", path);
        if ((size_t)n < size && is_home(folder))
            return true;
    }
    return false;
}

/* Writes the path HOME/FOLDER/NAME+ENDING; false if the file is missing or the path too long. */
static bool there(char *path, size_t size, const char *home, const char *name, const char *ending) {
    struct stat st;
    int n = snprintf(path, size, "%s/%s%s", home, name, ending);
    return (size_t)n < size && stat(path, &st) == 0 && S_ISREG(st.st_mode);
}

/* Finds the kernels of a name in all folders; returns their number, with `names` their list and `path` the last. */
static u32 in_folders(const char *kernels, const char *name, char *path, size_t size, struct buf *names) {
    char found[PATH_MAX + 300], inner[2 * NAME_MAX];
    struct dirent **folder = NULL;
    u32 count = 0;
    int n = scandir(kernels, &folder, NULL, alphasort);
    for (int i = 0; i < n; i++) {
        int len = snprintf(inner, sizeof inner, "%s/%s", folder[i]->d_name, name);
        bool has =
            folder[i]->d_name[0] != '.' && len < (int)sizeof inner &&
            (there(found, sizeof found, kernels, inner, "") || there(found, sizeof found, kernels, inner, ".hd"));
        free(folder[i]);
        if (!has)
            continue;
        buf_printf(names, "%s%s", count++ ? ", " : "", inner);
        snprintf(path, size, "%s", found);
    }
    free(folder);
    return count;
}

enum shipped_answer shipped_kernel(const char *home, const char *name, char *path, size_t size, struct buf *names) {
    char kernels[PATH_MAX];
    int n = snprintf(kernels, sizeof kernels, "%s/kernels", home);
    if (n >= (int)sizeof kernels || !*name || *name == '/')
        return SHIPPED_NONE;
    if (there(path, size, kernels, name, "") || there(path, size, kernels, name, ".hd"))
        return SHIPPED_FOUND;
    u32 count = strchr(name, '/') ? 0 : in_folders(kernels, name, path, size, names);
    return count == 0 ? SHIPPED_NONE : count == 1 ? SHIPPED_FOUND : SHIPPED_SEVERAL;
}

static int is_name(const struct dirent *e) {
    return e->d_name[0] != '.' && strcmp(e->d_name, "lib") != 0;
}

void shipped_kernels(const char *home, struct buf *names) {
    char path[PATH_MAX];
    struct dirent **folder = NULL;
    snprintf(path, sizeof path, "%s/kernels", home);
    int n = scandir(path, &folder, is_name, alphasort);
    for (int i = 0; i < n; i++) {
        struct dirent **file = NULL;
        int len = snprintf(path, sizeof path, "%s/kernels/%s", home, folder[i]->d_name);
        int files = len < (int)sizeof path ? scandir(path, &file, is_name, alphasort) : 0;
        for (int k = 0; k < files; k++) {
            const char *end = strrchr(file[k]->d_name, '.');
            if (end && strcmp(end, ".hd") == 0)
                buf_printf(names, "%s/%.*s\n", folder[i]->d_name, (int)(end - file[k]->d_name), file[k]->d_name);
            free(file[k]);
        }
        free(file);
        free(folder[i]);
    }
    free(folder);
}

bool shipped_board(const char *home, const char *name, char *path, size_t size) {
    char boards[PATH_MAX];
    int n = snprintf(boards, sizeof boards, "%s/configs", home);
    return n < (int)sizeof boards && *name && !strchr(name, '/') && there(path, size, boards, name, ".yaml");
}
