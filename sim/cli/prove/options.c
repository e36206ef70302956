/* Reads the options of `heddle prove`. */
#include "sim/cli/prove/options.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "sim/cli/command.h"
#include "sim/cli/option.h"
#include "sim/cli/ui.h"

enum {
    OPT_BUFFERS = 0x100,
    OPT_ARG,
    OPT_BLOCK,
    OPT_BLOCK_A,
    OPT_BLOCK_B,
    OPT_WARP,
    OPT_SHARED,
    OPT_SET,
    OPT_MAX,
    OPT_BOUND,
    OPT_ASSUME,
    OPT_SOLVER,
    OPT_SOLVER_TIME,
    OPT_MAX_TIME,
    OPT_MAX_MEMORY
};

static const struct argp_option options[] = {
    {"buffers", OPT_BUFFERS, "[ROLE:]NAME=TYPE[SHAPE],...", 0,
     "Buffers that both kernels get, such as src=u32[128],dst=u32[128]; ROLE is in, inout (as if not given: any data "
     "at the start), out (zeros at the start) or scratch (zeros, and not compared). May be given several times",
     1},
    {"arg", OPT_ARG, "NAME=NUMBER", 0, "Scalar parameter, as of 'heddle run'", 1},
    {"for", KEEP_TEXT(prove, sizes.range), "NAME=FIRST..[LAST][:STEP]", 0,
     "Prove it for each value of a size: the parameter of that name, and shapes and grids that depend on it, such as "
     "--for n=1.. --buffers in:x=f32[n],y=f32[n] --grid 'ceil(n/256)'. Without LAST, as far as it can be proved",
     1},
    {"entry", KEEP_TEXT(prove, entry), "NAME", 0, "Kernel of both files, where one has several", 2},
    {"entry-a", KEEP_TEXT(prove, side[0].entry), "NAME", 0, "Kernel of the first file", 2},
    {"entry-b", KEEP_TEXT(prove, side[1].entry), "NAME", 0, "Kernel of the second file", 2},
    {"grid", KEEP_TEXT(prove, grid_text), "X[,Y[,Z]]", 0, "Blocks (default 1)", 3},
    {"grid-a", KEEP_TEXT(prove, side[0].grid_text), "X[,Y[,Z]]", 0, "Blocks of the first kernel", 3},
    {"grid-b", KEEP_TEXT(prove, side[1].grid_text), "X[,Y[,Z]]", 0, "Blocks of the second kernel", 3},
    {"block", OPT_BLOCK, "X[,Y[,Z]]", 0, "Threads of a block (default one warp), at most 1024", 3},
    {"block-a", OPT_BLOCK_A, "X[,Y[,Z]]", 0, "Threads of a block of the first kernel", 3},
    {"block-b", OPT_BLOCK_B, "X[,Y[,Z]]", 0, "Threads of a block of the second kernel", 3},
    {"warp", OPT_WARP, "8|16|32|64|all", 0, "Warp width (default the board's), or each that both kernels allow", 3},
    {"shared-bytes", OPT_SHARED, "N", 0,
     "Shared memory of a block besides what the kernels declare, bytes: that of '.shared x : b8[]'", 3},
    {"board", KEEP_TEXT(prove, board.name), "NAME|FILE.yaml", 0, "Machine, which limits what a block may have", 4},
    {"set", OPT_SET, "KEY=VALUE", 0, "Change one value of the board; may be given several times", 4},
    {"max-instructions", OPT_MAX, "N", 0, "Give up after N warp-instructions (default 10^8)", 6},
    {"bound", OPT_BOUND, "N", 0,
     "Follow control flow that depends on data through a branch at most N times, in at most N runs (default 64); 0: do "
     "not follow it",
     5},
    {"assume", OPT_ASSUME, "reassociation", 0,
     "Where no proof is found without: take floating-point sums for equal in any order; the answer names it", 5},
    {"solver", OPT_SOLVER, "auto|none|PROGRAM", 0,
     "SMT solver that decides what is left when expressions differ: z3 or bitwuzla if installed (auto, the default), "
     "none, or a program that reads SMT-LIB 2",
     5},
    {"solver-time", OPT_SOLVER_TIME, "SECONDS", 0, "Time that the solver may take for a proof (default 10)", 6},
    {"max-time", OPT_MAX_TIME, "SECONDS", 0,
     "Time that the proof of one warp width may take (default no bound): undecided then", 6},
    {"max-memory", OPT_MAX_MEMORY, "SIZE", 0, "Most memory that the proof may take: 512M, 2G (default no bound)", 6},
    {"replay", KEEP_TEXT(prove, replay), "DIR", 0,
     "Write the data that shows a difference into a new or empty folder, and print the commands that run both kernels "
     "on it",
     7},
    {"json", KEEP_TEXT(prove, json), "FILE", 0, "Write the answer as JSON; - is standard output", 7},
    {"quiet", 'q', NULL, 0, "Print nothing; the exit status is the answer", 7},
    OPTION_GROUP(1, "Data:"),
    OPTION_GROUP(2, "Which kernels:"),
    OPTION_GROUP(3, "Launch:"),
    OPTION_GROUP(4, "Board:"),
    OPTION_GROUP(5, "How the proof is found:"),
    OPTION_GROUP(6, "Bounds:"),
    OPTION_GROUP(7, "What is printed and written:"),
    {0}};

/* ---- buffers ---- */

static const struct {
    const char *name;
    enum heddle_role role;
} role_names[] = {{"in", HEDDLE_ROLE_IN},
                  {"inout", HEDDLE_ROLE_ANY},
                  {"out", HEDDLE_ROLE_OUT},
                  {"scratch", HEDDLE_ROLE_SCRATCH}};

/* Reads "ROLE:" at the start of a buffer; returns the text after it, NULL after a message. */
static char *read_role(char *text, const char *all, enum heddle_role *role) {
    char *end = text + strcspn(text, ":=,");
    *role = HEDDLE_ROLE_ANY;
    if (*end != ':')
        return text;
    for (u32 i = 0; i < COUNT_OF(role_names); i++)
        if (strlen(role_names[i].name) == (size_t)(end - text) &&
            strncmp(text, role_names[i].name, (size_t)(end - text)) == 0) {
            *role = role_names[i].role;
            return end + 1;
        }
    ui_option_error("--buffers", all, (size_t)(text - all), (size_t)(end - text), "expected in, inout, out or scratch");
    return NULL;
}

static bool is_new(const struct prove *p, const char *all, size_t at, const char *name) {
    const struct named *list = (const struct named *)(const void *)p->buffers.data;
    for (size_t i = 0; i < p->buffers.len / sizeof *list; i++)
        if (strcmp(list[i].name, name) == 0)
            return ui_option_error("--buffers", all, at, strlen(name), "'%s' was given before", name);
    if (p->buffers.len / sizeof *list == OPTION_BUFFERS_MAX)
        ui_option_error("--buffers", all, at, strlen(name), "more than %d buffers", OPTION_BUFFERS_MAX);
    return p->buffers.len / sizeof *list < OPTION_BUFFERS_MAX;
}

/* Reads a "NAME=TYPE[SHAPE]"; returns the text after it, NULL after a message. */
static char *add_buffer(struct prove *p, char *all, char *text) {
    struct named made = {.ndim = 0};
    char *at = read_role(text, all, &made.role);
    if (!at)
        return NULL;
    size_t name = strcspn(at, "=,"), type = at[name] == '=' ? strcspn(at + name + 1, "[,") : 0;
    if (!name || !type || at[name + 1 + type] != '[') {
        ui_option_error("--buffers", all, (size_t)(at - all), strcspn(at, ",") ? strcspn(at, ",") : 1,
                        "expected NAME=TYPE[SHAPE], such as src=u32[128]");
        return NULL;
    }
    made.name = arena_strndup(&p->arena, at, name);
    made.type = arena_strndup(&p->arena, at + name + 1, type);
    made.all = all;
    made.at = (size_t)(at - all) + name + 1 + type;
    const char *end = all + made.at + strcspn(all + made.at, "]");
    made.text = arena_strndup(&p->arena, at + name + 1, (size_t)(end - at) - name);
    if (!made.name || !made.type || !made.text) {
        ui_no_memory();
        return NULL;
    }
    if (!*end) {
        option_shape("--buffers", all, all + made.at, &made.ndim, made.shape);
        return NULL;
    }
    end++;
    if (!is_new(p, all, (size_t)(at - all), made.name))
        return NULL;
    buf_append(&p->buffers, &made, sizeof made);
    const struct heddle_prove_buffer role = {made.name, made.role};
    const struct heddle_arg arg = {.name = made.name, .buffer = made.name};
    buf_append(&p->roles, &role, sizeof role);
    buf_append(&p->args, &arg, sizeof arg);
    return text + (end - text);
}

static bool add_buffers(struct prove *p, char *all) {
    char *at = all;
    for (;;) {
        at += strspn(at, " ");
        at = add_buffer(p, all, at);
        if (!at)
            return false;
        if (!*at)
            return true;
        if (*at != ',' && *at != ' ')
            return ui_option_error("--buffers", all, (size_t)(at - all), 1, "expected ',' and another buffer");
        at++;
    }
}

/* ---- the command line ---- */

static error_t add_file(struct prove *p, const char *arg, struct argp_state *state) {
    struct side *s = p->side[0].file ? &p->side[1] : &p->side[0];
    if (s->file) {
        argp_error(state, "two files are compared, and '%s' is the third", arg);
        return EINVAL;
    }
    s->file = arg;
    return 0;
}

static bool read_warp(struct prove *p, const char *arg) {
    p->all = strcmp(arg, "all") == 0;
    return p->all || option_warp("--warp", arg, &p->warp);
}

static bool add_scalar(struct prove *p, char *arg) {
    const char *text = arena_strndup(&p->arena, arg, strlen(arg));
    buf_append(&p->scalars, &text, sizeof text);
    return option_scalar(&p->arena, arg, &p->args);
}

static bool read_bound(struct prove *p, const char *arg) {
    enum { MOST = 1 << 16 };
    u64 n;
    if (!option_number(arg, strlen(arg), &n) || n > MOST)
        return ui_option_error("--bound", arg, 0, strlen(arg), "expected a whole number, at most %d", MOST);
    p->bound = n ? (s32)n : -1;
    return true;
}

static bool read_assumption(struct prove *p, const char *arg) {
    p->assume = HEDDLE_ASSUME_REASSOCIATION;
    if (strcmp(arg, "reassociation") == 0)
        return true;
    return ui_option_error("--assume", arg, 0, strlen(arg), "expected reassociation");
}

static bool read_solver(struct prove *p, const char *arg) {
    if (solver_find(arg, &p->solver))
        return true;
    return ui_option_error("--solver", arg, 0, strlen(arg),
                           "no such program; expected auto, none, or one that is installed");
}

static bool read_seconds(const char *option, const char *arg, double *seconds) {
    char *end;
    *seconds = strtod(arg, &end);
    if (*arg && !*end && *seconds > 0 && *seconds <= 1e6)
        return true;
    return ui_option_error(option, arg, 0, strlen(arg), "expected seconds, more than 0");
}

/* Reads sizes of grids and buffers that are numbers. */
static bool read_numbers(struct prove *p) {
    struct named *list = (struct named *)(void *)p->buffers.data;
    const struct {
        const char *option, *text;
        u32 *dims;
    } grids[] = {{"--grid", p->grid_text, p->grid},
                 {"--grid-a", p->side[0].grid_text, p->side[0].grid},
                 {"--grid-b", p->side[1].grid_text, p->side[1].grid}};
    for (u32 i = 0; i < COUNT_OF(grids); i++)
        if (grids[i].text && !option_dims(grids[i].option, grids[i].text, grids[i].dims))
            return false;
    for (size_t i = 0; i < p->buffers.len / sizeof *list; i++)
        if (!option_shape("--buffers", list[i].all, list[i].all + list[i].at, &list[i].ndim, list[i].shape))
            return false;
    return true;
}

/* Takes over the texts of grids and buffers, which are read for each size of --for. False when out of memory. */
static bool take_texts(struct prove *p) {
    const struct named *list = (const struct named *)(const void *)p->buffers.data;
    u32 n = (u32)(p->buffers.len / sizeof *list);
    struct heddle_prove_shape *shapes = arena_alloc(&p->arena, n * sizeof *shapes);
    for (u32 i = 0; i < n && shapes; i++)
        shapes[i] = (struct heddle_prove_shape){list[i].name, list[i].text};
    for (u32 i = 0; i < 2; i++)
        p->sizes.grid[i] = p->side[i].grid_text ? p->side[i].grid_text : p->grid_text;
    p->sizes.shapes = shapes;
    p->sizes.nshapes = n;
    return !n || shapes || ui_no_memory();
}

static bool read_shapes(struct prove *p) {
    return p->sizes.range ? take_texts(p) : read_numbers(p);
}

static error_t parse(int key, char *arg, struct argp_state *state) {
    struct prove *p = state->input;
    struct side *a = &p->side[0], *b = &p->side[1];
    switch (key) {
    case OPT_BUFFERS: return add_buffers(p, arg) ? 0 : EINVAL;
    case OPT_ARG: return add_scalar(p, arg) ? 0 : EINVAL;
    case OPT_BLOCK: return option_block("--block", arg, p->block) ? 0 : EINVAL;
    case OPT_BLOCK_A: return option_block("--block-a", arg, a->block) ? 0 : EINVAL;
    case OPT_BLOCK_B: return option_block("--block-b", arg, b->block) ? 0 : EINVAL;
    case OPT_WARP: return read_warp(p, arg) ? 0 : EINVAL;
    case OPT_SHARED: return option_count("--shared-bytes", arg, &p->shared_bytes) ? 0 : EINVAL;
    case OPT_SET: return board_choice_set(&p->board, arg) ? 0 : ENOMEM;
    case OPT_MAX: return option_count("--max-instructions", arg, &p->max_instructions) ? 0 : EINVAL;
    case OPT_BOUND: return read_bound(p, arg) ? 0 : EINVAL;
    case OPT_ASSUME: return read_assumption(p, arg) ? 0 : EINVAL;
    case OPT_SOLVER: return read_solver(p, arg) ? 0 : EINVAL;
    case OPT_SOLVER_TIME: return read_seconds("--solver-time", arg, &p->solver_seconds) ? 0 : EINVAL;
    case OPT_MAX_TIME: return read_seconds("--max-time", arg, &p->max_seconds) ? 0 : EINVAL;
    case OPT_MAX_MEMORY: return option_size("--max-memory", arg, &p->max_memory) ? 0 : EINVAL;
    case 'q': p->quiet = true; return 0;
    case ARGP_KEY_ARG: return add_file(p, arg, state);
    case ARGP_KEY_END:
        if (b->file)
            return read_shapes(p) ? 0 : EINVAL;
        argp_error(state, "which files? heddle prove A.hd B.hd --buffers src=u32[128],dst=u32[128]");
        return EINVAL;
    default: return command_keep(state, key, arg);
    }
}

const struct argp cmd_prove_argp = {
    .options = options,
    .parser = parse,
    .args_doc = "A.hd B.hd",
    .doc =
        "Prove that two kernels leave the same in their buffers for any initial contents, or show the first element "
        "that differs, and the origin of each kernel's value. Files are looked up as by 'heddle run'."
        "\vExit status: 0 proved equal, 1 anything else (different, not proved, undecided, a fault), 2 wrong usage or "
        "input, 130 Ctrl-C.\n\n"
        "Example: heddle prove reorder/shared_linear.hd reorder/transit1.hd --buffers src=u32[640],dst=u32[640] "
        "--arg count=640 --grid 5 --block 128 --warp all",
    .children = command_common};
