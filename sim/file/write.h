/*
 * Files that are written whole or not at all: the bytes go to a temporary file in the target's folder, which then takes
 * the target's name. What is no regular file, such as a device, is written in place. "-" is standard output. What fails
 * says why in errno.
 */
#ifndef HEDDLE_FILE_WRITE_H
#define HEDDLE_FILE_WRITE_H

#include "sim/base/types.h"

struct file_output {
    const char *path; /* "-" = standard output */
    const void *bytes;
    size_t len;
};

/* Writes all of the files, or none if one of them cannot be: list[*failed]. Signals wait until it is done. */
bool output_write_all(const struct file_output *list, size_t n, size_t *failed);

/* Whether a file could be written there, as far as that can be known before. */
bool output_possible(const char *path);

/* Whether two paths are one file: by any name or link, also the standard stream that a "-" is. */
bool output_is_input(const char *output, const char *input);

/* Whether what is written to one path would replace what was written to the other. */
bool output_same(const char *a, const char *b);

#endif
