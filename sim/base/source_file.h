/*
 * Texts that a program was read from. Their lines are counted through: the lines of each text follow those of the one
 * before, so that one number stands for a file and a line in it.
 *
 *   main.hd   lines 1 ... 40       first = 0
 *   find.hd   lines 41 ... 90      first = 40; its line 3 is 43
 */
#ifndef HEDDLE_BASE_SOURCE_FILE_H
#define HEDDLE_BASE_SOURCE_FILE_H

#include "sim/base/buf.h"

struct source_file {
    const char *file; /* name shown */
    const char *text; /* NULL when it is not at hand */
    size_t len;
    u32 first; /* lines of the texts before it */
};

/* The text that holds a line: the last of `n`, by ascending `first`, that starts before it; NULL: none does. */
const struct source_file *source_file_at(const struct source_file *list, u32 n, u32 line);

/* "line 12", or "line 12 of find.hd" in one of the `n` texts. */
struct line_name {
    char text[80];
};
struct line_name line_name(const struct source_file *list, u32 n, u32 line);

/* Lines of a text; one that ends in a newline has an empty last one. */
u32 source_file_lines(const char *text, size_t len);

/*
 * The path of a file that `from` names, relative to the folder of `from`: "../lib/a.hd" in "kernels/mask/b.hd" is
 * "kernels/lib/a.hd". Only the texts of the paths count.
 */
void source_file_path(const char *from, const char *name, struct buf *out);

#endif
