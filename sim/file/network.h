/* File systems that several computers share. */
#ifndef HEDDLE_FILE_NETWORK_H
#define HEDDLE_FILE_NETWORK_H

#include "sim/base/types.h"

/* True if the file, or the folder that it would be in, is on a network file system. */
bool file_on_network(const char *path);

/* True if a type, as statfs() returns it, is one of a network file system. */
bool network_type(u64 type);

#endif
