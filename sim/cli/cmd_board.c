/* heddle board: shows a board, or the boards. */
#include "sim/cli/command.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "sim/cli/board.h"
#include "sim/cli/board_report.h"
#include "sim/cli/file.h"
#include "sim/cli/ui.h"

enum { OPT_KEYS = 0x100, OPT_SET, OPT_JSON };

struct board_options {
    struct board_choice choice;
    const char *json; /* file, or "-" */
    bool keys;
};

static const struct argp_option options[] = {
    {"keys", OPT_KEYS, NULL, 0, "Explain every key, with its unit, range and default", 1},
    {"set", OPT_SET, "KEY=VALUE", 0, "Change one value; may be given several times", 1},
    {"json", OPT_JSON, "FILE", 0, "Write values, peaks and warnings as JSON; - is standard output", 1},
    {0}};

static error_t parse(int key, char *arg, struct argp_state *state) {
    struct board_options *o = state->input;
    switch (key) {
    case OPT_KEYS: o->keys = true; return 0;
    case OPT_JSON: o->json = arg; return 0;
    case OPT_SET: return board_choice_set(&o->choice, arg) ? 0 : ENOMEM;
    case ARGP_KEY_ARG: return command_one(state, &o->choice.name, arg, "one board at a time");
    default: return ARGP_ERR_UNKNOWN;
    }
}

const struct argp cmd_board_argp = {
    .options = options,
    .parser = parse,
    .args_doc = "[NAME|FILE.yaml]",
    .doc =
        "Print a board, the machine that a kernel runs on, with the meaning and origin of every value, the peaks that "
        "follow from them, and warnings of settings that cap one. Without a name, list the boards that ship with "
        "heddle.",
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

/* JSON takes the place of the text when it goes to standard output. */
static bool print_board(const struct board_options *o, struct heddle *h) {
    if (o->json && !file_promise("--json", o->json, o->json))
        return false;
    struct buf text = {0}, json = {0};
    bool only_json = o->json && strcmp(o->json, "-") == 0;
    bool ok = only_json || board_report_text(h, &text);
    ok = ok && (!o->json || (board_report_json(h, &json) && file_write(o->json, json.data, json.len)));
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

int cmd_board(int argc, char **argv) {
    struct board_options o = {.keys = false};
    int status = EXIT_INPUT;
    if (command_parse(&cmd_board_argp, argc, argv, &o)) {
        struct heddle *h = heddle_new();
        if (!h)
            ui_error("out of memory");
        else
            status = o.choice.name || o.choice.sets.len || o.json || o.keys ? show(&o, h) : list();
        heddle_free(h);
    }
    buf_free(&o.choice.sets);
    return status;
}
