/* Any bytes: the loader gives a diagnostic or a program that can be printed, saved to the same bytes, and run. */
#include "isa/program.h"
#include "tests/fuzz/run.h"

int LLVMFuzzerTestOneInput(const u8 *data, size_t size);

int LLVMFuzzerTestOneInput(const u8 *data, size_t size) {
    struct diag diag = {.file = "fuzz.hdo"};
    u8 *bytes = malloc(size ? size : 1);
    if (!bytes)
        return 0;
    memcpy(bytes, data, size);
    struct program *p = program_load("fuzz.hdo", bytes, size, &diag);
    struct buf text = {0}, object = {0};
    diag_render(&diag, &text);
    if (p) {
        program_disassemble(p, &text);
        program_save(p, &object);
        if (object.len != size || memcmp(object.data, data, size) != 0)
            abort(); /* two files for one program */
        struct diag lint = {.file = "fuzz.hdo"};
        program_lint(p, &lint);
        fuzz_run(p, size ? data[size - 1] : 0);
        program_free(p);
    }
    buf_free(&text);
    buf_free(&object);
    free(bytes);
    return 0;
}
