/*
 * Random programs on random boards: with a clock every buffer holds the bytes that it does without one, counters add
 * up, and three host threads give the same cycles, metrics, lines and traffic as one.
 */
#include <stdlib.h>
#include <string.h>

#include "tests/fuzz/session.h"

int LLVMFuzzerTestOneInput(const u8 *data, size_t size);

enum { BOARD_BYTES = 48 };

struct left {
    u8 *bytes;
    size_t len;
    struct buf numbers;
};

static enum heddle_status run(struct session *s, const struct heddle_launch *l, struct left *left) {
    struct heddle_result r;
    enum heddle_status status = session_launch(s, l, &r);
    *left = (struct left){.bytes = session_bytes(s, &left->len)};
    if (status == HEDDLE_OK && r.timed)
        session_numbers(&r, &left->numbers);
    return status;
}

static void drop(struct left *left) {
    free(left->bytes);
    buf_free(&left->numbers);
}

static void compare(struct session *s, struct left *plain) {
    struct heddle_launch l = s->launch;
    struct left one, three;
    l.threads = 1;
    enum heddle_status status = run(s, &l, &one);
    if (status == HEDDLE_OK) { /* else the board has no room for a block */
        if (memcmp(plain->bytes, one.bytes, one.len) != 0)
            session_wrong(s, "the clock changes what the program computes\n%s", heddle_board_text(s->h, NULL));
        l.threads = 3;
        run(s, &l, &three);
        if (memcmp(one.bytes, three.bytes, one.len) != 0)
            session_wrong(s, "host threads change what the program computes");
        if (one.numbers.len != three.numbers.len || memcmp(one.numbers.data, three.numbers.data, one.numbers.len) != 0)
            session_wrong(s, "host threads change time or counters\n%s", heddle_board_text(s->h, NULL));
        drop(&three);
    }
    drop(&one);
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size) {
    static const struct program_options options = {
        .shared = true, .global = true, .divergent = true, .warps = 3, .statements = 24};
    struct session s;
    struct left plain;
    size_t board = size > 2 * BOARD_BYTES ? BOARD_BYTES : size / 2;
    session_begin(&s, data + board, size - board, &options);
    if (run(&s, &s.launch, &plain) != HEDDLE_OK)
        session_wrong(&s, "the launch is refused");
    session_board(&s, data, board);
    compare(&s, &plain);
    drop(&plain);
    session_end(&s);
    return 0;
}
