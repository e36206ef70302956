/* heddle report: results as a page of HTML. scripts/report.lua writes it, and gets options and files as text. */
#include "sim/cli/command.h"

#include <errno.h>

#include "sim/cli/script.h"

enum { OPT_COLUMNS = 0x100 };

static const struct argp_option options[] = {
    {"output", 'o', "FILE.html", 0, "Write the page there; - is standard output", 1},
    {"columns", OPT_COLUMNS, "NAME,...", 0,
     "Of a sweep draw these columns: 'time', 'bound' (by what), 'rate.dram' and others (default time,bound)", 1},
    OPTION_GROUP(1, "Output:"),
    {0}};

struct report_options {
    struct script_call call;
    bool output;
};

static error_t parse(int key, char *arg, struct argp_state *state) {
    struct report_options *o = state->input;
    switch (key) {
    case ARGP_KEY_ARG: return script_call_add(&o->call, "file", arg);
    case ARGP_KEY_NO_ARGS: argp_error(state, "which result? heddle report run.json -o run.html"); return EINVAL;
    case ARGP_KEY_SUCCESS:
        if (!o->output)
            argp_error(state, "where to? --output FILE.html");
        return o->output ? 0 : EINVAL;
    case 'o': o->output = true; break;
    default: break;
    }
    return script_call_option(&o->call, options, key, arg);
}

const struct argp cmd_report_argp = {
    .options = options,
    .parser = parse,
    .args_doc = "RESULT.json...|SWEEP.db",
    .doc = "Write results of 'heddle run --json' as a page of HTML, one file that needs no other and no network: time "
           "and what bounds it, the roofline, memory traffic, stalls, the source with what each line costs, lanes, "
           "occupancy, energy. Several results stand side by side. For the store of a sweep the page draws curves over "
           "its axes."
           "\vExample: heddle run classic/saxpy --board v100 --json run.json && heddle report run.json -o run.html",
    .children = command_common};

int cmd_report(int argc, char **argv) {
    struct report_options o = {.call = {.script = "report.lua", .finish = script_call_self}};
    return script_command(&cmd_report_argp, argc, argv, &o.call);
}
