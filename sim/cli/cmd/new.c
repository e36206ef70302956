/* heddle new: writes a kernel to begin with, from scripts/new.lua. */
#include "sim/cli/command.h"

#include <errno.h>

#include "sim/cli/script.h"

static error_t parse(int key, char *arg, struct argp_state *state) {
    const char **name = state->input;
    switch (key) {
    case ARGP_KEY_ARG: return command_one(state, name, arg, "one kernel at a time");
    case ARGP_KEY_NO_ARGS: argp_error(state, "which name? heddle new scale"); return EINVAL;
    default: return ARGP_ERR_UNKNOWN;
    }
}

const struct argp cmd_new_argp = {
    .parser = parse,
    .args_doc = "NAME",
    .doc =
        "Write NAME.hd, a kernel with comments and with its own case, which 'heddle run' and 'heddle test' run. A file "
        "that is there already is not replaced."
        "\vExample: heddle new scale && heddle test scale.hd",
    .children = command_common};

int cmd_new(int argc, char **argv) {
    const char *name = NULL;
    if (!command_parse(&cmd_new_argp, argc, argv, &name))
        return EXIT_INPUT;
    return script_run_own("new.lua", 1, (char *[]){(char *)(uintptr_t)name});
}
