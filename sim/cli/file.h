/*
 * Files of the command: read whole, written whole. Nothing is ever half written: bytes go to a temporary file in the
 * target's folder, which then takes the target's name. Each function reports its errors on stderr.
 */
#ifndef HEDDLE_CLI_FILE_H
#define HEDDLE_CLI_FILE_H

#include "sim/base/buf.h"
#include "sim/file/guard.h"
#include "sim/file/read.h"
#include "sim/file/write.h"

bool file_exists(const char *path);
bool file_is_folder(const char *path);

/* Reads a whole file, of 256 MiB at most; "-" is standard input, which can be read once. */
bool file_read(const char *path, struct buf *out);

/* False, after a message, if one of the files that another names is there and cannot be read. */
bool file_texts_read(const struct texts *texts);

/* Reads a plain file likewise, and refuses any other, which may have no end. */
bool file_read_plain(const char *path, struct buf *out);

/* Reads the first line of a file, without its end, and perhaps more: of a recording, which may be long. */
bool file_read_line(const char *path, struct buf *out);

/* Reads as much of a file as npy_read needs to accept or refuse it. */
bool file_read_npy(const char *path, struct buf *out);

/*
 * Promises an output, after reading all inputs and before the work begins: `path` is the tail of the option's value.
 * False, after a message, if it cannot be written there, or is an input or another output.
 */
bool file_promise(const char *option, const char *value, const char *path);

/* Writes all of the files, or none if one of them fails. Signals are held until the end. */
bool file_write_all(const struct file_output *list, size_t n);
bool file_write(const char *path, const void *bytes, size_t len);

/* Returns the inputs read and the outputs promised, for other ways to read. */
struct file_guard *file_guard(void);

/* True if a longer name ends so: ".hd". */
bool file_ends_in(const char *name, const char *end);

#endif
