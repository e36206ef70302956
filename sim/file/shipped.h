/*
 * Files that ship with heddle, by the names that people use: the kernel "classic/saxpy", or "divergence" when one
 * folder has it; the board "a100".
 */
#ifndef HEDDLE_FILE_SHIPPED_H
#define HEDDLE_FILE_SHIPPED_H

#include "sim/base/buf.h"

/*
 * The folder that holds kernels/ and scripts/, for a file of heddle's such as the command or the Lua module:
 * share/heddle beside one of the folders that the file is in (bin/heddle, lib/lua/5.4/heddle.so), or such a folder
 * itself (build/heddle of a source tree). False when there is none.
 */
bool shipped_home(const char *file, char *folder, size_t size);

enum shipped_answer { SHIPPED_NONE, SHIPPED_FOUND, SHIPPED_SEVERAL };

/*
 * The path of the kernel that `name` means below `home`/kernels, with or without .hd. Of several folders that have it,
 * `names` becomes the list.
 */
enum shipped_answer shipped_kernel(const char *home, const char *name, char *path, size_t size, struct buf *names);

/* Adds the names of all kernels, "classic/saxpy", a line each; not those of folders called lib. */
void shipped_kernels(const char *home, struct buf *names);

/* The path of `home`/configs/NAME.yaml; false when there is none. */
bool shipped_board(const char *home, const char *name, char *path, size_t size);

#endif
