#include "sim/cli/board/board.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "sim/file/read.h"
#include "sim/cli/file.h"
#include "sim/cli/format.h"
#include "sim/cli/ui.h"

bool board_choice_set(struct board_choice *b, const char *assignment) {
    buf_append(&b->sets, &assignment, sizeof assignment);
    return !b->sets.failed;
}

void board_dir_open(struct resource_dir *s) {
    resource_dir_open(s, "configs", "board", ".yaml", "# ");
}

static bool apply(struct heddle *h, const struct heddle_file *file, const struct buf *sets) {
    const char *const *set = (const char *const *)(const void *)sets->data;
    bool ok = heddle_board_load(h, file, set, (u32)(sets->len / sizeof *set));
    ui_show(stderr, heddle_error(h));
    return ok;
}

bool board_apply(const struct board_choice *b, struct heddle *h) {
    char path[PATH_MAX + 300];
    struct texts bases = {.beside = path, .guard = file_guard()};
    struct resource_dir boards;
    struct buf text = {0};
    if (!b->name)
        return apply(h, NULL, &b->sets);
    board_dir_open(&boards);
    bool ok = resource_dir_find(&boards, b->name, path, sizeof path) && file_read(path, &text);
    resource_dir_close(&boards);
    struct heddle_file file = {path, text.data, text.len, texts_read, &bases};
    ok = ok && apply(h, &file, &b->sets);
    ok = file_texts_read(&bases) && ok;
    texts_free(&bases);
    buf_free(&text);
    return ok;
}

bool board_key_at(const struct heddle *h, u32 index, struct heddle_board_value *v) {
    u32 values = 0;
    if (heddle_board_value_at(h, index, v))
        return true;
    while (heddle_board_value_at(h, values, v))
        values++;
    return heddle_board_derived(h, index - values, v);
}

/* Adds the values that setting a peak has scaled. */
static void put_scaled(const struct heddle *h, struct buf *list) {
    struct heddle_board_value v;
    for (u32 i = 0; heddle_board_derived(h, i, &v); i++)
        if (v.scaled)
            buf_printf(list, "%s%s", list->len ? "; " : "", v.scaled);
}

/* True if the key is in that list. */
static bool is_scaled(const struct buf *list, const char *key) {
    char name[80];
    snprintf(name, sizeof name, " %s ", key);
    return list->len && strstr(list->data, name);
}

void board_changes(const struct heddle *h, struct buf *out) {
    struct heddle_board_value v;
    struct buf list = {0};
    put_scaled(h, &list);
    size_t scaled = list.len;
    for (u32 i = 0; heddle_board_value_at(h, i, &v); i++) {
        if (strcmp(v.origin, "--set") != 0 || is_scaled(&list, v.key))
            continue;
        buf_printf(&list, "%s%s=", !list.len ? "" : list.len == scaled ? "; " : ", ", v.key);
        if (v.choice)
            buf_puts(&list, v.choice);
        else
            buf_printf(&list, "%.12g", v.number);
    }
    if (list.len) {
        buf_puts(out, "  with ");
        format_folded(list.data, 7, 7, out);
    }
    out->failed |= list.failed;
    buf_free(&list);
}

json_t *board_changes_json(const struct heddle *h) {
    struct heddle_board_value v;
    json_t *to = json_new();
    for (u32 i = 0; heddle_board_value_at(h, i, &v); i++)
        if (strcmp(v.origin, "--set") == 0)
            json_put(to, v.key,
                     v.choice ? json_text(v.choice)
                     : v.real ? json_number(v.number)
                              : json_s64((s64)v.number));
    return to;
}
