/* What wasi-libc lacks of POSIX; included before every file of the WebAssembly module. */
#ifndef HEDDLE_FILE_SYSTEM_NONE_H
#define HEDDLE_FILE_SYSTEM_NONE_H

/* The path without ".", ".." and repeated slashes, from "/" on: there are no links, and no other current folder. */
char *realpath(const char *path, char *resolved);

#endif
