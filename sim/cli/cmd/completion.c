/* heddle completion: scripts for bash, zsh and fish, written from the tables of commands and options (completion.h). */
#include "sim/cli/command.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "sim/api/heddle.h"
#include "sim/cli/board/board.h"
#include "sim/cli/completion/completion.h"
#include "sim/cli/doc/doc.h"
#include "sim/cli/file.h"
#include "sim/cli/program.h"
#include "sim/cli/resource_dir.h"
#include "sim/cli/sweep/plan/plan.h"
#include "sim/cli/ui.h"
#include "sim/file/shipped.h"

static const struct {
    const char *name;
    void (*print)(struct buf *out);
} shells[] = {{"bash", completion_bash}, {"zsh", completion_zsh}, {"fish", completion_fish}};

struct completion_options {
    const char *shell, *words;
    char **line; /* with --words: the command line to complete */
    int count;
};

static const struct argp_option options[] = {{"words", KEEP_TEXT(completion_options, words), "WHAT", OPTION_HIDDEN,
                                              "Print names: keys, axes, metrics, columns, kernels, doc; of the kernel "
                                              "in a command line: cases, buffers, prints, numbers",
                                              1},
                                             {0}};

static error_t parse(int key, char *arg, struct argp_state *state) {
    struct completion_options *o = state->input;
    switch (key) {
    case ARGP_KEY_ARGS:
        o->line = state->argv + state->next;
        o->count = state->argc - state->next;
        o->shell = o->line[0];
        return o->words || o->count == 1 ? 0 : command_one(state, &o->shell, o->line[1], "one shell at a time");
    case ARGP_KEY_NO_ARGS:
        if (o->words)
            return 0;
        argp_error(state, "which shell? bash, zsh or fish");
        return EINVAL;
    default: return command_keep(state, key, arg);
    }
}

const struct argp cmd_completion_argp = {.options = options,
                                         .parser = parse,
                                         .args_doc = "bash|zsh|fish",
                                         .doc =
                                             "Print a completion script. For bash: eval \"$(heddle completion bash)\".",
                                         .children = command_common};

/* ---- words for the scripts ---- */

static void put_keys(const char *suffix, struct buf *out) {
    struct heddle_board_value v;
    struct heddle *h = heddle_new();
    for (u32 i = 0; h && board_key_at(h, i, &v); i++)
        buf_printf(out, "%s%s\n", v.key, suffix);
    heddle_free(h);
}

/* Lists boards that ship, and what heddle board does with them. */
static void put_boards(struct buf *out) {
    struct resource_dir s;
#define BOARD_ACTION(name, doc) buf_puts(out, #name "\n");
#include "sim/cli/board/actions.def"
    board_dir_open(&s);
    resource_dir_print(&s, out);
    resource_dir_close(&s);
}

/* Lists the possible axes of a sweep: keys of the board, kernels, options of a run. */
static void put_axes(struct buf *out) {
    put_keys("=", out);
    buf_puts(out, "kernel=\n");
    for (size_t i = 0; column_option(i); i++)
        buf_printf(out, "%s=\n", column_option(i));
}

static void put_metrics(struct buf *out) {
    struct heddle_metric m;
    for (u32 i = 0; heddle_metric_row(i, &m); i++)
        buf_printf(out, "%s\n", m.name);
}

/* Finds the kernel file of a command line: its first word that is one. */
static bool find_kernel(const struct completion_options *o, char path[PATH_MAX]) {
    for (int i = 2; i < o->count; i++) { /* after "heddle run" */
        const char *name = o->line[i];
        if (*name == '-' || strchr(name, '=') || !*name)
            continue;
        snprintf(path, PATH_MAX, "%s", name);
        if ((file_exists(path) || resources_kernel(path, PATH_MAX, name)) && file_exists(path))
            return true;
    }
    return false;
}

static bool is_first(const struct heddle_program *p, u32 kernel, const char *name) {
    struct heddle_param_info param;
    for (u32 k = 0; k < kernel; k++)
        for (u32 i = 0; heddle_param_info(p, k, i, &param); i++)
            if (strcmp(param.name, name) == 0)
                return false;
    return true;
}

/* Lists the parameters of all kernels of the file, each once: buffers or numbers, each with `suffix` appended. */
static void put_params(const struct completion_options *o, bool buffers, const char *suffix, struct buf *out) {
    char path[PATH_MAX];
    struct loaded l = {0};
    struct heddle_kernel_info info;
    struct heddle_param_info param;
    if (find_kernel(o, path) && program_open(&l, path))
        for (u32 k = 0; heddle_kernel_info(l.program, k, &info); k++)
            for (u32 i = 0; heddle_param_info(l.program, k, i, &param); i++)
                if (param.buffer == buffers && is_first(l.program, k, param.name))
                    buf_printf(out, "%s%s\n", param.name, suffix);
    program_close(&l);
}

/* Lists numbers and names of cases: each kernel after ";! run" is one. */
static void put_cases(const struct completion_options *o, struct buf *out) {
    struct buf text = {0};
    char path[PATH_MAX];
    u32 n = 0;
    if (find_kernel(o, path) && file_read(path, &text))
        for (const char *p = text.data ? text.data : ""; (p = strstr(p, ";!")) != NULL; p++) {
            const char *word = p + 2 + strspn(p + 2, " \t"), *end = word + strcspn(word, "\n");
            if (strncmp(word, "run", 3) != 0 || !strchr(" \t", word[3]))
                continue;
            word += 3 + strspn(word + 3, " \t");
            for (size_t len = 0; word < end && (len = strcspn(word, ", \t\n")) > 0; word += len + (word[len] == ',')) {
                buf_printf(out, "%u\n", ++n);
                if (word[len] != ',')
                    break;
            }
            const char *name = strstr(word, " name=");
            if (name && name < end)
                buf_printf(out, "%.*s\n", (int)strcspn(name + 6, " \t\n"), name + 6);
        }
    buf_free(&text);
}

static bool put_words(const struct completion_options *o, struct buf *out) {
    const char *what = o->words;
    if (strcmp(what, "keys") == 0)
        put_keys("=", out);
    else if (strcmp(what, "boards") == 0)
        put_boards(out);
    else if (strcmp(what, "axes") == 0)
        put_axes(out);
    else if (strcmp(what, "columns") == 0)
        put_metrics(out), put_keys("", out);
    else if (strcmp(what, "metrics") == 0)
        put_metrics(out);
    else if (strcmp(what, "kernels") == 0 && resources_root())
        shipped_kernels(resources_root(), out);
    else if (strcmp(what, "doc") == 0)
        doc_find_names(out);
    else if (strcmp(what, "cases") == 0)
        put_cases(o, out);
    else if (strcmp(what, "buffers") == 0 || strcmp(what, "prints") == 0)
        put_params(o, true, *what == 'b' ? "=" : "", out);
    else if (strcmp(what, "numbers") == 0)
        put_params(o, false, "=", out);
    else
        ui_error_as("--words",
                    "'%s' is none of keys, axes, metrics, columns, kernels, doc, cases, buffers, prints and numbers",
                    what);
    return out->data != NULL;
}

int cmd_completion(int argc, char **argv) {
    struct completion_options o = {0};
    struct buf out = {0};
    if (!command_parse(&cmd_completion_argp, argc, argv, &o))
        return EXIT_INPUT;
    if (o.words) {
        if (put_words(&o, &out))
            fwrite(out.data, 1, out.len, stdout);
        buf_free(&out);
        return EXIT_OK;
    }
    for (u32 i = 0; i < COUNT_OF(shells); i++)
        if (strcmp(shells[i].name, o.shell) == 0)
            shells[i].print(&out);
    if (out.failed)
        ui_error("out of memory");
    else if (!out.data)
        ui_error("unknown shell '%s'; expected bash, zsh or fish", o.shell);
    else
        fwrite(out.data, 1, out.len, stdout);
    int status = out.data && !out.failed ? EXIT_OK : EXIT_INPUT;
    buf_free(&out);
    return status;
}
