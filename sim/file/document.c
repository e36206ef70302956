#include "sim/file/document.h"

#include <string.h>

#include "sim/base/diag.h"

/* ---- reading ---- */

/* Finds the last token read; the error's position is the first byte after it. */
static struct span span_of(const json_error_t *e, const char *text, size_t len) {
    static const char before[] = " near '";
    const char *near = strstr(e->text, before);
    size_t end = e->position > 0 && (size_t)e->position < len ? (size_t)e->position : e->position > 0 ? len : 0;
    size_t token = near ? strlen(near) - sizeof before : 1; /* less the quote after it */
    size_t begin = end > token ? end - token : 0, line = 1, column = 1;
    for (size_t i = 0; i < begin; i++, column++)
        if (text[i] == '\n')
            line++, column = 0;
    return (struct span){(u32)line, (u32)column, (u32)(token ? token : 1)};
}

json_t *document_read(const char *name, const char *text, size_t len, struct buf *why) {
    json_error_t e;
    json_t *v = json_loadb(text, len, JSON_REJECT_DUPLICATES | JSON_DECODE_ANY | JSON_ALLOW_NUL, &e);
    if (v)
        return v;
    struct diag d = {.file = name, .source = text, .source_len = len};
    diag_error(&d, span_of(&e, text, len), "this is not JSON: %s", e.text);
    diag_render(&d, why);
    return NULL;
}

/* ---- writing ---- */

static int append(const char *text, size_t len, void *out) {
    buf_append(out, text, len);
    return 0;
}

bool document_write(const json_t *value, size_t flags, struct buf *out) {
    bool ok = json_dump_callback(value, append, out, flags | JSON_ENCODE_ANY) == 0;
    buf_putc(out, '\n');
    return ok && !out->failed;
}

json_t *document_string(const char *text, size_t len) {
    struct buf clean = {0};
    json_t *v = json_stringn(text, len);
    if (v)
        return v;
    for (size_t i = 0; i < len; i++)
        buf_putc(&clean, (unsigned char)text[i] < 0x80 ? text[i] : '?');
    v = clean.failed ? NULL : json_stringn(clean.data ? clean.data : "", len);
    buf_free(&clean);
    return v;
}
