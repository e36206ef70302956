#include "sim/cli/board.h"

#include <limits.h>
#include <stdio.h>

#include "sim/api/lua_input.h"
#include "sim/cli/file.h"
#include "sim/cli/ui.h"

bool board_choice_set(struct board_choice *b, const char *assignment) {
    buf_append(&b->sets, &assignment, sizeof assignment);
    return !b->sets.failed;
}

void board_shelf(struct shelf *s) {
    shelf_open(s, "configs", "board", ".yaml", "# ");
}

static bool load(const char *name, struct heddle *h) {
    char path[PATH_MAX + 300];
    struct board_bases bases = {.path = path};
    struct shelf shelf;
    struct buf text = {0};
    board_shelf(&shelf);
    bool ok = shelf_find(&shelf, name, path, sizeof path) && file_read(path, &text);
    shelf_close(&shelf);
    if (ok) {
        ok = heddle_board_load(h, path, text.data, text.len, board_bases_read, &bases);
        ui_show(stderr, heddle_error(h));
    }
    board_bases_free(&bases);
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
