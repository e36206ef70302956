/* heddle board: shows a board, lists them, compares several, writes a new one. */
#include "sim/cli/command.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "sim/cli/board/board.h"
#include "sim/cli/compare.h"
#include "sim/cli/file.h"
#include "sim/cli/ui.h"

enum { OPT_SET = 0x100 };

/* The first argument, if it is a word of these. */
enum action {
#define BOARD_ACTION(name, doc) ACTION_##name,
#include "sim/cli/board/actions.def"
    ACTION_NONE
};

static const char *const actions[] = {
#define BOARD_ACTION(name, doc) #name,
#include "sim/cli/board/actions.def"
};

struct board_options {
    struct board_choice choice; /* of the first name */
    struct buf names;           /* list of char * */
    struct compare_output output;
    struct board_new make;
    enum action action;
    bool keys, all, begun; /* an argument has been read */
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
    {"like", KEEP_TEXT(board_options, make.like), "BOARD", 0, "Of new: the board for all that is not given", 4},
    {"device", KEEP_TEXT(board_options, make.device), "NAME", 0,
     "Of new: the memory device (heddle board devices); without it that of --like", 4},
    {"stacks", KEEP_TEXT(board_options, make.stacks), "N", 0,
     "Of new: stacks of HBM, chips of GDDR, packages of LPDDR or modules of DDR; without it as many as --like has", 4},
    OPTION_GROUP(1, "One board:"),
    OPTION_GROUP(2, "Several boards:"),
    OPTION_GROUP(3, "Output:"),
    OPTION_GROUP(4, "A new board:"),
    {0}};

static error_t parse(int key, char *arg, struct argp_state *state) {
    struct board_options *o = state->input;
    switch (key) {
    case OPT_SET: return board_choice_set(&o->choice, arg) ? 0 : ENOMEM;
    case ARGP_KEY_ARG:
        for (u32 i = 0; i < ACTION_NONE && !o->begun; i++)
            o->action = strcmp(arg, actions[i]) == 0 ? (enum action)i : o->action;
        if (!o->begun && (o->begun = true) && o->action != ACTION_NONE)
            return 0;
        buf_append(&o->names, &arg, sizeof arg);
        o->choice.name = o->choice.name ? o->choice.name : arg;
        return o->names.failed ? ENOMEM : 0;
    default: return command_keep(state, key, arg);
    }
}

const struct argp cmd_board_argp = {
    .options = options,
    .parser = parse,
    .args_doc =
        "[NAME|FILE.yaml...]\nnew NAME\ndiff NAME|FILE.yaml...\npeaks NAME|FILE.yaml...\ncheck NAME|FILE.yaml...\n"
        "devices [NAME...]\nlinks",
    .doc =
        "Print a board, the machine that a kernel runs on, with the meaning and origin of every value, the peaks that "
        "follow from them, and warnings of settings that cap one. Of several boards, print what differs. Without a "
        "name, list the boards that ship with heddle. 'new' writes a board like another one with another memory, "
        "'diff' "
        "is the comparison of several, 'peaks' a table of their memory, 'check' where they differ from the memory "
        "device that they name (exit status 1 if they do), 'devices' lists those, 'links' the links between boards and "
        "hosts."
        "\vExample: heddle board new mine --like a100 --device hbm3-6.4 --stacks 4",
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

/* ---- actions ---- */

/* Reads the boards of an action; false after a message. */
static bool read_boards(const struct board_options *o, struct board_compare *b) {
    if (!o->names.len)
        return ui_error("which board? heddle board %s a100", actions[o->action]);
    return board_compare_read(b, &o->names, &o->choice.sets);
}

static int peaks(const struct board_options *o) {
    struct board_compare b = {.n = 0};
    bool ok = read_boards(o, &b) && compare_output_promise(&o->output) &&
              compare_output_write(&o->output, board_peaks_put, &b);
    board_compare_free(&b);
    return ok ? EXIT_OK : EXIT_INPUT;
}

static int links(const struct board_options *o) {
    if (o->names.len) {
        ui_error("'heddle board links' lists all of them");
        return EXIT_INPUT;
    }
    bool ok = compare_output_promise(&o->output) && compare_output_write(&o->output, board_links_put, NULL);
    return ok ? EXIT_OK : EXIT_INPUT;
}

static int check(const struct board_options *o) {
    struct board_compare b = {.n = 0};
    struct buf text = {0};
    bool ok = read_boards(o, &b), clean = ok && board_check_put(&b, &text);
    if (text.len)
        fwrite(text.data, 1, text.len, stdout);
    board_compare_free(&b);
    buf_free(&text);
    return !ok ? EXIT_INPUT : clean ? EXIT_OK : EXIT_FAULT;
}

static int make(struct board_options *o) {
    const char *const *names = (const char *const *)(const void *)o->names.data;
    if (o->names.len != sizeof *names) {
        ui_error(o->names.len ? "one board is written at a time"
                              : "which name? heddle board new mine --like a100 --device hbm3-6.4 --stacks 4");
        return EXIT_INPUT;
    }
    o->make.name = *names;
    return board_new(&o->make) ? EXIT_OK : EXIT_INPUT;
}

static int act(struct board_options *o) {
    const char *const *names = (const char *const *)(const void *)o->names.data;
    bool many = o->names.len > sizeof *names;
    switch (o->action) {
    case ACTION_new: return make(o);
    case ACTION_diff:
        if (!many)
            ui_error("two boards or more are compared: heddle board diff v100 a100");
        return many ? several(o) : EXIT_INPUT;
    case ACTION_peaks: return peaks(o);
    case ACTION_check: return check(o);
    case ACTION_links: return links(o);
    case ACTION_devices: return board_devices(names, o->names.len / sizeof *names) ? EXIT_OK : EXIT_INPUT;
    case ACTION_NONE: return many ? several(o) : one(o);
    }
    return EXIT_INPUT;
}

/* First option given that the action does not take; NULL: none. */
static const char *unused(const struct board_options *o) {
    const bool several = o->action == ACTION_diff || (o->action == ACTION_NONE && o->names.len > sizeof(char *));
    const bool tables = several || o->action == ACTION_peaks || o->action == ACTION_links,
               fresh = o->action == ACTION_new;
    const struct {
        const char *name;
        bool given, taken;
    } rows[] = {{"--keys", o->keys, o->action == ACTION_NONE && !several},
                {"--all", o->all, several},
                {"--csv", o->output.csv, tables},
                {"--markdown", o->output.markdown, tables},
                {"--json", o->output.json, tables || o->action == ACTION_NONE},
                {"--set", o->choice.sets.len, !fresh && o->action != ACTION_devices && o->action != ACTION_links},
                {"--like", o->make.like, fresh},
                {"--device", o->make.device, fresh},
                {"--stacks", o->make.stacks, fresh}};
    for (u32 i = 0; i < COUNT_OF(rows); i++)
        if (rows[i].given && !rows[i].taken)
            return rows[i].name;
    return NULL;
}

/* Checks the options; false after a message. */
static bool agree(const struct board_options *o) {
    const char *name = unused(o);
    if (!name)
        return true;
    if (o->action != ACTION_NONE)
        return ui_error("%s is no option of 'heddle board %s'", name, actions[o->action]);
    if (o->keys && strcmp(name, "--keys") == 0)
        return ui_error("--keys explains the keys that every board has: one board at a time");
    if (o->make.like || o->make.device || o->make.stacks)
        return ui_error("%s is for a new board: heddle board new mine --like a100", name);
    return ui_error("%s compares boards: name two or more, 'heddle board v100 a100 %s'", name, name);
}

int cmd_board(int argc, char **argv) {
    struct board_options o = {.action = ACTION_NONE};
    int status = EXIT_INPUT;
    if (command_parse(&cmd_board_argp, argc, argv, &o) && agree(&o))
        status = act(&o);
    buf_free(&o.choice.sets);
    buf_free(&o.names);
    return status;
}
