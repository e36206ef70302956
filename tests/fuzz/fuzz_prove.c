/*
 * A random program against itself and against one that lacks a line of it. What is proved equal must leave the same on
 * the machine; a difference that is shown must be there on the data that are shown.
 */
#include <stdlib.h>
#include <string.h>

#include "tests/fuzz/session.h"

int LLVMFuzzerTestOneInput(const u8 *data, size_t size);

enum { TRIALS = 3, INSTRUCTIONS = 100000 };

/* The n-th line from the end is left out; 0: none. NULL when the rest is no program. */
static struct heddle_program *without_line(struct session *s, u32 n) {
    SCOPED(buf_free) struct buf text = {0};
    const char *all = s->text.text.data;
    size_t end = s->text.text.len, from = end;
    for (u32 k = 0; k < n && from > 0; k++) {
        end = from--;
        while (from > 0 && all[from - 1] != '\n')
            from--;
    }
    buf_append(&text, all, from);
    buf_append(&text, all + end, s->text.text.len - end);
    struct heddle_program *p = text.failed ? NULL : heddle_load(s->h, "other.hd", text.data, text.len);
    return p;
}

static void put_bytes(struct session *s, const u8 *bytes) {
    struct heddle_tensor t;
    for (u32 b = 0; b < PROGRAM_BUFFERS; b++) {
        if (!heddle_buffer_get(s->h, s->buffer[b].name, &t))
            session_wrong(s, "a buffer is gone");
        memcpy(t.data, bytes, t.bytes);
        bytes += t.bytes;
    }
}

/* Returns the result of a program that starts with these bytes; NULL = it faults. */
static u8 *run(struct session *s, const struct heddle_program *p, const u8 *start, size_t *len) {
    struct heddle_result r;
    put_bytes(s, start);
    return heddle_launch(s->h, p, &s->launch, &r) == HEDDLE_OK ? session_bytes(s, len) : NULL;
}

static void expect_equal(struct session *s, const struct heddle_program *other) {
    for (u32 i = 0; i < TRIALS; i++) {
        size_t len;
        s->seed += i;
        session_rewind(s);
        u8 *start = session_bytes(s, &len), *a = run(s, s->program, start, &len), *b = run(s, other, start, &len);
        if (!a || !b || memcmp(a, b, len) != 0)
            session_wrong(s, "proved equal, but different on the machine");
        free(start);
        free(a);
        free(b);
    }
}

/* The byte of the element in what session_bytes gives. */
static size_t place_of(struct session *s, const struct heddle_proof_difference *d) {
    size_t at = 0;
    for (u32 b = 0; b < PROGRAM_BUFFERS; b++) {
        if (strcmp(s->buffer[b].name, d->buffer) == 0)
            return at + 4 * d->element;
        at += 4 * (size_t)s->buffer[b].words;
    }
    session_wrong(s, "different in '%s', which is no buffer", d->buffer);
}

static void expect_different(struct session *s, const struct heddle_program *other, const struct heddle_proof *p) {
    struct heddle_tensor t;
    size_t len, at = place_of(s, &p->difference);
    u64 said[2] = {p->difference.sides[0].bits, p->difference.sides[1].bits};
    for (u32 i = 0; i < p->ndata; i++)
        if (!heddle_buffer_get(s->h, p->data[i].buffer, &t) || t.bytes != p->data[i].size)
            session_wrong(s, "data of a buffer that is not there");
        else
            memcpy(t.data, p->data[i].bytes, t.bytes);
    u8 *start = session_bytes(s, &len), *left[2] = {run(s, s->program, start, &len), run(s, other, start, &len)};
    for (u32 i = 0; i < 2; i++) {
        u32 bits = 0;
        if (left[i])
            memcpy(&bits, left[i] + at, sizeof bits);
        if (!left[i] || bits != said[i])
            session_wrong(s, "kernel %u leaves 0x%x where the proof says 0x%llx", i, bits, (unsigned long long)said[i]);
        free(left[i]);
    }
    if (said[0] == said[1])
        session_wrong(s, "a difference between equal values");
    free(start);
}

static void prove(struct session *s, const struct heddle_program *other, bool itself, s32 bound) {
    struct heddle_proof proof;
    struct heddle_prove asked = {.warp = s->text.width,
                                 .args = s->args,
                                 .nargs = PROGRAM_BUFFERS,
                                 .max_instructions = INSTRUCTIONS,
                                 .bound = bound};
    for (u32 i = 0; i < 2; i++) {
        asked.kernel[i].program = i ? other : s->program;
        memcpy(asked.kernel[i].grid, s->text.grid, sizeof s->text.grid);
        memcpy(asked.kernel[i].block, s->text.block, sizeof s->text.block);
    }
    enum heddle_status status = heddle_prove(s->h, &asked, &proof);
    if (status != HEDDLE_OK) {
        if (itself || heddle_error(s->h)[0] == 0)
            session_wrong(s, "the proof is refused");
        return; /* the other program faults */
    }
    if (itself && (proof.verdict == HEDDLE_DIFFERENT || proof.verdict == HEDDLE_ORDER))
        session_wrong(s, "a program without races differs from itself:\n%s", proof.text);
    if (proof.verdict == HEDDLE_EQUAL)
        expect_equal(s, other);
    else if (proof.verdict == HEDDLE_DIFFERENT)
        expect_different(s, other, &proof);
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size) {
    struct program_options options = {.shared = true, .divergent = true, .warps = 2, .blocks = 1, .statements = 12};
    struct session s;
    if (size < 3)
        return 0;
    options.oblivious = data[1] % 4 != 0;
    options.integers = data[1] / 4 % 2;
    options.width = 8;
    session_begin(&s, data + 2, size - 2, &options);
    u32 line = data[0] % 48;
    struct heddle_program *other = without_line(&s, line);
    if (other)
        prove(&s, other, line == 0, options.oblivious ? -1 : 4);
    heddle_program_free(other);
    session_end(&s);
    return 0;
}
