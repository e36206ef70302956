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
 * What separates fields is told by the first line of numbers: commas, semicolons, tabs, or blanks, of which several
 * count as one. Both commas and semicolons, or commas and blanks, are an error: the commas are decimal ones, or not.
 *
 * - A first line of names, without a number, names the columns. So does the remark above the first numbers, where it
 *   has a name for each of them ("//X Y Z Intensity", "# x, y, z").
 * - Remarks are lines that begin with '#', '%' or "//", and what follows a blank and '#'.
 * - Fields may stand in double quotes, where a quote is doubled (RFC 4180).
 * - All lines have as many fields. Where each ends with a separator, nothing is behind that one.
 * - Lines end with LF, CR LF or CR; UTF-8 may begin with its mark.
 */
#ifndef HEDDLE_API_DELIMITED_H
#define HEDDLE_API_DELIMITED_H

#include "isa/program.h"
#include "sim/base/diag.h"

struct field {
    const char *text; /* without quotes and the blanks around it; within quotes, a quote is still doubled */
    u32 len;
    u32 line, col; /* where it begins, as in messages */
    bool quoted;
};

struct delimited {
    const char *text;
    size_t len;
    enum etype type; /* of its numbers, which tells a line of names from one of values */
    bool words;      /* fields are texts between commas: no remarks, no names */
    struct diag diag;
    /* What delimited_open finds. */
    char separator;
    u32 columns;
    bool ends;        /* each line ends with a separator */
    u32 first;        /* line of the first row */
    u32 named;        /* line that is the names; 0: none is */
    struct buf names; /* struct field, one for each column, or none */
    /* Where it is. */
    size_t at, line_start;
    u32 line;            /* of a part of a text, the number of lines before it; 0 where it is the whole */
    struct field remark; /* the last one that was a whole line */
    struct buf row;      /* struct field */
    bool failed;         /* memory ran out */
};

/* Finds columns and their names; none in an empty text. False when there is no reading on. */
bool delimited_open(struct delimited *d);

/* Reads the next row; those of another length are errors and left out. False at the end, or after many errors. */
bool delimited_row(struct delimited *d);

const struct field *delimited_fields(const struct delimited *d);
const struct field *delimited_names(const struct delimited *d); /* NULL: there are none */

void delimited_close(struct delimited *d);

/*
 * The bits of a field as an element of the type. False after an error at its place; an empty field is one, unless
 * `empty_nan` asks for NaN, which the type must have.
 */
bool field_value(struct delimited *d, const struct field *f, bool empty_nan, u64 *bits);

/* Whether a field is written as 0x... or 0b..., which are the bits of a floating-point number. */
bool field_is_pattern(const struct field *f);

/* Appends the text of a field. */
void field_put(const struct field *f, struct buf *out);

#endif
