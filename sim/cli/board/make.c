/* heddle board new: a board like another one, with another memory, and what has to move with it. */
#include "sim/cli/board/board.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/decimal.h"
#include "sim/cli/ui.h"
#include "sim/file/read.h"

enum { LINE_BYTES = 128 };

/* Number of channels of a board with that device; 0 after messages. */
static double channels_of(const struct board_new *n) {
    char device[200], stacks[80];
    struct board_choice choice = {.name = n->like};
    struct heddle_board_value v = {.devised = false};
    struct heddle *h = heddle_new();
    snprintf(device, sizeof device, "dram.device=%.150s", n->device ? n->device : "");
    snprintf(stacks, sizeof stacks, "dram.stacks=%.60s", n->stacks ? n->stacks : "");
    bool ok = h && board_choice_set(&choice, "dram.channels=2") && board_choice_set(&choice, "l2.slices=2") &&
              board_choice_set(&choice, "l2.bytes=0") && (!n->device || board_choice_set(&choice, device)) &&
              (!n->stacks || board_choice_set(&choice, stacks)) && board_apply(&choice, h);
    double channels = 0;
    if (ok && heddle_board_value(h, "dram.channels", &v))
        channels = v.devised ? v.device : 2;
    if (ok && !v.devised)
        ui_error("%s has no number of stacks: --stacks 4", n->like);
    heddle_free(h);
    buf_free(&choice.sets);
    return v.devised ? channels : 0;
}

/* Appends "  slices: 128   # 80 of a100: ...", in the column of boards. */
static void put_line(struct buf *out, const char *key, double value, const char *why) {
    char line[80];
    snprintf(line, sizeof line, "  %s: %s", key, decimal_write(value).text);
    buf_printf(out, "%-33s# %s\n", line, why);
}

/* Appends what has to move: slices are shared out evenly to channels, bytes to slices. */
static void put_l2(const struct board_new *n, struct heddle *like, double channels, struct buf *out) {
    double had = board_number(like, "l2.slices"), held = board_number(like, "l2.bytes"),
           ways = board_number(like, "l2.ways");
    double each = round(had / channels), slices = channels * (each < 1 ? 1 : each);
    double unit = slices * ways * LINE_BYTES, bytes = held > 0 ? unit * fmax(1, floor(held / unit)) : 0;
    char why[200];
    if (fabs(slices - had) < 0.5)
        return;
    buf_puts(out, "l2:\n");
    snprintf(why, sizeof why, "derived: a multiple of %.0f channels; %s has %.0f", channels, n->like, had);
    put_line(out, "slices", slices, why);
    snprintf(why, sizeof why, "derived: the most of %.0f that %.0f slices of %.0f ways share evenly", held, slices,
             ways);
    if (fabs(bytes - held) > 0.5)
        put_line(out, "bytes", bytes, why);
}

static bool compose(const struct board_new *n, struct buf *out) {
    struct board_choice choice = {.name = n->like};
    struct heddle *like = heddle_new();
    bool ok = like && board_apply(&choice, like);
    double channels = ok && (n->device || n->stacks) ? channels_of(n) : 0;
    ok = ok && (channels > 0 || !(n->device || n->stacks));
    if (ok) {
        buf_printf(out, "# %s, like %s%s%s\nname: %s\nbase: %s\n", n->name, n->like,
                   n->device ? " with the memory " : "", n->device ? n->device : "", n->name, n->like);
        if (channels > 0)
            buf_puts(out, "dram:\n");
        if (n->device)
            buf_printf(out, "  device: %s\n", n->device);
        if (n->stacks)
            buf_printf(out, "  stacks: %s\n", n->stacks);
        if (channels > 0)
            put_l2(n, like, channels, out);
    }
    heddle_free(like);
    return ok && !out->failed;
}

/* Reads the new board as if it were written, so that no wrong one ever is. */
static bool holds(const char *path, const struct buf *text) {
    struct texts bases = {.beside = path, .guard = file_guard()};
    struct heddle *h = heddle_new();
    struct heddle_file file = {path, text->data, text->len, texts_read, &bases};
    bool ok = h && heddle_board_load(h, &file, NULL, 0);
    if (h)
        ui_show(stderr, heddle_error(h));
    ok = file_texts_read(&bases) && ok;
    heddle_free(h);
    texts_free(&bases);
    return ok;
}

bool board_new(const struct board_new *n) {
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-";
    char path[PATH_MAX];
    struct buf text = {0};
    size_t len = strlen(n->name);
    if (!len || len > 60 || n->name[strspn(n->name, letters)] || *n->name == '-')
        return ui_error("'%.60s' is no name of a board: letters, digits, _ and -, such as mine", n->name);
    if (!n->like)
        return ui_error("which board is it like? heddle board new %s --like a100 --device hbm3-6.4 --stacks 4",
                        n->name);
    snprintf(path, sizeof path, "%s.yaml", n->name);
    if (file_exists(path))
        return ui_error_as(path, "it is there already, and is not replaced");
    bool ok = compose(n, &text) && holds(path, &text) && file_promise("new", path, path) &&
              file_write(path, text.data, text.len);
    if (ok)
        printf("%s: heddle run KERNEL --board ./%s, heddle board peaks %s ./%s\n", path, path, n->like, path);
    buf_free(&text);
    return ok;
}
