#include "sim/sweep/hash.h"

#include <sys/types.h>

#include <sha2.h>

struct hash hash_bytes(const void *bytes, size_t len) {
    struct hash h;
    SHA256Data(bytes ? bytes : "", len, h.text);
    return h;
}
