/* heddle study: finds a study, a Lua script, and runs it. */
#include "sim/cli/command.h"

#include <stdlib.h>

#include "sim/cli/script.h"
#include "sim/cli/resource_dir.h"
#include "sim/cli/ui.h"

enum { OPT_OPTIONS = 256 };

static const struct argp_option options[] = {{"options", OPT_OPTIONS, "NAME", 0,
                                              "Print the options of a study, one in a line, for programs", 1},
                                             OPTION_GROUP(1, "Output:"),
                                             {0}};

struct study_options {
    const char *name;
    const char *options; /* the study whose options are printed */
    int argc;            /* arguments of the study */
    char **argv;
};

static error_t parse(int key, char *arg, struct argp_state *state) {
    struct study_options *o = state->input;
    if (key == OPT_OPTIONS) {
        o->options = arg;
        return 0;
    }
    if (key != ARGP_KEY_ARGS)
        return ARGP_ERR_UNKNOWN;
    o->name = state->argv[state->next];
    o->argv = state->argv + state->next + 1;
    o->argc = state->argc - state->next - 1;
    return 0;
}

/* Lists the studies for the end of the help, which frees the text. */
static char *list_studies(int key, const char *text, void *input) {
    struct buf out = {0};
    struct resource_dir s;
    (void)key;
    (void)text;
    (void)input;
    study_dir_open(&s);
    buf_puts(&out, "Studies:\n");
    resource_dir_print(&s, &out);
    resource_dir_close(&s);
    buf_puts(&out, "\n'heddle study NAME --help' lists the options of a study.");
    return out.data;
}

const struct argp cmd_study_argp = {
    .options = options,
    .parser = parse,
    .args_doc = "[NAME|FILE.lua [ARGUMENT...]]",
    .doc = "Run a study: a Lua script that puts one question to several kernels, checks their results and compares "
           "them. Without a name, list the studies that ship with heddle.",
    .children = command_common,
    .help_filter = list_studies};

/* Prints the options of a shipped study only: a user's script would have to run for that. */
static int print_options(const struct resource_dir *s, const char *name) {
    char path[RESOURCE_PATH + 300], *argv[] = {path};
    if (resource_dir_own(s, name, path, sizeof path))
        return script_run_own("options.lua", 1, argv);
    if (resource_dir_find(s, name, path, sizeof path))
        ui_error_as("--options", "'%s' is a file; expected the name of a study that 'heddle study' lists", name);
    return EXIT_INPUT;
}

int cmd_study(int argc, char **argv) {
    struct study_options o = {0};
    struct resource_dir s;
    char path[RESOURCE_PATH + 300];
    int status = EXIT_INPUT;
    if (!command_parse_in_order(&cmd_study_argp, argc, argv, &o))
        return EXIT_INPUT;
    study_dir_open(&s);
    if (o.options)
        status = print_options(&s, o.options);
    else if (!o.name)
        status = resource_dir_list(&s) ? EXIT_OK : EXIT_INPUT;
    else if (resource_dir_find(&s, o.name, path, sizeof path))
        status = script_run(path, NULL, o.argc, o.argv);
    resource_dir_close(&s);
    return status;
}
