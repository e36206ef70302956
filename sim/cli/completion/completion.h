/*
 * What the completion scripts of all shells have in common: which words and files can stand in a place of a command
 * line. It is read off the tables of commands and options: the text that describes a value says what it can be.
 *
 *   "8|16|32|64"       these words                     "FILE", "A.json"   files
 *   "NAME,..."         a list separated by commas      "DIR"              folders
 *
 * Names that can change are not in the script: it asks a command that lists them. So are the options of a study, which
 * `heddle study --options NAME` prints.
 */
#ifndef HEDDLE_CLI_COMPLETION_H
#define HEDDLE_CLI_COMPLETION_H

#include "sim/base/buf.h"
#include "sim/cli/command.h"

struct offer {
    const char *value; /* the text of the table; NULL: the option takes no value */
    struct buf words;  /* "8|16|32|64"; empty: none are known */
    const char *list;  /* or what, behind "heddle", prints a name in each line; NULL */
    bool reads_line;   /* it looks at the words of the command line, which follow "--" */
};

/* The option's letter; 0: it has none. Keys of options without one begin behind the characters. */
char offer_letter(const struct argp_option *o);

/* For the value of an option, and for the first argument of a command. The caller frees the words. */
void offer_option(const struct argp_option *o, struct offer *offer);
void offer_argument(const struct command *c, struct offer *offer);

/* Whether files complete the value. */
bool offer_files(const struct offer *offer);

/* Calls `print` for each option that `c` shows, its own and the common ones. */
typedef void option_printer(const struct command *c, const struct argp_option *o, struct buf *out);
void offer_each_option(const struct command *c, option_printer *print, struct buf *out);

/* Text inside single quotes, with `special` characters behind a backslash. */
void offer_quoted(const char *text, const char *special, struct buf *out);

/* Adds the script for a shell. */
void completion_bash(struct buf *out);
void completion_zsh(struct buf *out);
void completion_fish(struct buf *out);

#endif
