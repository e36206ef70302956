#include "sim/cli/table.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "sim/base/decimal.h"
#include "sim/base/diag.h"
#include "sim/cli/format.h"

struct table_cell {
    size_t at; /* in `texts` */
    double number;
    enum { CELL_NONE, CELL_WORD, CELL_NUMBER } kind;
    u32 launch;
};

/* ---- rows ---- */

static void add(struct table *t, const struct table_cell *cell, const char *text) {
    struct table_cell c = *cell;
    c.at = t->texts.len;
    c.launch = t->launch;
    diag_put_text(&t->texts, text, strlen(text));
    buf_putc(&t->texts, 0);
    buf_append(&t->cells, &c, sizeof c);
}

void table_word(struct table *t, const char *text) {
    add(t, &(struct table_cell){.kind = CELL_WORD}, text);
}

void table_number(struct table *t, double value, struct short_text shown) {
    add(t, &(struct table_cell){.kind = CELL_NUMBER, .number = value}, shown.text);
}

void table_none(struct table *t) {
    add(t, &(struct table_cell){.kind = CELL_NONE}, "-");
}

void table_bar(struct table *t, double share, u32 width) {
    char bar[64];
    snprintf(bar, sizeof bar, "|%s|", format_bar(share, width).text);
    table_word(t, bar);
}

u32 table_rows(const struct table *t) {
    return (u32)(t->cells.len / sizeof(struct table_cell)) / t->columns;
}

/* A table that lacks cells is not written. */
static bool complete(const struct table *t, struct buf *out) {
    out->failed |= t->cells.failed || t->texts.failed;
    return !out->failed;
}

static const struct table_cell *cell_at(const struct table *t, u32 row, u32 column) {
    return &((const struct table_cell *)(const void *)t->cells.data)[(size_t)row * t->columns + column];
}

static const char *text_at(const struct table *t, u32 row, u32 column) {
    return t->texts.data + cell_at(t, row, column)->at;
}

void table_free(struct table *t) {
    buf_free(&t->cells);
    buf_free(&t->texts);
    *t = (struct table){.name = NULL};
}

/* ---- text ---- */

enum { COLUMNS_MAX = 24, INDENT = 2, GAP = 2, PROSE_LEAST = 24 };

/* The columns of a part of the table that stands side by side. */
struct part {
    u32 column[COLUMNS_MAX], width[COLUMNS_MAX], n;
    u32 used; /* columns of the terminal */
};

/* Bytes that are no continuation of a character. */
static u32 columns_of(const char *text) {
    u32 n = 0;
    for (; *text; text++)
        n += ((unsigned char)*text & 0xc0) != 0x80;
    return n;
}

static u32 width_of(const struct table *t, u32 column) {
    u32 most = columns_of(t->column[column].title);
    for (u32 row = 0; row < table_rows(t); row++) {
        u32 width = columns_of(text_at(t, row, column));
        most = width > most ? width : most;
    }
    return most;
}

static bool flexible(const struct table_column *c) {
    return c->kind == TABLE_PROSE || c->kind == TABLE_SOURCE;
}

static void take(struct part *p, u32 column, u32 width) {
    p->used += (p->n ? GAP : INDENT) + width;
    p->column[p->n] = column;
    p->width[p->n++] = width;
}

/* Takes the columns from *next on for which there is room. */
static struct part part_from(const struct table *t, u32 *next, u32 most) {
    struct part p = {.n = 0};
    if (*next)
        take(&p, 0, width_of(t, 0));
    for (bool fresh = true; *next < t->columns; ++*next) {
        const struct table_column *c = &t->column[*next];
        u32 width = width_of(t, *next), room = most > p.used + GAP ? most - p.used - GAP : 0;
        bool before_prose = *next + 1 < t->columns && flexible(&t->column[*next + 1]);
        if (c->kind == TABLE_BELOW || (c->kind == TABLE_BAR && width + before_prose * (GAP + PROSE_LEAST) > room))
            continue;
        if (width > room && flexible(c) && (room >= PROSE_LEAST || fresh))
            width = room > PROSE_LEAST ? room : PROSE_LEAST;
        else if (width > room && !fresh)
            break;
        take(&p, *next, width);
        fresh = false;
    }
    return p;
}

static void put_blanks(u32 n, struct buf *out) {
    for (u32 i = 0; i < n; i++)
        buf_putc(out, ' ');
}

/* Bytes of the text that fill at most so many columns; of prose, up to a blank. */
static size_t fitting(const char *text, u32 columns, bool prose) {
    size_t len = 0;
    for (u32 n = 0; text[len]; len++)
        if (((unsigned char)text[len] & 0xc0) != 0x80 && n++ == columns)
            break;
    for (size_t cut = len; prose && text[len] && cut > 0; cut--)
        if (text[cut] == ' ')
            return cut;
    return len;
}

/* A text of which lines after the first begin at a column of the terminal. */
static void put_flexible(const char *text, u32 at, u32 width, bool prose, struct buf *out) {
    size_t len = fitting(text, width, prose);
    buf_append(out, text, len);
    while (prose && text[len]) {
        text += len;
        text += strspn(text, " ");
        len = fitting(text, width, prose);
        buf_putc(out, '\n');
        put_blanks(at, out);
        buf_append(out, text, len);
    }
}

static void put_cell(const struct part *p, u32 i, const struct table_column *c, const char *text, u32 at,
                     struct buf *out) {
    u32 columns = columns_of(text), pad = p->width[i] > columns ? p->width[i] - columns : 0;
    if (c->kind == TABLE_NUMBER)
        put_blanks(pad, out);
    if (flexible(c))
        put_flexible(text, at, p->width[i], c->kind == TABLE_PROSE, out);
    else
        buf_puts(out, text);
    if (c->kind != TABLE_NUMBER && i + 1 < p->n)
        put_blanks(pad, out);
}

/* A row, or with `row` behind the last the titles. */
static void put_line(const struct table *t, const struct part *p, u32 row, struct buf *out) {
    size_t start = out->len;
    u32 at = 0;
    for (u32 i = 0; i < p->n; i++) {
        const struct table_column *c = &t->column[p->column[i]];
        u32 gap = i ? GAP : INDENT;
        put_blanks(gap, out);
        at += gap;
        put_cell(p, i, c, row < table_rows(t) ? text_at(t, row, p->column[i]) : c->title, at, out);
        at += p->width[i];
    }
    while (out->len > start && out->data[out->len - 1] == ' ')
        out->data[--out->len] = 0;
    buf_putc(out, '\n');
}

static void put_below(const struct table *t, u32 row, u32 at, u32 most, struct buf *out) {
    for (u32 c = 0; c < t->columns; c++)
        if (t->column[c].kind == TABLE_BELOW && *text_at(t, row, c)) {
            put_blanks(at, out);
            put_flexible(text_at(t, row, c), at, most > at + PROSE_LEAST ? most - at : PROSE_LEAST, true, out);
            buf_putc(out, '\n');
        }
}

void table_text(const struct table *t, u32 width, struct buf *out) {
    bool titles = false;
    if (!complete(t, out))
        return;
    for (u32 c = 0; c < t->columns; c++)
        titles |= *t->column[c].title != 0;
    for (u32 next = 0; next < t->columns;) {
        if (next)
            buf_putc(out, '\n');
        struct part p = part_from(t, &next, width);
        u32 last = p.used - p.width[p.n - 1];
        if (titles)
            put_line(t, &p, UINT32_MAX, out);
        for (u32 row = 0; row < table_rows(t); row++) {
            put_line(t, &p, row, out);
            if (next == t->columns)
                put_below(t, row, last, width, out);
        }
    }
    if (t->caption) {
        put_blanks(INDENT, out);
        put_flexible(t->caption, INDENT, width - INDENT, true, out);
        buf_putc(out, '\n');
    }
}

/* ---- files ---- */

/* 12 significant digits are more than any count or clock is worth; whole numbers are exact up to 2^53. */
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

/* Whether any row names its launch: then the first column says which. */
static bool of_launches(const struct table *t) {
    return table_rows(t) && cell_at(t, 0, 0)->launch;
}

static void put_csv_row(const struct table *t, u32 row, const char *separator, struct buf *out) {
    for (u32 c = 0; c < t->columns; c++) {
        const struct table_cell *cell = cell_at(t, row, c);
        if (t->column[c].kind == TABLE_BAR)
            continue;
        buf_puts(out, separator);
        if (cell->kind == CELL_NUMBER)
            buf_puts(out, number_text(cell->number).text);
        else if (cell->kind == CELL_WORD)
            put_csv_text(text_at(t, row, c), out);
        separator = ",";
    }
    buf_putc(out, '\n');
}

void table_csv(const struct table *t, struct buf *out) {
    bool launches = complete(t, out) && of_launches(t);
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
            buf_printf(out, "%u", cell_at(t, row, 0)->launch);
        put_csv_row(t, row, launches ? "," : "", out);
    }
}

static void put_markdown_text(const char *text, struct buf *out) {
    for (; *text; text++)
        buf_printf(out, "%s%c", *text == '|' || *text == '\\' ? "\\" : "", *text);
    buf_puts(out, " |");
}

void table_markdown(const struct table *t, struct buf *out) {
    bool launches = complete(t, out) && of_launches(t);
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
            buf_printf(out, " %u |", cell_at(t, row, 0)->launch);
        for (u32 c = 0; c < t->columns; c++)
            if (t->column[c].kind != TABLE_BAR) {
                buf_putc(out, ' ');
                put_markdown_text(text_at(t, row, c), out);
            }
    }
    buf_putc(out, '\n');
}

static json_t *json_cell(const struct table_cell *cell, const char *text) {
    if (cell->kind == CELL_NONE)
        return json_null();
    if (cell->kind == CELL_WORD)
        return json_text(text);
    return cell->number == floor(cell->number) && fabs(cell->number) < 0x1p53 ? json_s64((s64)cell->number)
                                                                              : json_number(cell->number);
}

json_t *table_json(const struct table *t) {
    json_t *all = t->cells.failed || t->texts.failed ? NULL : json_list();
    for (u32 row = 0; all && row < table_rows(t); row++) {
        json_t *one = json_new();
        if (cell_at(t, row, 0)->launch)
            json_put(one, "launch", json_u64(cell_at(t, row, 0)->launch));
        for (u32 c = 0; c < t->columns; c++)
            if (t->column[c].kind != TABLE_BAR)
                json_put(one, t->column[c].key, json_cell(cell_at(t, row, c), text_at(t, row, c)));
        json_add(all, one);
    }
    return all;
}
