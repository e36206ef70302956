/* This computer: its time, its terminal, its limits, the file of the program, file systems of several computers. */
#ifndef HEDDLE_FILE_COMPUTER_H
#define HEDDLE_FILE_COMPUTER_H

#include "sim/base/types.h"

/* Elapsed time on this computer. */

/* Returns seconds since some moment; never decreases. */
double stopwatch_now(void);

/* Standard output as a terminal. */

/* Returns its width in columns, from 60 to 100; 100 if it is no terminal. */
u32 terminal_width(void);

/* The limit that a control group sets on the memory of this process. */

/* Finds the limit in bytes, the least of the group's and its parents'; 0 if none can be read. */
u64 file_memory_limit(void);

/* Finds it below another root than "/": for tests. */
u64 file_memory_limit_in(const char *root);

/* The file of the running program, or of a shared library. */

/* Writes the path of the file with the code of `inside`; false if it is unknown or too long. */
bool self_file(void (*inside)(void), char *path, size_t size);

/* File systems that several computers share. */

/* True if the file, or the folder that it would be in, is on a network file system. */
bool file_on_network(const char *path);

/* True if a type, as statfs() returns it, is one of a network file system. */
bool network_type(u64 type);

#endif
