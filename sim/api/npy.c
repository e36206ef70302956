#include "sim/api/npy.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum {
    MAGIC = 6,           /* length of "\x93NUMPY" */
    ALIGN = 64,          /* alignment of the data when written */
    QUOTED = 40,         /* most bytes of the file that a message shows */
    VERSION_1_HEAD = 10, /* bytes before the dictionary */
    VERSION_2_HEAD = 12,
    HEADER_MOST = 1 << 20 /* limit of the dictionary: a list of 8 sizes takes hundreds of bytes */
};

static const char zip[] = "PK\3\4"; /* start of a .npz file */

static const u8 magic[MAGIC] = {0x93, 'N', 'U', 'M', 'P', 'Y'};

static const char accepted[] = "accepted are bool, i8 to i64, u8 to u64, f16, f32, f64 and complex64";

/* The dictionary while it is read. */
struct header {
    const u8 *file; /* the whole file, so that positions are positions in it */
    size_t at, end; /* next byte; end of the dictionary */
    struct diag *diag;
    u8 seen; /* KEY_ bits */
};

enum { KEY_DESCR = 1, KEY_FORTRAN = 2, KEY_SHAPE = 4, KEY_ALL = 7 };

static const char *const keys[] = {"descr", "fortran_order", "shape"};

/* Bytes of a file as part of a message. */
struct quoted {
    char text[QUOTED * 4 + 4];
};

static struct quoted quote(const u8 *bytes, size_t len) {
    static const char hex[] = "0123456789abcdef";
    struct quoted q;
    size_t n = 0, shown = len < QUOTED ? len : QUOTED;
    for (size_t i = 0; i < shown; i++) {
        if (bytes[i] >= ' ' && bytes[i] < 0x7f) {
            q.text[n++] = (char)bytes[i];
            continue;
        }
        q.text[n++] = '\\';
        q.text[n++] = 'x';
        q.text[n++] = hex[bytes[i] >> 4];
        q.text[n++] = hex[bytes[i] & 15];
    }
    if (shown < len) {
        memcpy(q.text + n, "...", 3);
        n += 3;
    }
    q.text[n] = 0;
    return q;
}

/* Adds an error at a byte of the file. Returns false. */
static bool refuse(const struct header *h, size_t where, const char *fmt, ...) PRINTF_LIKE(3, 4);

static bool refuse(const struct header *h, size_t where, const char *fmt, ...) {
    char text[sizeof h->diag->message[0].text];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    return diag_error(h->diag, (struct span){0}, "byte %zu: %s", where, text);
}

bool shape_size(enum etype type, u32 ndim, const u64 *shape, u64 *count, u64 *bytes) {
    u64 n = 1, limit = ((u64)1 << 62) / etypes[type].bytes;
    for (u32 i = 0; i < ndim; i++)
        if (shape[i] == 0)
            n = 0;
    for (u32 i = 0; i < ndim && n; i++) {
        if (shape[i] > limit / n)
            return false;
        n *= shape[i];
    }
    *count = n;
    *bytes = n * etypes[type].bytes;
    return true;
}

/* ---- the dictionary ---- */

static int peek(struct header *h) {
    while (h->at < h->end && strchr(" \t\r\n", h->file[h->at]) && h->file[h->at])
        h->at++;
    return h->at < h->end ? h->file[h->at] : -1;
}

static bool take(struct header *h, char c) {
    if (peek(h) != c)
        return false;
    h->at++;
    return true;
}

static bool expected(struct header *h, const char *what) {
    int c = peek(h);
    if (c < 0)
        return refuse(h, h->at, "the header ends where %s is expected", what);
    u8 byte = (u8)c;
    return refuse(h, h->at, "expected %s, found '%s'", what, quote(&byte, 1).text);
}

/* Reads a Python string in either quotes, without escapes: the headers that NumPy writes have none. */
static bool read_string(struct header *h, const u8 **text, size_t *len, const char *what) {
    int q = peek(h);
    if ((q == 'u' || q == 'b') && h->at + 1 < h->end && (h->file[h->at + 1] == '\'' || h->file[h->at + 1] == '"')) {
        h->at++;
        q = h->file[h->at];
    }
    if (q != '\'' && q != '"')
        return expected(h, what);
    size_t start = ++h->at;
    while (h->at < h->end && h->file[h->at] != q && h->file[h->at] != '\n')
        h->at++;
    if (h->at == h->end || h->file[h->at] != q)
        return refuse(h, start - 1, "a string that does not end");
    *text = h->file + start;
    *len = h->at - start;
    h->at++;
    return true;
}

static bool read_word(struct header *h, const char *word) {
    size_t len = strlen(word);
    peek(h);
    if (h->end - h->at < len || memcmp(h->file + h->at, word, len) != 0)
        return false;
    h->at += len;
    return true;
}

static bool read_dimension(struct header *h, u64 *value) {
    size_t start = h->at;
    *value = 0;
    if (peek(h) == '-')
        return refuse(h, h->at, "a dimension is negative");
    for (int c = peek(h); c >= '0' && c <= '9'; c = h->at < h->end ? h->file[h->at] : -1) {
        u32 digit = (u32)(c - '0');
        if (*value > ((u64)INT64_MAX - digit) / 10)
            return refuse(h, start, "a dimension is larger than 2^63 - 1");
        *value = *value * 10 + digit;
        h->at++;
    }
    if (h->at == start || h->file[h->at - 1] < '0' || h->file[h->at - 1] > '9')
        return expected(h, "a dimension");
    if (h->at < h->end && h->file[h->at] == 'L') /* Python 2 wrote (3L, 4L) */
        h->at++;
    return true;
}

static bool read_shape(struct header *h, struct npy *out) {
    if (!take(h, '('))
        return expected(h, "'(' of the shape");
    out->ndim = 0;
    while (!take(h, ')')) {
        size_t start = h->at;
        u64 value;
        if (!read_dimension(h, &value))
            return false;
        if (out->ndim == HEDDLE_DIMS_MAX)
            return refuse(h, start, "more than %d dimensions", HEDDLE_DIMS_MAX);
        out->shape[out->ndim++] = value;
        if (!take(h, ',') && peek(h) != ')')
            return expected(h, "',' or ')'");
    }
    return true;
}

/* Names a type that has no element type here, by the letter of its code. */
static const char *kind_of(const u8 *code, size_t len) {
    switch (len ? code[0] : 0) {
    case 'O': return " holds Python objects";
    case 'S':
    case 'a':
    case 'U': return " holds text";
    case 'M':
    case 'm': return " holds times";
    case 'V': return " holds bytes without a meaning";
    case 'c': return " is complex of another size; save array.astype('complex64')";
    case 'f': return " is floating point of another size; save array.astype('float64')";
    default: return "";
    }
}

/* Reads the type as NumPy spells it. The order mark is optional, and without meaning for single bytes. */
static bool read_descr(struct header *h, struct npy *out) {
    const u8 *text = NULL;
    size_t len = 0;
    int c = peek(h); /* skips blanks */
    size_t start = h->at;
    if (c == '[' || c == '{')
        return refuse(h, start, "a structured type; %s", accepted);
    if (!read_string(h, &text, &len, "a type such as '<f4'"))
        return false;
    char order = len && strchr("<>|=", text[0]) && text[0] ? (char)text[0] : 0;
    const u8 *code = order ? text + 1 : text;
    size_t n = order ? len - 1 : len;
    for (u32 t = 0; t < ET_COUNT; t++) {
        const char *descr = etypes[t].descr;
        if (!descr || strlen(descr + 1) != n || memcmp(descr + 1, code, n) != 0)
            continue;
        out->type = (enum etype)t;
        out->big_endian = order == '>' && etypes[t].bytes > 1;
        return true;
    }
    return refuse(h, start, "type '%s'%s; %s", quote(text, len).text, kind_of(code, n), accepted);
}

static const char *key_name(const void *ctx, size_t i) {
    (void)ctx;
    return keys[i];
}

static bool read_value(struct header *h, u32 key, struct npy *out) {
    switch (1u << key) {
    case KEY_DESCR: return read_descr(h, out);
    case KEY_SHAPE: return read_shape(h, out);
    default: break;
    }
    out->fortran = read_word(h, "True");
    return out->fortran || read_word(h, "False") || expected(h, "True or False");
}

static bool read_item(struct header *h, struct npy *out) {
    const u8 *text;
    size_t len, start;
    peek(h);
    start = h->at;
    if (!read_string(h, &text, &len, "a key such as 'descr'"))
        return false;
    u32 key = 0;
    while (key < COUNT_OF(keys) && !(strlen(keys[key]) == len && memcmp(keys[key], text, len) == 0))
        key++;
    if (key == COUNT_OF(keys)) {
        struct quoted q = quote(text, len);
        const char *near = nearest_name(q.text, COUNT_OF(keys), key_name, NULL);
        return refuse(h, start, "unknown key '%s'%s%s%s", q.text, near ? "; did you mean '" : "", near ? near : "",
                      near ? "'?" : "");
    }
    if (h->seen & 1u << key)
        return refuse(h, start, "key '%s' for the second time", keys[key]);
    h->seen |= (u8)(1u << key);
    if (!take(h, ':'))
        return expected(h, "':'");
    return read_value(h, key, out);
}

static bool read_header(struct header *h, struct npy *out) {
    size_t start = h->at;
    if (!take(h, '{'))
        return expected(h, "'{' of the header");
    while (!take(h, '}')) {
        if (!read_item(h, out))
            return false;
        if (!take(h, ',') && peek(h) != '}')
            return expected(h, "',' or '}'");
    }
    while (h->at < h->end && h->file[h->end - 1] == 0) /* some writers pad with NUL */
        h->end--;
    if (peek(h) >= 0)
        return expected(h, "the end of the header");
    for (u32 key = 0; key < COUNT_OF(keys); key++)
        if (!(h->seen & 1u << key))
            return refuse(h, start, "the header has no '%s'", keys[key]);
    out->fortran &= out->ndim > 1;
    return true;
}

/* ---- the file ---- */

/* Finds the length of the dictionary and its start: the version decides how they are stored. */
static bool find_head(struct header *h, size_t len, size_t *size) {
    size_t shown = len < MAGIC ? len : MAGIC;
    if (len == 0)
        return refuse(h, 0, "the file is empty");
    if (len >= strlen(zip) && memcmp(h->file, zip, strlen(zip)) == 0)
        return refuse(h, 0, "a .npz file, or another zip archive; unzip it: each of its arrays is a .npy file");
    if (memcmp(h->file, magic, shown) != 0)
        return refuse(h, 0, "not a .npy file: it starts with '%s', not with '\\x93NUMPY'", quote(h->file, shown).text);
    if (len < VERSION_1_HEAD)
        return refuse(h, len, "the file ends in its first %d bytes", VERSION_1_HEAD);
    u32 major = h->file[MAGIC], minor = h->file[MAGIC + 1];
    if (major < 1 || major > 3 || minor != 0)
        return refuse(h, MAGIC, "version %u.%u; accepted are 1.0, 2.0 and 3.0", major, minor);
    h->at = major == 1 ? VERSION_1_HEAD : VERSION_2_HEAD;
    *size = (size_t)h->file[8] | (size_t)h->file[9] << 8;
    if (len < h->at)
        return refuse(h, len, "the file ends in its first %zu bytes", h->at);
    if (major > 1)
        *size |= (size_t)h->file[10] << 16 | (size_t)h->file[11] << 24;
    if (*size > HEADER_MOST)
        return refuse(h, 8, "a header of %s bytes; at most %s are read", grouped(*size).text,
                      grouped(HEADER_MOST).text);
    return true;
}

static bool read_head(struct header *h, size_t len) {
    size_t size;
    if (!find_head(h, len, &size))
        return false;
    if (size > len - h->at)
        return refuse(h, len, "the file ends in the header: %s bytes expected, got %s", grouped(size).text,
                      grouped(len - h->at).text);
    h->end = h->at + size;
    return true;
}

/* Reads everything before the data, which start at *start. */
static bool read_front(struct header *h, size_t len, struct npy *out, size_t *start) {
    *out = (struct npy){0};
    if (!read_head(h, len))
        return false;
    *start = h->end;
    if (!read_header(h, out))
        return false;
    if (!shape_size(out->type, out->ndim, out->shape, &out->count, &out->bytes))
        return refuse(h, *start, "the shape is larger than any memory");
    if (out->bytes > NPY_MOST)
        return refuse(h, *start, "%s bytes of data are announced; at most %s are read", grouped(out->bytes).text,
                      grouped(NPY_MOST).text);
    return true;
}

u64 npy_wanted(const u8 *bytes, size_t len) {
    struct diag diag = {0};
    struct header h = {.file = bytes, .diag = &diag};
    struct npy out;
    size_t size, start, known = len < MAGIC ? len : MAGIC;
    if (len < VERSION_2_HEAD)
        return len && memcmp(bytes, magic, known) != 0 ? len : VERSION_2_HEAD;
    if (!find_head(&h, len, &size))
        return len;
    if (size > len - h.at)
        return h.at + size;
    return read_front(&h, len, &out, &start) ? start + out.bytes + 1 : len;
}

bool npy_read(const u8 *bytes, size_t len, struct npy *out, struct diag *diag) {
    struct header h = {.file = bytes, .diag = diag};
    size_t start;
    if (!read_front(&h, len, out, &start))
        return false;
    u64 have = len - start;
    if (have < out->bytes)
        return refuse(&h, len, "the file is cut short: %s bytes of data expected, got %s", grouped(out->bytes).text,
                      grouped(have).text);
    if (have > out->bytes)
        return refuse(&h, start + out->bytes, "bytes after the data, which are %s", grouped(out->bytes).text);
    out->data = bytes + start;
    return true;
}

const char *npy_note(const struct npy *t) {
    if (t->fortran && t->big_endian)
        return "big endian, in Fortran order; converted to little endian, C order";
    if (t->fortran)
        return "in Fortran order; converted to C order";
    return t->big_endian ? "big endian; converted to little endian" : NULL;
}

/* Copies one element; the parts of a complex number are swapped separately. */
static void copy_element(const struct npy *t, const u8 *from, u8 *to) {
    u32 bytes = etypes[t->type].bytes, part = etypes[t->type].kind == ETYPE_COMPLEX ? bytes / 2 : bytes;
    for (u32 i = 0; i < bytes; i++)
        to[i] = from[t->big_endian ? i / part * part + part - 1 - i % part : i];
}

void npy_copy(const struct npy *t, u8 *to) {
    u64 at[HEDDLE_DIMS_MAX] = {0}, stride[HEDDLE_DIMS_MAX], step = etypes[t->type].bytes, from = 0;
    if (!npy_note(t)) {
        memcpy(to, t->data, t->bytes);
        return;
    }
    for (u32 k = 0; k < t->ndim; k++) {
        u32 d = t->fortran ? k : t->ndim - 1 - k; /* starting at the dimension whose elements are adjacent */
        stride[d] = step;
        step *= t->shape[d];
    }
    for (u64 i = 0; i < t->count; i++, to += etypes[t->type].bytes) {
        copy_element(t, t->data + from, to);
        for (u32 d = t->ndim; d-- > 0;) {
            from += stride[d];
            if (++at[d] < t->shape[d])
                break;
            from -= stride[d] * at[d];
            at[d] = 0;
        }
    }
}

static const char *npy_descr(enum etype type) {
    if (etypes[type].descr)
        return etypes[type].descr;
    switch (etypes[type].bytes) {
    case 1: return etypes[ET_U8].descr;
    case 2: return etypes[ET_U16].descr;
    case 4: return etypes[ET_U32].descr;
    default: return etypes[ET_U64].descr;
    }
}

void npy_write(const struct npy *t, struct buf *out) {
    struct buf text = {0};
    buf_printf(&text, "{'descr': '%s', 'fortran_order': False, 'shape': (", npy_descr(t->type));
    for (u32 i = 0; i < t->ndim; i++)
        buf_printf(&text, "%s%llu", i ? ", " : "", (unsigned long long)t->shape[i]);
    buf_puts(&text, t->ndim == 1 ? ",), }" : "), }");
    while (!text.failed && (VERSION_1_HEAD + text.len + 1) % ALIGN)
        buf_putc(&text, ' ');
    buf_putc(&text, '\n');
    buf_append(out, magic, MAGIC);
    buf_append(out, "\1\0", 2);
    buf_u16(out, (u16)text.len);
    buf_append(out, text.data, text.len);
    buf_append(out, t->data, t->bytes);
    out->failed |= text.failed;
    buf_free(&text);
}
