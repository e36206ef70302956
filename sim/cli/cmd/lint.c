/* heddle lint: warnings about code that assembles. */
#include "sim/cli/command.h"

#include <errno.h>
#include <stdio.h>

#include "sim/cli/program.h"
#include "sim/cli/ui.h"

struct files {
    char **name;
    int count;
};

static error_t parse(int key, char *arg, struct argp_state *state) {
    struct files *files = state->input;
    (void)arg;
    switch (key) {
    case ARGP_KEY_ARGS:
        files->name = state->argv + state->next;
        files->count = state->argc - state->next;
        return 0;
    case ARGP_KEY_NO_ARGS: argp_error(state, "which file? heddle lint FILE.hd..."); return EINVAL;
    default: return ARGP_ERR_UNKNOWN;
    }
}

const struct argp cmd_lint_argp = {
    .parser = parse,
    .args_doc = "FILE.hd...",
    .doc =
        "Warn about suspicious code: instructions that cannot be reached, registers that are read and never written, "
        "barriers under a divergent guard, addresses that are visibly misaligned, addresses of parameters where values "
        "are meant. A line ';! allow lint WARNING: REASON' allows one; heddle doc checks lists the names."
        "\vExit status: 0 clean, 1 warnings, 2 errors.",
    .children = command_common};

static int lint(const char *file) {
    struct loaded l;
    uint32_t warnings = 0;
    int status = EXIT_INPUT;
    if (program_open(&l, file)) {
        char *text = heddle_program_lint(l.h, l.program, &warnings);
        if (text) {
            ui_show(stdout, text);
            status = warnings ? EXIT_FAULT : EXIT_OK;
        } else {
            program_complain(&l);
        }
        heddle_release(text);
    }
    program_close(&l);
    return status;
}

int cmd_lint(int argc, char **argv) {
    struct files files = {0};
    int worst = EXIT_OK;
    if (!command_parse(&cmd_lint_argp, argc, argv, &files))
        return EXIT_INPUT;
    for (int i = 0; i < files.count; i++) {
        int status = lint(files.name[i]);
        worst = status > worst ? status : worst;
    }
    return worst;
}
