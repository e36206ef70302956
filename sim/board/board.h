/*
 * A board: the machine that a kernel is launched on, as one YAML file in configs/ describes it. What is there today is
 * what decides whether a kernel can run and what it sees of the machine; how long things take comes with the clock.
 *
 *   name: half
 *   base: a100.yaml        # all values of another board, looked up beside this file
 *   sms: 54                # and what differs
 *
 *   struct board b;
 *   board_default(&b);
 *   if (board_load(&b, &source, "half.yaml", text, length, &diag) && board_set(&b, "sms=27", &diag)) ...
 */
#ifndef HEDDLE_BOARD_BOARD_H
#define HEDDLE_BOARD_BOARD_H

#include "sim/base/diag.h"

enum board_field {
#define FIELD(key, kind, def, min, max, unit, doc) BOARD_##key,
#include "sim/board/fields.def"
    BOARD_FIELDS
};

enum { BOARD_NAME_MAX = 64, BOARD_BASE_DEPTH = 8 };

struct board {
    char name[BOARD_NAME_MAX];
#define FIELD(key, kind, def, min, max, unit, doc) u32 key;
#include "sim/board/fields.def"
    char origin[BOARD_FIELDS][96]; /* where each value comes from: "default", "a100.yaml:7", "--set" */
};

struct board_field_row {
    const char *key, *unit, *doc;
    u32 def, min, max;
    bool power2;
    size_t offset; /* in struct board */
};

extern const struct board_field_row board_fields[BOARD_FIELDS];

/* Where the text of a `base:` file comes from: NULL when there is none of that name. The text stays the source's. */
struct board_source {
    const char *(*read)(void *ctx, const char *name, size_t *len);
    void *ctx;
};

/* Every field at its default, named "default". */
void board_default(struct board *b);

/* Reads a description over the values that are there. False with errors in `diag`, then `b` is not to be used. */
bool board_load(struct board *b, const struct board_source *source, const char *file, const char *text, size_t len,
                struct diag *diag);

/* Sets one value from "key=value". */
bool board_set(struct board *b, const char *assignment, struct diag *diag);

/* Checks `text` as a value of the field and stores it with its origin. */
bool board_put(struct board *b, enum board_field field, const char *text, const char *origin, struct span at,
               struct diag *diag);

/* The field of that key; BOARD_FIELDS when there is none, with an error that suggests one. */
enum board_field board_field_find(const char *key, struct span at, struct diag *diag);

u32 board_value(const struct board *b, enum board_field field);

/* The description as YAML, each value with its unit, meaning and origin: loading it gives the same board. */
void board_print(const struct board *b, struct buf *out);

/* All keys with unit, range, default and meaning. */
void board_print_keys(struct buf *out);

#endif
