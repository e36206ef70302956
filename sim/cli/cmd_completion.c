/*
 * heddle completion: scripts for bash, zsh and fish, written from the tables of commands and options; completion.h says
 * what they offer.
 */
#include "sim/cli/command.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "sim/cli/completion.h"
#include "sim/cli/ui.h"

static const struct {
    const char *name;
    void (*print)(struct buf *out);
} shells[] = {{"bash", completion_bash}, {"zsh", completion_zsh}, {"fish", completion_fish}};

static error_t parse(int key, char *arg, struct argp_state *state) {
    const char **shell = state->input;
    switch (key) {
    case ARGP_KEY_ARG: return command_one(state, shell, arg, "one shell at a time");
    case ARGP_KEY_NO_ARGS: argp_error(state, "which shell? bash, zsh or fish"); return EINVAL;
    default: return ARGP_ERR_UNKNOWN;
    }
}

const struct argp cmd_completion_argp = {.parser = parse,
                                         .args_doc = "bash|zsh|fish",
                                         .doc =
                                             "Print a completion script. For bash: eval \"$(heddle completion bash)\".",
                                         .children = command_common};

int cmd_completion(int argc, char **argv) {
    const char *shell = NULL;
    struct buf out = {0};
    if (!command_parse(&cmd_completion_argp, argc, argv, &shell))
        return EXIT_INPUT;
    for (u32 i = 0; i < COUNT_OF(shells); i++)
        if (strcmp(shells[i].name, shell) == 0)
            shells[i].print(&out);
    if (out.failed)
        ui_error("out of memory");
    else if (!out.data)
        ui_error("unknown shell '%s'; expected bash, zsh or fish", shell);
    else
        fwrite(out.data, 1, out.len, stdout);
    int status = out.data && !out.failed ? EXIT_OK : EXIT_INPUT;
    buf_free(&out);
    return status;
}
