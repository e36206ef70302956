/* heddle asm: text to object file. */
#include "sim/cli/command.h"

#include <errno.h>
#include <string.h>

#include "sim/cli/file.h"
#include "sim/cli/program.h"
#include "sim/cli/ui.h"

struct asm_options {
    const char *file, *output;
};

static const struct argp_option options[] = {{"output", 'o', "FILE", 0,
                                              "Object file (default FILE.hdo beside FILE.hd); - is standard output", 1},
                                             OPTION_GROUP(1, "Output:"),
                                             {0}};

static error_t parse(int key, char *arg, struct argp_state *state) {
    struct asm_options *o = state->input;
    switch (key) {
    case 'o': o->output = arg; return 0;
    case ARGP_KEY_ARG: return command_one(state, &o->file, arg, "one file is assembled at a time");
    case ARGP_KEY_NO_ARGS: argp_error(state, "which file? heddle asm FILE.hd"); return EINVAL;
    default: return command_keep(state, key, arg);
    }
}

const struct argp cmd_asm_argp = {.options = options,
                                  .parser = parse,
                                  .args_doc = "FILE.hd",
                                  .doc = "Assemble a kernel file into an object file, which 'heddle run' takes too.",
                                  .children = command_common};

/* k.hd becomes k.hdo; any other name gets .hdo appended. */
static void default_output(const char *file, struct buf *name) {
    size_t len = strlen(file);
    bool is_hd = len > 3 && strcmp(file + len - 3, ".hd") == 0;
    buf_printf(name, "%s%s", file, is_hd ? "o" : ".hdo");
}

static int assemble(const struct asm_options *o, const char *output) {
    struct loaded l;
    bool ok = program_open(&l, o->file) && file_promise("--output", output, output);
    if (ok && program_is_object(&l)) {
        ui_error_as(o->file, "is an object file already; 'heddle dis' prints it as assembly");
        ok = false;
    }
    if (ok) {
        size_t len = 0;
        char *object = heddle_program_object(l.h, l.program, &len);
        ok = program_write(&l, object, len, output);
    }
    program_close(&l);
    return ok ? EXIT_OK : EXIT_INPUT;
}

int cmd_asm(int argc, char **argv) {
    struct asm_options o = {0};
    struct buf name = {0};
    int status = EXIT_INPUT;
    if (!command_parse(&cmd_asm_argp, argc, argv, &o))
        return status;
    if (!o.output && strcmp(o.file, "-") == 0) {
        ui_error("what is read from standard input needs -o FILE");
        return status;
    }
    if (!o.output)
        default_output(o.file, &name);
    if (name.failed)
        ui_error("out of memory");
    else
        status = assemble(&o, o.output ? o.output : name.data);
    buf_free(&name);
    return status;
}
