/* heddle board: shows a board, lists them, or compares several. */
#include "sim/cli/command.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "sim/cli/board/board.h"
#include "sim/cli/compare.h"
#include "sim/cli/file.h"
#include "sim/cli/ui.h"

enum { OPT_SET = 0x100 };

struct board_options {
    struct board_choice choice; /* of the first name */
    struct buf names;           /* list of char * */
    struct compare_output output;
    bool keys, all;
};

static const struct argp_option options[] = {
    {"keys", KEEP_FLAG(board_options, keys), NULL, 0, "Explain every key, with its unit, range and default", 1},
    {"set", OPT_SET, "KEY=VALUE", 0, "Change one value; may be given several times", 1},
    {"json", KEEP_TEXT(board_options, output.json), "FILE", 0,
     "Write values, peaks and warnings as JSON; - is standard output", 3},
    {"all", KEEP_FLAG(board_options, all), NULL, 0, "Of several boards, show also what is the same", 2},
    {"markdown", KEEP_FILE(board_options, output.markdown), "FILE", OPTION_ARG_OPTIONAL,
     "Of several boards, write the tables as Markdown; without a FILE to standard output, in place of the text", 3},
    {"csv", KEEP_FILE(board_options, output.csv), "FILE", OPTION_ARG_OPTIONAL,
     "Of several boards, write one table of comma-separated values; without a FILE to standard output, in place of the "
     "text",
     3},
    OPTION_GROUP(1, "One board:"),
    OPTION_GROUP(2, "Several boards:"),
    OPTION_GROUP(3, "Output:"),
    {0}};

static error_t parse(int key, char *arg, struct argp_state *state) {
    struct board_options *o = state->input;
    switch (key) {
    case OPT_SET: return board_choice_set(&o->choice, arg) ? 0 : ENOMEM;
    case ARGP_KEY_ARG:
        buf_append(&o->names, &arg, sizeof arg);
        o->choice.name = o->choice.name ? o->choice.name : arg;
        return o->names.failed ? ENOMEM : 0;
    default: return command_keep(state, key, arg);
    }
}

const struct argp cmd_board_argp = {
    .options = options,
    .parser = parse,
    .args_doc = "[NAME|FILE.yaml...]",
    .doc =
        "Print a board, the machine that a kernel runs on, with the meaning and origin of every value, the peaks that "
        "follow from them, and warnings of settings that cap one. Of several boards, print what differs. Without a "
        "name, list the boards that ship with heddle.",
    .children = command_common};

static int list(void) {
    struct resource_dir s;
    board_dir_open(&s);
    bool any = resource_dir_list(&s);
    resource_dir_close(&s);
    return any ? EXIT_OK : EXIT_INPUT;
}

static bool print_keys(struct heddle *h) {
    char *text = heddle_board_keys(h, NULL);
    if (text)
        fputs(text, stdout);
    else
        ui_show(stderr, heddle_error(h));
    heddle_release(text);
    return text != NULL;
}

/* Prints the board; JSON on standard output replaces the text. */
static bool print_board(const struct board_options *o, struct heddle *h) {
    if (o->output.json && !file_promise("--json", o->output.json, o->output.json))
        return false;
    struct buf text = {0}, json = {0};
    bool only_json = o->output.json && strcmp(o->output.json, "-") == 0;
    bool ok = only_json || board_report_text(h, &text);
    ok = ok && (!o->output.json || (board_report_json(h, &json) && file_write(o->output.json, json.data, json.len)));
    if (ok && text.len)
        fwrite(text.data, 1, text.len, stdout);
    buf_free(&text);
    buf_free(&json);
    return ok;
}

static int show(const struct board_options *o, struct heddle *h) {
    if (!board_apply(&o->choice, h))
        return EXIT_INPUT;
    return (o->keys ? print_keys(h) : print_board(o, h)) ? EXIT_OK : EXIT_INPUT;
}

static int one(const struct board_options *o) {
    struct heddle *h = heddle_new();
    int status = EXIT_INPUT;
    if (!h)
        ui_error("out of memory");
    else
        status = o->choice.name || o->choice.sets.len || o->output.json || o->keys ? show(o, h) : list();
    heddle_free(h);
    return status;
}

struct shown {
    const struct board_compare *boards;
    bool all;
};

static bool put(const void *ctx, enum compare_form form, struct buf *out) {
    const struct shown *s = ctx;
    if (form == COMPARE_JSON)
        return board_compare_json(s->boards, s->all, out);
    board_compare_text(s->boards, form, s->all, out);
    return !out->failed;
}

static int several(const struct board_options *o) {
    struct board_compare b = {.n = 0};
    const struct shown shown = {&b, o->all};
    bool ok = board_compare_read(&b, &o->names, &o->choice.sets) && compare_output_promise(&o->output) &&
              compare_output_write(&o->output, put, &shown);
    board_compare_free(&b);
    return ok ? EXIT_OK : EXIT_INPUT;
}

/* Checks the options for one board or for several (`many`). False after a message. */
static bool agree(const struct board_options *o, bool many) {
    const char *alone = many                 ? NULL
                        : o->all             ? "--all"
                        : o->output.csv      ? "--csv"
                        : o->output.markdown ? "--markdown"
                                             : NULL;
    if (alone)
        ui_error("%s compares boards: name two or more, 'heddle board v100 a100 %s'", alone, alone);
    if (many && o->keys)
        ui_error("--keys explains the keys that every board has: one board at a time");
    return !alone && !(many && o->keys);
}

int cmd_board(int argc, char **argv) {
    struct board_options o = {.keys = false};
    int status = EXIT_INPUT;
    if (command_parse(&cmd_board_argp, argc, argv, &o)) {
        bool many = o.names.len > sizeof(char *);
        status = !agree(&o, many) ? EXIT_INPUT : many ? several(&o) : one(&o);
    }
    buf_free(&o.choice.sets);
    buf_free(&o.names);
    return status;
}
