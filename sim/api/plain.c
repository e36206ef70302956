/* Reads data files other than .npy: tables as text, and elements as bytes. */
#include "sim/api/context.h"

#include <string.h>

#include "sim/api/delimited.h"
#include "sim/api/npy.h"

/* A file being read. */
struct plain {
    struct heddle *h;
    struct diag diag;
    enum etype type;
    u32 ndim; /* dimensions of `shape`, if it is given */
    const u64 *shape;
};

static bool begin(struct plain *p, const char *name, const char *type) {
    context_begin(p->h);
    p->type = etype_find(type, strlen(type));
    return p->type != ET_COUNT || context_fail(p->h, "heddle", "buffer '%s': unknown type '%s'", name, type);
}

/* Makes the buffer, of the requested or the file's own shape, and returns its bytes. */
static u8 *make(struct plain *p, const char *name, u32 ndim, const u64 *shape) {
    struct heddle_tensor t;
    bool ok = heddle_buffer(p->h, name, etypes[p->type].name, p->shape ? p->ndim : ndim, p->shape ? p->shape : shape);
    return ok && heddle_buffer_get(p->h, name, &t) ? t.data : NULL;
}

/* Checks that the file has as many elements as the requested shape, if any. */
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
    if (!count)
        context_note(h, file, NO_ELEMENTS);
    return data != NULL;
}

/* ---- tables ---- */

enum { NAMES_SHOWN = 12 };

/* Appends the numbers of all rows to `values`; `pattern` becomes the first field that is the bits of a float. */
static u64 read_rows(struct delimited *d, bool empty_nan, struct buf *values, struct field *pattern) {
    u64 rows = 0, bits = 0;
    u32 size = etypes[d->type].bytes;
    for (; delimited_row(d); rows++)
        for (u32 i = 0; i < d->columns; i++) {
            const struct field *f = &delimited_fields(d)[i];
            bool ok = field_value(d, f, empty_nan, &bits);
            u8 *to = ok ? buf_take(values, size) : NULL;
            for (u32 b = 0; to && b < size; b++)
                to[b] = (u8)(bits >> 8 * b);
            if (ok && !pattern->text && etype_float_format(d->type) && field_is_pattern(f))
                *pattern = *f;
        }
    return rows;
}

/* Notes which line was skipped as names. */
static void tell_names(struct plain *p, const struct delimited *d) {
    struct buf names = {0}, shown = {0};
    for (u32 i = 0; i < d->columns && i < NAMES_SHOWN; i++) {
        buf_puts(&names, i ? ", " : "");
        field_put(&delimited_names(d)[i], &names);
    }
    if (!names.failed)
        diag_put_text(&shown, names.data, names.len);
    if (!names.failed && !shown.failed)
        context_note(p->h, d->diag.file, "line %u names the columns: %s%s", d->named, shown.data,
                     d->columns > NAMES_SHOWN ? ", ..." : "");
    buf_free(&names);
    buf_free(&shown);
}

static bool read_table(struct plain *p, const char *name, struct delimited *d, bool empty_nan) {
    struct buf values = {.budget = &p->h->budget};
    struct field pattern = {.text = NULL};
    u64 rows = delimited_open(d) ? read_rows(d, empty_nan, &values, &pattern) : 0, count = rows * d->columns;
    u64 own[] = {rows, d->columns};
    bool table = rows > 1 && d->columns > 1;
    bool ok = (!values.failed && !d->failed) || context_no_memory(p->h, "a file of numbers");
    ok = ok && (!d->diag.errors || context_fail_diag(p->h, &d->diag));
    if (ok && !count && !(p->shape && agrees(p, 0, "numbers")))
        ok = context_fail(p->h, d->diag.file,
                          d->named ? "there are names, and no number below them" : "there is no number in it");
    ok = ok && agrees(p, count, "numbers");
    u8 *data = !ok ? NULL : table ? make(p, name, 2, own) : make(p, name, 1, &count);
    if (data && values.len)
        memcpy(data, values.data, values.len);
    if (data && d->named)
        tell_names(p, d);
    if (data && pattern.text)
        context_note(p->h, d->diag.file, "line %u: %.*s is taken as the bits of %s, not as a whole number",
                     pattern.line, (int)pattern.len, pattern.text, etypes[d->type].name);
    buf_free(&values);
    return data != NULL;
}

bool heddle_csv_read(struct heddle *h, const char *name, const struct heddle_csv *csv, const char *text, size_t len) {
    struct plain p = {.h = h, .diag = {.file = csv->file}, .ndim = csv->ndim, .shape = csv->shape};
    if (!begin(&p, name, csv->type))
        return false;
    if (csv->empty_nan && !etype_float_format(p.type))
        return context_fail(h, csv->file, "empty=nan: %s has no NaN", csv->type);
    struct delimited d = {.text = text, .len = len, .type = p.type, .diag = p.diag};
    d.diag.source = text;
    d.diag.source_len = len;
    bool ok = read_table(&p, name, &d, csv->empty_nan);
    delimited_close(&d);
    return ok;
}
