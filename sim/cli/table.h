/*
 * A table that is written as text for people, as CSV, as Markdown or as JSON, from the same rows. Cells are added one
 * behind the other; a row is as many as there are columns.
 *
 *   static const struct table_column columns[] = {{"stall", "stall reason", TABLE_WORD},
 *                                                 {"percent", "share", TABLE_NUMBER}};
 *   struct table t = {.name = "stalls", .column = columns, .columns = COUNT_OF(columns)};
 *   table_word(&t, "barrier");
 *   table_number(&t, 71.2, format_share(71.2, 100));
 *   table_text(&t, ui_width(), out);
 *   table_free(&t);
 *
 * Text whose columns are too many for the width goes on below, with the first column again.
 */
#ifndef HEDDLE_CLI_TABLE_H
#define HEDDLE_CLI_TABLE_H

#include "sim/base/buf.h"
#include "sim/cli/json.h"

enum table_kind {
    TABLE_WORD,
    TABLE_NUMBER, /* to the right */
    TABLE_PROSE,  /* as the last column of text: folded at blanks */
    TABLE_SOURCE, /* as the last column of text: cut where the line ends */
    TABLE_BAR,    /* only in text, and only if there is room */
    TABLE_BELOW   /* in text on a line of its own, below the row */
};

struct table_column {
    const char *key;   /* in CSV and JSON: "share_percent" */
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

void table_word(struct table *t, const char *text); /* a control character becomes '?' */
void table_number(struct table *t, double value, struct short_text shown);
void table_none(struct table *t);
void table_bar(struct table *t, double share, u32 width); /* at most 20 wide */

u32 table_rows(const struct table *t);

void table_text(const struct table *t, u32 width, struct buf *out);
void table_csv(const struct table *t, struct buf *out); /* as RFC 4180, lines ending in LF */
void table_markdown(const struct table *t, struct buf *out);
json_t *table_json(const struct table *t); /* an array of objects; NULL when out of memory */

void table_free(struct table *t);

#endif
