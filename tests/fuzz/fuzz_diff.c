/*
 * Any two texts, with a NUL between them, as results: what is no result is refused; a result differs from another in
 * words and in JSON, and not from itself.
 */
#include <stdlib.h>
#include <string.h>

#include "sim/cli/diff.h"

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const u8 *data, size_t size);

int LLVMFuzzerInitialize(int *argc, char ***argv) {
    (void)argc;
    (void)argv;
    json_begin();
    return 0;
}

/* Whether nothing differs. */
static bool compare(const json_t *a, const json_t *b) {
    struct buf text = {0}, json = {0};
    json_t *diff = diff_of(a, b);
    if (!diff || !json_write(diff, &json))
        abort();
    diff_text(diff, "a.json", "b.json", json.len % 2, &text);
    if (text.failed || text.len == 0)
        abort();
    bool same = json_is_true(json_object_get(diff, "same"));
    json_decref(diff);
    buf_free(&text);
    buf_free(&json);
    return same;
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size) {
    const u8 *nul = size ? memchr(data, 0, size) : NULL;
    size_t first = nul ? (size_t)(nul - data) : size, second = nul ? size - first - 1 : 0;
    json_t *a = diff_parse("a.json", (const char *)data, first);
    json_t *b = nul ? diff_parse("b.json", (const char *)nul + 1, second) : NULL;
    if (a && !compare(a, a))
        abort();
    if (a && b)
        compare(a, b);
    json_decref(a);
    json_decref(b);
    return 0;
}
