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
};

void sweep_file_dir(struct resource_dir *s);

/*
 * Reads the file; its options become words in front of which stands "run". `options` are all that it may have. False
 * after messages.
 */
bool sweep_file_read(struct sweep_file *f, const char *name, const struct argp_option *options, struct arena *arena,
                     int *argc, char ***argv);

/* Shows a mistake in `len` bytes from `at` on of the value that the file gives an option. False: it gives none such. */
bool sweep_file_mistake(const struct sweep_file *f, const char *option, const char *value, size_t at, size_t len,
                        const char *text);

void sweep_file_free(struct sweep_file *f);

#endif
