/*
 * Any text, in parts between NULs that it can include: the assembler gives diagnostics or a program; a program survives
 * text -> bytes -> text and runs.
 */
#include "isa/program.h"
#include "tests/fuzz/run.h"

int LLVMFuzzerTestOneInput(const u8 *data, size_t size);

static void render(const struct diag *diag) {
    SCOPED(buf_free) struct buf text = {0};
    diag_render(diag, &text);
}

/* Disassembled text must assemble to the same object. */
static void round_trip(const struct program *p) {
    SCOPED(buf_free) struct buf object = {0}, text = {0}, again = {0};
    struct diag diag = {.file = "disassembled"};
    program_save(p, &object);
    program_disassemble(p, &text);
    struct program *q = program_assemble("again.hd", text.data, text.len, NULL, &diag);
    if (!q)
        abort();
    program_save(q, &again);
    if (object.len != again.len || memcmp(object.data, again.data, object.len) != 0)
        abort();
    program_free(q);
    struct diag load = {.file = "object"};
    q = program_load("again.hdo", (const u8 *)object.data, object.len, &load);
    if (!q)
        abort();
    program_free(q);
}

struct parts {
    const char *at, *end;
};

/* Returns the next part, for any path. */
static const char *next_part(void *ctx, const char *path, size_t *len) {
    struct parts *p = ctx;
    (void)path;
    if (!p->at)
        return NULL;
    const char *text = p->at, *nul = memchr(text, 0, (size_t)(p->end - text));
    *len = (size_t)((nul ? nul : p->end) - text);
    p->at = nul ? nul + 1 : NULL;
    return text;
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size) {
    struct diag diag = {.file = "fuzz.hd"};
    /* Passes the text without a NUL after it, as a file has none. */
    char *text = malloc(size ? size : 1);
    if (!text)
        return 0;
    memcpy(text, data, size);
    struct parts parts = {text, text + size};
    struct includes includes = {.read = next_part, .ctx = &parts};
    size_t len = 0;
    const char *first = next_part(&parts, "fuzz.hd", &len);
    struct program *p = program_assemble("fuzz.hd", first, len, &includes, &diag);
    render(&diag);
    includes_free(&includes);
    if (p) {
        struct diag lint = {.file = "fuzz.hd"};
        program_lint(p, NULL, &lint);
        render(&lint);
        round_trip(p);
        fuzz_run(p, size ? data[size - 1] : 0);
        program_free(p);
    }
    free(text);
    return 0;
}
