/* --help: the forms of a command, its options by subject, and its description. */
#ifndef HEDDLE_CLI_HELP_H
#define HEDDLE_CLI_HELP_H

#include <argp.h>
#include <stdio.h>

/* Prints the help of the command `name`, "heddle run", as wide as the terminal. */
void help_print(const struct argp *argp, const char *name, FILE *stream);

#endif
