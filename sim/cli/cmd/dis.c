/* heddle dis: object file to text. */
#include "sim/cli/command.h"

#include <errno.h>

#include "sim/cli/file.h"
#include "sim/cli/program.h"

struct dis_options {
    const char *file, *output;
};

static const struct argp_option options[] = {
    {"output", 'o', "FILE", 0, "Write the text to FILE (default standard output)", 1}, OPTION_GROUP(1, "Output:"), {0}};

static error_t parse(int key, char *arg, struct argp_state *state) {
    struct dis_options *o = state->input;
    switch (key) {
    case 'o': o->output = arg; return 0;
    case ARGP_KEY_ARG: return command_one(state, &o->file, arg, "one file is printed at a time");
    case ARGP_KEY_NO_ARGS: argp_error(state, "which file? heddle dis FILE.hdo"); return EINVAL;
    default: return command_keep(state, key, arg);
    }
}

const struct argp cmd_dis_argp = {.options = options,
                                  .parser = parse,
                                  .args_doc = "FILE.hdo|FILE.hd",
                                  .doc = "Print an object file, or a kernel file, as assembly with every number spelt "
                                         "out. The text assembles to the same object file.",
                                  .children = command_common};

int cmd_dis(int argc, char **argv) {
    struct dis_options o = {0};
    struct loaded l;
    if (!command_parse(&cmd_dis_argp, argc, argv, &o))
        return EXIT_INPUT;
    const char *output = o.output ? o.output : "-";
    bool ok = program_open(&l, o.file) && file_promise("--output", output, output);
    if (ok) {
        size_t len = 0;
        char *text = heddle_program_text(l.h, l.program, &len);
        ok = program_write(&l, text, len, output);
    }
    program_close(&l);
    return ok ? EXIT_OK : EXIT_INPUT;
}
