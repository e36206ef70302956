/* heddle sweep: runs a command over axes, every point once, into a store. */
#include "sim/cli/command.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "sim/api/heddle.h"
#include "sim/cli/file.h"
#include "sim/cli/option.h"
#include "sim/cli/sweep/slurm/slurm.h"
#include "sim/cli/sweep/sweep.h"
#include "sim/cli/sweep/plan/plan.h"
#include "sim/cli/sweep/plan/file.h"
#include "sim/cli/sweep/ask/results.h"
#include "sim/cli/sweep/run/run.h"
#include "sim/cli/ui.h"

enum {
    OPT_OVER = 0x100,
    OPT_WITH,
    OPT_WHERE,
    OPT_BISECT,
    OPT_UNTIL,
    OPT_CROSSOVER,
    OPT_OBJECTIVE,
    OPT_KNEE,
    OPT_ENGINE,
    OPT_SLURM,
    OPT_CHUNK,
    OPT_TRUST,
    OPT_TASK
};
enum { JOBS_MOST = 256, CHUNK_MOST = SWEEP_POINTS_MOST };

static const struct argp_option options[] = {
    {"over", OPT_OVER, "NAME=VALUES", 0,
     "An axis: a key of the board, kernel, arg.NAME, in.NAME or an option of 'heddle run', and its values: 8,16,32 or "
     "1..9/2 or 4MiB..64MiB/x2; given several times, points are all combinations",
     1},
    {"with", OPT_WITH, "NAME=VALUES", 0,
     "Values that go with those of the --over before it, one with one: --over dram.channels=8,16 --with "
     "l2.slices=16,32",
     1},
    {"where", OPT_WHERE, "CONDITION", 0,
     "Only points that meet it, in SQL: 'arg.n % dram.channels = 0 AND l2.bytes > 4096'", 1},
    {"bisect", OPT_BISECT, "NAME=VALUES", 0,
     "An axis that runs only the values needed to find the first where the answer of --until or --crossover changes: "
     "arg.n=1024..1048576/x2",
     2},
    {"until", OPT_UNTIL, "CONDITION", 0, "For --bisect: SQL over columns, 'sol.dram > 80'", 2},
    {"crossover", OPT_CROSSOVER, "NAME", 0,
     "For --bisect: an axis of two values, one better below, the other above: kernel", 2},
    {"knee", OPT_KNEE, "NAME", 0,
     "Then show what 'heddle results --knee' does of these points: how much of this key or argument is enough", 2},
    {"objective", OPT_OBJECTIVE, "COLUMN", 0,
     "For --crossover and --knee: less of it is better, or more of max:COLUMN (default seconds)", 2},
    {"output", 'o', "FILE.db", 0, "The store that points are added to; those that it has are not run again", 3},
    {"jobs", 'j', "N", 0, "Run N points at once (default as many as there are processors; 1 in a task of Slurm's)", 3},
    {"trust", OPT_TRUST, NULL, 0,
     "Run the programs and the Lua that FILE.yaml names: solver, study, options of sbatch; without it such a file is "
     "an error",
     3},
    {"engine", OPT_ENGINE, "local|slurm", 0,
     "Where points are run: on this computer, or in an array of jobs of Slurm's, which this command waits for", 3},
    {"slurm", OPT_SLURM, "OPTIONS", 0, "Options for sbatch: '--partition=long --time=30 --mem=4G'", 4},
    {"chunk", OPT_CHUNK, "N", 0,
     "Points that a task of Slurm's runs (default as many as take ten seconds, by three that are tried here)", 4},
    {"task", OPT_TASK, "FOLDER/N", OPTION_HIDDEN, "Run the points of a task: Slurm starts these", 4},
    OPTION_GROUP(1, "Which points:"),
    OPTION_GROUP(2, "Searches:"),
    OPTION_GROUP(3, "How they are run:"),
    OPTION_GROUP(4, "Slurm:"),
    {0}};

struct sweep_options {
    struct sweep sweep;
    struct bisect bisect;
    const char *output;
    u64 jobs, chunk; /* 0 = not given */
    bool slurm;
    const char *slurm_options, *task;
};

static error_t engine(struct sweep_options *o, const char *name) {
    o->slurm = strcmp(name, "slurm") == 0;
    if (o->slurm || strcmp(name, "local") == 0)
        return 0;
    ui_option_error("--engine", name, 0, strlen(name), "expected local or slurm");
    return EINVAL;
}

static error_t parse(int key, char *arg, struct argp_state *state) {
    struct sweep_options *o = state->input;
    switch (key) {
    case OPT_OVER: return sweep_axis(&o->sweep, "--over", arg) ? 0 : EINVAL;
    case OPT_WITH: return sweep_axis(&o->sweep, "--with", arg) ? 0 : EINVAL;
    case OPT_WHERE: return command_one(state, &o->sweep.where, arg, "one condition, with AND in it");
    case OPT_BISECT:
        o->bisect.axis = o->sweep.naxes;
        if (command_one(state, &o->bisect.given, arg, "one axis is bisected"))
            return EINVAL;
        return sweep_axis(&o->sweep, "--bisect", arg) ? 0 : EINVAL;
    case OPT_UNTIL: return command_one(state, &o->bisect.until, arg, "one condition, with AND in it");
    case OPT_CROSSOVER: return command_one(state, &o->bisect.crossover, arg, "one axis is compared");
    case OPT_KNEE: return command_one(state, &o->bisect.knee, arg, "one knee is shown");
    case OPT_OBJECTIVE: return command_one(state, &o->bisect.objective, arg, "one column is compared");
    case 'o': return command_one(state, &o->output, arg, "a sweep has one store");
    case 'j': return option_count("--jobs", arg, &o->jobs) ? 0 : EINVAL;
    case OPT_TRUST: return 0; /* sweep_file_trusted looks for it */
    case OPT_ENGINE: return engine(o, arg);
    case OPT_SLURM: return command_one(state, &o->slurm_options, arg, "all options of sbatch in one text");
    case OPT_CHUNK: return option_count("--chunk", arg, &o->chunk) ? 0 : EINVAL;
    case OPT_TASK: return command_one(state, &o->task, arg, "one task is run at a time");
    default: return ARGP_ERR_UNKNOWN;
    }
}

const struct argp cmd_sweep_argp = {
    .options = options,
    .parser = parse,
    .args_doc = "run FILE.hd [OPTION of run...]\nCOMMAND [ARGUMENT...]\nNAME|FILE.yaml [FILE.hd] [OPTION of run...]",
    .doc = "Run a command at every combination of values, each a process of its own, and keep what was measured in an "
           "SQLite file, a row for each point. A sweep that was stopped, in whatever way, continues where it was. "
           "FILE.yaml "
           "holds options; without arguments, list those that ship with heddle."
           "\vExample: heddle sweep run classic/saxpy --case 1 --board v100 --over dram.channels=8,16,32,64 "
           "--over arg.n=1024,65536 -o results.db",
    .children = command_common};

/* Finds the command of the points: the first word, or the one that a file names. */
static bool find_command(struct sweep *s, const struct lines *l, bool *file) {
    const char *first = l->npoint ? l->point[0] : "run";
    *file = !words_command(first);
    s->command = first;
    if (!*file)
        return true;
    if (command_find(first))
        return ui_error("'heddle %s' has no option --json, so that it is no point of a sweep", first);
    if (!sweep_file_open(&s->file, first, &s->arena))
        return false;
    ui_set_place(sweep_file_mistake, &s->file);
    s->command = s->file.command;
    return true;
}

/* Finds the command, checks that all options are known, and takes the words of a file. */
static bool expand(struct sweep *s, int argc, char **argv, struct lines *l) {
    bool file, known;
    if (!find_command(s, l, &file) || (file && !sweep_file_trusted(&s->file, l)))
        return false;
    const char *study = file ? s->file.first : l->npoint > 1 ? l->point[1] : NULL;
    const struct argp_option *all = words_options(s->command, study, options, &s->arena, &known);
    if (!all || (known && !command_knows(&(struct argp){.options = all}, argc, argv)))
        return false;
    s->options = known ? all : NULL;
    return !file || lines_insert(s, options, l);
}

static bool list_sweeps(void) {
    struct resource_dir dir;
    sweep_file_dir(&dir);
    printf("  %-12s %s\n", "run", "A kernel, over axes of your own; study, prove, test and others are swept as well");
    bool ok = resource_dir_list(&dir);
    resource_dir_close(&dir);
    return ok;
}

/* Chooses the words of the points, which begin with "heddle run". */
static bool choose(struct sweep *s, const struct lines *l) {
    struct buf name = {0};
    buf_printf(&name, "heddle %s", s->command);
    char *first = name.failed ? NULL : arena_strndup(&s->arena, name.data, name.len);
    buf_free(&name);
    if (!first)
        return ui_no_memory();
    if (l->npoint)
        l->point[0] = first;
    s->argv = l->point;
    s->argc = l->npoint;
    return true;
}

/* ---- the store ---- */

static struct store *open_store(struct sweep *s, const char *path) {
    struct buf why = {0};
    struct buf columns = {0};
    if (!columns_list(&s->arena, sweep_is_run(s), &columns)) {
        buf_free(&columns);
        return NULL;
    }
    struct store *store =
        store_open(path, (const char *const *)(const void *)columns.data, (u32)(columns.len / sizeof(char *)), &why);
    ui_show(stderr, why.data && !why.failed ? why.data : "");
    buf_free(&why);
    buf_free(&columns);
    return store;
}

/* True if the command line names a kernel, which a file may leave to it. */
static bool has_kernel(const struct sweep *s, const struct lines *l) {
    bool given = sweep_is_run(s) && lines_operand(l, s->options), named = !s->file.command || !sweep_is_run(s) || given;
    for (u32 i = 0; i < s->naxes; i++) {
        const struct axis *a = &s->axis[i].axis;
        named |= s->axis[i].form == SWEEP_FILE;
        if (s->axis[i].form == SWEEP_FILE && given)
            return ui_option_error(s->axis[i].given_by, a->given, 0, strlen(a->name),
                                   "the kernel is given as a word of the command, too");
    }
    if (!named)
        ui_error_as(s->file.path,
                    "there is no kernel: give FILE.hd after the name of the sweep, or 'run: FILE.hd' in it");
    return named;
}

/* Reads the command line; `words` become its words, unless NULL. */
static bool read_lines(struct sweep_options *o, int argc, char **argv, struct lines *l, struct buf *words) {
    if (!lines_split(options, argc, argv, &o->sweep.arena, l) || !expand(&o->sweep, argc, argv, l))
        return false;
    if (words)
        lines_put(l, words);
    return choose(&o->sweep, l) && command_parse(&cmd_sweep_argp, l->nown, l->own, o) && has_kernel(&o->sweep, l);
}

/* Handles a file that was removed while the sweep worked; prints a message if it was not noticed before (`ended`). */
static int lost(const struct store *store, bool ended) {
    struct buf why = {0};
    store_there(store, &why);
    ui_show(stderr, ended && why.data && !why.failed ? why.data : "");
    buf_free(&why);
    return EXIT_FAULT;
}

static int run_points(struct sweep_options *o, struct sweep_work *w) {
    int status = EXIT_INPUT;
    w->store = open_store(&o->sweep, o->output);
    if (w->store)
        status = o->bisect.given ? bisect_work(&o->bisect, &o->sweep, w) : sweep_work(&o->sweep, w);
    bool ended = status == EXIT_OK || status == EXIT_FAULT, there = !w->store || store_there(w->store, NULL);
    if (!there)
        status = lost(w->store, ended);
    else if (ended && !o->bisect.given)
        sweep_remark(&o->sweep, w->store);
    if (there && o->bisect.knee && ended && !knee_show(&o->sweep, w->store, o->bisect.knee, o->bisect.objective))
        status = EXIT_INPUT;
    store_close(w->store);
    return status;
}

/* Checks everything possible before touching the store. */
static int work(struct sweep_options *o, struct buf words) {
    struct cluster cluster;
    long have = sysconf(_SC_NPROCESSORS_ONLN);
    u64 jobs = o->jobs ? o->jobs : o->slurm || have <= 0 ? 1 : (u64)have;
    struct sweep_work w = {.path = o->output,
                           .jobs = (u32)(jobs < JOBS_MOST ? jobs : JOBS_MOST),
                           .chunk = (u32)(o->chunk < CHUNK_MOST ? o->chunk : CHUNK_MOST),
                           .words = words};
    o->sweep.complete = o->bisect.given;
    if ((o->bisect.knee && !knee_check(&o->sweep, o->bisect.knee)) || !bisect_check(&o->bisect, &o->sweep) ||
        sweep_plan(&o->sweep) != EXIT_OK || !file_promise("--output", o->output, o->output))
        return EXIT_INPUT;
    ui_show(stderr, o->sweep.intro.len && !o->sweep.intro.failed ? o->sweep.intro.data : "");
    if (!o->slurm)
        return run_points(o, &w);
    w.cluster = &cluster;
    int status = cluster_open(&cluster, o->slurm_options, w.jobs) ? run_points(o, &w) : EXIT_INPUT;
    cluster_close(&cluster);
    return status;
}

static int run_task(const char *name) {
    struct sweep_options o = {.jobs = 0};
    struct lines l = {.nown = 0};
    char folder[PATH_MAX], **argv;
    u32 task;
    int argc, status = EXIT_INPUT;
    if (sweep_task_name(name, folder, sizeof folder, &task) && sweep_task_words(folder, &o.sweep.arena, &argc, &argv) &&
        read_lines(&o, argc, argv, &l, NULL))
        status = sweep_task(&o.sweep, folder, task, (u32)(!o.jobs ? 1 : o.jobs < JOBS_MOST ? o.jobs : JOBS_MOST));
    sweep_free(&o.sweep);
    return status;
}

static bool agree(const struct sweep_options *o, int npoint) {
    if (!npoint)
        ui_error("which command? heddle sweep run FILE.hd --over NAME=VALUES -o results.db");
    else if (!o->slurm && (o->slurm_options || o->chunk))
        ui_error("%s is for --engine slurm", o->chunk ? "--chunk" : "--slurm");
    else if (!o->output || strcmp(o->output, "-") == 0)
        ui_error(o->output ? "a store is a file, not standard output: -o results.db"
                           : "where do results go? -o results.db");
    else
        return true;
    return false;
}

static int sweep(struct sweep_options *o, int argc, char **argv) {
    struct lines l = {.nown = 0};
    struct buf words = {0};
    int status = EXIT_INPUT;
    if (read_lines(o, argc, argv, &l, &words))
        status = o->task ? run_task(o->task) : agree(o, l.npoint) ? work(o, words) : EXIT_INPUT;
    buf_free(&words);
    return status;
}

int cmd_sweep(int argc, char **argv) {
    if (argc == 1)
        return list_sweeps() ? EXIT_OK : EXIT_INPUT;
    struct sweep_options o = {.jobs = 0};
    int status = sweep(&o, argc, argv);
    sweep_free(&o.sweep);
    return status;
}
