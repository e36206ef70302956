/*
 * Tables as text: lines of fields, as spreadsheets, scanners and programs write them.
 *
 *   struct delimited d = {.text = text, .len = len, .type = ET_F32, .diag = {.file = "x.csv", ...}};
 *   if (delimited_open(&d))
 *       while (delimited_row(&d))
 *           use(d.columns fields from delimited_fields(&d) on);
 *   if (d.diag.errors || d.failed) ...
 *   delimited_close(&d);
 *
 * The first line of numbers shows the separator: commas, semicolons, tabs, or blanks, where several count as one. Both
 * commas and semicolons, or commas and blanks, are an error: the commas may be decimal ones.
 *
 * - A first line of names, without a number, names the columns. So does the remark above the first numbers, where it
 *   has a name for each of them ("//X Y Z Intensity", "# x, y, z").
 * - Remarks are lines that begin with '#', '%' or "//", and what follows a blank and '#'.
 * - Fields may stand in double quotes, where a quote is doubled (RFC 4180).
 * - All lines have the same number of fields. If each ends with a separator, no field follows that one.
 * - Lines end with LF, CR LF or CR; UTF-8 may begin with its mark.
 */
#ifndef HEDDLE_API_DELIMITED_H
#define HEDDLE_API_DELIMITED_H

#include "isa/program.h"
#include "sim/base/diag.h"

struct field {
    const char *text; /* without quotes and surrounding blanks; inside quotes, a quote is still doubled */
    u32 len;
    u32 line, col; /* its first character, for messages */
    bool quoted;
};

struct delimited {
    const char *text;
    size_t len;
    enum etype type; /* type of its numbers; decides whether a line has names or values */
    bool words;      /* fields are texts between commas: no remarks, no names */
    struct diag diag;
    /* Set by delimited_open. */
    char separator;
    u32 columns;
    bool ends;        /* each line ends with a separator */
    u32 first;        /* line of the first row */
    u32 named;        /* line of the names; 0 = none */
    struct buf names; /* list of struct field: one for each column, or empty */
    /* Present position. */
    size_t at, line_start;
    u32 line;            /* lines before this text, if it is a part of one; else 0 */
    struct field remark; /* the last remark that fills a line */
    struct buf row;      /* list of struct field */
    bool failed;         /* memory ran out */
};

/* Finds the columns and their names; none in an empty text. False if reading cannot go on. */
bool delimited_open(struct delimited *d);

/* Reads the next row; rows of another length are reported and skipped. False at the end, or after many errors. */
bool delimited_row(struct delimited *d);

const struct field *delimited_fields(const struct delimited *d);
const struct field *delimited_names(const struct delimited *d); /* NULL = none */

void delimited_close(struct delimited *d);

/*
 * Computes the bits of a field as an element of the type. False after an error at its place; an empty field is an
 * error, unless `empty_nan` makes it NaN, which the type must have.
 */
bool field_value(struct delimited *d, const struct field *f, bool empty_nan, u64 *bits);

/* True if a field is written as 0x... or 0b..., the bits of a floating-point number. */
bool field_is_pattern(const struct field *f);

/* Appends the text of a field. */
void field_put(const struct field *f, struct buf *out);

#endif
