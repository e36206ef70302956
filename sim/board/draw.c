#include "sim/board/board.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "sim/base/decimal.h"
#include "sim/base/mix.h"

/* Hashes a key and the number of a draw to a share of [0, 1). */
static double share_of(const char *key, u32 draw) {
    u64 h = fnv_1a(FNV_BASIS, key, strlen(key)) + draw * SPLITMIX_STEP;
    return (double)(splitmix(h) >> 11) * 0x1p-53;
}

/* The point at a share of the way from a to b: of their ratio, if both are positive. */
static double between(double a, double b, double share) {
    return a > 0 && b > 0 ? a * pow(b / a, share) : a + (b - a) * share;
}

/* Half of the draws lie below the value as it stands, so that it is their median. */
static double drawn(const struct board_field_row *row, double value, struct board_range range, double share) {
    double x = share < 0.5 ? between(range.low, value, 2 * share) : between(value, range.high, 2 * share - 1);
    if (row->kind == KIND_POWER2) {
        x = exp2(round(log2(x)));
    } else if (row->kind == KIND_COUNT) {
        x = round(x);
    } else {
        char text[32]; /* four digits, so that no host's rounding of pow() shows */
        snprintf(text, sizeof text, "%.4g", x);
        decimal_read(text, &x);
    }
    return x < range.low ? range.low : x > range.high ? range.high : x;
}

void board_draw(struct board *b) {
    for (u32 f = 0; f < BOARD_FIELDS && b->draw; f++) {
        struct board_range range = b->range[f];
        size_t len = strlen(b->origin[f]);
        if (!range.given)
            continue;
        const struct board_field_row *row = &board_fields[f];
        board_store(b, (enum board_field)f, drawn(row, board_value(b, f), range, share_of(row->key, b->draw)));
        snprintf(b->origin[f] + len, sizeof b->origin[f] - len, ", draw %u", b->draw);
    }
}
