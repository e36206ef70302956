/*
 * Writing to what is no regular file, a pipe, a terminal or a device, while signals are blocked: where the writer has
 * to wait, for a reader too, a signal that asks it to end does end it. What fails says why in errno, that with EINTR.
 */
#ifndef HEDDLE_FILE_WRITE_PLACE_H
#define HEDDLE_FILE_WRITE_PLACE_H

#include "sim/base/types.h"

bool place_write(const char *path, const void *bytes, size_t len);
bool place_write_open(int fd, const void *bytes, size_t len);

#endif
