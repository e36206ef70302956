#include "sim/web/write.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* A comma unless the value is the first, then the key. */
static void begin(struct buf *out, const char *key) {
    if (out->len && !strchr("[{", out->data[out->len - 1]))
        buf_putc(out, ',');
    if (key)
        buf_printf(out, "\"%s\":", key);
}

void write_open(struct buf *out, const char *key, char bracket) {
    begin(out, key);
    buf_putc(out, bracket);
}

void write_close(struct buf *out, char bracket) {
    buf_putc(out, bracket);
}

void write_text(struct buf *out, const char *key, const char *text) {
    begin(out, key);
    if (!text) {
        buf_puts(out, "null");
        return;
    }
    buf_putc(out, '"');
    for (; *text; text++)
        if (*text == '"' || *text == '\\')
            buf_printf(out, "\\%c", *text);
        else if ((unsigned char)*text < ' ')
            buf_printf(out, "\\u%04x", (unsigned char)*text);
        else
            buf_putc(out, *text);
    buf_putc(out, '"');
}

void write_whole(struct buf *out, const char *key, u64 n) {
    begin(out, key);
    if (n == UINT64_MAX)
        buf_puts(out, "null");
    else
        buf_printf(out, "%" PRIu64, n);
}

void write_mask(struct buf *out, const char *key, u64 mask) {
    begin(out, key);
    buf_printf(out, "\"0x%" PRIx64 "\"", mask);
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
