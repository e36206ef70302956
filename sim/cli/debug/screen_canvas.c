#include "sim/cli/debug/screen_canvas.h"

#include <string.h>
#include <wchar.h>

bool canvas_begin(struct canvas *c, u32 cols, u32 rows, bool utf8) {
    c->cells.len = 0;
    c->cols = cols;
    c->rows = rows;
    c->utf8 = utf8;
    for (size_t i = (size_t)cols * rows; i; i--) {
        struct cell *cell = buf_take(&c->cells, sizeof *cell);
        if (!cell)
            return false;
        *cell = (struct cell){' ', LOOK_PLAIN};
    }
    return true;
}

void canvas_free(struct canvas *c) {
    buf_free(&c->cells);
}

struct cell *canvas_at(const struct canvas *c, u32 x, u32 y) {
    return &((struct cell *)(void *)c->cells.data)[(size_t)y * c->cols + x];
}

/* Reads the next code point; a byte that begins none is U+FFFD. */
static u32 decode(const unsigned char **p) {
    u32 lead = *(*p)++, more = lead < 0x80   ? 0
                               : lead < 0xc2 ? 4
                               : lead < 0xe0 ? 1
                               : lead < 0xf0 ? 2
                               : lead < 0xf5 ? 3
                                             : 4;
    if (more == 0)
        return lead;
    if (more == 4)
        return 0xfffd;
    u32 c = lead & (0x3fu >> more);
    for (; more; more--, (*p)++) {
        if ((**p & 0xc0) != 0x80)
            return 0xfffd;
        c = c << 6 | (**p & 0x3f);
    }
    return c;
}

/* Returns the code point as the canvas can show it, with its columns: a question mark for others. */
static u32 shown(const struct canvas *c, u32 code, u32 *columns) {
    int width = code < 0x80 ? 1 : c->utf8 ? wcwidth((wchar_t)code) : -1;
    *columns = width == 2 ? 2 : 1;
    return code < ' ' || code == 0x7f ? ' ' : width < 1 ? '?' : code;
}

u32 canvas_text(struct canvas *c, const struct box *b, u32 row, enum look look, const char *text) {
    enum { TAB = 8 };
    const unsigned char *p = (const unsigned char *)text;
    u32 at = 0, columns;
    while (*p && *p != '\n') {
        bool tab = *p == '\t';
        u32 code = shown(c, decode(&p), &columns);
        columns = tab ? TAB - at % TAB : columns;
        for (u32 k = 0; k < columns; k++, at++) {
            if (at < b->skip || at - b->skip >= b->cols || row >= b->rows || b->y + row >= c->rows)
                continue;
            u32 x = b->x + at - b->skip;
            bool whole = tab || columns == 1 || (at - k >= b->skip && at - k + columns - b->skip <= b->cols);
            if (x < c->cols)
                *canvas_at(c, x, b->y + row) = (struct cell){!whole || tab ? ' ' : k ? 0 : code, look};
        }
    }
    return at;
}

void canvas_wrap(const char *text, size_t len, u32 cols, struct buf *out) {
    const char *end = text + len;
    while (text < end) {
        const char *eol = memchr(text, '\n', (size_t)(end - text));
        size_t n = (size_t)((eol ? eol : end) - text), cut = n;
        if (n > cols) {
            for (cut = cols; cut && text[cut] != ' '; cut--)
                ;
            cut = cut ? cut : cols;
        }
        while (cut < n && cut > 1 && ((u8)text[cut] & 0xc0) == 0x80)
            cut--;
        buf_append(out, text, cut);
        buf_putc(out, '\n');
        text += cut;
        text += cut < n ? strspn(text, " ") : eol != NULL;
    }
}

void canvas_fill(struct canvas *c, const struct box *b, u32 row, enum look look, u32 what) {
    for (u32 x = b->x; x < b->x + b->cols && x < c->cols && b->y + row < c->rows; x++)
        *canvas_at(c, x, b->y + row) = (struct cell){what, look};
}

u32 canvas_rule(const struct canvas *c, enum rule rule) {
    static const struct { u32 plain, drawn; } rules[] = {[RULE_ACROSS] = {'-', 0x2500}, [RULE_DOWN] = {'|', 0x2502}};
    return c->utf8 ? rules[rule].drawn : rules[rule].plain;
}
