#include "sim/api/write.h"

#include <math.h>
#include <string.h>

/* Writes a comma unless the value is the first, then the key. */
static void begin(struct buf *out, const char *key) {
    char last = out->len ? out->data[out->len - 1] : '\n';
    if (last != '[' && last != '{' && last != '\n')
        buf_putc(out, ',');
    if (!key)
        return;
    buf_putc(out, '"');
    buf_puts(out, key);
    buf_puts(out, "\":");
}

/* Prints digits: recordings are long lists of whole numbers, and printf would take most of the time. */
static void put_digits(struct buf *out, u64 n, u32 base) {
    char digit[20];
    u32 at = sizeof digit;
    do
        digit[--at] = "0123456789abcdef"[n % base];
    while (n /= base);
    buf_append(out, digit + at, sizeof digit - at);
}

void write_open(struct buf *out, const char *key, char bracket) {
    begin(out, key);
    buf_putc(out, bracket);
}

void write_close(struct buf *out, char bracket) {
    buf_putc(out, bracket);
}

/* Counts the first characters that stand for themselves. */
static size_t plain_length(const char *text) {
    size_t n = 0;
    while ((unsigned char)text[n] >= ' ' && text[n] != '"' && text[n] != '\\')
        n++;
    return n;
}

static void put_escaped(struct buf *out, char c) {
    buf_printf(out, c == '"' || c == '\\' ? "\\%c" : "\\u%04x", c);
}

void write_text(struct buf *out, const char *key, const char *text) {
    begin(out, key);
    if (!text) {
        buf_puts(out, "null");
        return;
    }
    buf_putc(out, '"');
    for (;;) {
        size_t plain = plain_length(text);
        buf_append(out, text, plain);
        text += plain;
        if (!*text)
            break;
        put_escaped(out, *text++);
    }
    buf_putc(out, '"');
}

void write_whole(struct buf *out, const char *key, u64 n) {
    begin(out, key);
    if (n == UINT64_MAX)
        buf_puts(out, "null");
    else
        put_digits(out, n, 10);
}

void write_mask(struct buf *out, const char *key, u64 mask) {
    begin(out, key);
    buf_puts(out, "\"0x");
    put_digits(out, mask, 16);
    buf_putc(out, '"');
}

void write_number(struct buf *out, const char *key, double n) {
    begin(out, key);
    if (isfinite(n))
        buf_printf(out, "%.17g", n);
    else
        buf_puts(out, "null");
}

void write_truth(struct buf *out, const char *key, bool value) {
    begin(out, key);
    buf_puts(out, value ? "true" : "false");
}

/* ---- structures ---- */

static void sink_open(void *out, const char *name, char bracket) {
    write_open(out, name, bracket);
}

static void sink_close(void *out, char bracket) {
    write_close(out, bracket);
}

void write_value(void *out, const char *name, const struct heddle_value *v) {
    switch (v->kind) {
    case HEDDLE_KIND_BOOL: write_truth(out, name, v->truth); break;
    case HEDDLE_KIND_WHOLE: write_whole(out, name, v->whole); break;
    case HEDDLE_KIND_HEX: write_mask(out, name, v->whole); break;
    case HEDDLE_KIND_SIGNED: write_number(out, name, (double)v->number); break;
    case HEDDLE_KIND_REAL: write_number(out, name, v->real); break;
    case HEDDLE_KIND_TEXT:
    case HEDDLE_KIND_BYTES:
    case HEDDLE_KIND_RECORD: write_text(out, name, v->text); break;
    }
}

static void sink_none(void *out, const char *name) {
    write_text(out, name, NULL);
}

struct heddle_sink write_sink(struct buf *out, u32 form, heddle_sink_field field) {
    return (struct heddle_sink){out, form, sink_open, sink_close, write_value, sink_none, field};
}

void write_record(struct buf *out, const char *name, const void *record, heddle_sink_field field) {
    const struct heddle_sink to = write_sink(out, HEDDLE_PAGE, field);
    heddle_walk(&to, heddle_record(name), record);
}

void write_object(struct buf *out, const char *name, const void *record) {
    write_open(out, NULL, '{');
    write_record(out, name, record, NULL);
    write_close(out, '}');
}
