/* A line of a random program, explained with a clock or without: it changes nothing, and agrees with the counts. */
#include <stdlib.h>
#include <string.h>

#include "tests/fuzz/session.h"

int LLVMFuzzerTestOneInput(const u8 *data, size_t size);

enum { HEAD = 8, BOARD_BYTES = 24 };

/* Counts how often the instructions of that line and text were issued. */
static u64 issued(const struct heddle_result *r, const struct heddle_explained *x) {
    u64 n = 0;
    for (u32 i = 0; i < r->nlines; i++)
        if (r->lines[i].line == x->line && strcmp(r->lines[i].text, x->text) == 0)
            n += r->lines[i].warp_instructions;
    return n;
}

static u32 count_lines(const struct buf *text) {
    u32 n = 0;
    for (size_t i = 0; i < text->len; i++)
        n += text->data[i] == '\n';
    return n;
}

static void compare(struct session *s, const struct heddle_explain *x) {
    struct heddle_launch l = s->launch;
    struct heddle_result r;
    size_t len;
    if (session_launch(s, &l, &r) != HEDDLE_OK)
        return; /* the board has no room for a block */
    u64 cycles = r.cycles, instructions = r.warp_instructions;
    u8 *plain = session_bytes(s, &len);
    l.explain = x;
    if (session_launch(s, &l, &r) == HEDDLE_OK) { /* else there is no instruction in that line */
        u8 *bytes = session_bytes(s, &len);
        if (memcmp(plain, bytes, len) != 0 || r.cycles != cycles || r.warp_instructions != instructions)
            session_wrong(s, "explaining line %u changes the launch", x->line);
        for (u32 i = 0; i < r.nexplain; i++)
            if (r.explain[i].executions > issued(&r, &r.explain[i]))
                session_wrong(s, "line %u: %s is explained oftener than it was issued", x->line, r.explain[i].text);
        free(bytes);
    } else if (heddle_error(s->h)[0] == 0) {
        session_wrong(s, "line %u is refused without a reason", x->line);
    }
    free(plain);
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size) {
    static const struct program_options options = {
        .shared = true, .global = true, .divergent = true, .warps = 2, .blocks = 2, .statements = 16};
    struct session s;
    if (size < HEAD + BOARD_BYTES)
        return 0;
    session_begin(&s, data + HEAD + BOARD_BYTES, size - HEAD - BOARD_BYTES, &options);
    struct heddle_explain x = {.line = 1 + (data[0] | (u32)data[1] << 8) % count_lines(&s.text.text),
                               .given = data[2] % 4,
                               .which = {data[3] % 4, data[4] % 4, data[5] % 4}};
    if (data[6] % 2)
        session_board(&s, data + HEAD, BOARD_BYTES);
    compare(&s, &x);
    session_end(&s);
    return 0;
}
