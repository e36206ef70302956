/* heddle diff: what changed between two runs. */
#include "sim/cli/command.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "sim/base/diag.h"
#include "sim/cli/diff.h"
#include "sim/cli/file.h"
#include "sim/cli/ui.h"

enum { OPT_JSON = 0x100, OPT_ALL };

struct diff_options {
    const char *file[2];
    const char *json;
    bool all;
};

static const struct argp_option options[] = {
    {"all", OPT_ALL, NULL, 0, "Show every difference, not only the largest", 1},
    {"json", OPT_JSON, "FILE", 0, "Write the differences as JSON; - is standard output, in place of the text", 1},
    {0}};

static error_t parse(int key, char *arg, struct argp_state *state) {
    struct diff_options *o = state->input;
    switch (key) {
    case OPT_ALL: o->all = true; return 0;
    case OPT_JSON: o->json = arg; return 0;
    case ARGP_KEY_ARG:
        if (state->arg_num > 1) {
            argp_error(state, "two results are compared, not more");
            return EINVAL;
        }
        o->file[state->arg_num] = arg;
        return 0;
    case ARGP_KEY_END:
        if (state->arg_num == 2)
            return 0;
        argp_error(state, "which two results? heddle diff A.json B.json");
        return EINVAL;
    default: return ARGP_ERR_UNKNOWN;
    }
}

const struct argp cmd_diff_argp = {
    .options = options,
    .parser = parse,
    .args_doc = "A.json B.json",
    .doc = "Say what changed from A to B, two results of 'heddle run --json': time and what bounds it, metrics, bytes "
           "of each buffer, waiting, and the instructions that made the difference."
           "\vExit status: 0 when nothing differs, 1 when something does, 2 for wrong usage or input.",
    .children = command_common};

/* Results are files of any origin: control characters are not sent to a terminal. */
static void put_text(const struct diff_options *o, const json_t *diff, struct buf *out) {
    struct buf text = {0};
    diff_text(diff, o->file[0], o->file[1], o->all, &text);
    for (size_t at = 0, len; at < text.len; at += len + 1) {
        len = strcspn(text.data + at, "\n");
        diag_put_text(out, text.data + at, len);
        buf_putc(out, '\n');
    }
    out->failed |= text.failed;
    buf_free(&text);
}

static int report(const struct diff_options *o, const json_t *diff) {
    struct buf text = {0}, json = {0};
    bool ok = !o->json || json_write(diff, &json);
    if (!(o->json && strcmp(o->json, "-") == 0))
        put_text(o, diff, &text);
    ok = ok && !text.failed;
    if (!ok)
        ui_error("out of memory");
    ok = ok && (!o->json || file_write(o->json, json.data, json.len));
    if (ok && text.len)
        fwrite(text.data, 1, text.len, stdout);
    buf_free(&text);
    buf_free(&json);
    if (!ok)
        return EXIT_INPUT;
    return json_is_true(json_object_get(diff, "same")) ? EXIT_OK : EXIT_FAULT;
}

int cmd_diff(int argc, char **argv) {
    struct diff_options o = {.all = false};
    if (!command_parse(&cmd_diff_argp, argc, argv, &o))
        return EXIT_INPUT;
    json_t *a = diff_read(o.file[0]), *b = a ? diff_read(o.file[1]) : NULL;
    bool ready = a && b && (!o.json || file_promise("--json", o.json, o.json));
    json_t *diff = ready ? diff_of(a, b) : NULL;
    if (ready && !diff)
        ui_error("out of memory");
    int status = diff ? report(&o, diff) : EXIT_INPUT;
    json_decref(a);
    json_decref(b);
    json_decref(diff);
    return status;
}
