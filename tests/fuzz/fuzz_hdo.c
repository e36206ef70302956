/* Any bytes: what loads as an object can be printed as text that assembles to the same bytes, and run. */
#include "tests/lib/scoped.h"
#include "tests/fuzz/run.h"

int LLVMFuzzerTestOneInput(const u8 *data, size_t size);

int LLVMFuzzerTestOneInput(const u8 *data, size_t size) {
    struct diag diag = {0};
    struct buf text = {0}, object = {0};
    SCOPED(program_drop) struct program *p = program_load("fuzz.hdo", data, size, &diag);
    if (!p) {
        diag_render(&diag, &text);
        buf_free(&text);
        return 0;
    }
    program_disassemble(p, &text);
    struct diag messages = {0}, lint = {0};
    SCOPED(program_drop) struct program *q = program_assemble("fuzz.hd", text.data, text.len, NULL, &messages);
    if (!q)
        abort(); /* the text is refused */
    program_save(q, &object);
    if (object.len != size || memcmp(object.data, data, size) != 0)
        abort(); /* the text means something else */
    program_lint(p, NULL, &lint);
    fuzz_run(p, data[size - 1]);
    buf_free(&text);
    buf_free(&object);
    return 0;
}
