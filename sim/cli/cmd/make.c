/* heddle make: writes a .npy file of data, described as for --in. */
#include "sim/cli/command.h"

#include <errno.h>

#include "sim/cli/data_spec.h"
#include "sim/cli/file.h"
#include "sim/cli/option.h"
#include "sim/cli/ui.h"

enum { OPT_ARG = 256, OPT_EMPTY };

static const struct argp_option options[] = {{"arg", OPT_ARG, "NAME=NUMBER", 0,
                                              "A number that expressions see; may be given several times", 1},
                                             {"empty", OPT_EMPTY, "error|nan", 0, EMPTY_HELP, 1},
                                             OPTION_GROUP(1, "Data:"),
                                             {0}};

struct make_options {
    struct arena arena;
    struct buf args;
    const char *file, *data;
    bool empty_nan;
};

static error_t parse(int key, char *arg, struct argp_state *state) {
    struct make_options *o = state->input;
    switch (key) {
    case OPT_ARG: return option_scalar(&o->arena, arg, &o->args) ? 0 : EINVAL;
    case OPT_EMPTY: return option_empty(arg, &o->empty_nan) ? 0 : EINVAL;
    case ARGP_KEY_ARG:
        if (o->file)
            return command_one(state, &o->data, arg, "one file at a time");
        o->file = arg;
        return 0;
    case ARGP_KEY_END:
        if (o->data)
            return 0;
        argp_error(state, "which file, and what is in it? heddle make x.npy f32[1024]:random:3");
        return EINVAL;
    default: return ARGP_ERR_UNKNOWN;
    }
}

const struct argp cmd_make_argp = {
    .options = options,
    .parser = parse,
    .args_doc = "FILE.npy DATA",
    .doc = "Write a .npy file. DATA is what --in of 'heddle run' takes: TYPE[SHAPE]: and iota, zeros, ones, fill:V, "
           "random[:SEED] or expr:EXPRESSION of the index i; or @FILE.csv, f32:@FILE.raw."
           "\vExample: heddle make x.npy f32[4,256]:random:3",
    .children = command_common};

static bool make(struct make_options *o, struct heddle *h) {
    struct data_spec d = {.option = "heddle make", .given = o->data, .at = o->data};
    const struct heddle_launch l = {.args = (const struct heddle_arg *)(const void *)o->args.data,
                                    .nargs = (u32)(o->args.len / sizeof(struct heddle_arg))};
    struct data_place to = {.h = h, .launch = &l, .empty_nan = o->empty_nan};
    size_t len = 0;
    bool ok = data_spec_read(&d, &o->arena, DATA_IN) && data_make(&d, "x", &to) &&
              file_promise("heddle make", o->file, o->file);
    heddle_session_free(to.session);
    char *bytes = ok ? heddle_npy_write(h, "x", &len) : NULL;
    if (ok && !bytes)
        ui_show(stderr, heddle_error(h));
    ok = bytes && file_write(o->file, bytes, len);
    heddle_release(bytes);
    return ok;
}

int cmd_make(int argc, char **argv) {
    struct make_options o = {0};
    struct heddle *h = option_context(0);
    bool ok = command_parse(&cmd_make_argp, argc, argv, &o) && h && make(&o, h);
    if (!h)
        ui_error("out of memory");
    heddle_free(h);
    buf_free(&o.args);
    arena_free(&o.arena);
    return ok ? EXIT_OK : EXIT_INPUT;
}
