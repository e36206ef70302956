/* heddle study: finds a study, which is a Lua script, and runs it. */
#include "sim/cli/command.h"

#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/diag.h"
#include "sim/cli/file.h"
#include "sim/cli/home.h"
#include "sim/cli/script.h"
#include "sim/cli/ui.h"

struct study_options {
    const char *name;
    int argc; /* of the study */
    char **argv;
};

/* The studies that ship, sorted by name. */
struct studies {
    char folder[PATH_MAX];
    struct dirent **entry;
    int count;
};

static error_t parse(int key, char *arg, struct argp_state *state) {
    struct study_options *o = state->input;
    (void)arg;
    if (key != ARGP_KEY_ARGS)
        return ARGP_ERR_UNKNOWN;
    o->name = state->argv[state->next];
    o->argv = state->argv + state->next + 1;
    o->argc = state->argc - state->next - 1;
    return 0;
}

const struct argp cmd_study_argp = {
    .parser = parse,
    .args_doc = "[NAME|FILE.lua [ARGUMENT...]]",
    .doc = "Run a study: a Lua script that puts one question to several kernels, checks their results and compares "
           "them. Without a name, list the studies that ship with heddle. 'heddle study NAME --help' says what a study "
           "takes.",
    .children = command_common};

static int is_script(const struct dirent *e) {
    size_t len = strlen(e->d_name);
    return len > 4 && e->d_name[0] != '.' && strcmp(e->d_name + len - 4, ".lua") == 0;
}

static void studies_find(struct studies *s) {
    const char *home = home_folder();
    *s = (struct studies){.count = 0};
    int n = home ? snprintf(s->folder, sizeof s->folder, "%s/scripts/studies", home) : -1;
    if (n < 0 || n >= (int)sizeof s->folder)
        return;
    s->count = scandir(s->folder, &s->entry, is_script, alphasort);
    s->count = s->count < 0 ? 0 : s->count;
    for (int i = 0; i < s->count; i++)
        s->entry[i]->d_name[strlen(s->entry[i]->d_name) - 4] = 0; /* "reorder" */
}

static void studies_free(struct studies *s) {
    for (int i = 0; i < s->count; i++)
        free(s->entry[i]);
    free(s->entry);
}

static const char *nth_study(const void *ctx, size_t i) {
    return ((const struct studies *)ctx)->entry[i]->d_name;
}

/* The first comment line of a script, "-- what it asks". */
static void print_study(const char *folder, const char *name) {
    char path[PATH_MAX + 300], line[200] = "";
    snprintf(path, sizeof path, "%s/%s.lua", folder, name);
    FILE *f = fopen(path, "r");
    if (!f || !fgets(line, sizeof line, f) || strncmp(line, "--", 2) != 0)
        line[0] = 0;
    if (f)
        fclose(f);
    line[strcspn(line, "\n")] = 0;
    printf("  %-12s %s\n", name, line + strspn(line, "- "));
}

static int list(const struct studies *s) {
    if (s->count == 0) {
        ui_error("no studies: there is no folder scripts/studies in %s (set HEDDLE_HOME?)",
                 home_folder() ? home_folder() : "heddle's own folder");
        return EXIT_INPUT;
    }
    for (int i = 0; i < s->count; i++)
        print_study(s->folder, nth_study(s, (size_t)i));
    return EXIT_OK;
}

static int run(const struct studies *s, const struct study_options *o) {
    char path[PATH_MAX + 300];
    bool found = false;
    for (int i = 0; i < s->count; i++)
        found |= strcmp(nth_study(s, (size_t)i), o->name) == 0;
    if (!found && (strchr(o->name, '/') || strchr(o->name, '.')))
        return script_run(o->name, NULL, o->argc, o->argv);
    if (!found) {
        const char *near = nearest_name(o->name, (size_t)s->count, nth_study, s);
        if (near)
            ui_error("there is no study '%s'; did you mean '%s'?", o->name, near);
        else
            ui_error("there is no study '%s'; 'heddle study' lists them", o->name);
        return EXIT_INPUT;
    }
    snprintf(path, sizeof path, "%s/%s.lua", s->folder, o->name);
    return script_run(path, NULL, o->argc, o->argv);
}

int cmd_study(int argc, char **argv) {
    struct study_options o = {0};
    struct studies s;
    if (!command_parse_in_order(&cmd_study_argp, argc, argv, &o))
        return EXIT_INPUT;
    studies_find(&s);
    int status = o.name ? run(&s, &o) : list(&s);
    studies_free(&s);
    return status;
}
