/*
 * Parts common to the commands of heddle: reading a command line. Options are rows of a `struct argp_option`; the
 * parser, --help, the completion scripts and the suggestions for misspelt options walk them.
 */
#ifndef HEDDLE_CLI_COMMAND_H
#define HEDDLE_CLI_COMMAND_H

#include <argp.h>
#include <stddef.h>
#include <stdio.h>

#include "sim/base/types.h"

enum {
    EXIT_OK = 0,
    EXIT_FAULT = 1,        /* a fault, a failed check, lint warnings */
    EXIT_INPUT = 2,        /* wrong usage or input; out of memory */
    EXIT_INTERRUPTED = 130 /* as shells report Ctrl-C */
};

struct command {
    const char *name;
    const char *doc; /* one line */
    const struct argp *argp;
    int (*run)(int argc, char **argv); /* argv[0] is "heddle NAME" */
};

/*
 * A heading of --help, above the options of a group. Such rows follow all options: a walk over options ends at the
 * first row without a name.
 */
#define OPTION_GROUP(number, text) \
    { NULL, 0, NULL, 0, text, number }

/*
 * Keys of options that are kept as they were given, in a member of the parser's `struct type`: their text; "-" if they
 * have none; true. The parser leaves them to command_keep.
 */
#define KEEP_TEXT(type, member) (0x10000 + KEEP_AT(struct type, member, const char *))
#define KEEP_FILE(type, member) (0x20000 + KEEP_AT(struct type, member, const char *))
#define KEEP_FLAG(type, member) (0x30000 + KEEP_AT(struct type, member, bool))
#define KEEP_AT(type, member, kind) _Generic(((type *)NULL)->member, kind : (int)offsetof(type, member))

error_t command_keep(const struct argp_state *state, int key, const char *arg);

extern const struct command commands[];
extern const size_t command_count;

const struct command *command_find(const char *name);

/* Reports an unknown command, with a suggestion. */
void command_unknown(const char *name);

/* Options of every command: --help, --version and --color, a child of its argp. */
extern const struct argp_child command_common[];

/* The common options of a command line that is read again from a file: --help is an error there. */
extern const struct argp_child command_again[];

/*
 * Reads a command line into `input`, which argp's parser sees as state->input. False, after a message, if it is wrong:
 * the command then returns EXIT_INPUT. A parser returns EINVAL after a message, ENOMEM without one.
 */
bool command_parse(const struct argp *argp, int argc, char **argv, void *input);

/* Reads a command line up to the first argument that is no option, and leaves the rest alone. */
bool command_parse_in_order(const struct argp *argp, int argc, char **argv, void *input);

/* Checks that the command has all options of a line; false after a message, which suggests one. */
bool command_knows(const struct argp *argp, int argc, char **argv);

/* Keeps the argument of a command that takes one; a second is an error, "one file is run at a time". For parsers. */
error_t command_one(struct argp_state *state, const char **kept, const char *arg, const char *rule);

/* Returns the exit status, or an error, after a message, if standard output could not be written. */
int command_finish(int status);

#define COMMAND(name, doc) \
    extern const struct argp cmd_##name##_argp; \
    int cmd_##name(int argc, char **argv);
#include "sim/cli/commands.def"

/* --help: the forms of a command, its options by subject, and its description. */

/* Prints the help of the command `name`, "heddle run", as wide as the terminal. */
void help_print(const struct argp *argp, const char *name, FILE *stream);

#endif
