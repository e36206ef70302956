/*
 * Canvas of the full-screen view: cells in rows, each a character and its look. It does not depend on a terminal.
 *
 *   canvas_begin(&c, 80, 24, utf8);
 *   canvas_text(&c, &(struct box){.x = 2, .y = 3, .cols = 20, .rows = 4}, 0, LOOK_PLAIN, "first line of the box");
 */
#ifndef HEDDLE_CLI_DEBUG_SCREEN_CANVAS_H
#define HEDDLE_CLI_DEBUG_SCREEN_CANVAS_H

#include "sim/base/buf.h"

/* Looks of a cell: attributes and, on terminals that have them, colours; the characters alone carry the meaning. */
enum look { LOOK_PLAIN, LOOK_RULE, LOOK_TITLE, LOOK_FOCUS, LOOK_BAR, LOOK_HERE, LOOK_STOP, LOOK_FLIGHT, LOOK_ERROR };

struct cell {
    u32 c; /* code point; 0 = the right half of a wide one */
    enum look look;
};

struct canvas {
    struct buf cells; /* list of struct cell, row by row */
    u32 cols, rows;
    bool utf8; /* can show code points beyond ASCII */
};

/* A part of a canvas; text begins `skip` columns before its left edge. */
struct box {
    u32 x, y, cols, rows, skip;
};

/* Makes a blank canvas of that size; false when out of memory. */
bool canvas_begin(struct canvas *c, u32 cols, u32 rows, bool utf8);
void canvas_free(struct canvas *c);

struct cell *canvas_at(const struct canvas *c, u32 x, u32 y);

/*
 * Puts text into a row of a box, up to its end or a line's, cut at the edges of the box. Returns the columns that the
 * text takes, cut or not.
 */
u32 canvas_text(struct canvas *c, const struct box *b, u32 row, enum look look, const char *text);

/* Wraps text into lines of at most `cols` columns, at a blank if possible. */
void canvas_wrap(const char *text, size_t len, u32 cols, struct buf *out);

/* Fills a row of a box. */
void canvas_fill(struct canvas *c, const struct box *b, u32 row, enum look look, u32 what);

/* Lines between panes. */
enum rule { RULE_ACROSS, RULE_DOWN };
u32 canvas_rule(const struct canvas *c, enum rule rule);

#endif
