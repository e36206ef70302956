/* The SHA-256 of bytes, in hexadecimal: what kernels, boards, inputs and points are known by. */
#ifndef HEDDLE_SWEEP_HASH_H
#define HEDDLE_SWEEP_HASH_H

#include "sim/base/types.h"

struct hash {
    char text[65];
};

struct hash hash_bytes(const void *bytes, size_t len);

#endif
