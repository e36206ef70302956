/* heddle doc: the manual, from the tables of instructions, faults and metrics. */
#include "sim/cli/command.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "sim/api/heddle.h"
#include "sim/base/diag.h"
#include "sim/cli/doc_counters.h"
#include "sim/cli/ui.h"

struct doc_options {
    const char *topic, *name;
    bool markdown;
};

static const struct argp_option options[] = {
    {"markdown", 'm', NULL, 0, "Print Markdown, as in docs/reference/isa.md and docs/reference/counters.md", 1}, {0}};

static error_t parse(int key, char *arg, struct argp_state *state) {
    struct doc_options *o = state->input;
    switch (key) {
    case 'm': o->markdown = true; return 0;
    case ARGP_KEY_ARG:
        if (state->arg_num > 1) {
            argp_error(state, "one name at a time");
            return EINVAL;
        }
        *(state->arg_num == 0 ? &o->topic : &o->name) = arg;
        return 0;
    case ARGP_KEY_NO_ARGS: argp_error(state, "which manual? heddle doc isa"); return EINVAL;
    default: return ARGP_ERR_UNKNOWN;
    }
}

const struct argp cmd_doc_argp = {
    .options = options,
    .parser = parse,
    .args_doc = "isa [MNEMONIC]\nfaults\nchecks\nadvice\ncounters [NAME]",
    .doc =
        "Print the manual of the instruction set, or of one instruction (shfl, setp.lt, add.f32) or special register "
        "(%tid.x); or the kinds of fault; or what 'heddle run --check' finds; or the "
        "rules of advice; or what a timed launch counts, all of it "
        "or one name (l1.hit_rate, l1).",
    .children = command_common};

static const char *const topics[] = {"isa", "faults", "checks", "advice", "counters"};

static const char *nth_topic(const void *ctx, size_t i) {
    (void)ctx;
    return topics[i];
}

static int print_isa(const struct doc_options *o) {
    struct heddle *h = heddle_new();
    size_t len = 0;
    char *text = h ? heddle_isa_manual(h, o->name, o->markdown, &len) : NULL;
    if (text)
        fwrite(text, 1, len, stdout);
    else
        ui_show(stderr, h ? heddle_error(h) : "heddle: error: out of memory\n");
    heddle_release(text);
    heddle_free(h);
    return text ? EXIT_OK : EXIT_INPUT;
}

static int print_faults(bool markdown) {
    const char *name, *doc;
    if (markdown)
        puts("| fault | meaning |\n|---|---|");
    for (u32 i = 0; heddle_fault_kind(i, &name, &doc); i++)
        printf(markdown ? "| `%s` | %s |\n" : "%-20s %s\n", name, doc);
    return EXIT_OK;
}

/* Each kind, with its classes behind it. */
static int print_checks(bool markdown) {
    const char *name, *doc, *kind, *class, *meaning;
    bool standard, proof;
    if (markdown)
        puts("| checker | finding | meaning |\n|---|---|---|");
    for (u32 i = 0; heddle_check_kind(i, &name, &doc, &standard); i++) {
        printf(markdown ? "| **`%s`** | | %s |\n" : "%s: %s\n", name, doc);
        for (u32 k = 0; heddle_check_class(k, &kind, &class, &meaning, &proof); k++)
            if (strcmp(kind, name) == 0 && markdown)
                printf("| `%s` | `%s` | %s |\n", kind, class, meaning);
            else if (strcmp(kind, name) == 0)
                printf("  %-20s %s\n", class, meaning);
    }
    return EXIT_OK;
}

static int print_advice(bool markdown) {
    const char *name, *action, *doc;
    if (markdown)
        puts("| rule | what to try | because |\n|---|---|---|");
    for (u32 i = 0; heddle_advice_rule(i, &name, &action, &doc); i++)
        printf(markdown ? "| `%s` | %s | %s |\n" : "%-15s %s: %s\n", name, action, doc);
    return EXIT_OK;
}

int cmd_doc(int argc, char **argv) {
    struct doc_options o = {0};
    if (!command_parse(&cmd_doc_argp, argc, argv, &o))
        return EXIT_INPUT;
    if (strcmp(o.topic, "isa") == 0)
        return print_isa(&o);
    if (strcmp(o.topic, "counters") == 0)
        return doc_counters(o.name, o.markdown) ? EXIT_OK : EXIT_INPUT;
    static const struct {
        const char *topic;
        int (*print)(bool markdown);
    } lists[] = {{"faults", print_faults}, {"checks", print_checks}, {"advice", print_advice}};
    for (u32 i = 0; i < COUNT_OF(lists); i++) {
        if (strcmp(o.topic, lists[i].topic) != 0)
            continue;
        if (!o.name)
            return lists[i].print(o.markdown);
        ui_error("'heddle doc %s' lists all of them; it takes no name", o.topic);
        return EXIT_INPUT;
    }
    const char *near = nearest_name(o.topic, COUNT_OF(topics), nth_topic, NULL);
    ui_error("there is no manual '%s'%s%s%s", o.topic,
             near ? "; did you mean '" : "; there are 'isa', 'faults', 'checks', 'advice' and 'counters'",
             near ? near : "", near ? "'?" : "");
    return EXIT_INPUT;
}
