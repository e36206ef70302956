/*
 * The description of a sweep in YAML: options by their names, in the order of the file.
 *
 *   run: classic/saxpy            one value
 *   in: [x=iota, y=random]        several
 *   over:                         NAME=VALUES of each
 *     dram.channels: 8..64/x2
 *     sms: [40, 80]
 *   functional: true              no value
 */
#ifndef HEDDLE_SWEEP_DESCRIPTION_H
#define HEDDLE_SWEEP_DESCRIPTION_H

#include "sim/base/arena.h"
#include "sim/base/diag.h"

/* Source of a piece of a value: its bytes from `at` on, up to the next piece. */
struct description_piece {
    size_t at;
    struct span where;
    bool as_written; /* copied from the file byte by byte */
};

struct description_item {
    const char *name;     /* "over" */
    const char *value;    /* "sms=40,80"; NULL = `true` */
    struct span name_at;  /* place of the key */
    struct span value_at; /* place of the value; in over, of the value of "sms" */
    const struct description_piece *piece;
    u32 pieces;
};

/* Finds the place in the file of `len` bytes of an item's value from `at` on. */
struct span description_place(const struct description_item *item, size_t at, size_t len);

/* Adds an item for each option in the text, in the arena. False with the errors in `diag`. */
bool description_read(const char *text, size_t len, struct arena *arena, struct buf *items, struct diag *diag);

#endif
