#include "sim/cli/sweep/file.h"

#include <stdio.h>
#include <string.h>

#include "sim/base/diag.h"
#include "sim/cli/file.h"
#include "sim/cli/ui.h"
#include "sim/sweep/axis.h"
#include "sim/sweep/description.h"

void sweep_file_dir(struct resource_dir *s) {
    resource_dir_open(s, "scripts/sweeps", "sweep", ".yaml", "# ");
}

/* The names that a file may have: "run", and options. */
static const char *nth_name(const void *ctx, size_t i) {
    const struct argp_option *o = ctx;
    return i == 0 ? "run" : o[i - 1].name;
}

static const struct argp_option *find(const struct argp_option *options, const char *name, size_t *n) {
    const struct argp_option *found = NULL;
    for (*n = 0; options[*n].name; ++*n)
        if (strcmp(options[*n].name, name) == 0)
            found = &options[*n];
    return found;
}

/* Whether the item is an option, with a value if it takes one, and an axis is one. */
static bool check(const struct description_item *item, const struct argp_option *options, struct arena *arena,
                  struct diag *diag) {
    size_t n;
    const struct argp_option *o = find(options, item->name, &n);
    bool run = strcmp(item->name, "run") == 0, takes = run || (o && o->arg);
    struct axis axis;
    struct axis_mistake wrong;
    if (!run && !o) {
        const char *near = nearest_name(item->name, n + 1, nth_name, options);
        diag_error(diag, item->name_at, "unknown option '%s'%s%s%s", item->name, near ? "; did you mean '" : "",
                   near ? near : "", near ? "'?" : "; 'heddle sweep --help' and 'heddle run --help' list them");
    } else if (takes && !item->value && !(o && o->flags & OPTION_ARG_OPTIONAL)) {
        diag_error(diag, item->value_at, "'%s' needs a value", item->name);
    } else if (!takes && item->value) {
        diag_error(diag, item->value_at, "'%s' is true, or left out", item->name);
    } else if ((strcmp(item->name, "over") == 0 || strcmp(item->name, "with") == 0) &&
               !axis_read(item->value, *item->name == 'w', arena, &axis, &wrong)) {
        diag_error(diag, item->value_at, "%s", wrong.text);
    }
    return diag->errors == 0;
}

/* "--over=sms=1,2", "--functional"; of "run" the file alone. NULL when out of memory. */
static char *word_of(const struct description_item *item, struct arena *arena) {
    bool run = strcmp(item->name, "run") == 0;
    struct buf text = {0};
    if (!run)
        buf_printf(&text, "--%s%s", item->name, item->value ? "=" : "");
    buf_puts(&text, item->value ? item->value : "");
    char *word = text.failed ? NULL : arena_strndup(arena, text.data, text.len);
    buf_free(&text);
    return word;
}

static bool make_words(const struct buf *items, const struct argp_option *options, struct arena *arena,
                       struct diag *diag, char **word) {
    const struct description_item *item = (const struct description_item *)(const void *)items->data;
    for (size_t i = 0; i < items->len / sizeof *item; i++) {
        if (!check(&item[i], options, arena, diag))
            return false;
        word[i] = word_of(&item[i], arena);
        if (!word[i]) {
            ui_error("out of memory");
            return false;
        }
    }
    return true;
}

bool sweep_file_read(const char *name, const struct argp_option *options, struct arena *arena, int *argc,
                     char ***argv) {
    static char run[] = "run";
    char path[RESOURCE_PATH + 300];
    struct resource_dir dir;
    struct buf text = {0}, items = {0}, message = {0};
    sweep_file_dir(&dir);
    bool ok = resource_dir_find(&dir, name, path, sizeof path) && file_read(path, &text);
    resource_dir_close(&dir);
    struct diag diag = {.file = path, .source = text.data, .source_len = text.len};
    ok = ok && description_read(text.data ? text.data : "", text.len, arena, &items, &diag);
    size_t n = items.len / sizeof(struct description_item);
    char **word = ok ? arena_alloc(arena, (n + 2) * sizeof *word) : NULL;
    if (ok && !word)
        ui_error("out of memory");
    ok = word && make_words(&items, options, arena, &diag, word + 1);
    diag_render(&diag, &message);
    ui_show(stderr, message.len ? message.data : "");
    if (ok)
        word[0] = run;
    *argv = word;
    *argc = (int)n + 1;
    buf_free(&text);
    buf_free(&items);
    buf_free(&message);
    return ok;
}
