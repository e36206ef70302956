/*
 * Files that are read into memory, as far as they are wanted: a device may have no end. What fails says why in errno.
 *
 *   struct buf text = {0};
 *   if (!input_read(&guard, "k.hd", input_text, &text) || text.len > INPUT_TEXT_MOST)
 */
#ifndef HEDDLE_FILE_READ_H
#define HEDDLE_FILE_READ_H

#include "sim/base/buf.h"
#include "sim/file/guard.h"

/* How many bytes of a file are wanted that begins with these `len`; not more than `len`: those are enough. */
typedef u64 (*input_wanted_fn)(const u8 *bytes, size_t len);

/* Bytes of a kernel, a board or a report, which are read whole, at most; input_text wants one more, to see it. */
#define INPUT_TEXT_MOST ((u64)1 << 28)
u64 input_text(const u8 *bytes, size_t len);

/*
 * Appends the file, and a NUL that does not count. What was read stays there also when the rest cannot be. The guard
 * then knows the file as an input.
 */
bool input_read(struct file_guard *guard, const char *path, input_wanted_fn wanted, struct buf *out);
bool input_read_open(int fd, input_wanted_fn wanted, struct buf *out);

/* How much is read at a time: what is new when `wanted` is asked again. */
enum { INPUT_CHUNK = 1 << 16 };

enum { TEXTS_MAX = 64 };

/* Files that a board or a kernel names, for the reader of those. */
struct texts {
    const char *beside;       /* names are relative to the folder of this file; NULL: as they stand */
    struct file_guard *guard; /* knows them as inputs then */
    const char *within;       /* only plain files below this folder, a real path, are read; NULL: all */
    bool refused;             /* one that is not */
    struct buf text[TEXTS_MAX];
    u32 count;
};

/* A heddle_read_fn. A file that cannot be read is not there: this is called from inside the reader. */
const char *texts_read(void *texts, const char *name, size_t *len);
void texts_free(struct texts *t);

#endif
