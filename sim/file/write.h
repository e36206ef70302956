/*
 * Files that are written whole or not at all: the bytes go to a temporary file in the target's folder, are synchronised
 * with the disk, and then the file takes the target's name. Anything but a regular file, such as a device, is written
 * in place (write_place.h). "-" is standard output. Failures set errno.
 *
 * No signal that can be caught leaves a temporary file. After SIGKILL or a power cut one can be left, .heddle-*, if the
 * system has no files without a name (O_TMPFILE), or in the moment between getting that name and the target's. Of
 * several files those that are replaced have such names until the last one has its own, if the system can exchange
 * names.
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
 * Writes all of the files, or none if one of them fails: list[*failed]. Signals are held until the end, but a request
 * to end does not wait for the reader of a pipe.
 */
bool output_write_all(const struct file_output *list, size_t n, size_t *failed);

/* Writes all bytes to an open file. */
bool output_write_open(int fd, const void *bytes, size_t len);

/* True if a file could be written there, as far as that can be known. */
bool output_possible(const char *path);

/* The file of a path, by any name or link; for a file that does not exist yet, its folder and name. */
struct output_id {
    dev_t dev; /* of the file, or else of its folder */
    ino_t ino;
    char name[NAME_MAX + 1]; /* "" = the file exists */
    bool regular;
    bool standard;  /* "-" */
    bool takes_all; /* a character device, such as /dev/null: outputs do not replace each other */
};

/* Identifies the file of a path; false if none can be there. */
bool output_identify(const char *path, struct output_id *id);
bool output_id_same(const struct output_id *a, const struct output_id *b);
bool output_id_is_input(const struct output_id *id, const char *input);

/* True if two paths are one file, by any name or link; "-" is the standard stream. */
bool output_is_input(const char *output, const char *input);

/* True if output to one path would replace output to the other. */
bool output_same(const char *a, const char *b);

#endif
