/* heddle doc: the manual, from the tables of instructions, faults and metrics, and any word that heddle explains. */
#include "sim/cli/command.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "sim/api/heddle.h"
#include "sim/cli/doc/doc.h"
#include "sim/cli/ui.h"

struct doc_options {
    char **words;
    size_t count;
    bool markdown;
};

static const struct argp_option options[] = {
    {"markdown", 'm', NULL, 0, "Print Markdown, as in docs/reference/isa.md and docs/reference/counters.md", 1},
    OPTION_GROUP(1, "Output:"),
    {0}};

static error_t parse(int key, char *arg, struct argp_state *state) {
    struct doc_options *o = state->input;
    (void)arg;
    switch (key) {
    case 'm': o->markdown = true; return 0;
    case ARGP_KEY_ARGS:
        o->words = state->argv + state->next;
        o->count = (size_t)(state->argc - state->next);
        return 0;
    case ARGP_KEY_NO_ARGS:
        argp_error(state, "which word? heddle doc WORD, or a whole manual: heddle doc isa");
        return EINVAL;
    default: return command_keep(state, key, arg);
    }
}

const struct argp cmd_doc_argp = {
    .options = options,
    .parser = parse,
    .args_doc = "WORD...\nisa [MNEMONIC]\nfaults\nchecks\nadvice\ncounters [NAME]",
    .doc =
        "Explain a word: of heddle, an instruction, directive, special register, metric, counter, stall reason, "
        "key of the board, option, command, Lua function, fault, finding, rule of advice, kernel or term; of CUDA, "
        "OpenCL, PTX and the profilers (threadIdx, get_global_id, cp.async, dram__bytes_read.sum), what it is in "
        "heddle, "
        "or what is nearest. Then follow names and texts with all of the words, and passages of the pages."
        "\vWhole manuals: isa, the instruction set, or an instruction (shfl, setp.lt, add.f32) or special register "
        "(%tid.x); faults; checks, what 'heddle run --check' finds; advice, its rules; counters, what a timed launch "
        "counts, or one name "
        "(l1.hit_rate, l1). Exit status: 0 when something was found, 1 when nothing was, 2 for wrong usage.",
    .children = command_common};

/* Returns the word after the name of a manual; NULL if there is none. */
static const char *name_of(const struct doc_options *o) {
    return o->count > 1 ? o->words[1] : NULL;
}

static int print_isa(const struct doc_options *o) {
    struct heddle *h = heddle_new();
    size_t len = 0;
    char *text = h ? heddle_isa_manual(h, name_of(o), o->markdown, &len) : NULL;
    if (text)
        fwrite(text, 1, len, stdout);
    else
        ui_show(stderr, h ? heddle_error(h) : "heddle: error: out of memory\n");
    heddle_release(text);
    heddle_free(h);
    return text ? EXIT_OK : EXIT_INPUT;
}

static int print_faults(const struct doc_options *o) {
    const char *name, *doc;
    if (o->markdown)
        puts("| fault | meaning |\n|---|---|");
    for (u32 i = 0; heddle_fault_kind(i, &name, &doc); i++)
        printf(o->markdown ? "| `%s` | %s |\n" : "%-20s %s\n", name, doc);
    return EXIT_OK;
}

/* Prints each kind, followed by its classes. */
static int print_checks(const struct doc_options *o) {
    const char *name, *doc, *kind, *class, *meaning;
    enum heddle_by by;
    bool standard;
    if (o->markdown)
        puts("| checker | finding | meaning |\n|---|---|---|");
    for (u32 i = 0; heddle_check_kind(i, &name, &doc, &standard); i++) {
        printf(o->markdown ? "| **`%s`** | | %s |\n" : "%s: %s\n", name, doc);
        for (u32 k = 0; heddle_check_class(k, &kind, &class, &meaning, &by); k++)
            if (strcmp(kind, name) == 0 && o->markdown)
                printf("| `%s` | `%s` | %s |\n", kind, class, meaning);
            else if (strcmp(kind, name) == 0)
                printf("  %-20s %s\n", class, meaning);
    }
    puts(o->markdown ? "| **`lint`** | | warnings of `heddle lint`, which runs nothing |"
                     : "lint: warnings without a run");
    for (u32 k = 0; heddle_lint_class(k, &class, &meaning); k++)
        printf(o->markdown ? "| `lint` | `%s` | %s |\n" : "  %-20s %s\n", class, meaning);
    return EXIT_OK;
}

static int print_contents(const struct doc_options *o) {
    const char *where, *how, *doc;
    bool written;
    if (o->markdown)
        puts("| in | counts as | made by | holds |\n|---|---|---|---|");
    for (u32 i = 0; heddle_content(i, &where, &how, &doc, &written); i++)
        printf(o->markdown ? "| %s | %s | `%s` | %s |\n" : "%-17s %-9s  %s\n", where, written ? "written" : "unwritten",
               how, doc);
    return EXIT_OK;
}

static int print_advice(const struct doc_options *o) {
    const char *name, *action, *doc;
    if (o->markdown)
        puts("| rule | what to try | because |\n|---|---|---|");
    for (u32 i = 0; heddle_advice_rule(i, &name, &action, &doc); i++)
        printf(o->markdown ? "| `%s` | %s | %s |\n" : "%-15s %s: %s\n", name, action, doc);
    return EXIT_OK;
}

static int print_counters(const struct doc_options *o) {
    return doc_counters(name_of(o), o->markdown) ? EXIT_OK : EXIT_INPUT;
}

static const struct {
    const char *name;
    int (*print)(const struct doc_options *o);
    size_t words; /* most words, with its own */
    const char *text;
} manuals[] = {
#define MANUAL(name, words, text) {#name, print_##name, words, text},
#include "sim/cli/doc/manuals.def"
};

int cmd_doc(int argc, char **argv) {
    struct doc_options o = {0};
    if (!command_parse(&cmd_doc_argp, argc, argv, &o))
        return EXIT_INPUT;
    for (size_t i = 0; i < COUNT_OF(manuals); i++)
        if (strcmp(o.words[0], manuals[i].name) == 0 && o.count <= manuals[i].words)
            return manuals[i].print(&o);
    return doc_find((const char *const *)o.words, o.count, o.markdown);
}
