/* Any bytes: the .npy reader gives an error or a buffer, and what is written from it is read back the same. */
#include <stdlib.h>
#include <string.h>

#include "tests/lib/scoped.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    SCOPED(heddle_drop) struct heddle *h = heddle_new();
    if (h && heddle_npy_read(h, "x", "fuzz.npy", data, size)) {
        struct heddle_tensor x, y;
        size_t len = 0;
        char *bytes = heddle_npy_write(h, "x", &len);
        if (!bytes || !heddle_npy_read(h, "y", "again.npy", bytes, len) || !heddle_buffer_get(h, "x", &x) ||
            !heddle_buffer_get(h, "y", &y))
            abort();
        if (x.bytes != y.bytes || x.ndim != y.ndim || strcmp(x.type, y.type) != 0 ||
            memcmp(x.data, y.data, x.bytes) != 0)
            abort();
        heddle_release(bytes);
    } else if (h && heddle_error(h)[0] == 0) {
        abort(); /* refused without a reason */
    }
    return 0;
}
