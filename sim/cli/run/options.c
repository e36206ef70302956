#include "sim/cli/run/options.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "sim/cli/run/report.h"
#include "sim/cli/file.h"
#include "sim/cli/option.h"
#include "sim/cli/ui.h"

enum {
    OPT_ENTRY = 0x100,
    OPT_SET,
    OPT_IN,
    OPT_OUT,
    OPT_INOUT,
    OPT_CONST,
    OPT_GLOBAL,
    OPT_EMPTY,
    OPT_PRINT,
    OPT_ARG,
    OPT_REPEAT,
    OPT_BESIDE,
    OPT_PRIORITY,
    OPT_BOARDS,
    OPT_FINDINGS,
    OPT_SECTION,
    OPT_METRICS,
    OPT_EXPLAIN,
    OPT_RECORD,
    OPT_TRACE,
    OPT_KONATA,
    OPT_MAX_MEMORY,
    OPT_UNCERTAINTY,
#define LAUNCH_OPTION(declaration, member, kind, key, name, argument, group, standard, help, doc) OPT_##member,
#include "sim/base/launch.def"
};

#define DRAWS "16" /* of --uncertainty */

/* Flags of the argument of each kind of launch.def. */
enum {
    ARGUMENT_DIMS,
    ARGUMENT_BLOCK = 0,
    ARGUMENT_WARP = 0,
    ARGUMENT_FLAG = 0,
    ARGUMENT_CACHES = 0,
    ARGUMENT_COUNT = 0,
    ARGUMENT_THREADS = 0,
    ARGUMENT_CHECKS = 0,
    ARGUMENT_SCHEDULE = 0,
    ARGUMENT_TEXT = 0,
    ARGUMENT_ROWS = 0,
    ARGUMENT_SAMPLE = OPTION_ARG_OPTIONAL
};

static const struct argp_option options[] = {
    {"entry", OPT_ENTRY, "NAME", 0,
     "Kernel to run, when the file has several; given more than once, they are run one after the other", 1},
    {"case", KEEP_TEXT(run_options, which_case), "N|NAME", 0,
     "Run a case of the file, a line ';! run': the N-th, or that of a name or kernel; other options "
     "replace parts of it. A command without data, grid and block runs the first, on a large board the one called big",
     1},
    {"repeat", OPT_REPEAT, "N", 0, "Run all of it N times (default 1)", 1},
    {"beside", OPT_BESIDE, "'FILE.hd OPTIONS'", 0,
     "Run another launch on the board at the same time, with a command line of its own: --entry, --grid, --block, "
     "--in, --inout, --out, --arg, --priority; may be given several times. The report shows what each loses",
     2},
    {"priority", OPT_PRIORITY, "N", 0,
     "Among launches at the same time: blocks of the highest start first (default 0); equals get as many SMs each", 2},
    {"boards", OPT_BOARDS, "N", 0,
     "Share the launch out to N boards like --board: each gets its rows of buffers, x : f32[n*m] by n, its blocks, and "
     "all of other buffers. The report shows each board, with copies over --link, and whether results are the same",
     2},
    {"share", KEEP_TEXT(run_options, share), "NAME[:x|y|z|all]", 0,
     "Scalar parameter that counts the rows that --boards share (default: of the first buffer that is written), and "
     "the "
     "dimension of the grid that goes with them (default x); all: every board has the whole grid",
     2},
    {"gather", KEEP_TEXT(run_options, gather), "LINK[:ring|direct]", 0,
     "With --boards, add the time in which every board gets all rows of what is written, over this link", 2},
    {"board", KEEP_TEXT(run_options, board.name), "NAME|FILE.yaml,...", 0,
     "Machine to run on, with its clock; 'heddle board' lists those that ship. Several are compared. Without it "
     "nothing is timed",
     3},
    {"set", OPT_SET, "KEY=VALUE", 0, "Change one value of the board; may be given several times", 3},
    {"uncertainty", OPT_UNCERTAINTY, "N", OPTION_ARG_OPTIONAL,
     "Run again on N draws of the board (default 16), each value with a range within its own, and print the range of "
     "the time, and what bounds it",
     3},
    {"ideal", KEEP_FLAG(run_options, ideal), NULL, 0,
     "Run again on machines that lack a loss each (other warps, memory latency, limits of bandwidth, cache misses, "
     "bank "
     "conflicts, waits at barriers), and print what that gains",
     3},
#define LAUNCH_OPTION(declaration, member, kind, key, name, argument, group, standard, help, doc) \
    {name, OPT_##member, argument, ARGUMENT_##kind, help, group},
#include "sim/base/launch.def"
    {"in", OPT_IN, "NAME=FILE.npy|DATA", 0,
     "Buffer filled from a file (- is standard input), or by DATA: [TYPE[SHAPE]:] and iota, zeros, ones, fill:V, "
     "random[:SEED], expr:EXPRESSION of i, or @FILE (.npy, .csv, .tsv, .txt, .raw); a size left out is what the kernel "
     "declares",
     4},
    {"out", OPT_OUT, "NAME=[TYPE[SHAPE]:]FILE.npy", 0,
     "Buffer that the kernel writes, such as y=f32[4,1024]:y.npy, and its file, which --print can do without; it "
     "holds zeros, which --check counts as unwritten",
     4},
    {"inout", OPT_INOUT, "NAME=IN.npy:OUT.npy|DATA[:OUT.npy]", 0,
     "Buffer filled from one file, or by DATA (zeros for a counter), and written to another", 4},
    {"empty", OPT_EMPTY, "error|nan", 0, EMPTY_HELP, 4},
    {"print", OPT_PRINT, "NAME[RANGE,...]", 0,
     "Print a buffer at the end: y, y[7], y[0..15], y[0..3,8..]; may be given several times", 4},
    {"const", OPT_CONST, "NAME=FILE|FILL", 0,
     "Contents of a constant that the program declares with a size, '.const w : f32[64]', as of --in; --arg takes "
     "numbers",
     4},
    {"global", OPT_GLOBAL, "NAME=FILE|FILL", 0,
     "Contents of a variable in global memory, '.global count : u32[4]', as of --in; --out NAME=FILE reads it", 4},
    {"arg", OPT_ARG, "NAME=NUMBER|BUFFER+OFFSET|null", 0,
     "Scalar parameter: 16384, -1, 2.5, 1e-3, inf, nan, 0x10 (bits, where it is a float). Pointer: a buffer from a "
     "byte "
     "on, or null",
     4},
    {"section", OPT_SECTION, "time|advice|traffic|dram|stalls|occupancy|energy|work|lines|all", 0,
     "Print these parts of the report in place of the summary; several with commas between them", 6},
    {"metrics", OPT_METRICS, "NAME,...", 0,
     "Print these metrics in place of the summary: names of 'heddle doc counters', the first words of several (l1), or "
     "with * and ? for any characters",
     6},
    {"csv", KEEP_FILE(run_options, csv), "FILE", OPTION_ARG_OPTIONAL,
     "Write the tables of --section and --metrics, or all metrics, as comma-separated values; without a FILE to "
     "standard output, in place of the text",
     7},
    {"markdown", KEEP_FILE(run_options, markdown), "FILE", OPTION_ARG_OPTIONAL,
     "Write the tables of --section and --metrics, or all metrics, as Markdown; without a FILE to standard output, in "
     "place of the text",
     7},
    {"profile", KEEP_FLAG(run_options, profile), NULL, 0,
     "Print how often each line was issued and, with a clock, what it waited for", 6},
    {"details", KEEP_FLAG(run_options, details), NULL, 0,
     "Show each round of a repeated line (.repeat) by itself, in the profile, the section lines and --explain", 6},
    {"explain", OPT_EXPLAIN, "LINE|worst", 0,
     "Show a line's instructions lane by lane: sectors, banks, which lanes meet; FILE:LINE:BLOCK:WARP:N are its file "
     "and "
     "which execution; worst or worst:N is the access, or N of them, that takes most cycles beyond what its bytes need",
     6},
    {"record", OPT_RECORD, "FILE[:FROM..TO]", 0,
     "Write what happened to each warp, cycle by cycle, as lines of JSON; FROM..TO: in these cycles only", 7},
    {"trace", OPT_TRACE, "FILE[:FROM..TO]", 0,
     "Write what happened to each warp, and rates over time of DRAM, L2, issue and occupancy, as a picture for "
     "Perfetto "
     "(ui.perfetto.dev), where 1 us is a cycle; FROM..TO: in these cycles only",
     7},
    {"konata", OPT_KONATA, "FILE[:FROM..TO]", 0,
     "Write what happened to each warp as a log of the pipeline, which Konata shows; FROM..TO: in these cycles only",
     7},
    {"link", KEEP_TEXT(run_options, link), "NAME", 0,
     "Add the time of copies over this link: of buffers with content to the board, of those that kernels write back to "
     "the host; 'heddle board links' lists pcie4, nvlink-c2c and others",
     3},
    {"dram-trace", KEEP_TEXT(run_options, dram_trace), "FILE", 0,
     "Write the commands of DRAM's controllers as CSV, channel by channel: clock,command,channel,...,type,source; - is "
     "standard output",
     7},
    {"request-trace", KEEP_TEXT(run_options, request_trace), "FILE", 0,
     "Write the requests that reach DRAM, in the order of their arrival; - is standard output", 7},
    {"request-format", KEEP_TEXT(run_options, request_format), "dramsim3|ramulator|ramulator-rw", 0,
     "Format of --request-trace: addresses and cycles (default), LD and ST of addresses, or R and W of places", 7},
    {"max-memory", OPT_MAX_MEMORY, "SIZE", 0,
     "Most memory that buffers and launches may take: 512M, 2G (default no bound)", 8},
    {"json", KEEP_TEXT(run_options, json), "FILE", 0, "Write the results as JSON; - is standard output", 7},
    {"html", KEEP_TEXT(run_options, html), "FILE", 0,
     "Write the results as a page of HTML with pictures, as 'heddle report' does; - is standard output", 7},
    {"sarif", KEEP_TEXT(run_options, sarif), "FILE", 0, "Write what --check found as SARIF 2.1.0; - is standard output",
     5},
    {"write-baseline", KEEP_TEXT(run_options, new_baseline), "FILE", 0,
     "Write what --check found and nothing allows, for --baseline of later runs; - is standard output", 5},
    {"findings", OPT_FINDINGS, "N", 0, "Show what --check found at N pairs of lines (default 20); 0 shows all", 5},
    {"quiet", 'q', NULL, 0, "Print nothing when all is well", 6},
    OPTION_GROUP(1, "Which kernel:"),
    OPTION_GROUP(2, "Launch:"),
    OPTION_GROUP(3, "Board:"),
    OPTION_GROUP(4, "Data:"),
    OPTION_GROUP(5, "Checks:"),
    OPTION_GROUP(6, "What is printed:"),
    OPTION_GROUP(7, "Files that are written:"),
    OPTION_GROUP(8, "Bounds, and this computer:"),
    {0}};

/* ---- buffers ---- */

static bool add_tensor(struct run_options *o, const char *option, char *text, enum data_role role) {
    char *rest;
    const char *name = option_name(&o->arena, option, "NAME=TYPE[SHAPE] or NAME=FILE.npy", text, &rest);
    if (!name)
        return false;
    for (u32 i = 0; i < run_tensor_count(o); i++)
        if (strcmp(run_tensor_at(o, i)->name, name) == 0)
            return ui_option_error(option, text, 0, strlen(name), "'%s' was given before, as %s %s", name,
                                   run_tensor_at(o, i)->data.option, run_tensor_at(o, i)->data.given);
    if (run_tensor_count(o) == OPTION_BUFFERS_MAX) {
        return ui_option_error(option, text, 0, strlen(name), "more than %d buffers", OPTION_BUFFERS_MAX);
    }
    struct run_tensor *t = buf_push(&o->tensors, sizeof *t);
    if (!t)
        return ui_no_memory();
    *t = (struct run_tensor){.name = name, .data = {.option = option, .given = text, .at = rest}};
    return data_spec_read(&t->data, &o->arena, role);
}

/* Reads NAME or NAME[RANGE,...]; the range is read once the buffer is known. */
static bool add_print(struct run_options *o, const char *text) {
    size_t len = strcspn(text, "[");
    struct run_print *p = buf_push(&o->prints, sizeof *p);
    if (!p)
        return ui_no_memory();
    *p = (struct run_print){.given = text, .name = arena_strndup(&o->arena, text, len), .range = text + len};
    if (!p->name)
        return ui_no_memory();
    if (!len)
        ui_option_error("--print", text, 0, 1, "expected the name of a buffer, such as y or y[0..15]");
    return len > 0;
}

/* ---- the rest ---- */

static bool add_entry(struct run_options *o, const char *name) {
    buf_append(&o->entries, &name, sizeof name);
    return !o->entries.failed;
}

static bool read_caches(const char *option, const char *text, bool *warm) {
    *warm = strcmp(text, "warm") == 0;
    if (!*warm && strcmp(text, "cold") != 0)
        return ui_option_error(option, text, 0, strlen(text), "expected cold or warm");
    return true;
}

/* Reads a number from `least` to `most`. */
static bool read_small(const char *option, const char *text, u32 least, u32 most, u32 *value) {
    u64 number;
    if (!option_whole(option, text, least, &number))
        return false;
    if (number > most)
        return ui_option_error(option, text, 0, strlen(text), "at most %s", grouped(most).text);
    *value = (u32)number;
    return true;
}

static bool read_findings(const char *text, u32 *value) {
    bool ok = read_small("--findings", text, 0, UINT32_MAX, value);
    *value = *value ? *value : UINT32_MAX;
    return ok;
}

static bool read_rows(struct run_options *o, const char *path, const char **text, const char **name) {
    struct buf rows = {0};
    bool ok = file_read_plain(path, &rows);
    *name = path;
    *text = ok ? arena_strndup(&o->arena, rows.data ? rows.data : "", rows.len) : NULL;
    buf_free(&rows);
    return ok && (*text || ui_no_memory());
}

/* Each kind of launch.def. */
#define READ_DIMS(option, text, to) option_dims(option, text, to)
#define READ_BLOCK(option, text, to) option_block(option, text, to)
#define READ_WARP(option, text, to) option_warp(option, text, &(to))
#define READ_FLAG(option, text, to) ((to) = true)
#define READ_CACHES(option, text, to) read_caches(option, text, &(to))
#define READ_COUNT(option, text, to) option_count(option, text, &(to))
#define READ_THREADS(option, text, to) read_small(option, text, 1, HEDDLE_THREADS_MAX, &(to))
#define READ_CHECKS(option, text, to) option_checks(option, (to) = (text))
#define READ_SCHEDULE(option, text, to) option_schedule(option, (to) = (text))
#define READ_SAMPLE(option, text, to) option_sample(option, text, &(to))
#define READ_TEXT(option, text, to) ((to) = (text))
#define READ_ROWS(option, text, to) read_rows(o, text, &(to), &(to##_name))

static error_t parse(int id, char *arg, struct argp_state *state) {
    struct run_options *o = state->input;
    switch (id) {
        /* clang-format off */
#define LAUNCH_OPTION(declaration, member, kind, key, name, argument, group, standard, help, doc) \
    case OPT_##member: return READ_##kind("--" name, arg, o->launch.member) ? 0 : EINVAL;
#include "sim/base/launch.def"
    /* clang-format on */
    case OPT_ENTRY: return add_entry(o, arg) ? 0 : ENOMEM;
    case OPT_REPEAT: return read_small("--repeat", arg, 1, REPEAT_MAX, &o->repeat) ? 0 : EINVAL;
    case OPT_BESIDE: return buf_append(&o->beside, &arg, sizeof arg), o->beside.failed ? ENOMEM : 0;
    case OPT_PRIORITY: return read_small("--priority", arg, 0, PRIORITY_MAX, &o->priority) ? 0 : EINVAL;
    case OPT_BOARDS: return read_small("--boards", arg, 2, BOARDS_MAX, &o->boards) ? 0 : EINVAL;
    case OPT_SET: return board_choice_set(&o->board, arg) ? 0 : ENOMEM;
    case OPT_IN: return add_tensor(o, "--in", arg, DATA_IN) ? 0 : EINVAL;
    case OPT_OUT: return add_tensor(o, "--out", arg, DATA_OUT) ? 0 : EINVAL;
    case OPT_CONST: return add_tensor(o, "--const", arg, DATA_IN) ? 0 : EINVAL;
    case OPT_GLOBAL: return add_tensor(o, "--global", arg, DATA_IN) ? 0 : EINVAL;
    case OPT_INOUT: return add_tensor(o, "--inout", arg, DATA_INOUT) ? 0 : EINVAL;
    case OPT_EMPTY: return option_empty(arg, &o->empty_nan) ? 0 : EINVAL;
    case OPT_PRINT: return add_print(o, arg) ? 0 : EINVAL;
    case OPT_ARG: return option_scalar(&o->arena, arg, &o->numbers) ? 0 : EINVAL;
    case OPT_FINDINGS: return read_findings(arg, &o->findings) ? 0 : EINVAL;
    case OPT_MAX_MEMORY: return option_size("--max-memory", arg, &o->max_memory) ? 0 : EINVAL;
    case OPT_SECTION: return run_sections_option(arg, &o->sections) ? 0 : EINVAL;
    case OPT_METRICS: return metrics_option(arg, &o->metrics) ? 0 : EINVAL;
    case OPT_UNCERTAINTY: return read_small("--uncertainty", arg ? arg : DRAWS, 1, DRAWS_MAX, &o->draws) ? 0 : EINVAL;
    case OPT_EXPLAIN: return explain_option(&o->explain, arg, &o->arena) ? 0 : EINVAL;
    case OPT_RECORD: return run_record_option(&o->record, "--record", arg, &o->arena) ? 0 : EINVAL;
    case OPT_TRACE: return run_record_option(&o->record, "--trace", arg, &o->arena) ? 0 : EINVAL;
    case OPT_KONATA: return run_record_option(&o->record, "--konata", arg, &o->arena) ? 0 : EINVAL;
    case 'q': o->quiet = true; return 0;
    case ARGP_KEY_ARG: return command_one(state, &o->file, arg, "one file is run at a time");
    case ARGP_KEY_NO_ARGS: argp_error(state, "which file? heddle run FILE.hd"); return EINVAL;
    default: return command_keep(state, id, arg);
    }
}

const struct argp cmd_run_argp = {
    .options = options,
    .parser = parse,
    .args_doc = "FILE.hd|FILE.hdo",
    .doc =
        "Run a kernel and say what it did and, on a board, how long that took and why. A FILE that is not there is "
        "looked up among the kernels that ship with "
        "heddle (classic/saxpy.hd; the ending may be left out, and the folder when only one has such a kernel). When "
        "the launch faults, nothing is written."
        "\vExample: heddle run classic/saxpy.hd --grid 64 --block 256 --in x=iota --inout y=random:7:y_out.npy "
        "--arg a=2.5 --arg n=16384",
    .children = command_common};

/* The part of a clock option that needs a clock: --caches cold does not. */
#define NEEDS_CACHES " warm"
#define NEEDS_FLAG
#define NEEDS_COUNT
#define NEEDS_THREADS
#define NEEDS_TEXT
#define NEEDS_SAMPLE

bool run_options_clock(const struct run_options *o) {
    const char *needs = NULL;
#define CLOCK_OPTION(declaration, member, kind, key, name, argument, group, standard, help, doc) \
    if (!needs && o->launch.member) \
        needs = "--" name NEEDS_##kind;
#include "sim/base/launch.def"
    char section[40];
    snprintf(section, sizeof section, "--section %s", o->sections.timed ? o->sections.timed : "");
    if (!needs && (o->dram_trace || o->request_trace))
        needs = o->dram_trace ? "--dram-trace" : "--request-trace";
    if (!needs && o->draws)
        needs = "--uncertainty";
    if (!needs && o->ideal)
        needs = "--ideal";
    if (!needs && o->beside.len)
        needs = "--beside";
    if (!needs && o->boards)
        needs = "--boards";
    if (!needs && o->sections.timed)
        needs = section;
    if (!needs && o->metrics.len)
        needs = "--metrics";
    if (!needs)
        needs = run_record_given(&o->record);
    if (needs && (!o->board.name || o->launch.functional))
        return ui_error("%s is for timed launches: %s", needs,
                        o->board.name ? "--functional runs without a clock" : "give the machine with --board");
    return true;
}

bool run_options_parse(struct run_options *o, int argc, char **argv) {
    struct argp argp = cmd_run_argp;
    argp.children = o->again ? command_again : argp.children;
    return command_parse(&argp, argc, argv, o) && run_options_agree(o);
}

bool run_options_agree(struct run_options *o) {
    const char *concerns = o->sarif                 ? "--sarif writes"
                           : o->new_baseline        ? "--write-baseline writes"
                           : o->findings            ? "--findings shows"
                           : o->launch.suppressions ? "--suppressions allows"
                           : o->launch.baseline     ? "--baseline knows"
                                                    : NULL;
    bool unchecked = !o->launch.check && concerns;
    if (unchecked)
        ui_error("%s what checkers find: choose them with --check", concerns);
    if (o->which_case && run_entry_count(o))
        ui_error("--case names a kernel with its case; leave out --entry");
    const char *recorded = run_record_given(&o->record);
    if (!recorded)
        recorded = o->dram_trace ? "--dram-trace" : o->request_trace ? "--request-trace" : NULL;
    bool several = o->repeat > 1 || run_entry_count(o) > 1;
    if (recorded && several)
        ui_error("%s is of one launch, and %s makes several", recorded, o->repeat > 1 ? "--repeat" : "--entry");
    o->findings = o->findings ? o->findings : FINDINGS;
    o->arg_count = (u32)(o->numbers.len / sizeof(struct heddle_arg));
    const char *again = o->draws ? "--uncertainty" : o->ideal ? "--ideal" : o->profile ? "--profile" : NULL;
    bool sampled = again && o->launch.sample;
    if (sampled)
        ui_error("%s compares what every block did: leave out --sample", again);
    const char *lone = o->share ? "--share" : o->gather ? "--gather" : NULL;
    bool alone = lone && !o->boards;
    if (alone)
        ui_error("%s is of a launch that several boards share: give their number with --boards", lone);
    bool linked = !o->link || run_copies_option(o->link);
    return linked && !sampled && !alone && !unchecked && !(recorded && several) &&
           !(o->which_case && run_entry_count(o));
}

void run_options_free(struct run_options *o) {
    buf_free(&o->tensors);
    buf_free(&o->prints);
    buf_free(&o->numbers);
    buf_free(&o->beside);
    buf_free(&o->metrics);
    buf_free(&o->entries);
    buf_free(&o->board.sets);
    arena_free(&o->arena);
}
