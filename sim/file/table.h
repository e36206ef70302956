/*
 * A table that is written as text for people, as CSV or as Markdown, from the same rows. Cells are added one behind
 * the other; a row is as many as there are columns.
 *
 *   static const struct table_column columns[] = {{"stall", "stall reason", TABLE_WORD},
 *                                                 {"percent", "share", TABLE_NUMBER}};
 *   struct table t = {.name = "stalls", .column = columns, .columns = COUNT_OF(columns)};
 *   table_word(&t, "barrier");
 *   table_number(&t, 71.2, format_share(71.2, 100));
 *   table_text(&t, 80, out);
 *   table_free(&t);
 *
 * Text that is too wide has titles and words in several lines; what does not fit even so goes on below, with the first
 * column again.
 */
#ifndef HEDDLE_FILE_TABLE_H
#define HEDDLE_FILE_TABLE_H

#include "sim/base/buf.h"

enum { TABLE_COLUMNS = 64 }; /* at most */

enum table_kind {
    TABLE_WORD,
    TABLE_NUMBER, /* to the right, never broken */
    TABLE_PROSE,  /* the first to be broken between its words */
    TABLE_SOURCE, /* cut where there is no room */
    TABLE_VARIES, /* a number that is not in text if it is the same in all rows */
    TABLE_BAR,    /* only in text, and only if there is room */
    TABLE_BELOW   /* in text on a line of its own, below the row */
};

struct table_column {
    const char *key;   /* in CSV: "share_percent" */
    const char *title; /* in text and Markdown: "share"; all of them "": no line of titles in text */
    enum table_kind kind;
};

struct table {
    const char *name;
    const struct table_column *column;
    u32 columns;
    const char *caption; /* a line below the text; NULL = none */
    u32 launch;          /* to which the rows that follow belong, from 1; 0 = there is only one */
    struct buf cells;    /* struct table_cell each */
    struct buf texts;    /* what they show, each ended by NUL */
};

void table_word(struct table *t, const char *text);  /* a control character becomes '?' */
void table_lines(struct table *t, const char *text); /* the same, but of any length and with its line ends */
void table_number(struct table *t, double value, struct short_text shown);
void table_none(struct table *t);
void table_bar(struct table *t, struct short_text bar);

/* A cell, as the writers see it. */
struct table_cell {
    size_t at; /* in `texts` */
    double number;
    enum { CELL_NONE, CELL_WORD, CELL_NUMBER } kind;
    u32 launch;
    u32 width; /* columns of the terminal */
};

u32 table_rows(const struct table *t);
const struct table_cell *table_cell(const struct table *t, u32 row, u32 column);
const char *table_cell_text(const struct table *t, u32 row, u32 column);

/* Columns of the terminal that a text takes. */
u32 table_width(const char *text);

/* Whether all cells are there; else `out` has failed. A table that lacks cells is not written. */
bool table_complete(const struct table *t, struct buf *out);

void table_text(const struct table *t, u32 width, struct buf *out);
void table_csv(const struct table *t, struct buf *out); /* as RFC 4180, lines ending in LF */
void table_markdown(const struct table *t, struct buf *out);

void table_free(struct table *t);

#endif
