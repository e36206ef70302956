/* The board of a context: read, changed, shown. */
#include "sim/api/context.h"

bool heddle_board_load(struct heddle *h, const char *file, const char *text, size_t len, heddle_read_fn read,
                       void *ctx) {
    struct diag diag = {.file = file, .source = text, .source_len = len};
    struct board_source source = {read, ctx};
    struct board board;
    context_begin(h);
    board_default(&board);
    if (!board_load(&board, &source, file, text, len, &diag))
        return context_fail_diag(h, &diag);
    h->board = board;
    return true;
}

bool heddle_board_set(struct heddle *h, const char *assignment) {
    struct diag diag = {.file = "--set"};
    context_begin(h);
    return board_set(&h->board, assignment, &diag) || context_fail_diag(h, &diag);
}

char *heddle_board_text(struct heddle *h, size_t *len) {
    struct buf text = {0};
    context_begin(h);
    board_print(&h->board, &text);
    return context_hand_out(h, &text, len);
}

char *heddle_board_keys(struct heddle *h, size_t *len) {
    struct buf text = {0};
    context_begin(h);
    board_print_keys(&text);
    return context_hand_out(h, &text, len);
}
