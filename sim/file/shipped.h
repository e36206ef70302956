/*
 * Shipped files, by short names: the kernel "classic/saxpy", or "divergence" if only one folder has it; the board
 * "a100".
 */
#ifndef HEDDLE_FILE_SHIPPED_H
#define HEDDLE_FILE_SHIPPED_H

#include "sim/base/buf.h"

/*
 * Finds the folder with kernels/ and scripts/ from a file of heddle's, such as the command or the Lua module:
 * share/heddle beside a folder above the file (bin/heddle, lib/lua/5.4/heddle.so), or a folder above it (build/heddle
 * of a source tree). False if there is none.
 */
bool shipped_home(const char *file, char *folder, size_t size);

enum shipped_answer { SHIPPED_NONE, SHIPPED_FOUND, SHIPPED_SEVERAL };

/*
 * Finds the kernel `name` below `home`/kernels, with or without .hd. If several folders have it, `names` becomes their
 * list.
 */
enum shipped_answer shipped_kernel(const char *home, const char *name, char *path, size_t size, struct buf *names);

/* Adds the names of all kernels, "classic/saxpy", one a line, without folders called lib. */
void shipped_kernels(const char *home, struct buf *names);

/* Finds `home`/configs/NAME.yaml; false if it is missing. */
bool shipped_board(const char *home, const char *name, char *path, size_t size);

#endif
