/*
 * A table as text: columns side by side, as wide as their cells if there is room. If not, prose and source are narrowed
 * first; then the columns that add fewest lines, but none below its longest word.
 */
#include "sim/file/table.h"

#include <string.h>

enum { INDENT = 2, GAP = 2, FLEXIBLE_LEAST = 24, BELOW = 6 };

/* A part of the table whose columns fit side by side. */
struct part {
    u32 column[TABLE_COLUMNS], width[TABLE_COLUMNS], least[TABLE_COLUMNS], n;
    u32 used;     /* columns of the terminal */
    u32 narrowed; /* least width when narrowed */
};

static bool flexible(const struct table_column *c) {
    return c->kind == TABLE_PROSE || c->kind == TABLE_SOURCE;
}

/* Counts the bytes of the text's first line that fit in `columns`; unless it is to be cut, up to a blank. */
static size_t fitting(const char *text, u32 columns, bool cut) {
    size_t len = 0;
    for (u32 n = 0; text[len] && text[len] != '\n'; len++)
        if (((unsigned char)text[len] & 0xc0) != 0x80 && n++ == columns)
            break;
    for (size_t end = len; !cut && text[len] && text[len] != '\n' && end > 0; end--)
        if (text[end] == ' ')
            return end;
    return len;
}

/* Returns the rest of a text after a line of it. */
static const char *rest_after(const char *text, size_t len, bool cut) {
    if (cut)
        return text + strlen(text);
    text += len + strspn(text + len, " ");
    return text + (*text == '\n');
}

static u32 lines_of(const char *text, u32 columns) {
    u32 n = 1;
    for (text = rest_after(text, fitting(text, columns, false), false); *text; n++)
        text = rest_after(text, fitting(text, columns, false), false);
    return n;
}

static u32 longest_word(const char *text) {
    u32 most = 0;
    for (u32 n = 0; *text; text++) {
        n = *text == ' ' || *text == '\n' ? 0 : n + (((unsigned char)*text & 0xc0) != 0x80);
        most = n > most ? n : most;
    }
    return most;
}

static u32 larger(u32 a, u32 b) {
    return a > b ? a : b;
}

/* ---- widths ---- */

static u32 width_of(const struct table *t, u32 column) {
    u32 most = table_width(t->column[column].title);
    for (u32 row = 0; row < table_rows(t); row++)
        most = larger(most, table_cell(t, row, column)->width);
    return most;
}

static u32 least_of(const struct table *t, u32 column) {
    const struct table_column *c = &t->column[column];
    u32 most = longest_word(c->title);
    for (u32 row = 0; row < table_rows(t) && !flexible(c); row++)
        most = larger(most, c->kind == TABLE_WORD ? longest_word(table_cell_text(t, row, column))
                                                  : table_cell(t, row, column)->width);
    return flexible(c) ? larger(most, FLEXIBLE_LEAST) : most;
}

static void take(const struct table *t, struct part *p, u32 column) {
    u32 width = width_of(t, column), least = least_of(t, column), gap = p->n ? GAP : INDENT;
    least = least < width ? least : width;
    p->used += gap + width;
    p->narrowed += gap + least;
    p->column[p->n] = column;
    p->width[p->n] = width;
    p->least[p->n++] = least;
}

static u32 lines_of_row(const struct table *t, const struct part *p, u32 row) {
    u32 most = 1;
    for (u32 i = 0; i < p->n; i++) {
        u32 c = p->column[i];
        bool title = row == table_rows(t);
        u32 width = title ? table_width(t->column[c].title) : table_cell(t, row, c)->width;
        if (width > p->width[i] && t->column[c].kind != TABLE_SOURCE)
            most = larger(most, lines_of(title ? t->column[c].title : table_cell_text(t, row, c), p->width[i]));
    }
    return most;
}

/* Counts the lines of the titles and of a sample of rows. */
static u32 lines_of_part(const struct table *t, const struct part *p) {
    enum { ENOUGH = 100 };
    u32 sum = lines_of_row(t, p, table_rows(t));
    for (u32 row = 0; row < table_rows(t) && row < ENOUGH; row++)
        sum += lines_of_row(t, p, row);
    return sum;
}

/* Finds the column that loses least by being one narrower: the one that adds fewest lines, of several the widest. */
static u32 softest(const struct table *t, struct part *p) {
    u32 best = p->n, fewest = 0;
    for (u32 i = 0; i < p->n; i++) {
        if (p->width[i] == p->least[i])
            continue;
        p->width[i]--;
        u32 lines = lines_of_part(t, p);
        p->width[i]++;
        if (best == p->n || lines < fewest || (lines == fewest && p->width[i] > p->width[best])) {
            best = i;
            fewest = lines;
        }
    }
    return best;
}

static void narrow(const struct table *t, struct part *p, u32 most) {
    for (u32 i = 0; i < p->n && p->used > most; i++)
        if (flexible(&t->column[p->column[i]])) {
            u32 spare = p->width[i] - p->least[i], wanted = p->used - most;
            p->width[i] -= spare < wanted ? spare : wanted;
            p->used -= spare < wanted ? spare : wanted;
        }
    while (p->used > most && p->used > p->narrowed) {
        p->width[softest(t, p)]--;
        p->used--;
    }
}

static bool is_same(const struct table *t, u32 column) {
    for (u32 row = 1; row < table_rows(t); row++)
        if (strcmp(table_cell_text(t, row, column), table_cell_text(t, 0, column)) != 0)
            return false;
    return true;
}

static bool is_number(const struct table *t, u32 column) {
    return t->column[column].kind == TABLE_NUMBER || t->column[column].kind == TABLE_VARIES;
}

/* Takes the columns from *next on that fit. */
static struct part part_from(const struct table *t, u32 *next, u32 most) {
    struct part p = {.n = 0};
    if (*next)
        take(t, &p, 0);
    for (bool fresh = true; *next < t->columns; ++*next) {
        const struct table_column *c = &t->column[*next];
        bool before_prose = *next + 1 < t->columns && flexible(&t->column[*next + 1]);
        u32 bar = GAP + width_of(t, *next) + (before_prose ? GAP + FLEXIBLE_LEAST : 0);
        bool hidden = c->kind == TABLE_BELOW || (c->kind == TABLE_VARIES && is_same(t, *next));
        if (hidden || (c->kind == TABLE_BAR && p.used + bar > most))
            continue;
        if (p.n == TABLE_COLUMNS || (!fresh && p.narrowed + GAP + least_of(t, *next) > most))
            break;
        take(t, &p, *next);
        fresh = false;
    }
    narrow(t, &p, most);
    return p;
}

/* ---- lines ---- */

static void put_blanks(u32 n, struct buf *out) {
    for (u32 i = 0; i < n; i++)
        buf_putc(out, ' ');
}

/* Prints a text whose lines all begin at a column of the terminal. */
static void put_folded(const char *text, u32 at, u32 most, struct buf *out) {
    u32 width = most > at + FLEXIBLE_LEAST ? most - at : FLEXIBLE_LEAST;
    while (*text) {
        size_t len = fitting(text, width, false);
        put_blanks(at, out);
        buf_append(out, text, len);
        buf_putc(out, '\n');
        text = rest_after(text, len, false);
    }
}

/* A line of a cell. */
struct piece {
    const char *text;
    size_t len;
    bool right; /* against the right side of the column */
};

static void put_piece(const struct part *p, u32 i, struct piece t, struct buf *out) {
    u32 width = 0;
    for (size_t k = 0; k < t.len; k++)
        width += ((unsigned char)t.text[k] & 0xc0) != 0x80;
    u32 pad = p->width[i] > width ? p->width[i] - width : 0;
    put_blanks((i ? GAP : INDENT) + (t.right ? pad : 0), out);
    buf_append(out, t.text, t.len);
    put_blanks(t.right ? 0 : pad, out);
}

/* Prints a row; with `row` equal to the number of rows, the titles. */
static void put_row(const struct table *t, const struct part *p, u32 row, struct buf *out) {
    const char *rest[TABLE_COLUMNS];
    bool more = true;
    for (u32 i = 0; i < p->n; i++)
        rest[i] = row < table_rows(t) ? table_cell_text(t, row, p->column[i]) : t->column[p->column[i]].title;
    while (more) {
        size_t start = out->len;
        more = false;
        for (u32 i = 0; i < p->n; i++) {
            bool cut = t->column[p->column[i]].kind == TABLE_SOURCE;
            size_t len = fitting(rest[i], p->width[i], cut);
            put_piece(p, i, (struct piece){rest[i], len, is_number(t, p->column[i])}, out);
            rest[i] = rest_after(rest[i], len, cut);
            more |= *rest[i] != 0;
        }
        while (out->len > start && out->data[out->len - 1] == ' ')
            out->data[--out->len] = 0;
        buf_putc(out, '\n');
    }
}

static void put_below(const struct table *t, u32 row, u32 at, u32 most, struct buf *out) {
    for (u32 c = 0; c < t->columns; c++)
        if (t->column[c].kind == TABLE_BELOW)
            put_folded(table_cell_text(t, row, c), at, most, out);
}

/* True if a row has nothing but texts after it, which then join those of the row before. */
static bool only_below(const struct table *t, u32 row) {
    bool side = false, below = false;
    for (u32 c = 0; c < t->columns; c++)
        *(t->column[c].kind == TABLE_BELOW ? &below : &side) |= *table_cell_text(t, row, c) != 0;
    return below && !side;
}

/* Finds the column where texts after a row begin: that of its source. */
static u32 below_at(const struct table *t, const struct part *p) {
    u32 last = p->n - 1;
    return t->column[p->column[last]].kind == TABLE_SOURCE ? p->used - p->width[last] : BELOW;
}

void table_text(const struct table *t, u32 width, struct buf *out) {
    bool titles = false;
    if (!table_complete(t, out))
        return;
    for (u32 c = 0; c < t->columns; c++)
        titles |= *t->column[c].title != 0;
    for (u32 next = 0; next < t->columns;) {
        if (next)
            buf_putc(out, '\n');
        struct part p = part_from(t, &next, width);
        if (titles)
            put_row(t, &p, table_rows(t), out);
        for (u32 row = 0; row < table_rows(t); row++) {
            if (!only_below(t, row))
                put_row(t, &p, row, out);
            if (next == t->columns)
                put_below(t, row, below_at(t, &p), width, out);
        }
    }
    if (t->caption)
        put_folded(t->caption, INDENT, width, out);
}
