/* Data files that are no .npy: numbers as text, and elements as bytes. */
#include "sim/api/context.h"

#include <string.h>

#include "sim/api/npy.h"
#include "sim/api/scalar.h"

/* What is read, and what of it is known. */
struct plain {
    struct heddle *h;
    struct diag diag;
    enum etype type;
    u32 ndim; /* of `shape`, if it is given */
    const u64 *shape;
};

static bool begin(struct plain *p, const char *name, const char *type) {
    context_begin(p->h);
    p->type = etype_find(type, strlen(type));
    return p->type != ET_COUNT || context_fail(p->h, "heddle", "buffer '%s': unknown type '%s'", name, type);
}

/* Makes the buffer of the shape that was asked for, or of the file's own, and gives its bytes. */
static u8 *make(struct plain *p, const char *name, u32 ndim, const u64 *shape) {
    struct heddle_tensor t;
    bool ok = heddle_buffer(p->h, name, etypes[p->type].name, p->shape ? p->ndim : ndim, p->shape ? p->shape : shape);
    return ok && heddle_buffer_get(p->h, name, &t) ? t.data : NULL;
}

/* Whether the file has as many elements as the shape, if one was asked for. */
static bool agrees(struct plain *p, u64 have, const char *of) {
    u64 want = 0, bytes;
    bool fits = !p->shape || shape_size(p->type, p->ndim, p->shape, &want, &bytes);
    if (!fits)
        return context_fail(p->h, p->diag.file, "the shape is larger than any memory");
    return !p->shape || want == have ||
           context_fail(p->h, p->diag.file, "%s %s, and the shape has %s", grouped(have).text, of, grouped(want).text);
}

bool heddle_raw_read(struct heddle *h, const char *name, const char *type, uint32_t ndim, const uint64_t *shape,
                     const char *file, const void *bytes, size_t len) {
    struct plain p = {.h = h, .diag = {.file = file}, .ndim = ndim, .shape = shape};
    if (!begin(&p, name, type))
        return false;
    u64 size = etypes[p.type].bytes, count = len / size;
    if (len % size)
        return context_fail(h, file, "its %s bytes are not a whole number of %s, which take %llu", grouped(len).text,
                            type, (unsigned long long)size);
    if (!agrees(&p, count, "elements"))
        return false;
    u8 *data = make(&p, name, 1, &count);
    if (data && len)
        memcpy(data, bytes, len);
    return data != NULL;
}

/* ---- numbers as text ---- */

enum { NUMBER_LEN = 64 }; /* bytes of one */

/* A position in the text, and the rows that it has shown so far. */
struct rows {
    const char *text;
    size_t len, at, line_start;
    u32 line;
    u64 count, in_line, columns;
    bool ragged; /* lines of other lengths */
};

/* Blanks, commas and semicolons separate; of `#` the rest of the line is a remark. False at the end. */
static bool next_number(struct rows *r, size_t *start) {
    for (; r->at < r->len; r->at++) {
        char c = r->text[r->at];
        if (c == '#')
            while (r->at + 1 < r->len && r->text[r->at + 1] != '\n')
                r->at++;
        else if (c == '\n') {
            r->ragged |= r->in_line && r->columns && r->in_line != r->columns;
            r->columns = r->in_line ? r->in_line : r->columns;
            r->in_line = 0;
            r->line++;
            r->line_start = r->at + 1;
        } else if (!c || !strchr(" \t\r,;", c)) {
            break;
        }
    }
    *start = r->at;
    while (r->at < r->len && r->text[r->at] && !strchr(" \t\r\n,;#", r->text[r->at]))
        r->at++;
    r->at += r->at == *start && r->at < r->len; /* a NUL, which is not a number */
    return *start < r->len;
}

static bool read_number(struct plain *p, const struct rows *r, size_t start, u64 *bits) {
    char word[NUMBER_LEN + 1];
    struct reason why;
    size_t len = r->at - start < NUMBER_LEN ? r->at - start : NUMBER_LEN;
    struct span at = {r->line, (u32)(start - r->line_start) + 1, (u32)len};
    memcpy(word, r->text + start, len);
    word[len] = 0;
    if (!scalar_from_text(p->type, word, bits, &why))
        diag_error(&p->diag, at, "%s", why.text);
    return p->diag.kept < DIAG_MAX;
}

bool heddle_csv_read(struct heddle *h, const char *name, const char *type, uint32_t ndim, const uint64_t *shape,
                     const char *file, const char *text, size_t len) {
    struct plain p = {.h = h, .diag = {.file = file, .source = text, .source_len = len}, .ndim = ndim, .shape = shape};
    struct rows r = {.text = text, .len = len, .line = 1};
    struct buf values = {.budget = &h->budget};
    size_t start;
    static const char mark[] = "\xef\xbb\xbf"; /* with which spreadsheets begin UTF-8 */
    if (!begin(&p, name, type))
        return false;
    if (len >= strlen(mark) && memcmp(text, mark, strlen(mark)) == 0)
        r.at = strlen(mark);
    u32 size = etypes[p.type].bytes;
    for (u64 bits = 0; next_number(&r, &start) && read_number(&p, &r, start, &bits); r.count++, r.in_line++)
        for (u32 b = 0; b < size; b++)
            buf_putc(&values, (char)(bits >> 8 * b));
    r.ragged |= r.in_line && r.columns && r.in_line != r.columns;
    r.columns = r.columns ? r.columns : r.in_line;
    bool ok = !values.failed || context_no_memory(h, "a file of numbers");
    ok = ok && (!p.diag.errors || context_fail_diag(h, &p.diag)) && agrees(&p, r.count, "numbers");
    const u64 lines[] = {r.columns ? r.count / r.columns : 0, r.columns};
    bool table = !r.ragged && r.columns > 1 && r.count > r.columns;
    u8 *data = !ok ? NULL : table ? make(&p, name, 2, lines) : make(&p, name, 1, &r.count);
    if (data && values.len)
        memcpy(data, values.data, values.len);
    buf_free(&values);
    return data != NULL;
}
