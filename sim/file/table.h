/*
 * A table, written from the same rows as text, as CSV or as Markdown. Cells are added one after the other; a row has
 * one for each column.
 *
 *   static const struct table_column columns[] = {{"stall", "stall reason", TABLE_WORD},
 *                                                 {"percent", "share", TABLE_NUMBER}};
 *   struct table t = {.name = "stalls", .column = columns, .columns = COUNT_OF(columns)};
 *   table_word(&t, "barrier");
 *   table_number(&t, 71.2, format_share(71.2, 100));
 *   table_text(&t, 80, out);
 *   table_free(&t);
 *
 * Text that is too wide has titles and words in several lines; columns that still do not fit follow below, with the
 * first column again.
 */
#ifndef HEDDLE_FILE_TABLE_H
#define HEDDLE_FILE_TABLE_H

#include "sim/base/buf.h"

enum { TABLE_COLUMNS = 64 }; /* most columns */

enum table_kind {
    TABLE_WORD,
    TABLE_NUMBER, /* aligned right, never broken */
    TABLE_PROSE,  /* broken first, between its words */
    TABLE_SOURCE, /* cut to fit */
    TABLE_VARIES, /* a number that text leaves out if all rows have the same */
    TABLE_BAR,    /* only in text, and only if it fits */
    TABLE_BELOW   /* in text on a line of its own, after the row */
};

struct table_column {
    const char *key;   /* in CSV: "share_percent" */
    const char *title; /* in text and Markdown: "share"; if all are "", text has no line of titles */
    enum table_kind kind;
};

struct table {
    const char *name;
    const struct table_column *column;
    u32 columns;
    const char *caption; /* a line after the text; NULL = none */
    u32 launch;          /* launch of the rows that follow, from 1; 0 = the only one */
    struct buf cells;    /* list of struct table_cell */
    struct buf texts;    /* texts of the cells, each ended by NUL */
};

void table_word(struct table *t, const char *text);  /* replaces control characters by '?' */
void table_lines(struct table *t, const char *text); /* of any length and with line ends */
void table_number(struct table *t, double value, struct short_text shown);
void table_none(struct table *t);
void table_bar(struct table *t, struct short_text bar);

/* A cell, for the writers. */
struct table_cell {
    size_t at; /* in `texts` */
    double number;
    enum { CELL_NONE, CELL_WORD, CELL_NUMBER } kind;
    u32 launch;
    u32 width; /* in columns of the terminal */
};

u32 table_rows(const struct table *t);
const struct table_cell *table_cell(const struct table *t, u32 row, u32 column);
const char *table_cell_text(const struct table *t, u32 row, u32 column);

/* Counts the terminal columns of a text. */
u32 table_width(const char *text);

/* Checks that the table has all its cells; if not, `out` has failed and the table is not written. */
bool table_complete(const struct table *t, struct buf *out);

void table_text(const struct table *t, u32 width, struct buf *out);
void table_csv(const struct table *t, struct buf *out); /* by RFC 4180, with LF */
void table_markdown(const struct table *t, struct buf *out);

void table_free(struct table *t);

#endif
