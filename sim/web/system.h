/* What wasi-libc lacks of POSIX; included before every file of the module. */
#ifndef HEDDLE_WEB_SYSTEM_H
#define HEDDLE_WEB_SYSTEM_H

/* The path without ".", ".." and repeated slashes, from "/" on: there are no links, and no other current folder. */
char *realpath(const char *path, char *resolved);

#endif
