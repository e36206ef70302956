/* POSIX functions that wasi-libc lacks; included before every file of the WebAssembly module. */
#ifndef HEDDLE_FILE_SYSTEM_NONE_H
#define HEDDLE_FILE_SYSTEM_NONE_H

/* Resolves ".", ".." and repeated slashes, from "/" on: without links, the current folder being "/". */
char *realpath(const char *path, char *resolved);

#endif
