/* Any text: the board reader gives an error or a board, and what is printed of it is read back the same. */
#include <stdlib.h>
#include <string.h>

#include "sim/board/board.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void read_again(const struct board *b) {
    struct board again;
    SCOPED(buf_free) struct buf text = {0};
    struct diag diag = {.file = "again.yaml"};
    board_print(b, &text);
    board_default(&again);
    if (text.failed || !board_load(&again, NULL, &(struct board_text){diag.file, text.data, text.len}, &diag))
        abort();
    for (u32 f = 0; f < BOARD_FIELDS; f++)
        if (board_value(b, (enum board_field)f) != board_value(&again, (enum board_field)f) ||
            board_range(b, (enum board_field)f).low != board_range(&again, (enum board_field)f).low ||
            board_range(b, (enum board_field)f).high != board_range(&again, (enum board_field)f).high)
            abort();
    if (strcmp(b->name, again.name) != 0 || memcmp(b->basis, again.basis, sizeof b->basis) != 0)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct diag diag = {.file = "fuzz.yaml", .source = (const char *)data, .source_len = size};
    struct board_peak peaks[BOARD_PEAKS_MAX];
    SCOPED(buf_free) struct buf words = {0};
    struct board b;
    board_default(&b);
    if (board_load(&b, NULL, &(struct board_text){diag.file, (const char *)data, size}, &diag)) {
        read_again(&b);
        board_check(&b, &diag);
        board_peaks(&b, peaks);
        board_warnings(&b, &diag);
    } else if (diag.errors == 0) {
        abort(); /* refused without a reason */
    }
    diag_render(&diag, &words);
    return 0;
}
