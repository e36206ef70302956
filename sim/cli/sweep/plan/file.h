/* A sweep described in a file (sim/sweep/description.h), or a shipped one by its name. */
#ifndef HEDDLE_CLI_SWEEP_PLAN_FILE_H
#define HEDDLE_CLI_SWEEP_PLAN_FILE_H

#include "sim/cli/ui.h"
#include "sim/base/arena.h"
#include "sim/cli/command.h"
#include "sim/cli/resource_dir.h"
#include "sim/sweep/description.h"

struct lines;

/* The file, kept for errors that are found later. */
struct sweep_file {
    char path[RESOURCE_PATH + 300];
    struct buf text, items; /* its bytes; list of struct description_item */
    bool script;            /* a Lua script, which returns its options */
    bool shipped;           /* one of heddle's own */
    const char *command;    /* "run" */
    const char *first;      /* the value of its first option of that name; NULL = none */
};

void sweep_file_dir(struct resource_dir *s);

/*
 * Reads the file. Its command is the first of its options that is one ("run" if none is), with the word after it. False
 * after messages.
 */
bool sweep_file_open(struct sweep_file *f, const char *name, struct arena *arena);

/*
 * Makes the words of its options: the command, its values, "--board=v100". `options` are all allowed ones; NULL =
 * unknown. False after messages.
 */
bool sweep_file_words(struct sweep_file *f, const struct argp_option *options, struct arena *arena, int *argc,
                      char ***argv);

/* Shows an error in the value that the file, `ctx`, gives an option, as a ui_place. */
bool sweep_file_mistake(const void *ctx, const struct ui_mark *mark, const char *text);

/*
 * Checks that it executes nothing besides heddle, unless the command line has --trust or the file is a script, which is
 * a program already. False after messages.
 */
bool sweep_file_trusted(const struct sweep_file *f, const struct lines *l);

const struct description_item *sweep_file_items(const struct sweep_file *f, size_t *n);

/* Errors in the file: those to be added, and those to be shown. */
struct diag sweep_file_diag(const struct sweep_file *f);
void sweep_file_show(const struct diag *diag);

void sweep_file_free(struct sweep_file *f);

#endif
