/* heddle debug: step through a launch, forward and back. */
#include "sim/cli/command.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "sim/cli/debug/screen.h"
#include "sim/cli/debug/session.h"
#include "sim/cli/run/run.h"
#include "sim/cli/ui.h"

enum { OPT_KEYS = 0x4000 };

/* the default board */
#define BOARD "teach32"

struct input {
    struct run *run;
    const char *commands;
    bool screen;
};

static const struct argp_option options[] = {
    {"commands", KEEP_TEXT(input, commands), "FILE", 0, "Read commands from a file, one a line, and leave", 1},
    {"screen", KEEP_FLAG(input, screen), NULL, 0, "Begin in the full-screen view, as `view` at the prompt opens it", 1},
    {"keys", OPT_KEYS, NULL, 0, "List the keys of the full-screen view, and leave", 1},
    OPTION_GROUP(1, "Debugger:"),
    {0}};

static void list_keys(void) {
    struct buf keys = {0};
    screen_put_keys(&keys);
    fwrite(keys.data ? keys.data : "", 1, keys.len, stdout);
    buf_free(&keys);
    exit(command_finish(EXIT_OK));
}

static error_t parse(int key, char *arg, struct argp_state *state) {
    struct input *in = state->input;
    switch (key) {
    case ARGP_KEY_INIT: state->child_inputs[0] = &in->run->options; return 0;
    case OPT_KEYS: list_keys(); return 0;
    default: return command_keep(state, key, arg);
    }
}

static const struct argp_child children[] = {{&cmd_run_argp, 0, "Options of heddle run:", 1}, {0}};

const struct argp cmd_debug_argp = {
    .options = options,
    .parser = parse,
    .doc = "Run a kernel on a board (" BOARD
           ", if neither --board nor the case names one), recording all that happens, and "
           "look at it: step through warps forward and back, stop at lines, accesses and changes, see registers, "
           "masks, and what a "
           "warp waits for. Commands come from a prompt, whose `help` lists them, or from standard input."
           "\vExample: heddle debug classic/saxpy --board teach8",
    .children = children};

/* Refuses options that write files or make more launches: those belong to `heddle run`. */
static bool only_looks(const struct run_options *o) {
    const char *given = o->json         ? "--json"
                        : o->html       ? "--html"
                        : o->sarif      ? "--sarif"
                        : o->csv        ? "--csv"
                        : o->markdown   ? "--markdown"
                        : o->beside.len ? "--beside"
                        : o->boards     ? "--boards"
                        : o->draws      ? "--uncertainty"
                        : o->ideal      ? "--ideal"
                                        : run_record_given(&o->record);
    if (o->repeat > 1 || run_entry_count(o) > 1)
        given = o->repeat > 1 ? "--repeat" : "--entry";
    if (given)
        ui_error("%s is for 'heddle run'; here one launch is shown, and nothing is written", given);
    for (u32 i = 0; i < run_tensor_count(o); i++)
        run_tensor_at(o, i)->data.out = NULL;
    return !given;
}

/* Checks that the view is possible, before a launch that may take long. */
static bool can_show(const struct input *in) {
    const char *why =
        in->screen && in->commands ? "it takes keys, and --commands reads a file: give one of them" : NULL;
    if (!in->screen || (!why && screen_possible(&why)))
        return true;
    return ui_error_as("--screen", "%s", why);
}

/* Returns the name of the board, which a result does not have after a fault. */
static const char *board_of(const struct run *run) {
    return run->result.board ? run->result.board : run->options.board.name;
}

static void put_title(const struct run *run, struct buf *title) {
    const struct heddle_result *s = &run->result;
    buf_printf(title, "%s on %s", s->kernel, board_of(run));
    if (s->complete != UINT64_MAX)
        buf_printf(title, ", recorded up to cycle %s", grouped(s->complete).text);
    if (s->fault.kind)
        buf_puts(title, ", ended by a fault");
}

static int show(struct debug *d, const char *title) {
    const char *why;
    if (screen_run(d, title, &why))
        return EXIT_OK;
    ui_error_as("--screen", "%s", why);
    return EXIT_INPUT;
}

static void put_head(struct debug *d, const struct run *run) {
    const struct heddle_result *s = &run->result;
    printf("kernel '%s' on %s, warps of %u lanes: %s cycles\n", s->kernel, board_of(run), s->warp,
           grouped(s->cycles).text);
    if (s->complete != UINT64_MAX)
        printf("there was no room for what happened from cycle %s on\n", grouped(s->complete).text);
    debug_command(d, "where");
    fwrite(d->out.data, 1, d->out.len, stdout);
}

static int look(struct debug *d, const struct input *in) {
    const struct run *run = in->run;
    struct buf title = {0};
    if (!debug_begin(d, run->h, run->program, &run->result)) {
        ui_error("nothing was recorded");
        return EXIT_INPUT;
    }
    put_title(run, &title);
    const char *name = title.data ? title.data : "";
    if (!in->screen)
        put_head(d, run);
    int status = in->screen ? show(d, name) : debug_session(d, in->commands, name);
    buf_free(&title);
    return status;
}

int cmd_debug(int argc, char **argv) {
    struct debug d = {0};
    struct run run = {0};
    struct input in = {.run = &run};
    int status = EXIT_INPUT;
    if (command_parse(&cmd_debug_argp, argc, argv, &in) && can_show(&in)) {
        struct run_options *o = &run.options;
        o->other_board = BOARD;
        if (only_looks(o) && run_options_agree(o) && run_open_read(&run, argc, argv)) {
            o->record.events = "-"; /* recorded, but not written */
            o->quiet = true;
            status = run_prepare(&run);
        }
    }
    if (status == EXIT_OK)
        status = run_launches(&run);
    if (status == EXIT_OK)
        status = look(&d, &in);
    debug_free(&d);
    run_close(&run);
    return status;
}
