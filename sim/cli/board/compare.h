/*
 * Boards side by side: the keys that differ, by section, with units, and the peaks that follow from them.
 *
 *   struct board_compare b = {.n = 0};
 *   board_compare_read(&b, &names, &sets) && board_compare_text(&b, COMPARE_TEXT, false, &text)
 *   board_compare_free(&b);
 */
#ifndef HEDDLE_CLI_BOARD_COMPARE_H
#define HEDDLE_CLI_BOARD_COMPARE_H

#include "sim/api/heddle.h"
#include "sim/cli/compare.h"

struct board_compare {
    u32 n;
    struct heddle *board[COMPARE_MOST];
    struct short_text title[COMPARE_MOST]; /* name as given */
};

/* Reads boards by their names, a list of char *, with the same values changed on all of them. False after messages. */
bool board_compare_read(struct board_compare *b, const struct buf *names, const struct buf *sets);

/* Writes the differences, or `all`. */
void board_compare_text(const struct board_compare *b, enum compare_form form, bool all, struct buf *out);
bool board_compare_json(const struct board_compare *b, bool all, struct buf *out);

void board_compare_free(struct board_compare *b);

#endif
