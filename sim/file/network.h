/* File systems that several computers share. */
#ifndef HEDDLE_FILE_NETWORK_H
#define HEDDLE_FILE_NETWORK_H

#include "sim/base/types.h"

/* Whether the file, or the folder that it would be in, is on one. */
bool file_on_network(const char *path);

/* The same of a type, as statfs() gives it. */
bool network_type(u64 type);

#endif
