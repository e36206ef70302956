/*
 * Common part of the completion scripts of all shells: the words and files that can stand at a place of a command line.
 * They follow from the tables of commands and options: the text that describes a value gives its kind.
 *
 *   "8|16|32|64"       these words                     "FILE", "A.json"   files
 *   "NAME,..."         a list separated by commas      "DIR"              folders
 *
 * Names that can change are not in the script: it runs a command that lists them. The options of a study come from
 * `heddle study --options NAME`.
 */
#ifndef HEDDLE_CLI_COMPLETION_H
#define HEDDLE_CLI_COMPLETION_H

#include "sim/base/buf.h"
#include "sim/cli/command.h"

struct offer {
    const char *value; /* its text in the table; NULL = the option takes no value */
    struct buf words;  /* "8|16|32|64"; empty = none known */
    const char *list;  /* or the arguments of a heddle command that lists names, one a line; NULL */
    bool reads_line;   /* the list depends on the words of the command line, which follow "--" */
};

/* Returns the option's letter; 0 if it has none. Keys of options without a letter are above all characters. */
char offer_letter(const struct argp_option *o);

/* Describe the value of an option, and the first argument of a command. The caller frees the words. */
void offer_option(const struct argp_option *o, struct offer *offer);
void offer_argument(const struct command *c, struct offer *offer);

/* True if files complete the value. */
bool offer_files(const struct offer *offer);

/* Calls `print` for each option that `c` shows, its own and the common ones. */
typedef void option_printer(const struct command *c, const struct argp_option *o, struct buf *out);
void offer_each_option(const struct command *c, option_printer *print, struct buf *out);

/* Appends text inside single quotes, with a backslash before `special` characters. */
void offer_quoted(const char *text, const char *special, struct buf *out);

/* Adds the script for a shell. */
void completion_bash(struct buf *out);
void completion_zsh(struct buf *out);
void completion_fish(struct buf *out);

#endif
