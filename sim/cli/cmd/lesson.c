/* heddle lesson: lessons, and the grading of kernels, by scripts/lesson.lua, which gets the options as text. */
#include "sim/cli/command.h"

#include <errno.h>
#include <string.h>

#include "sim/cli/script.h"

enum {
    OPT_START = 256,
    OPT_HINT,
    OPT_PREDICT,
    OPT_PAYOFF,
    OPT_HAND_IN,
    OPT_SEED,
    OPT_LESSONS,
    OPT_TEST,
    OPT_CHECK,
    OPT_POINTS,
    OPT_JSON,
    OPT_CSV,
    OPT_MARKS,
    OPT_GRADESCOPE,
    OPT_CLASSROOM,
    OPT_PART
};

static const struct argp_option options[] = {
    {"start", OPT_START, "FILE.hd", 0, "Write the kernel to begin with there; a file is not replaced", 1},
    {"hint", OPT_HINT, "1|2|3", 0, "Show a hint", 1},
    {"predict", OPT_PREDICT, "NUMBER[,NUMBER]", 0,
     "Answer the page's question before the run, the second time with both", 1},
    {"payoff", OPT_PAYOFF, "FILE.hd", OPTION_ARG_OPTIONAL,
     "Compare cycles at a size of real use: of the kernel to begin with, and of this one, or the solution", 1},
    {"hand-in", OPT_HAND_IN, "FILE.hd", 0, "Print a kernel as a line of text that --check grades, as the page does", 1},
    {"seed", OPT_SEED, "NAME", 0, "Draw sizes, data and the question's numbers for this student", 1},
    {"lessons", OPT_LESSONS, "FOLDER", 0, "Take the lessons of this folder in place of those that ship", 1},
    {"test", OPT_TEST, NULL, 0, "Grade the solution, the kernel to begin with and the wrong solutions of lessons", 1},
    {"check", OPT_CHECK, "FILE.hd|FILE.csv|FOLDER", 0,
     "Grade a kernel, the lines of a table, or all below a folder, a row for each; without N, of all lessons", 2},
    {"points", OPT_POINTS, "NUMBER", 0, "Points of a lesson, for the share of its gates that is passed (100)", 2},
    {"csv", OPT_CSV, NULL, 0, "Print the grades as CSV", 2},
    {"json", OPT_JSON, "FILE", 0, "Write the grades as JSON; - is standard output", 2},
    {"marks", OPT_MARKS, "FILE", 0, "Write a row for each student, points for each lesson, as CSV", 2},
    {"gradescope", OPT_GRADESCOPE, "FILE", 0, "Write one student's grades as the results.json of Gradescope", 2},
    {"classroom", OPT_CLASSROOM, "FILE", 0, "Write one student's grades as the JSON of a GitHub Classroom runner", 2},
    {"jobs", 'j', "N", 0, "Processes that grade at once (1)", 2},
    {"part", OPT_PART, "I/N", 0, "Grade every N-th kernel from the I-th on, as a job of several", 2},
    OPTION_GROUP(1, "A lesson:"),
    OPTION_GROUP(2, "Grades:"),
    {0}};

struct lesson_options {
    struct script_call call;
    const char *number;
    const char *what; /* the option that selects the action; NULL = show the page */
    bool graded;      /* an option that belongs to --check */
};

static const char *name_of(int key) {
    for (const struct argp_option *row = options; row->name; row++)
        if (row->key == key)
            return row->name;
    return NULL;
}

/* Stores an option that selects an action. */
static error_t choose(struct lesson_options *o, int key, struct argp_state *state) {
    const char *name = name_of(key);
    if (o->what) {
        argp_error(state, "--%s and --%s: choose one", o->what, name);
        return EINVAL;
    }
    o->what = name;
    return 0;
}

static error_t finish(const struct lesson_options *o, struct argp_state *state) {
    if (o->what && !o->number && strcmp(o->what, "check") != 0 && strcmp(o->what, "test") != 0)
        argp_error(state, "--%s needs a lesson: heddle lesson 1 --%s ...", o->what, o->what);
    else if (o->graded && (!o->what || strcmp(o->what, "check") != 0))
        argp_error(state, "options of grades go with --check");
    else
        return 0;
    return EINVAL;
}

static error_t parse(int key, char *arg, struct argp_state *state) {
    struct lesson_options *o = state->input;
    error_t e = 0;
    switch (key) {
    case ARGP_KEY_ARG:
        e = command_one(state, &o->number, arg, "one lesson at a time; a kernel follows --check");
        return e ? e : script_call_add(&o->call, "lesson", arg);
    case ARGP_KEY_SUCCESS: return finish(o, state);
    case OPT_START:
    case OPT_HINT:
    case OPT_PREDICT:
    case OPT_PAYOFF:
    case OPT_HAND_IN:
    case OPT_TEST:
    case OPT_CHECK: e = choose(o, key, state); break;
    case OPT_POINTS:
    case OPT_JSON:
    case OPT_CSV:
    case OPT_MARKS:
    case OPT_GRADESCOPE:
    case OPT_CLASSROOM:
    case 'j':
    case OPT_PART: o->graded = true; break;
    default: break;
    }
    return e ? e : script_call_option(&o->call, options, key, arg);
}

const struct argp cmd_lesson_argp = {
    .options = options,
    .parser = parse,
    .args_doc = "[N]",
    .doc = "Learn how a GPU works, a lesson at a time: a page, a kernel to begin with, hints, and a grade that never "
           "depends on time. Without a number, list the lessons. The exit status of --check is 0 when the kernel has "
           "passed, or all have, 1 when not, 2 when it cannot be read; of --predict it is 0 or 1."
           "\vExample: heddle lesson 1 --start mine.hd && heddle lesson 1 --check mine.hd",
    .children = command_common};

int cmd_lesson(int argc, char **argv) {
    struct lesson_options o = {.call = {.script = "lesson.lua", .finish = script_call_self}};
    return script_command(&cmd_lesson_argp, argc, argv, &o.call);
}
