/* heddle prove: whether two kernels compute the same, for all inputs. */
#include "sim/cli/command.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "sim/cli/board.h"
#include "sim/cli/file.h"
#include "sim/cli/resources.h"
#include "sim/cli/option.h"
#include "sim/cli/program.h"
#include "sim/cli/progress.h"
#include "sim/cli/prove_report.h"
#include "sim/cli/ui.h"
#include "sim/file/solver.h"
#include "sim/file/stopwatch.h"

enum { PATH_BYTES = 4096 };

enum {
    OPT_BUFFERS = 0x100,
    OPT_ARG,
    OPT_ENTRY,
    OPT_ENTRY_A,
    OPT_ENTRY_B,
    OPT_GRID,
    OPT_GRID_A,
    OPT_GRID_B,
    OPT_BLOCK,
    OPT_BLOCK_A,
    OPT_BLOCK_B,
    OPT_WARP,
    OPT_BOARD,
    OPT_SET,
    OPT_MAX,
    OPT_BOUND,
    OPT_ASSUME,
    OPT_SOLVER,
    OPT_SOLVER_TIME,
    OPT_MAX_TIME,
    OPT_MAX_MEMORY,
    OPT_REPLAY,
    OPT_JSON
};

static const struct argp_option options[] = {
    {"buffers", OPT_BUFFERS, "[ROLE:]NAME=TYPE[SHAPE],...", 0,
     "Buffers that both kernels get, such as src=u32[128],dst=u32[128]; ROLE is in, inout (as if not given: any data "
     "at "
     "the start), out (zeros at the start) or scratch (zeros, and not compared). May be given several times",
     1},
    {"arg", OPT_ARG, "NAME=NUMBER", 0, "Scalar parameter, as of 'heddle run'", 1},
    {"entry", OPT_ENTRY, "NAME", 0, "Kernel of both files, where one has several", 2},
    {"entry-a", OPT_ENTRY_A, "NAME", 0, "Kernel of the first file", 2},
    {"entry-b", OPT_ENTRY_B, "NAME", 0, "Kernel of the second file", 2},
    {"grid", OPT_GRID, "X[,Y[,Z]]", 0, "Blocks (default 1)", 3},
    {"grid-a", OPT_GRID_A, "X[,Y[,Z]]", 0, "Blocks of the first kernel", 3},
    {"grid-b", OPT_GRID_B, "X[,Y[,Z]]", 0, "Blocks of the second kernel", 3},
    {"block", OPT_BLOCK, "X[,Y[,Z]]", 0, "Threads of a block (default one warp), at most 1024", 3},
    {"block-a", OPT_BLOCK_A, "X[,Y[,Z]]", 0, "Threads of a block of the first kernel", 3},
    {"block-b", OPT_BLOCK_B, "X[,Y[,Z]]", 0, "Threads of a block of the second kernel", 3},
    {"warp", OPT_WARP, "8|16|32|64|all", 0, "Warp width (default the board's), or each that both kernels allow", 3},
    {"board", OPT_BOARD, "NAME|FILE.yaml", 0, "Machine, which says what a block may have", 4},
    {"set", OPT_SET, "KEY=VALUE", 0, "Change one value of the board; may be given several times", 4},
    {"max-instructions", OPT_MAX, "N", 0, "Give up after so many warp-instructions (default 10^8)", 4},
    {"bound", OPT_BOUND, "N", 0,
     "Follow control flow that depends on data through a branch at most N times, in at most N runs (default 64); 0: do "
     "not follow it",
     4},
    {"assume", OPT_ASSUME, "reassociation", 0,
     "Where no proof is found without: take floating-point sums for equal in any order; the answer names it", 4},
    {"solver", OPT_SOLVER, "auto|none|PROGRAM", 0,
     "SMT solver that decides what is left when expressions differ: z3 or bitwuzla if installed (auto, the default), "
     "none, or a program that reads SMT-LIB 2",
     4},
    {"solver-time", OPT_SOLVER_TIME, "SECONDS", 0, "Time that the solver may take for a proof (default 10)", 4},
    {"max-time", OPT_MAX_TIME, "SECONDS", 0,
     "Time that the proof of one warp width may take (default no bound): undecided then", 4},
    {"max-memory", OPT_MAX_MEMORY, "SIZE", 0, "Most memory that the proof may take: 512M, 2G (default no bound)", 4},
    {"replay", OPT_REPLAY, "DIR", 0,
     "Write the data that shows a difference into a new or empty folder, and print the commands that run both kernels "
     "on it",
     5},
    {"json", OPT_JSON, "FILE", 0, "Write all of it as JSON; - is standard output", 5},
    {"quiet", 'q', NULL, 0, "Print nothing; the exit status is the answer", 5},
    {0}};

struct side {
    const char *file, *entry;
    u32 grid[3], block[3];
    char path[PATH_BYTES]; /* of the file that was found */
    struct heddle_program *program;
};

/* A buffer of --buffers. */
struct named {
    const char *name, *type;
    u32 ndim;
    u64 shape[HEDDLE_DIMS_MAX];
    enum heddle_role role;
};

struct prove {
    struct arena arena; /* holds the strings that are parts of options */
    struct side side[2];
    const char *entry, *json, *replay;
    struct buf scalars; /* const char * each: values of --arg */
    bool replayed;
    u32 grid[3], block[3];
    u32 warp; /* 0: the board's */
    bool all, quiet;
    u64 max_instructions, max_memory;
    s32 bound; /* of struct heddle_prove */
    u32 assume;
    struct solver solver;
    double solver_seconds, max_seconds;
    struct progress progress;
    struct board_choice board;
    struct buf buffers; /* struct named each */
    struct buf roles;   /* struct heddle_prove_buffer each */
    struct buf args;    /* struct heddle_arg each */
    struct heddle *h;
    json_t *proofs;
};

/* ---- buffers ---- */

static bool no_memory(void) {
    ui_error("out of memory");
    return false;
}

static const struct {
    const char *name;
    enum heddle_role role;
} role_names[] = {{"in", HEDDLE_ROLE_IN},
                  {"inout", HEDDLE_ROLE_ANY},
                  {"out", HEDDLE_ROLE_OUT},
                  {"scratch", HEDDLE_ROLE_SCRATCH}};

/* "ROLE:" at the front of a buffer; what follows it, NULL after a message. */
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
        if (strcmp(list[i].name, name) == 0) {
            ui_option_error("--buffers", all, at, strlen(name), "'%s' was given before", name);
            return false;
        }
    return true;
}

/* One "NAME=TYPE[SHAPE]"; what follows it, NULL after a message. */
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
    if (!made.name || !made.type) {
        no_memory();
        return NULL;
    }
    const char *end = option_shape("--buffers", all, at + name + 1 + type, &made.ndim, made.shape);
    if (!end || !is_new(p, all, (size_t)(at - all), made.name))
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
        if (*at != ',' && *at != ' ') {
            ui_option_error("--buffers", all, (size_t)(at - all), 1, "expected ',' and another buffer");
            return false;
        }
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
    if (!option_number(arg, strlen(arg), &n) || n > MOST) {
        ui_option_error("--bound", arg, 0, strlen(arg), "expected a whole number, at most %d", MOST);
        return false;
    }
    p->bound = n ? (s32)n : -1;
    return true;
}

static bool read_assumption(struct prove *p, const char *arg) {
    p->assume = HEDDLE_ASSUME_REASSOCIATION;
    if (strcmp(arg, "reassociation") == 0)
        return true;
    ui_option_error("--assume", arg, 0, strlen(arg), "expected reassociation");
    return false;
}

static bool read_solver(struct prove *p, const char *arg) {
    if (solver_find(arg, &p->solver))
        return true;
    ui_option_error("--solver", arg, 0, strlen(arg), "no such program; expected auto, none, or one that is installed");
    return false;
}

static bool read_seconds(const char *option, const char *arg, double *seconds) {
    char *end;
    *seconds = strtod(arg, &end);
    if (*arg && !*end && *seconds > 0 && *seconds <= 1e6)
        return true;
    ui_option_error(option, arg, 0, strlen(arg), "expected seconds, more than 0");
    return false;
}

static error_t parse(int key, char *arg, struct argp_state *state) {
    struct prove *p = state->input;
    struct side *a = &p->side[0], *b = &p->side[1];
    switch (key) {
    case OPT_BUFFERS: return add_buffers(p, arg) ? 0 : EINVAL;
    case OPT_ARG: return add_scalar(p, arg) ? 0 : EINVAL;
    case OPT_REPLAY: p->replay = arg; return 0;
    case OPT_ENTRY: p->entry = arg; return 0;
    case OPT_ENTRY_A: a->entry = arg; return 0;
    case OPT_ENTRY_B: b->entry = arg; return 0;
    case OPT_GRID: return option_dims("--grid", arg, p->grid) ? 0 : EINVAL;
    case OPT_GRID_A: return option_dims("--grid-a", arg, a->grid) ? 0 : EINVAL;
    case OPT_GRID_B: return option_dims("--grid-b", arg, b->grid) ? 0 : EINVAL;
    case OPT_BLOCK: return option_block("--block", arg, p->block) ? 0 : EINVAL;
    case OPT_BLOCK_A: return option_block("--block-a", arg, a->block) ? 0 : EINVAL;
    case OPT_BLOCK_B: return option_block("--block-b", arg, b->block) ? 0 : EINVAL;
    case OPT_WARP: return read_warp(p, arg) ? 0 : EINVAL;
    case OPT_BOARD: p->board.name = arg; return 0;
    case OPT_SET: return board_choice_set(&p->board, arg) ? 0 : ENOMEM;
    case OPT_MAX: return option_count("--max-instructions", arg, &p->max_instructions) ? 0 : EINVAL;
    case OPT_BOUND: return read_bound(p, arg) ? 0 : EINVAL;
    case OPT_ASSUME: return read_assumption(p, arg) ? 0 : EINVAL;
    case OPT_SOLVER: return read_solver(p, arg) ? 0 : EINVAL;
    case OPT_SOLVER_TIME: return read_seconds("--solver-time", arg, &p->solver_seconds) ? 0 : EINVAL;
    case OPT_MAX_TIME: return read_seconds("--max-time", arg, &p->max_seconds) ? 0 : EINVAL;
    case OPT_MAX_MEMORY: return option_size("--max-memory", arg, &p->max_memory) ? 0 : EINVAL;
    case OPT_JSON: p->json = arg; return 0;
    case 'q': p->quiet = true; return 0;
    case ARGP_KEY_ARG: return add_file(p, arg, state);
    case ARGP_KEY_END:
        if (b->file)
            return 0;
        argp_error(state, "which files? heddle prove A.hd B.hd --buffers src=u32[128],dst=u32[128]");
        return EINVAL;
    default: return ARGP_ERR_UNKNOWN;
    }
}

const struct argp cmd_prove_argp = {
    .options = options,
    .parser = parse,
    .args_doc = "A.hd B.hd",
    .doc =
        "Prove that two kernels leave the same in their buffers whatever those held before, or show the first element "
        "that differs, and where each kernel's comes from. Files are looked up as by 'heddle run'."
        "\vExit status: 0 proved equal, 1 anything else (different, not proved, undecided, a fault), 2 wrong usage or "
        "input, 130 Ctrl-C.\n\n"
        "Example: heddle prove reorder/shared_linear.hd reorder/transit1.hd --buffers src=u32[640],dst=u32[640] "
        "--arg count=640 --grid 5 --block 128 --warp all",
    .children = command_common};

/* ---- the work ---- */

static int failed(const struct prove *p) {
    ui_show(stderr, heddle_error(p->h));
    return EXIT_INPUT;
}

static int load(struct prove *p, struct side *s) {
    struct buf source = {0};
    if (file_exists(s->file))
        snprintf(s->path, sizeof s->path, "%s", s->file);
    else if (!resources_kernel(s->path, sizeof s->path, s->file))
        return EXIT_INPUT;
    s->program = program_read(p->h, s->path, &source);
    buf_free(&source);
    return s->program ? EXIT_OK : EXIT_INPUT;
}

/* The folder is new, or there is nothing in it. */
static bool replay_folder(const char *path) {
    DIR *d = mkdir(path, 0777) == 0 || errno == EEXIST ? opendir(path) : NULL;
    bool empty = d != NULL;
    if (!d)
        ui_error_as(path, "cannot be made: %s", strerror(errno));
    for (struct dirent *e; d && (e = readdir(d)) != NULL;)
        empty &= strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0;
    if (d && !empty)
        ui_error_as(path, "this folder is not empty");
    if (d)
        closedir(d);
    return empty;
}

static int prepare(struct prove *p) {
    const struct named *list = (const struct named *)(const void *)p->buffers.data;
    int status = board_apply(&p->board, p->h) ? EXIT_OK : EXIT_INPUT;
    for (u32 i = 0; i < 2 && status == EXIT_OK; i++)
        status = load(p, &p->side[i]);
    for (size_t i = 0; i < p->buffers.len / sizeof *list && status == EXIT_OK; i++)
        if (!heddle_buffer(p->h, list[i].name, list[i].type, list[i].ndim, list[i].shape))
            status = failed(p);
    if (p->json && status == EXIT_OK && !file_promise("--json", p->json, p->json))
        status = EXIT_INPUT;
    if (p->replay && status == EXIT_OK && !replay_folder(p->replay))
        status = EXIT_INPUT;
    return status;
}

static void copy_dims(u32 to[3], const u32 own[3], const u32 both[3]) {
    memcpy(to, own[0] ? own : both, 3 * sizeof *to);
}

/* ---- data that shows a difference ---- */

/* A word for the shell. */
static void put_word(struct buf *out, const char *text) {
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=:,./";
    buf_putc(out, ' ');
    if (*text && text[strspn(text, plain)] == 0) {
        buf_puts(out, text);
        return;
    }
    buf_putc(out, '\'');
    for (; *text; text++)
        if (*text == '\'')
            buf_puts(out, "'\\''");
        else
            buf_putc(out, *text);
    buf_putc(out, '\'');
}

static bool has_parameter(const struct side *s, const char *entry, const char *name, size_t len) {
    struct heddle_kernel_info info;
    struct heddle_param_info param;
    for (u32 i = 0; heddle_kernel_info(s->program, i, &info); i++)
        for (u32 k = 0; (!entry || strcmp(info.name, entry) == 0) && heddle_param_info(s->program, i, k, &param); k++)
            if (strlen(param.name) == len && memcmp(param.name, name, len) == 0)
                return true;
    return false;
}

static void put_dims(struct buf *out, const char *option, const u32 dims[3]) {
    if (dims[0])
        buf_printf(out, " --%s %u,%u,%u", option, dims[0], dims[1], dims[2]);
}

/* The option of `heddle run` that binds a buffer; what the kernel leaves goes to NAME_a.npy or NAME_b.npy. */
static void put_buffer(const struct prove *p, u32 i, const struct named *b, struct buf *out) {
    struct buf word = {0};
    const char side = i ? 'b' : 'a';
    bool zeros = b->role == HEDDLE_ROLE_OUT || b->role == HEDDLE_ROLE_SCRATCH;
    buf_puts(out, zeros ? " --out" : b->role == HEDDLE_ROLE_IN ? " --in" : " --inout");
    buf_printf(&word, "%s=", b->name);
    if (zeros) {
        buf_puts(&word, b->type);
        for (u32 k = 0; k < b->ndim; k++)
            buf_printf(&word, "%s%llu", k ? "," : "[", (unsigned long long)b->shape[k]);
        buf_printf(&word, "]:%s/%s_%c.npy", p->replay, b->name, side);
    } else {
        buf_printf(&word, "%s/%s.npy", p->replay, b->name);
        if (b->role != HEDDLE_ROLE_IN)
            buf_printf(&word, ":%s/%s_%c.npy", p->replay, b->name, side);
    }
    put_word(out, word.data ? word.data : "");
    out->failed |= word.failed;
    buf_free(&word);
}

static void put_command(const struct prove *p, u32 i, u32 warp, struct buf *out) {
    const struct named *list = (const struct named *)(const void *)p->buffers.data;
    const char *const *scalars = (const char *const *)(const void *)p->scalars.data;
    const struct side *s = &p->side[i];
    const char *entry = s->entry ? s->entry : p->entry;
    buf_puts(out, "  heddle run");
    put_word(out, s->path);
    if (entry) {
        buf_puts(out, " --entry");
        put_word(out, entry);
    }
    put_dims(out, "grid", s->grid[0] ? s->grid : p->grid);
    put_dims(out, "block", s->block[0] ? s->block : p->block);
    buf_printf(out, " --warp %u", warp);
    for (size_t k = 0; k < p->scalars.len / sizeof *scalars; k++)
        if (has_parameter(s, entry, scalars[k], strcspn(scalars[k], "="))) {
            buf_puts(out, " --arg");
            put_word(out, scalars[k]);
        }
    for (size_t k = 0; k < p->buffers.len / sizeof *list; k++)
        if (has_parameter(s, entry, list[k].name, strlen(list[k].name)))
            put_buffer(p, i, &list[k], out);
    buf_putc(out, '\n');
}

/* The buffers that begin with data, as files; memory is the arena's and the context's. */
static bool replay_write(struct prove *p, const struct heddle_proof *proof) {
    const struct named *list = (const struct named *)(const void *)p->buffers.data;
    size_t count = p->buffers.len / sizeof *list, n = 0;
    struct file_output *files = arena_alloc(&p->arena, count * sizeof *files);
    bool ok = files != NULL;
    for (size_t k = 0; k < count && ok; k++) {
        struct heddle_tensor t;
        size_t size = strlen(p->replay) + strlen(list[k].name) + 6;
        char *path = arena_alloc(&p->arena, size);
        if (list[k].role == HEDDLE_ROLE_OUT || list[k].role == HEDDLE_ROLE_SCRATCH)
            continue;
        for (u32 i = 0; i < proof->ndata && heddle_buffer_get(p->h, list[k].name, &t); i++)
            if (strcmp(proof->data[i].buffer, list[k].name) == 0)
                memcpy(t.data, proof->data[i].bytes, proof->data[i].size);
        files[n].bytes = path ? heddle_npy_write(p->h, list[k].name, &files[n].len) : NULL;
        ok = files[n].bytes != NULL;
        if (!ok)
            break;
        snprintf(path, size, "%s/%s.npy", p->replay, list[k].name);
        files[n++].path = path;
        ok = file_promise("--replay", path, path);
    }
    ok = ok && file_write_all(files, n);
    for (size_t k = 0; k < n; k++)
        heddle_release((void *)(uintptr_t)files[k].bytes);
    return ok;
}

/* Of the first width that shows a difference. */
static bool replay(struct prove *p, const struct heddle_proof *proof) {
    struct buf out = {0};
    if (!p->replay || p->replayed || proof->verdict != HEDDLE_DIFFERENT)
        return true;
    p->replayed = true;
    if (!replay_write(p, proof))
        return false;
    for (u32 i = 0; i < 2; i++)
        put_command(p, i, proof->warp, &out);
    if (out.data && !out.failed)
        fputs(out.data, p->json && strcmp(p->json, "-") == 0 ? stderr : stdout);
    bool ok = !out.failed;
    buf_free(&out);
    return ok || no_memory();
}

/* ---- one width ---- */

/* A line on the terminal: what is done, how far that is, and how long all of it has taken. */
static bool on_progress(void *ctx, double share, const char *step) {
    struct prove *p = ctx;
    if (progress_due(&p->progress)) {
        fputs(step, stderr);
        if (share > 0)
            fprintf(stderr, ": %.1f %% of the blocks", 100 * share);
        fprintf(stderr, ", %.0f s", progress_seconds(&p->progress));
    }
    return !progress_interrupted();
}

static int prove_at(struct prove *p, u32 warp) {
    struct heddle_prove asked = {.warp = warp,
                                 .args = (const struct heddle_arg *)(const void *)p->args.data,
                                 .nargs = (u32)(p->args.len / sizeof(struct heddle_arg)),
                                 .buffers = (const struct heddle_prove_buffer *)(const void *)p->roles.data,
                                 .nbuffers = (u32)(p->roles.len / sizeof(struct heddle_prove_buffer)),
                                 .max_instructions = p->max_instructions,
                                 .bound = p->bound,
                                 .assume = p->assume,
                                 .solver = {.name = p->solver.name, .ask = solver_ask, .ctx = &p->solver},
                                 .solver_seconds = p->solver_seconds,
                                 .max_seconds = p->max_seconds,
                                 .clock = stopwatch_now,
                                 .progress = on_progress,
                                 .progress_ctx = p};
    struct heddle_proof proof;
    for (u32 i = 0; i < 2; i++) {
        const struct side *s = &p->side[i];
        asked.kernel[i].program = s->program;
        asked.kernel[i].entry = s->entry ? s->entry : p->entry;
        copy_dims(asked.kernel[i].grid, s->grid, p->grid);
        copy_dims(asked.kernel[i].block, s->block, p->block);
    }
    progress_begin(&p->progress);
    enum heddle_status status = heddle_prove(p->h, &asked, &proof);
    progress_end(&p->progress);
    if (progress_interrupted() && status == HEDDLE_OK && proof.verdict == HEDDLE_UNDECIDED)
        return EXIT_INTERRUPTED;
    if (status != HEDDLE_OK) {
        failed(p);
        return status == HEDDLE_INPUT || status == HEDDLE_MEMORY ? EXIT_INPUT : EXIT_FAULT;
    }
    bool json_is_stdout = p->json && strcmp(p->json, "-") == 0;
    if (!p->quiet && !json_is_stdout)
        fputs(proof.text, stdout);
    if (p->json)
        json_add(p->proofs, prove_report_proof(&proof));
    if (!replay(p, &proof))
        return EXIT_INPUT;
    return proof.verdict == HEDDLE_EQUAL ? EXIT_OK : EXIT_FAULT;
}

/* Whether the kernel runs at width 8 << w; true where it is ambiguous, so that the proof reports that. */
static bool allows(const struct side *s, const char *entry, u32 w) {
    struct heddle_kernel_info info;
    for (u32 i = 0; heddle_kernel_info(s->program, i, &info); i++)
        if (!entry || strcmp(info.name, entry) == 0)
            return info.widths[w];
    return true;
}

static int prove_all(struct prove *p) {
    int worst = EXIT_OK;
    u32 n = 0;
    if (!p->all)
        return prove_at(p, p->warp);
    for (u32 w = 0; w < 4 && worst != EXIT_INPUT && worst != EXIT_INTERRUPTED; w++) {
        bool ok = true;
        for (u32 i = 0; i < 2; i++)
            ok &= allows(&p->side[i], p->side[i].entry ? p->side[i].entry : p->entry, w);
        if (!ok)
            continue;
        int status = prove_at(p, 8u << w);
        worst = status > worst ? status : worst;
        n++;
    }
    if (n == 0) {
        ui_error("there is no warp width that both kernels allow");
        return EXIT_INPUT;
    }
    return worst;
}

static int write_json(struct prove *p) {
    struct buf text = {0};
    const char *const files[] = {p->side[0].path, p->side[1].path};
    bool ok = prove_report(files, json_incref(p->proofs), &text);
    if (!ok)
        no_memory();
    ok = ok && file_write(p->json, text.data, text.len);
    buf_free(&text);
    return ok ? EXIT_OK : EXIT_INPUT;
}

static int work(struct prove *p) {
    int status = prepare(p);
    if (status != EXIT_OK)
        return status;
    p->proofs = p->json ? json_list() : NULL;
    status = prove_all(p);
    if (status == EXIT_INTERRUPTED)
        ui_error("interrupted");
    if (p->json && status != EXIT_INPUT && status != EXIT_INTERRUPTED && write_json(p) != EXIT_OK)
        status = EXIT_INPUT;
    return status;
}

int cmd_prove(int argc, char **argv) {
    struct prove p = {.all = false};
    int status = EXIT_INPUT;
    solver_find("auto", &p.solver);
    if (command_parse(&cmd_prove_argp, argc, argv, &p)) {
        p.h = option_context(p.max_memory);
        if (p.buffers.failed || p.roles.failed || p.args.failed || p.scalars.failed || !p.h)
            no_memory();
        else
            status = work(&p);
    }
    json_decref(p.proofs);
    for (u32 i = 0; i < 2; i++)
        heddle_program_free(p.side[i].program);
    heddle_free(p.h);
    buf_free(&p.buffers);
    buf_free(&p.roles);
    buf_free(&p.args);
    buf_free(&p.scalars);
    buf_free(&p.board.sets);
    arena_free(&p.arena);
    return status;
}
