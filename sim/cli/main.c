/*
 * heddle: the command. `heddle NAME ARGUMENT...` runs a command of commands.def; each has a file of its own. Exit
 * status: 0 ok, 1 a fault or a failed check, 2 wrong usage or input.
 */
#include "sim/cli/command.h"

#include <fcntl.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "sim/base/buf.h"
#include "sim/cli/json.h"

struct line {
    int first; /* index of the command's name; argc = none */
};

static error_t parse(int key, char *arg, struct argp_state *state) {
    (void)arg;
    struct line *line = state->input;
    if (key != ARGP_KEY_ARG)
        return ARGP_ERR_UNKNOWN;
    line->first = state->next - 1;
    state->next = state->argc;
    return 0;
}

/* Lists the commands for the end of the help, which frees the text. */
static char *list_commands(int key, const char *text, void *input) {
    struct buf out = {0};
    (void)key;
    (void)text;
    (void)input;
#define HEADING(text) buf_printf(&out, "%s" text ":\n", out.len ? "\n" : "");
#define COMMAND(name, doc) buf_printf(&out, "  %-11s %s\n", #name, doc);
#include "sim/cli/commands.def"
    buf_puts(&out, "\n'heddle COMMAND --help' has more. Exit status: 0 ok, 1 a fault or a failed check, 2 wrong usage "
                   "or input.");
    return out.data;
}

static const struct argp main_argp = {.parser = parse,
                                      .args_doc = "COMMAND [ARGUMENT...]",
                                      .doc = "heddle simulates a GPU that runs kernels in its own assembly language.",
                                      .children = command_common,
                                      .help_filter = list_commands};

int cmd_help(int argc, char **argv) {
    const struct command *c = argc > 1 ? command_find(argv[1]) : NULL;
    char name[64] = "heddle";
    if (argc > 1 && argv[1][0] == '-') {
        struct line ignored;
        return command_parse_in_order(&cmd_help_argp, argc, argv, &ignored) ? EXIT_OK : EXIT_INPUT;
    }
    if (argc > 1 && !c) {
        command_unknown(argv[1]);
        return EXIT_INPUT;
    }
    if (c && c->run == cmd_study && argc > 2) {
        static char study[] = "heddle study", help[] = "--help";
        return cmd_study(3, (char *[]){study, argv[2], help, NULL});
    }
    if (c)
        snprintf(name, sizeof name, "heddle %s", c->name);
    help_print(c ? c->argp : &main_argp, name, stdout);
    return EXIT_OK;
}

const struct argp cmd_help_argp = {.parser = parse,
                                   .args_doc = "[COMMAND]\nstudy NAME",
                                   .doc = "Print the help of a command or of a study, or list the commands.",
                                   .children = command_common};

/* Occupies the numbers of closed standard streams, which a file opened later would get; using them still fails. */
static void keep_streams(void) {
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
        if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY) < 0)
            return;
}

/*
 * Keeps what was freed, for the next launch: the system would hand it out again page by page. Measured on 100 launches
 * of 80 empty blocks, `v100`: 9 ms each without this, 3 ms with it.
 */
static void keep_memory(void) {
#ifdef __GLIBC__
    mallopt(M_TRIM_THRESHOLD, 1 << 28);
    mallopt(M_MMAP_THRESHOLD, 1 << 25); /* the most that it takes */
#endif
}

int main(int argc, char **argv) {
    static char me[] = "heddle";
    char name[64];
    struct line line = {.first = argc};
    keep_streams();
    keep_memory();
    json_begin();
    signal(SIGXFSZ, SIG_IGN); /* makes a file that grows too large an error of its write */
    argp_err_exit_status = EXIT_INPUT;
    if (argc > 0)
        argv[0] = me;
    if (!command_parse_in_order(&main_argp, argc, argv, &line))
        return EXIT_INPUT;
    if (line.first >= argc) {
        help_print(&main_argp, me, stderr);
        return EXIT_INPUT;
    }
    const struct command *c = command_find(argv[line.first]);
    if (!c) {
        command_unknown(argv[line.first]);
        return EXIT_INPUT;
    }
    snprintf(name, sizeof name, "heddle %s", c->name);
    argv[line.first] = name;
    return command_finish(c->run(argc - line.first, argv + line.first));
}
