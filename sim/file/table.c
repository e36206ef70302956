#include "sim/file/table.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "sim/base/diag.h"

/* ---- rows ---- */

/* Counts the bytes of `len` that can be printed at once, up to the end of a character. */
static size_t part_of(const char *text, size_t len) {
    if (len <= TEXT_WIDEST)
        return len;
    for (len = TEXT_WIDEST; len > TEXT_WIDEST - 4 && ((unsigned char)text[len] & 0xc0) == 0x80; len--)
        ;
    return len;
}

static void put_words(struct buf *out, const char *text, bool lines) {
    while (*text) {
        size_t len = part_of(text, lines ? strcspn(text, "\n") : strlen(text));
        diag_put_text(out, text, len);
        text += len;
        if (lines && *text == '\n') {
            buf_putc(out, '\n');
            text++;
        }
    }
}

static void add(struct table *t, const struct table_cell *cell, const char *text, bool lines) {
    struct table_cell c = *cell;
    c.at = t->texts.len;
    c.launch = t->launch;
    c.width = table_width(text);
    put_words(&t->texts, text, lines);
    buf_putc(&t->texts, 0);
    buf_append(&t->cells, &c, sizeof c);
}

void table_word(struct table *t, const char *text) {
    add(t, &(struct table_cell){.kind = CELL_WORD}, text, false);
}

void table_lines(struct table *t, const char *text) {
    add(t, &(struct table_cell){.kind = CELL_WORD}, text, true);
}

void table_number(struct table *t, double value, struct short_text shown) {
    add(t, &(struct table_cell){.kind = CELL_NUMBER, .number = value}, shown.text, false);
}

void table_none(struct table *t) {
    add(t, &(struct table_cell){.kind = CELL_NONE}, "-", false);
}

void table_bar(struct table *t, struct short_text bar) {
    char framed[64];
    snprintf(framed, sizeof framed, "|%s|", bar.text);
    table_word(t, framed);
}

u32 table_rows(const struct table *t) {
    return (u32)(t->cells.len / sizeof(struct table_cell)) / t->columns;
}

bool table_complete(const struct table *t, struct buf *out) {
    out->failed |= t->cells.failed || t->texts.failed;
    return !out->failed;
}

const struct table_cell *table_cell(const struct table *t, u32 row, u32 column) {
    return &((const struct table_cell *)(const void *)t->cells.data)[(size_t)row * t->columns + column];
}

const char *table_cell_text(const struct table *t, u32 row, u32 column) {
    return t->texts.data + table_cell(t, row, column)->at;
}

/* Counts the bytes that start a character, of the longest of several lines. */
u32 table_width(const char *text) {
    u32 most = 0;
    for (u32 n = 0; *text; text++) {
        n = *text == '\n' ? 0 : n + (((unsigned char)*text & 0xc0) != 0x80);
        most = n > most ? n : most;
    }
    return most;
}

void table_free(struct table *t) {
    buf_free(&t->cells);
    buf_free(&t->texts);
    *t = (struct table){.name = NULL};
}

/* ---- CSV ---- */

/* Prints 12 significant digits, more than any count or clock is worth; whole numbers are exact up to 2^53. */
static struct short_text number_text(double v) {
    struct short_text s = {""};
    if (v == floor(v) && fabs(v) < 0x1p53)
        snprintf(s.text, sizeof s.text, "%.0f", v);
    else if (isfinite(v))
        snprintf(s.text, sizeof s.text, "%.12g", v);
    return s;
}

static void put_csv_text(const char *text, struct buf *out) {
    bool quoted = text[strcspn(text, ",\"\r\n")] != 0;
    if (quoted)
        buf_putc(out, '"');
    for (; *text; text++)
        buf_printf(out, "%s%c", *text == '"' ? "\"" : "", *text);
    if (quoted)
        buf_putc(out, '"');
}

/* True if any row has a launch number: then it is the first column. */
static bool of_launches(const struct table *t) {
    return table_rows(t) && table_cell(t, 0, 0)->launch;
}

static void put_csv_row(const struct table *t, u32 row, const char *separator, struct buf *out) {
    for (u32 c = 0; c < t->columns; c++) {
        const struct table_cell *cell = table_cell(t, row, c);
        if (t->column[c].kind == TABLE_BAR)
            continue;
        buf_puts(out, separator);
        if (cell->kind == CELL_NUMBER)
            buf_puts(out, number_text(cell->number).text);
        else if (cell->kind == CELL_WORD)
            put_csv_text(table_cell_text(t, row, c), out);
        separator = ",";
    }
    buf_putc(out, '\n');
}

void table_csv(const struct table *t, struct buf *out) {
    bool launches = table_complete(t, out) && of_launches(t);
    const char *separator = launches ? "launch," : "";
    if (out->failed)
        return;
    for (u32 c = 0; c < t->columns; c++)
        if (t->column[c].kind != TABLE_BAR) {
            buf_puts(out, separator);
            put_csv_text(t->column[c].key, out);
            separator = ",";
        }
    buf_putc(out, '\n');
    for (u32 row = 0; row < table_rows(t); row++) {
        if (launches)
            buf_printf(out, "%u", table_cell(t, row, 0)->launch);
        put_csv_row(t, row, launches ? "," : "", out);
    }
}

/* ---- Markdown ---- */

static void put_markdown_text(const char *text, struct buf *out) {
    for (; *text; text++)
        if (*text == '\n')
            buf_puts(out, "<br>");
        else
            buf_printf(out, "%s%c", *text == '|' || *text == '\\' ? "\\" : "", *text);
    buf_puts(out, " |");
}

void table_markdown(const struct table *t, struct buf *out) {
    bool launches = table_complete(t, out) && of_launches(t);
    if (out->failed)
        return;
    buf_puts(out, launches ? "| launch |" : "|");
    for (u32 c = 0; c < t->columns; c++)
        if (t->column[c].kind != TABLE_BAR) {
            buf_putc(out, ' ');
            put_markdown_text(t->column[c].title, out);
        }
    buf_puts(out, launches ? "\n|---:|" : "\n|");
    for (u32 c = 0; c < t->columns; c++)
        if (t->column[c].kind != TABLE_BAR)
            buf_puts(out, t->column[c].kind == TABLE_NUMBER ? "---:|" : "---|");
    for (u32 row = 0; row < table_rows(t); row++) {
        buf_puts(out, "\n|");
        if (launches)
            buf_printf(out, " %u |", table_cell(t, row, 0)->launch);
        for (u32 c = 0; c < t->columns; c++)
            if (t->column[c].kind != TABLE_BAR) {
                buf_putc(out, ' ');
                put_markdown_text(table_cell_text(t, row, c), out);
            }
    }
    buf_putc(out, '\n');
}
