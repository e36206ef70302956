/* --help: how a command is called, its options by subject, and what is said about it. */
#ifndef HEDDLE_CLI_HELP_H
#define HEDDLE_CLI_HELP_H

#include <argp.h>
#include <stdio.h>

/* Prints the help of the command `name`, "heddle run", as wide as the terminal. */
void help_print(const struct argp *argp, const char *name, FILE *stream);

#endif
