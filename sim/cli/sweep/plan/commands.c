#include "sim/cli/sweep/plan/plan.h"

#include <string.h>

#include "sim/cli/resource_dir.h"
#include "sim/cli/sweep/sweep.h"
#include "sim/cli/ui.h"
#include "sim/file/process.h"

bool words_command(const char *name) {
    const struct command *c = command_find(name);
    if (!c || strcmp(name, "run") == 0 || strcmp(name, "study") == 0)
        return c != NULL;
    for (const struct argp_option *o = c->argp->options; o && o->name; o++)
        if (strcmp(o->name, "json") == 0)
            return true;
    return false;
}

/* ---- studies ---- */

/* Reads a line "--name\tvalue\twords\twhat it does" of 'heddle study --options'; false if it is none. */
static bool read_option(const char *line, size_t len, struct arena *arena, struct argp_option *o) {
    const char *tab = memchr(line, '\t', len);
    if (!tab || strncmp(line, "--", 2) != 0)
        return false;
    const char *value = tab + 1;
    size_t n = strcspn(value, "\t\n");
    *o = (struct argp_option){.name = arena_strndup(arena, line + 2, (size_t)(tab - line) - 2),
                              .key = 0x7000,
                              .arg = n == 1 && *value == '-' ? NULL : arena_strndup(arena, value, n),
                              .doc = ""};
    return o->name != NULL;
}

static bool read_study(const char *study, struct arena *arena, struct buf *options) {
    const char *const argv[] = {"/proc/self/exe", "study", "--options", study, NULL};
    struct buf text = {0};
    double seconds = 60;
    bool ok = process_run(argv, "", 0, &seconds, &text) == PROCESS_ENDED && text.len;
    for (size_t at = 0; ok && at < text.len; at += strcspn(text.data + at, "\n") + 1) {
        struct argp_option o;
        if (read_option(text.data + at, strcspn(text.data + at, "\n"), arena, &o))
            buf_append(options, &o, sizeof o);
    }
    if (!ok)
        ui_error("the options of the study '%s' are not to be had", study);
    buf_free(&text);
    return ok;
}

bool sweep_study_ships(const char *study) {
    struct resource_dir dir;
    char path[RESOURCE_PATH + 300];
    study_dir_open(&dir);
    bool ships = resource_dir_own(&dir, study, path, sizeof path);
    resource_dir_close(&dir);
    return ships;
}

/* Finds the options of a shipped study; to list a user's own would execute it. */
static bool find_study(const char *study, struct arena *arena, struct buf *options, bool *known) {
    struct resource_dir dir;
    char path[RESOURCE_PATH + 300];
    study_dir_open(&dir);
    *known = resource_dir_own(&dir, study, path, sizeof path);
    bool ok = *known ? read_study(study, arena, options) : resource_dir_find(&dir, study, path, sizeof path);
    resource_dir_close(&dir);
    return ok;
}

/* ---- all ---- */

static size_t count(const struct argp_option *o) {
    size_t n = 0;
    while (o && o[n].name)
        n++;
    return n;
}

const struct argp_option *words_options(const char *command, const char *study, const struct argp_option *sweep,
                                        struct arena *arena, bool *known) {
    const struct argp_option *own = command_find(command)->argp->options;
    struct buf list = {0};
    bool ok = true;
    *known = true;
    if (strcmp(command, "study") != 0)
        buf_append(&list, own, count(own) * sizeof *own);
    else if (study)
        ok = find_study(study, arena, &list, known);
    buf_append(&list, sweep, (count(sweep) + 1) * sizeof *sweep);
    void *options = ok && !list.failed ? arena_alloc(arena, list.len) : NULL;
    if (options)
        memcpy(options, list.data, list.len);
    else if (ok)
        ui_no_memory();
    buf_free(&list);
    return options;
}
