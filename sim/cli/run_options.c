#include "sim/cli/run_options.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "sim/cli/file.h"
#include "sim/cli/ui.h"

enum {
    OPT_ENTRY = 0x100,
    OPT_GRID,
    OPT_BLOCK,
    OPT_WARP,
    OPT_BOARD,
    OPT_SET,
    OPT_IN,
    OPT_OUT,
    OPT_INOUT,
    OPT_ARG,
    OPT_MAX,
    OPT_ENGINE,
    OPT_JSON,
    OPT_PROFILE
};

static const struct argp_option options[] = {
    {"entry", OPT_ENTRY, "NAME", 0, "Kernel to run, when the file has several", 1},
    {"grid", OPT_GRID, "X[,Y[,Z]]", 0, "Blocks (default 1); XxYxZ means the same", 2},
    {"block", OPT_BLOCK, "X[,Y[,Z]]", 0, "Threads of a block (default one warp), at most 1024", 2},
    {"warp", OPT_WARP, "8|16|32|64", 0, "Warp width (default the board's, or the widest that the kernel allows)", 2},
    {"board", OPT_BOARD, "NAME|FILE.yaml", 0, "Machine to run on; 'heddle board' lists those that ship", 3},
    {"set", OPT_SET, "KEY=VALUE", 0, "Change one value of the board; may be given several times", 3},
    {"in", OPT_IN, "NAME=FILE.npy", 0, "Buffer filled from a file; - is standard input", 4},
    {"out", OPT_OUT, "NAME=TYPE[SHAPE]:FILE.npy", 0, "Buffer of zeros, such as y=f32[4,1024]:y.npy, written to a file",
     4},
    {"inout", OPT_INOUT, "NAME=IN.npy:OUT.npy", 0, "Buffer filled from one file and written to another", 4},
    {"arg", OPT_ARG, "NAME=NUMBER", 0,
     "Scalar parameter: 16384, -1, 2.5, 1e-3, inf, nan, 0x10 (bits, where it is a float)", 4},
    {"max-instructions", OPT_MAX, "N", 0, "Stop after so many warp-instructions (default 10^10)", 5},
    {"engine", OPT_ENGINE, "auto|baseline|x86-64-v3", 0, "Executor; the result does not depend on it", 5},
    {"profile", OPT_PROFILE, NULL, 0, "Print how often each line was issued", 6},
    {"json", OPT_JSON, "FILE", 0, "Write the same facts as JSON; - is standard output", 6},
    {"quiet", 'q', NULL, 0, "Print nothing when all is well", 6},
    {0}};

/* ---- parts of a value ---- */

/* A whole number of `len` bytes, with blanks around it. */
static bool read_number(const char *text, size_t len, u64 *value) {
    *value = 0;
    for (; len && *text == ' '; len--)
        text++;
    while (len && text[len - 1] == ' ')
        len--;
    for (size_t i = 0; i < len; i++) {
        if (text[i] < '0' || text[i] > '9' || *value > (UINT64_MAX - 9) / 10)
            return false;
        *value = *value * 10 + (u64)(text[i] - '0');
    }
    return len > 0;
}

static bool read_dims(const char *option, const char *text, u32 dims[3]) {
    const char *at = text;
    for (u32 i = 0;; i++) {
        size_t len = strcspn(at, ",x");
        u64 value;
        if (i == 3) {
            ui_option_error(option, text, (size_t)(at - text), strlen(at), "more than three dimensions");
            return false;
        }
        if (!read_number(at, len, &value) || value < 1 || value > INT32_MAX) {
            ui_option_error(option, text, (size_t)(at - text), len, "expected a number from 1 to 2^31 - 1");
            return false;
        }
        dims[i] = (u32)value;
        if (!at[len])
            break;
        at += len + 1;
    }
    for (u32 i = 0; i < 3; i++)
        dims[i] = dims[i] ? dims[i] : 1;
    return true;
}

static bool read_block(struct run_options *o, const char *text) {
    enum { MOST = 1024 };
    u64 threads = 1;
    if (!read_dims("--block", text, o->block))
        return false;
    for (u32 i = 0; i < 3 && threads <= MOST; i++)
        threads *= o->block[i];
    if (threads > MOST)
        ui_option_error("--block", text, 0, strlen(text), "at most %d threads are a block", MOST);
    return threads <= MOST;
}

static bool no_memory(void) {
    ui_error("out of memory");
    return false;
}

/* Splits NAME=REST; the name is copied. */
static bool read_name(struct run_options *o, const char *option, char *text, const char **name, char **rest) {
    char *equals = strchr(text, '=');
    if (!equals || equals == text) {
        ui_option_error(option, text, 0, equals ? 1 : strlen(text), "expected NAME=...");
        return false;
    }
    *name = arena_strndup(&o->arena, text, (size_t)(equals - text));
    *rest = equals + 1;
    return *name || no_memory();
}

/* ---- buffers ---- */

static struct run_tensor *add_tensor(struct run_options *o, const char *option, char *text, char **rest) {
    const char *name;
    if (!read_name(o, option, text, &name, rest))
        return NULL;
    for (u32 i = 0; i < run_tensor_count(o); i++)
        if (strcmp(run_tensor_at(o, i)->name, name) == 0) {
            ui_option_error(option, text, 0, strlen(name), "'%s' was given before, as %s %s", name,
                            run_tensor_at(o, i)->option, run_tensor_at(o, i)->given);
            return NULL;
        }
    struct run_tensor *t = buf_push(&o->tensors, sizeof *t);
    if (!t)
        no_memory();
    else
        *t = (struct run_tensor){.option = option, .given = text, .name = name};
    return t;
}

static bool add_in(struct run_options *o, char *text) {
    char *file;
    struct run_tensor *t = add_tensor(o, "--in", text, &file);
    if (!t)
        return false;
    t->in = file;
    if (!*file)
        ui_option_error("--in", text, strlen(text), 1, "expected a file behind '='");
    return *file != 0;
}

/*
 * IN:OUT. File names may hold ':' themselves: the cut is the last one that leaves the name of a file before it, or the
 * last of all.
 */
static bool add_inout(struct run_options *o, char *text) {
    char *files, *cut = NULL;
    struct run_tensor *t = add_tensor(o, "--inout", text, &files);
    if (!t)
        return false;
    for (size_t i = strlen(files); i-- > 0 && !cut;) {
        if (files[i] != ':')
            continue;
        char *before = arena_strndup(&o->arena, files, i);
        if (before && file_exists(before))
            cut = files + i;
    }
    cut = cut ? cut : strrchr(files, ':');
    if (!cut || cut == files || !cut[1]) {
        size_t at = (size_t)(files - text);
        ui_option_error("--inout", text, at, strlen(files), "expected IN.npy:OUT.npy");
        return false;
    }
    t->in = arena_strndup(&o->arena, files, (size_t)(cut - files));
    t->out = cut + 1;
    return t->in || no_memory();
}

/* "[4,1024]:file"; "[]" is a single number. */
static bool read_shape(struct run_tensor *t, const char *text, const char *at) {
    for (at++; *at != ']';) {
        size_t len = strcspn(at, ",]");
        if (t->ndim == HEDDLE_DIMS_MAX) {
            ui_option_error("--out", text, (size_t)(at - text), len, "more than %d dimensions", HEDDLE_DIMS_MAX);
            return false;
        }
        if (!at[len] || !read_number(at, len, &t->shape[t->ndim])) {
            ui_option_error("--out", text, (size_t)(at - text), len, "expected a dimension, then ',' or ']'");
            return false;
        }
        t->ndim++;
        at += len + (at[len] == ',');
    }
    if (at[1] != ':' || !at[2]) {
        ui_option_error("--out", text, (size_t)(at + 1 - text), 1, "expected ':' and a file");
        return false;
    }
    t->out = at + 2;
    return true;
}

static bool add_out(struct run_options *o, char *text) {
    char *rest;
    struct run_tensor *t = add_tensor(o, "--out", text, &rest);
    if (!t)
        return false;
    size_t len = strcspn(rest, "[:"), at = (size_t)(rest - text);
    t->type = arena_strndup(&o->arena, rest, len);
    if (!t->type)
        return no_memory();
    if (rest[len] != '[' || len == 0) {
        ui_option_error("--out", text, at, len ? len : 1, "expected TYPE[SHAPE]:FILE, such as f32[4,1024]:y.npy");
        return false;
    }
    return read_shape(t, text, rest + len);
}

static bool add_number(struct run_options *o, char *text) {
    const char *name;
    char *value;
    if (!read_name(o, "--arg", text, &name, &value))
        return false;
    struct heddle_arg *a = buf_push(&o->numbers, sizeof *a);
    if (!a)
        return no_memory();
    *a = (struct heddle_arg){.name = name, .text = value};
    return true;
}

/* ---- the rest ---- */

static bool read_warp(struct run_options *o, const char *text) {
    u64 value;
    if (!read_number(text, strlen(text), &value) || (value != 8 && value != 16 && value != 32 && value != 64)) {
        ui_option_error("--warp", text, 0, strlen(text), "expected 8, 16, 32 or 64");
        return false;
    }
    o->warp = (u32)value;
    return true;
}

/* Written as for --arg: 1e6 and 0x10 are whole numbers too, as far as a double is exact. */
static bool read_max(struct run_options *o, const char *text) {
    char *end;
    if (!read_number(text, strlen(text), &o->max_instructions)) {
        double number = strtod(text, &end);
        bool whole = *end == 0 && number >= 1 && number <= 0x1p53 && number == (double)(u64)number;
        o->max_instructions = whole ? (u64)number : 0;
    }
    if (!o->max_instructions)
        ui_option_error("--max-instructions", text, 0, strlen(text), "expected a whole number from 1 on");
    return o->max_instructions != 0;
}

static error_t parse_file(struct run_options *o, char *arg, struct argp_state *state) {
    if (o->file) {
        argp_error(state, "one file is run at a time, not '%s' and '%s'", o->file, arg);
        return EINVAL;
    }
    o->file = arg;
    return 0;
}

static error_t parse(int key, char *arg, struct argp_state *state) {
    struct run_options *o = state->input;
    switch (key) {
    case OPT_ENTRY: o->entry = arg; return 0;
    case OPT_GRID: return read_dims("--grid", arg, o->grid) ? 0 : EINVAL;
    case OPT_BLOCK: return read_block(o, arg) ? 0 : EINVAL;
    case OPT_WARP: return read_warp(o, arg) ? 0 : EINVAL;
    case OPT_BOARD: o->board.name = arg; return 0;
    case OPT_SET: return board_choice_set(&o->board, arg) ? 0 : ENOMEM;
    case OPT_IN: return add_in(o, arg) ? 0 : EINVAL;
    case OPT_OUT: return add_out(o, arg) ? 0 : EINVAL;
    case OPT_INOUT: return add_inout(o, arg) ? 0 : EINVAL;
    case OPT_ARG: return add_number(o, arg) ? 0 : EINVAL;
    case OPT_MAX: return read_max(o, arg) ? 0 : EINVAL;
    case OPT_ENGINE: o->engine = arg; return 0;
    case OPT_JSON: o->json = arg; return 0;
    case OPT_PROFILE: o->profile = true; return 0;
    case 'q': o->quiet = true; return 0;
    case ARGP_KEY_ARG: return parse_file(o, arg, state);
    case ARGP_KEY_NO_ARGS: argp_error(state, "which file? heddle run FILE.hd"); return EINVAL;
    default: return ARGP_ERR_UNKNOWN;
    }
}

const struct argp cmd_run_argp = {
    .options = options,
    .parser = parse,
    .args_doc = "FILE.hd|FILE.hdo",
    .doc =
        "Run a kernel and say what it did. A FILE that is not there is looked up among the kernels that ship with "
        "heddle (classic/saxpy.hd; the ending may be left out, and the folder when only one has such a kernel). When "
        "the launch faults, nothing is written."
        "\vExample: heddle run classic/saxpy.hd --grid 64 --block 256 --in x=x.npy --inout y=y.npy:y_out.npy "
        "--arg a=2.5 --arg n=16384",
    .children = command_common};

/* Two outputs written to one file: one of them would be lost. */
static bool outputs_differ(const struct run_options *o) {
    for (u32 i = 0; i < run_tensor_count(o); i++) {
        const struct run_tensor *a = run_tensor_at(o, i);
        if (a->out && o->json && file_same_output(a->out, o->json)) {
            ui_option_error("--json", o->json, 0, strlen(o->json), "'%s' is written to this file too", a->name);
            return false;
        }
        for (u32 j = 0; j < i; j++) {
            const struct run_tensor *b = run_tensor_at(o, j);
            if (a->out && b->out && file_same_output(a->out, b->out)) {
                ui_option_error(a->option, a->given, strlen(a->given) - strlen(a->out), strlen(a->out),
                                "'%s' is written to this file too", b->name);
                return false;
            }
        }
    }
    return true;
}

bool run_options_parse(struct run_options *o, int argc, char **argv) {
    return command_parse(&cmd_run_argp, argc, argv, o) && outputs_differ(o);
}

void run_options_free(struct run_options *o) {
    buf_free(&o->tensors);
    buf_free(&o->numbers);
    buf_free(&o->board.sets);
    arena_free(&o->arena);
}
