/*
 * Writing to a pipe, a terminal or a device, while signals are blocked: if the writer has to wait, also for a reader, a
 * signal that ends programs ends it, with EINTR. Failures leave the reason in errno.
 */
#ifndef HEDDLE_FILE_WRITE_PLACE_H
#define HEDDLE_FILE_WRITE_PLACE_H

#include "sim/base/types.h"

bool place_write(const char *path, const void *bytes, size_t len);
bool place_write_open(int fd, const void *bytes, size_t len);

#endif
