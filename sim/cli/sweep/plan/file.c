#include "sim/cli/sweep/plan/file.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "sim/base/diag.h"
#include "sim/cli/file.h"
#include "sim/cli/script.h"
#include "sim/cli/sweep/sweep.h"
#include "sim/cli/sweep/plan/plan.h"
#include "sim/cli/ui.h"
#include "sim/sweep/description.h"

void sweep_file_dir(struct resource_dir *s) {
    resource_dir_open(s, "scripts/sweeps", "sweep", ".yaml", "# ");
}

/* ---- places ---- */

static bool is_part(char c) {
    return isalnum((unsigned char)c) || c == '_' || c == '.';
}

/* Finds the first place of a word in a script; without a line if the script computes it. */
static struct span place_in_script(const struct sweep_file *f, const char *word, size_t len) {
    const char *text = f->text.data ? f->text.data : "";
    struct span at = {1, 1, (u32)len};
    for (; len && *text; text++) {
        bool begins = text == f->text.data || !is_part(text[-1]);
        if (begins && strncmp(text, word, len) == 0 && !is_part(text[len]))
            return at;
        at.col = *text == '\n' ? 1 : at.col + 1;
        at.line += *text == '\n';
    }
    return (struct span){0, 0, 1};
}

/* Finds the place of an item; a text that a script does not contain, such as "=", is shown by the name before it. */
static struct span place_of(const struct sweep_file *f, const struct description_item *item, size_t at, size_t len) {
    if (!f->script)
        return description_place(item, at, len);
    bool own = is_part(item->value[at]) || item->value[at] == '-';
    return place_in_script(f, item->value + (own ? at : 0), own ? len : strcspn(item->value, "="));
}

static struct span name_place(const struct sweep_file *f, const struct description_item *item) {
    return f->script ? place_in_script(f, item->name, strlen(item->name)) : item->name_at;
}

static struct span value_place(const struct sweep_file *f, const struct description_item *item) {
    return f->script ? name_place(f, item) : item->value_at;
}

/* ---- options ---- */

/* Names that a file may have: the command, and options. */
struct names {
    const char *command;
    const struct argp_option *options;
};

static const char *nth_name(const void *ctx, size_t i) {
    const struct names *names = ctx;
    return i == 0 ? names->command : names->options[i - 1].name;
}

static const struct argp_option *find(const struct argp_option *options, const char *name, size_t *n) {
    const struct argp_option *found = NULL;
    for (*n = 0; options[*n].name; ++*n)
        if (strcmp(options[*n].name, name) == 0)
            found = &options[*n];
    return found;
}

/* Checks that the item is the command or one of its options, with a value if it takes one. */
static bool check(const struct sweep_file *f, const struct description_item *item, const struct argp_option *options,
                  struct diag *diag) {
    size_t n = 0;
    bool command = strcmp(item->name, f->command) == 0;
    if (!options && !command)
        return true;
    const struct argp_option *o = options ? find(options, item->name, &n) : NULL;
    bool takes = command || (o && o->arg);
    if (!command && !o && words_command(item->name)) {
        diag_error(diag, name_place(f, item), "the points of a sweep run one command, and 'heddle %s' is it",
                   f->command);
    } else if (!command && !o) {
        const struct names names = {f->command, options};
        const char *near = nearest_name(item->name, n + 1, nth_name, &names);
        if (near)
            diag_error(diag, name_place(f, item), "unknown option '%s'; did you mean '%s'?", item->name, near);
        else
            diag_error(diag, item->name_at,
                       "unknown option '%s'; 'heddle sweep --help' and 'heddle %s --help' list them", item->name,
                       f->command);
    } else if (takes && !(item->value && *item->value) && !(o && o->flags & OPTION_ARG_OPTIONAL)) {
        diag_error(diag, value_place(f, item), "'%s' needs a value", item->name);
    } else if (!takes && item->value) {
        diag_error(diag, value_place(f, item), "'%s' is true, or left out", item->name);
    }
    return diag->errors == 0;
}

/* Makes "--over=sms=1,2", "--functional"; of the command its value alone. NULL when out of memory. */
static char *word_of(const struct sweep_file *f, const struct description_item *item, struct arena *arena) {
    struct buf text = {0};
    if (strcmp(item->name, f->command) != 0)
        buf_printf(&text, "--%s%s", item->name, item->value ? "=" : "");
    buf_puts(&text, item->value ? item->value : "");
    char *word = text.failed ? NULL : arena_strndup(arena, text.data, text.len);
    buf_free(&text);
    return word;
}

struct diag sweep_file_diag(const struct sweep_file *f) {
    return (struct diag){.file = f->path, .source = f->text.data, .source_len = f->text.len};
}

void sweep_file_show(const struct diag *diag) {
    struct buf message = {0};
    diag_render(diag, &message);
    ui_show(stderr, message.len ? message.data : "");
    buf_free(&message);
}

const struct description_item *sweep_file_items(const struct sweep_file *f, size_t *n) {
    *n = f->items.len / sizeof(struct description_item);
    return (const struct description_item *)(const void *)f->items.data;
}

/* Runs the Lua of a file and reads its description as YAML: through a file in memory, whatever the script prints. */
static bool run_script(const struct sweep_file *f, struct buf *text) {
    struct script_call call = {.argc = 0};
    char to[40];
    int fd = memfd_create("description", MFD_CLOEXEC);
    snprintf(to, sizeof to, "/proc/self/fd/%d", fd);
    bool ok = fd >= 0 && script_call_begin(&call, 2) && script_call_add(&call, "file", f->path) == 0 &&
              script_call_add(&call, "to", to) == 0;
    if (!ok)
        ui_no_memory();
    ok = ok && script_run_own("described.lua", call.argc, call.argv) == EXIT_OK && file_read(to, text);
    script_call_free(&call);
    if (fd >= 0)
        close(fd);
    return ok;
}

static bool read_items(struct sweep_file *f, struct arena *arena) {
    struct buf described = {0};
    size_t len = strlen(f->path);
    f->script = len > 4 && strcmp(f->path + len - 4, ".lua") == 0;
    const struct buf *yaml = f->script ? &described : &f->text;
    struct diag diag = sweep_file_diag(f);
    bool ok = (!f->script || run_script(f, &described)) &&
              description_read(yaml->data ? yaml->data : "", yaml->len, arena, &f->items, &diag);
    sweep_file_show(&diag);
    buf_free(&described);
    return ok;
}

bool sweep_file_open(struct sweep_file *f, const char *name, struct arena *arena) {
    struct resource_dir dir;
    size_t n, options;
    sweep_file_dir(&dir);
    f->shipped = resource_dir_own(&dir, name, f->path, sizeof f->path);
    bool ok = resource_dir_find(&dir, name, f->path, sizeof f->path) && file_read(f->path, &f->text);
    resource_dir_close(&dir);
    ok = ok && read_items(f, arena);
    const struct description_item *item = sweep_file_items(f, &n);
    struct diag diag = sweep_file_diag(f);
    f->command = NULL;
    for (size_t i = 0; i < n && !f->command; i++)
        if (words_command(item[i].name) && !find(cmd_run_argp.options, item[i].name, &options)) { /* of a run: board */
            f->command = item[i].name;
            f->first = item[i].value;
            if (!f->first || !*f->first)
                diag_error(&diag, value_place(f, &item[i]), "'%s' needs a value", f->command);
        }
    sweep_file_show(&diag);
    f->command = f->command ? f->command : "run";
    return ok && !diag.errors;
}

/* A command line that is being made. */
struct words {
    struct arena *arena;
    char **word;
    int n;
};

/* Appends values of the command first: only its options may follow. */
static bool put_words(const struct sweep_file *f, const struct argp_option *options, bool values, struct words *words) {
    struct diag diag = sweep_file_diag(f);
    size_t n, given = 0;
    const struct description_item *item = sweep_file_items(f, &n);
    bool ok = true;
    for (size_t i = 0; i < n && ok; i++) {
        if ((strcmp(item[i].name, f->command) == 0) != values)
            continue;
        if (values && given++ && strcmp(f->command, "run") == 0)
            diag_error(&diag, value_place(f, &item[i]), "one kernel is run at a time: over: {kernel: [A, B]}");
        ok = check(f, &item[i], options, &diag);
        words->word[words->n] = ok ? word_of(f, &item[i], words->arena) : NULL;
        if (ok && !words->word[words->n++])
            ok = ui_no_memory();
    }
    sweep_file_show(&diag);
    return ok;
}

bool sweep_file_words(struct sweep_file *f, const struct argp_option *options, struct arena *arena, int *argc,
                      char ***argv) {
    size_t n = f->items.len / sizeof(struct description_item);
    struct words words = {.arena = arena, .word = arena_alloc(arena, (n + 2) * sizeof(char *)), .n = 1};
    if (!words.word)
        return ui_no_memory();
    words.word[0] = (char *)(uintptr_t)f->command;
    bool ok = put_words(f, options, true, &words) && put_words(f, options, false, &words);
    *argv = words.word;
    *argc = words.n;
    return ok;
}

bool sweep_file_mistake(const void *ctx, const struct ui_mark *mark, const char *text) {
    const struct sweep_file *f = ctx;
    size_t n;
    const struct description_item *item = sweep_file_items(f, &n);
    for (size_t i = 0; i < n; i++) {
        struct diag diag = sweep_file_diag(f);
        bool named = strncmp(mark->option, "--", 2) == 0 && strcmp(item[i].name, mark->option + 2) == 0;
        if (!named || !item[i].value || strcmp(item[i].value, mark->value) != 0)
            continue;
        diag_error(&diag, place_of(f, &item[i], mark->at, mark->len), "%s", text);
        sweep_file_show(&diag);
        return true;
    }
    return false;
}

void sweep_file_free(struct sweep_file *f) {
    buf_free(&f->text);
    buf_free(&f->items);
}
