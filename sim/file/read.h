/*
 * Files that are read into memory, as far as they are wanted: a device may have no end. Failures set errno.
 *
 *   struct buf text = {0};
 *   if (!input_read(&guard, "k.hd", input_text, &text) || text.len > INPUT_TEXT_MOST)
 */
#ifndef HEDDLE_FILE_READ_H
#define HEDDLE_FILE_READ_H

#include <limits.h>

#include "sim/base/buf.h"
#include "sim/file/guard.h"

/* Returns how many bytes to read of a file that begins with these `len`; `len` or less if they are enough. */
typedef u64 (*input_wanted_fn)(const u8 *bytes, size_t len);

/* Most bytes of a kernel, a board or a report, which are read whole; input_text reads one more, to detect it. */
#define INPUT_TEXT_MOST ((u64)1 << 28)
u64 input_text(const u8 *bytes, size_t len);

/*
 * Appends the file, and a NUL that is not counted. Bytes read before a failure stay there. The guard then knows the
 * file as an input.
 */
bool input_read(struct file_guard *guard, const char *path, input_wanted_fn wanted, struct buf *out);
bool input_read_open(int fd, input_wanted_fn wanted, struct buf *out);

/* bytes read before each call of `wanted` */
enum { INPUT_CHUNK = 1 << 16 };

enum { TEXTS_MAX = 64 };

/* Reader of the plain files that a board or a kernel names. */
struct texts {
    const char *beside;        /* names are relative to the folder of this file; NULL = to the current folder */
    struct file_guard *guard;  /* then knows them as inputs */
    const char *within;        /* reads only files below this folder, a real path; NULL = in all folders */
    bool refused;              /* refused a file outside, or one that is not plain */
    int why;                   /* errno of the last file that exists and cannot be read: no other may replace it */
    char unread[2 * PATH_MAX]; /* its name */
    struct buf text[TEXTS_MAX];
    u32 count;
};

/* Reads a file, as a heddle_read_fn; NULL if it cannot be read, for whatever reason. */
const char *texts_read(void *texts, const char *name, size_t *len);
void texts_free(struct texts *t);

#endif
