#include "sim/base/source_file.h"

#include <stdio.h>
#include <string.h>

const struct source_file *source_file_at(const struct source_file *list, u32 n, u32 line) {
    while (n && line <= list[n - 1].first)
        n--;
    return n ? &list[n - 1] : NULL;
}

struct line_name line_name(const struct source_file *list, u32 n, u32 line) {
    const struct source_file *s = source_file_at(list, n, line);
    struct line_name out;
    const char *slash = s ? strrchr(s->file, '/') : NULL;
    if (s)
        snprintf(out.text, sizeof out.text, "line %u of %.48s", line - s->first, slash ? slash + 1 : s->file);
    else
        snprintf(out.text, sizeof out.text, "line %u", line);
    return out;
}

u32 source_file_lines(const char *text, size_t len) {
    u32 lines = 1;
    for (const char *at = text, *end = text + len; at < end && (at = memchr(at, '\n', (size_t)(end - at))); at++)
        lines++;
    return lines;
}

/* Removes the last folder of a path that ends in '/', or adds "../" where there is none to remove. */
static void go_up(struct buf *path) {
    size_t start = path->len;
    while (start > 1 && path->data[start - 2] != '/')
        start--;
    start = start > 1 ? start - 1 : 0;
    bool none = path->len == 0 || strncmp(path->data + start, "../", path->len - start) == 0;
    if (none)
        buf_puts(path, "../");
    else if (!(path->len == 1 && path->data[0] == '/')) /* the folder above "/" is itself */
        path->len = start;
}

static void join(struct buf *path, const char *name, size_t len) {
    for (const char *end = name + len; name < end && !path->failed;) {
        const char *slash = memchr(name, '/', (size_t)(end - name)), *next = slash ? slash + 1 : end;
        size_t n = (size_t)((slash ? slash : end) - name);
        if (slash && n == 2 && memcmp(name, "..", 2) == 0)
            go_up(path);
        else if ((n == 0 && path->len == 0) || (n > 0 && !(slash && n == 1 && *name == '.')))
            buf_append(path, name, (size_t)(next - name));
        name = next;
    }
}

void source_file_path(const char *from, const char *name, struct buf *out) {
    const char *slash = *name != '/' ? strrchr(from, '/') : NULL;
    out->len = 0;
    join(out, from, slash ? (size_t)(slash - from) + 1 : 0);
    join(out, name, strlen(name));
    buf_append(out, "", 0);
}
