/*
 * Files that are written whole or not at all: the bytes go to a temporary file in the target's folder, are synchronised
 * with the disk, and then the file takes the target's name. What is not a regular file, such as a device, is written in
 * place (write_place.h). "-" is standard output. What fails says why in errno.
 *
 * No signal that can be caught leaves a temporary file. After SIGKILL or a power cut one can be left, .heddle-*, where
 * the system has no files without a name (O_TMPFILE), or in the moment between getting that name and the target's.
 */
#ifndef HEDDLE_FILE_WRITE_H
#define HEDDLE_FILE_WRITE_H

#include <limits.h>
#include <sys/types.h>

#include "sim/base/types.h"

struct file_output {
    const char *path; /* "-" = standard output */
    const void *bytes;
    size_t len;
};

/*
 * Writes all of the files, or none if one of them cannot be: list[*failed]. Signals wait until it is done, but those
 * that ask to end do not wait for the reader of a pipe.
 */
bool output_write_all(const struct file_output *list, size_t n, size_t *failed);

/* Writes all of it to an open file. */
bool output_write_open(int fd, const void *bytes, size_t len);

/* Whether a file could be written there, as far as that can be known before. */
bool output_possible(const char *path);

/* What a path leads to, by any name or link; a file that is not there yet is its folder and its name there. */
struct output_id {
    dev_t dev; /* of the file, or of its folder */
    ino_t ino;
    char name[NAME_MAX + 1]; /* "" = the file is there */
    bool regular;
    bool standard;  /* "-" */
    bool takes_all; /* a character device, such as /dev/null: outputs do not replace each other there */
};

/* False when there can be no such file. */
bool output_identify(const char *path, struct output_id *id);
bool output_id_same(const struct output_id *a, const struct output_id *b);
bool output_id_is_input(const struct output_id *id, const char *input);

/* Whether two paths are one file: by any name or link, also the standard stream that a "-" is. */
bool output_is_input(const char *output, const char *input);

/* Whether what is written to one path would replace what was written to the other. */
bool output_same(const char *a, const char *b);

#endif
