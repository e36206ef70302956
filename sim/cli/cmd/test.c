/* heddle test: the cases of kernel files, run by scripts/test.lua, which gets options and files as text. */
#include "sim/cli/command.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <unistd.h>

#include "sim/cli/option.h"
#include "sim/cli/resource_dir.h"
#include "sim/cli/script.h"

enum {
    OPT_WARP = 256,
    OPT_CHECK,
    OPT_SUPPRESSIONS,
    OPT_BASELINE,
    OPT_WRITE_BASELINE,
    OPT_TAP,
    OPT_JUNIT,
    OPT_JSON,
    OPT_SHARE
};
enum { JOBS_MAX = 256 };

static const struct argp_option options[] = {
    {"warp", OPT_WARP, "8|16|32|64", 0, "Run cases at this warp width only (default all that each is for)", 1},
    {"jobs", 'j', "N", 0, "Run N at once (default as many as there are processors, of few files 1)", 1},
    {"check", OPT_CHECK, "race|init|sync|mem|value|all", 0,
     "Watch every case with these checkers, as 'heddle run --check' does; what it does not state is a failure", 1},
    {"suppressions", OPT_SUPPRESSIONS, "FILE", 0,
     "Findings that are allowed, as of 'heddle run', besides those of lines ';! allow'", 1},
    {"baseline", OPT_BASELINE, "FILE", 0, "Findings of an earlier run, from --write-baseline: only others fail", 1},
    {"write-baseline", OPT_WRITE_BASELINE, "FILE", 0, "Write what is found and not allowed, for --baseline", 2},
    {"tap", OPT_TAP, NULL, 0, "Print results in the Test Anything Protocol", 2},
    {"junit", OPT_JUNIT, "FILE", 0, "Write results as JUnit's XML; - is standard output", 2},
    {"json", OPT_JSON, "FILE", 0, "Write results as JSON; - is standard output", 2},
    {"share", OPT_SHARE, "K/N", OPTION_HIDDEN, "Run a part of the cases: --jobs starts these", 3},
    OPTION_GROUP(1, "Which cases, and how:"),
    OPTION_GROUP(2, "What is printed and written:"),
    {0}};

struct test_options {
    struct script_call call;
    u64 jobs; /* 0 = not given */
    bool files;
};

static error_t add_file(struct test_options *o, const char *name) {
    char path[PATH_MAX];
    o->files = true;
    return resources_kernels(path, sizeof path, name) ? script_call_add(&o->call, "file", path) : EINVAL;
}

static error_t parse(int key, char *arg, struct argp_state *state) {
    struct test_options *o = state->input;
    u32 warp;
    switch (key) {
    case ARGP_KEY_ARG: return add_file(o, arg);
    case ARGP_KEY_NO_ARGS: argp_error(state, "which files? heddle test FILE.hd or a folder"); return EINVAL;
    case 'j':
        if (!option_count("--jobs", arg, &o->jobs))
            return EINVAL;
        o->jobs = o->jobs < JOBS_MAX ? o->jobs : JOBS_MAX;
        return 0;
    case OPT_WARP:
        if (!option_warp("--warp", arg, &warp))
            return EINVAL;
        break;
    case OPT_CHECK:
        if (!option_checks("--check", arg))
            return EINVAL;
        break;
    default: break;
    }
    return script_call_option(&o->call, options, key, arg);
}

const struct argp cmd_test_argp = {
    .options = options,
    .parser = parse,
    .args_doc = "FILE.hd|FOLDER...",
    .doc = "Run the cases of kernel files, their lines ';! run', each at every warp width that it is for, and "
           "compare with what they expect; of a folder all files below it. Names that are not there are looked up "
           "among the kernels "
           "that ship with heddle. The exit status is 0 when all pass, 1 when one fails, 2 when a file cannot be read."
           "\vExample: heddle test my.hd classic --junit results.xml",
    .children = command_common};

/* Adds the number of jobs at a time, and the program that runs them. */
static error_t add_jobs(struct script_call *c) {
    struct test_options *o = (struct test_options *)c;
    char number[24];
    long have = sysconf(_SC_NPROCESSORS_ONLN);
    error_t e = script_call_self(c);
    u64 jobs = o->jobs ? o->jobs : have > 0 ? (u64)have : 1;
    snprintf(number, sizeof number, "%llu", (unsigned long long)jobs);
    e = e ? e : script_call_add(&o->call, "jobs", number);
    return e || !o->jobs ? e : script_call_add(&o->call, "explicit", NULL);
}

int cmd_test(int argc, char **argv) {
    struct test_options o = {.call = {.script = "test.lua", .finish = add_jobs}};
    return script_command(&cmd_test_argp, argc, argv, &o.call);
}
