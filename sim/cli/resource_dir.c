#include "sim/cli/resource_dir.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/diag.h"
#include "sim/cli/ui.h"

/* True if the file has the extension, which its name then loses. */
static bool keep(const struct resource_dir *s, struct dirent *e) {
    size_t len = strlen(e->d_name), tail = strlen(s->extension);
    if (len <= tail || e->d_name[0] == '.' || strcmp(e->d_name + len - tail, s->extension) != 0)
        return false;
    e->d_name[len - tail] = 0;
    return true;
}

void resource_dir_open(struct resource_dir *s, const char *folder, const char *kind, const char *extension,
                       const char *comment) {
    const char *home = resources_root();
    struct dirent **all = NULL;
    *s = (struct resource_dir){.kind = kind, .extension = extension, .comment = comment};
    int n = home ? snprintf(s->folder, sizeof s->folder, "%s/%s", home, folder) : -1;
    if (n < 0 || n >= (int)sizeof s->folder)
        return;
    int found = scandir(s->folder, &all, NULL, alphasort);
    s->entry = all;
    for (int i = 0; i < found; i++) {
        if (keep(s, all[i]))
            s->entry[s->count++] = all[i];
        else
            free(all[i]);
    }
}

void resource_dir_close(struct resource_dir *s) {
    for (int i = 0; i < s->count; i++)
        free(s->entry[i]);
    free(s->entry);
}

void study_dir_open(struct resource_dir *s) {
    resource_dir_open(s, "scripts/studies", "study", ".lua", "-- ");
}

static const char *nth(const void *ctx, size_t i) {
    return ((const struct resource_dir *)ctx)->entry[i]->d_name;
}

bool resource_dir_own(const struct resource_dir *s, const char *name, char *path, size_t size) {
    bool shipped = false;
    for (int i = 0; i < s->count; i++)
        shipped |= strcmp(nth(s, (size_t)i), name) == 0;
    int n = snprintf(path, size, "%s/%s%s", s->folder, name, s->extension);
    return shipped && n >= 0 && (size_t)n < size;
}

bool resource_dir_find(const struct resource_dir *s, const char *name, char *path, size_t size) {
    if (resource_dir_own(s, name, path, size))
        return true;
    int n = snprintf(path, size, "%s", name);
    if (n >= 0 && (size_t)n < size && (strchr(name, '/') || strchr(name, '.')))
        return true;
    const char *near = nearest_name(name, (size_t)s->count, nth, s);
    if (near)
        ui_error("there is no %s '%s'; did you mean '%s'?", s->kind, name, near);
    else
        ui_error("there is no %s '%s'; 'heddle %s' lists them", s->kind, name, s->kind);
    return false;
}

/* Reads the first line of a file, without the comment sign; "" if it is no comment. */
static void first_comment(const struct resource_dir *s, const char *name, char *line, size_t size) {
    char path[RESOURCE_PATH + 300];
    size_t mark = strcspn(s->comment, " ");
    snprintf(path, sizeof path, "%s/%s%s", s->folder, name, s->extension);
    FILE *f = fopen(path, "r");
    if (!f || !fgets(line, (int)size, f) || strncmp(line, s->comment, mark) != 0)
        line[0] = 0;
    if (f)
        fclose(f);
    line[strcspn(line, "\n")] = 0;
    size_t skip = strspn(line, s->comment);
    memmove(line, line + skip, strlen(line + skip) + 1);
}

void resource_dir_print(const struct resource_dir *s, struct buf *out) {
    enum { LEAST = 12 };
    char line[200];
    int width = LEAST;
    for (int i = 0; i < s->count; i++)
        width = (int)strlen(nth(s, (size_t)i)) > width ? (int)strlen(nth(s, (size_t)i)) : width;
    for (int i = 0; i < s->count; i++) {
        first_comment(s, nth(s, (size_t)i), line, sizeof line);
        buf_printf(out, "  %-*s %s\n", width, nth(s, (size_t)i), line);
    }
}

bool resource_dir_list(const struct resource_dir *s) {
    struct buf out = {0};
    resource_dir_print(s, &out);
    if (s->count == 0)
        ui_error("no %s is to be found in %s (set HEDDLE_HOME?)", s->kind,
                 *s->folder ? s->folder : "heddle's own folder");
    else if (out.failed)
        ui_error("out of memory");
    else
        fwrite(out.data, 1, out.len, stdout);
    bool ok = s->count > 0 && !out.failed;
    buf_free(&out);
    return ok;
}
