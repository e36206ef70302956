/* Random programs on the machine and on the second model: the same bytes. */
#include <stdio.h>
#include <stdlib.h>

#include "tests/model/compare.h"

int LLVMFuzzerTestOneInput(const u8 *data, size_t size);

int LLVMFuzzerTestOneInput(const u8 *data, size_t size) {
    static const struct program_options options = {
        .shared = true, .global = true, .divergent = true, .warps = 2, .blocks = 2, .statements = 16};
    SCOPED(program_text_free) struct program_text t = {0};
    SCOPED(buf_free) struct buf why = {0};
    if (size == 0)
        return 0;
    program_random(data + 1, size - 1, &options, &t);
    if (!model_agrees(&t, data[0], &why)) {
        fputs(why.data, stderr);
        abort();
    }
    return 0;
}
