/* A sweep that a file describes: sim/sweep/description.h, or one that ships, by its name. */
#ifndef HEDDLE_CLI_SWEEP_FILE_H
#define HEDDLE_CLI_SWEEP_FILE_H

#include "sim/base/arena.h"
#include "sim/cli/command.h"
#include "sim/cli/resource_dir.h"

/* The file, for mistakes that are found later in what it says. */
struct sweep_file {
    char path[RESOURCE_PATH + 300];
    struct buf text, items; /* its bytes; struct description_item each */
    bool script;            /* it is Lua, and gives its options when it is run */
    const char *command;    /* "run" */
    const char *first;      /* the value of its first option of that name; NULL: none */
};

void sweep_file_dir(struct resource_dir *s);

/*
 * Reads the file. Its command is the first of its options that is one ("run" if none is), with the word behind it.
 * False after messages.
 */
bool sweep_file_open(struct sweep_file *f, const char *name, struct arena *arena);

/*
 * The words that its options become: the command, those that are its values, "--board=v100". `options` are all that it
 * may have; NULL: those are not known. False after messages.
 */
bool sweep_file_words(struct sweep_file *f, const struct argp_option *options, struct arena *arena, int *argc,
                      char ***argv);

/* As ui_place: shows a mistake in the value that the file, `ctx`, gives an option. */
bool sweep_file_mistake(const void *ctx, const char *option, const char *value, size_t at, size_t len,
                        const char *text);

void sweep_file_free(struct sweep_file *f);

#endif
