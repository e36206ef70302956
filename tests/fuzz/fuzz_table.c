/* Any bytes as a table: an error with a reason, or a buffer of all its rows that reads back the same when written. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/api/element.h"
#include "tests/lib/scoped.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(struct heddle *h, const struct heddle_csv *csv) {
    struct heddle_tensor x, y;
    SCOPED(buf_free) struct buf text = {0};
    if (!heddle_buffer_get(h, "x", &x))
        abort();
    u64 columns = x.ndim == 2 ? x.shape[1] : 1;
    for (u64 i = 0; i < x.count; i++)
        buf_printf(&text, "%s%c", element_text(&x, i).text, (i + 1) % columns ? ';' : '\n');
    /* NaN is canonical, so that the bits agree. */
    if (!heddle_csv_read(h, "y", csv, text.data, text.len) || !heddle_buffer_get(h, "y", &y) || x.bytes != y.bytes ||
        x.ndim != y.ndim || memcmp(x.data, y.data, x.bytes) != 0)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const char *const types[] = {"f32", "f64", "i64", "u8", "f16", "i32", "bool", "u64"};
    SCOPED(heddle_drop) struct heddle *h = heddle_new();
    uint8_t how = size ? data[--size] : 0;
    struct heddle_csv csv = {.file = "fuzz.csv", .type = types[how & 7], .empty_nan = how & 8};
    char *copy = malloc(size ? size : 1); /* of the exact size, so that reading past its end is seen */
    memcpy(copy, data, size);
    if (h && heddle_csv_read(h, "x", &csv, copy, size))
        check(h, &csv);
    else if (h && heddle_error(h)[0] == 0)
        abort(); /* refused without a reason */
    free(copy);
    return 0;
}
