/*
 * Files as the command uses them: read whole, written whole. Nothing is ever half written: bytes go to a temporary file
 * in the target's folder, which then takes the target's name. Each function reports its errors on stderr.
 */
#ifndef HEDDLE_CLI_FILE_H
#define HEDDLE_CLI_FILE_H

#include "sim/base/buf.h"
#include "sim/file/guard.h"
#include "sim/file/write.h"

bool file_exists(const char *path);
bool file_is_folder(const char *path);

/* The whole file, of 256 MiB at most; "-" is standard input, which can be read once. */
bool file_read(const char *path, struct buf *out);

/* The first line of a file, without its end, and perhaps more: of a recording, which may be long. */
bool file_read_line(const char *path, struct buf *out);

/* As much of the file as npy_read needs to take or to refuse it. */
bool file_read_npy(const char *path, struct buf *out);

/*
 * Every output is promised, when all inputs have been read and before the work begins: `path` is the tail of the
 * option's value. False, after a message, when it cannot be written there, or is an input or another output.
 */
bool file_promise(const char *option, const char *value, const char *path);

/* Writes all of the files, or none if one of them cannot be. Signals wait until it is done. */
bool file_write_all(const struct file_output *list, size_t n);
bool file_write(const char *path, const void *bytes, size_t len);

/* The inputs that were read, and the outputs that were promised: for what is read by other means. */
struct file_guard *file_guard(void);

#endif
