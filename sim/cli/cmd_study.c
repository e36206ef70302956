/* heddle study: finds a study, which is a Lua script, and runs it. */
#include "sim/cli/command.h"

#include "sim/cli/script.h"
#include "sim/cli/shelf.h"

struct study_options {
    const char *name;
    int argc; /* of the study */
    char **argv;
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

int cmd_study(int argc, char **argv) {
    struct study_options o = {0};
    struct shelf s;
    char path[SHELF_PATH + 300];
    int status = EXIT_INPUT;
    if (!command_parse_in_order(&cmd_study_argp, argc, argv, &o))
        return EXIT_INPUT;
    shelf_open(&s, "scripts/studies", "study", ".lua", "-- ");
    if (!o.name)
        status = shelf_list(&s) ? EXIT_OK : EXIT_INPUT;
    else if (shelf_find(&s, o.name, path, sizeof path))
        status = script_run(path, NULL, o.argc, o.argv);
    shelf_close(&s);
    return status;
}
