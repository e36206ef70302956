/* heddle diff: what changed between two runs. */
#include "sim/cli/command.h"

#include <errno.h>
#include <string.h>

#include "sim/base/diag.h"
#include "sim/cli/compare.h"
#include "sim/cli/diff/diff.h"
#include "sim/cli/ui.h"

enum { OPT_FAIL_IF = 0x100 };

struct diff_options {
    struct buf files; /* list of char * */
    struct compare_output output;
    bool all;
    struct diff_conditions conditions;
};

static const struct argp_option options[] = {
    {"all", KEEP_FLAG(diff_options, all), NULL, 0, "Show every difference, not only the largest", 1},
    {"fail-if", OPT_FAIL_IF, "CONDITION", 0,
     "End with status 1 if a later run is so, else with 0: 'cycles > +5%' and 'seconds < -10%' compare with the first "
     "run, 'l2.hit_rate < 80' and 'seconds > 2ms' with a number; may be given several times",
     1},
    {"markdown", KEEP_FILE(diff_options, output.markdown), "FILE", OPTION_ARG_OPTIONAL,
     "Write the tables as Markdown; without a FILE to standard output, in place of the text", 2},
    {"csv", KEEP_FILE(diff_options, output.csv), "FILE", OPTION_ARG_OPTIONAL,
     "Write every difference as one table of comma-separated values; without a FILE to standard output, in place of "
     "the text",
     2},
    {"json", KEEP_TEXT(diff_options, output.json), "FILE", 0,
     "Write the differences as JSON; - is standard output, in place of the text", 2},
    OPTION_GROUP(1, "What is compared:"),
    OPTION_GROUP(2, "Files that are written:"),
    {0}};

static error_t parse(int key, char *arg, struct argp_state *state) {
    struct diff_options *o = state->input;
    switch (key) {
    case OPT_FAIL_IF: return diff_condition(&o->conditions, arg) ? 0 : EINVAL;
    case ARGP_KEY_ARG: buf_append(&o->files, &arg, sizeof arg); return o->files.failed ? ENOMEM : 0;
    case ARGP_KEY_NO_ARGS: argp_error(state, "which results? heddle diff A.json B.json"); return EINVAL;
    default: return command_keep(state, key, arg);
    }
}

const struct argp cmd_diff_argp = {
    .options = options,
    .parser = parse,
    .args_doc = "A.json B.json [C.json...]",
    .doc =
        "Say what changed from A to the others, results of 'heddle run --json': time and what bounds it, metrics and "
        "keys of the board by how much they have to do with it, bytes of each buffer, and the instructions that "
        "made the difference."
        "\vExit status: 0 when nothing differs, 1 when something does; with --fail-if 1 when a condition is met, else "
        "0; 2 for wrong usage or input.",
    .children = command_common};

static bool read_all(const struct diff_options *o, struct diff_runs *runs) {
    const char *const *file = (const char *const *)(const void *)o->files.data;
    bool ok = true;
    for (size_t i = 0; i < o->files.len / sizeof *file && ok; i++)
        ok = diff_read(runs, file[i]);
    if (ok && runs->n < 2)
        ui_error("there is no second result: heddle diff A.json B.json");
    diff_name(runs);
    return ok && runs->n >= 2;
}

struct shown {
    const struct diff_runs *runs;
    const json_t *diff;
    bool all;
};

/* Prints a form. Results may be from anywhere: control characters never reach a terminal. */
static bool put(const void *ctx, enum compare_form form, struct buf *out) {
    const struct shown *s = ctx;
    const struct diff_style style = {.form = form, .all = s->all, .more = "--all shows them"};
    struct buf text = {0};
    if (form == COMPARE_JSON)
        return json_write(s->diff, out);
    diff_write(s->runs, s->diff, &style, form == COMPARE_CSV ? out : &text); /* needs no cleaning, and is not cut */
    for (size_t at = 0, len; at < text.len; at += len + 1) {
        len = strcspn(text.data + at, "\n");
        diag_put_text(out, text.data + at, len);
        buf_putc(out, '\n');
    }
    bool ok = !text.failed && !out->failed;
    buf_free(&text);
    return ok;
}

static int compare(const struct diff_options *o, const struct diff_runs *runs) {
    bool judged = o->conditions.n > 0, met = false;
    json_t *verdicts = json_list(), *diff = NULL;
    int status = EXIT_INPUT;
    if (diff_judge(&o->conditions, runs, verdicts, &met) && compare_output_promise(&o->output)) {
        diff = diff_of(runs);
        if (!diff)
            ui_error("out of memory");
        else if (judged)
            json_put(diff, "conditions", json_incref(verdicts));
        const struct shown shown = {runs, diff, o->all};
        if (diff && compare_output_write(&o->output, put, &shown))
            status = (judged ? met : !json_is_true(json_object_get(diff, "same"))) ? EXIT_FAULT : EXIT_OK;
        diff_show_met(&o->conditions, runs, verdicts);
    }
    json_decref(verdicts);
    json_decref(diff);
    return status;
}

int cmd_diff(int argc, char **argv) {
    struct diff_options o = {.all = false};
    struct diff_runs runs = {.n = 0};
    bool ready = command_parse(&cmd_diff_argp, argc, argv, &o) && read_all(&o, &runs);
    int status = ready ? compare(&o, &runs) : EXIT_INPUT;
    diff_free(&runs);
    buf_free(&o.files);
    return status;
}
