/* heddle schema: the formats of JSON outputs, from scripts/schema.lua. */
#include "sim/cli/command.h"

#include <errno.h>

#include "sim/cli/script.h"

enum { MARKDOWN = 'm' };

struct schema_options {
    const char *name;
    bool markdown;
};

static const struct argp_option options[] = {{"markdown", MARKDOWN, NULL, 0,
                                              "Print Markdown, as in docs/reference/json.md", 1},
                                             OPTION_GROUP(1, "Output:"),
                                             {0}};

static error_t parse(int key, char *arg, struct argp_state *state) {
    struct schema_options *o = state->input;
    switch (key) {
    case MARKDOWN: o->markdown = true; return 0;
    case ARGP_KEY_ARG: return command_one(state, &o->name, arg, "one format at a time");
    default: return ARGP_ERR_UNKNOWN;
    }
}

const struct argp cmd_schema_argp = {
    .options = options,
    .parser = parse,
    .args_doc = "[FORMAT]",
    .doc = "Print the JSON Schema (draft 2020-12) of a format; a JSON output names its own in "
           "its member 'format'; "
           "without a format list them."
           "\vExample: heddle schema run >run.schema.json",
    .children = command_common};

int cmd_schema(int argc, char **argv) {
    struct schema_options o = {0};
    if (!command_parse(&cmd_schema_argp, argc, argv, &o))
        return EXIT_INPUT;
    return script_run_own("schema.lua", 2,
                          (char *[]){(char *)(uintptr_t)(o.name ? o.name : ""), o.markdown ? "markdown" : ""});
}
