/*
 * Inputs and outputs of a command or a script. No output may be an input, or another output, by any name or link.
 *
 *   struct file_guard g = {0};
 *   guard_input(&g, "k.hd");
 *   if (guard_output(&g, "link-to-k.hd", "--json", &other) == GUARD_INPUT)      other is "k.hd"
 *   guard_free(&g);
 */
#ifndef HEDDLE_FILE_GUARD_H
#define HEDDLE_FILE_GUARD_H

#include "sim/base/arena.h"
#include "sim/base/buf.h"

struct file_guard {
    struct arena arena; /* holds names of inputs */
    struct buf inputs, outputs, own;
};

enum guard_answer { GUARD_FREE, GUARD_INPUT, GUARD_OUTPUT, GUARD_MEMORY };

/* Records a file that is read. False, with errno, when out of memory. */
bool guard_input(struct file_guard *g, const char *path);

/* Records one that is open; "-" is standard input. Also false where its identity cannot be read. */
bool guard_open_input(struct file_guard *g, const char *path, int fd);

/*
 * Promises an output, "-" being standard output, under a label for messages; both texts stay the caller's. `*other` is
 * the name of the input that it would replace, or the label of another output that is the same file.
 */
enum guard_answer guard_output(struct file_guard *g, const char *path, const char *label, const char **other);

/* Returns the name of the input that a path is; NULL if it is none. */
const char *guard_replaces(const struct file_guard *g, const char *path);

/* True if exactly this path was promised. */
bool guard_promised(const struct file_guard *g, const char *path);

/*
 * Ends the promises of outputs, after they were written. These files are the program's own: it may read and rewrite
 * them.
 */
void guard_written(struct file_guard *g);

/* Ends all promises. */
void guard_forget(struct file_guard *g);

void guard_free(struct file_guard *g);

#endif
