#include "sim/cli/sweep/file.h"

#include <stdio.h>
#include <string.h>

#include "sim/base/diag.h"
#include "sim/cli/file.h"
#include "sim/cli/ui.h"
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

/* Whether the item is an option, with a value if it takes one. */
static bool check(const struct description_item *item, const struct argp_option *options, struct diag *diag) {
    size_t n;
    const struct argp_option *o = find(options, item->name, &n);
    bool run = strcmp(item->name, "run") == 0, takes = run || (o && o->arg);
    if (!run && !o) {
        const char *near = nearest_name(item->name, n + 1, nth_name, options);
        diag_error(diag, item->name_at, "unknown option '%s'%s%s%s", item->name, near ? "; did you mean '" : "",
                   near ? near : "", near ? "'?" : "; 'heddle sweep --help' and 'heddle run --help' list them");
    } else if (takes && !item->value && !(o && o->flags & OPTION_ARG_OPTIONAL)) {
        diag_error(diag, item->value_at, "'%s' needs a value", item->name);
    } else if (!takes && item->value) {
        diag_error(diag, item->value_at, "'%s' is true, or left out", item->name);
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
        if (!check(&item[i], options, diag))
            return false;
        word[i] = word_of(&item[i], arena);
        if (!word[i]) {
            ui_error("out of memory");
            return false;
        }
    }
    return true;
}

static struct diag diag_of(const struct sweep_file *f) {
    return (struct diag){.file = f->path, .source = f->text.data, .source_len = f->text.len};
}

static void show(const struct diag *diag) {
    struct buf message = {0};
    diag_render(diag, &message);
    ui_show(stderr, message.len ? message.data : "");
    buf_free(&message);
}

bool sweep_file_read(struct sweep_file *f, const char *name, const struct argp_option *options, struct arena *arena,
                     int *argc, char ***argv) {
    static char run[] = "run";
    struct resource_dir dir;
    sweep_file_dir(&dir);
    bool ok = resource_dir_find(&dir, name, f->path, sizeof f->path) && file_read(f->path, &f->text);
    resource_dir_close(&dir);
    struct diag diag = diag_of(f);
    ok = ok && description_read(f->text.data ? f->text.data : "", f->text.len, arena, &f->items, &diag);
    size_t n = f->items.len / sizeof(struct description_item);
    char **word = ok ? arena_alloc(arena, (n + 2) * sizeof *word) : NULL;
    if (ok && !word)
        ui_error("out of memory");
    ok = word && make_words(&f->items, options, arena, &diag, word + 1);
    show(&diag);
    if (ok)
        word[0] = run;
    *argv = word;
    *argc = (int)n + 1;
    return ok;
}

bool sweep_file_mistake(const struct sweep_file *f, const char *option, const char *value, size_t at, size_t len,
                        const char *text) {
    const struct description_item *item = (const struct description_item *)(const void *)f->items.data;
    for (size_t i = 0; i < f->items.len / sizeof *item; i++) {
        struct diag diag = diag_of(f);
        if (!item[i].value || strcmp(item[i].name, option + strlen("--")) != 0 || strcmp(item[i].value, value) != 0)
            continue;
        diag_error(&diag, description_place(&item[i], at, len), "%s", text);
        show(&diag);
        return true;
    }
    return false;
}

void sweep_file_free(struct sweep_file *f) {
    buf_free(&f->text);
    buf_free(&f->items);
}
