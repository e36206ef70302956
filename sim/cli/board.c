#include "sim/cli/board.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "sim/cli/file.h"
#include "sim/cli/ui.h"

enum { FILES_MAX = 16 };

/* Files that `base:` names, which stay in memory until the board is read. */
struct files {
    char folder[PATH_MAX + 300]; /* of the file that was named, with its '/' */
    struct buf text[FILES_MAX];
    u32 count;
};

bool board_choice_set(struct board_choice *b, const char *assignment) {
    buf_append(&b->sets, &assignment, sizeof assignment);
    return !b->sets.failed;
}

static const char *read_base(void *ctx, const char *name, size_t *len) {
    struct files *f = ctx;
    char path[2 * PATH_MAX];
    int n = snprintf(path, sizeof path, "%s%s", *name == '/' ? "" : f->folder, name);
    if (n >= (int)sizeof path || f->count == FILES_MAX || !file_exists(path))
        return NULL;
    struct buf *text = &f->text[f->count++];
    if (!file_read(path, text))
        return NULL;
    *len = text->len;
    return text->data;
}

void board_shelf(struct shelf *s) {
    shelf_open(s, "configs", "board", ".yaml", "# ");
}

static bool load(const char *name, struct heddle *h) {
    struct files files = {.count = 0};
    struct shelf shelf;
    struct buf text = {0};
    char path[PATH_MAX + 300];
    board_shelf(&shelf);
    bool ok = shelf_find(&shelf, name, path, sizeof path) && file_read(path, &text);
    shelf_close(&shelf);
    if (ok) {
        const char *slash = strrchr(path, '/');
        snprintf(files.folder, sizeof files.folder, "%.*s", slash ? (int)(slash - path) + 1 : 0, path);
        ok = heddle_board_load(h, path, text.data, text.len, read_base, &files);
        ui_show(stderr, heddle_error(h));
    }
    for (u32 i = 0; i < files.count; i++)
        buf_free(&files.text[i]);
    buf_free(&text);
    return ok;
}

bool board_apply(const struct board_choice *b, struct heddle *h) {
    const char *const *set = (const char *const *)(const void *)b->sets.data;
    if (b->name && !load(b->name, h))
        return false;
    if (heddle_board_set_all(h, set, (u32)(b->sets.len / sizeof *set)))
        return true;
    ui_show(stderr, heddle_error(h));
    return false;
}
