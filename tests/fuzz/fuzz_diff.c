/*
 * Any two texts, with a NUL between them, as results: what is no result is refused; a result differs from another in
 * words and in JSON, and not from itself.
 */
#include <stdlib.h>
#include <string.h>

#include "sim/cli/diff/diff.h"

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const u8 *data, size_t size);

int LLVMFuzzerInitialize(int *argc, char ***argv) {
    (void)argc;
    (void)argv;
    json_begin();
    return 0;
}

/* True if nothing differs. */
static bool compare(const struct diff_runs *runs) {
    SCOPED(buf_free) struct buf text = {0}, json = {0};
    json_t *diff = diff_of(runs);
    if (!diff || !json_write(diff, &json))
        abort();
    const struct diff_style style = {(enum compare_form)(json.len % 3), json.len % 2, "--all shows them"};
    diff_write(runs, diff, &style, &text);
    if (text.failed || (text.len == 0 && json.len % 3 != COMPARE_CSV))
        abort();
    bool same = json_is_true(json_object_get(diff, "same"));
    json_decref(diff);
    return same;
}

/* Each of the texts with itself, and both, when they are results. */
int LLVMFuzzerTestOneInput(const u8 *data, size_t size) {
    const u8 *nul = size ? memchr(data, 0, size) : NULL;
    size_t first = nul ? (size_t)(nul - data) : size, second = nul ? size - first - 1 : 0;
    struct diff_runs runs = {.n = 0}, twice = {.n = 0};
    bool a = diff_parse(&runs, "a.json", (const char *)data, first);
    bool again = a && diff_parse(&twice, "a.json", (const char *)data, first) &&
                 diff_parse(&twice, "a.json", (const char *)data, first);
    bool b = a && nul && diff_parse(&runs, "b.json", (const char *)nul + 1, second);
    diff_name(&runs);
    diff_name(&twice);
    if (again && twice.n == 2 && !compare(&twice))
        abort();
    if (b)
        compare(&runs);
    diff_free(&runs);
    diff_free(&twice);
    return 0;
}
