/* What kernels, boards, inputs, points and this program are known by, in hexadecimal. */
#ifndef HEDDLE_SWEEP_HASH_H
#define HEDDLE_SWEEP_HASH_H

#include "sim/base/types.h"

struct hash {
    char text[65];
};

/* SHA-256. */
struct hash hash_bytes(const void *bytes, size_t len);

/* What this program is: its build ID, which its linker made of all of its contents, or else the hash of its file. False
 * when that cannot be read. */
bool hash_program(struct hash *hash);

#endif
