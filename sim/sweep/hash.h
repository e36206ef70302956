/* Identity of kernels, boards, inputs, points and this program, in hexadecimal. */
#ifndef HEDDLE_SWEEP_HASH_H
#define HEDDLE_SWEEP_HASH_H

#include "sim/base/types.h"

struct hash {
    char text[65];
};

/* Computes SHA-256. */
struct hash hash_bytes(const void *bytes, size_t len);

/* Identifies this program: its build ID, which the linker made from all its contents, or else the hash of its file.
 * False if that cannot be read. */
bool hash_program(struct hash *hash);

#endif
