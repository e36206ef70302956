#include "sim/base/buf.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool buf_grow(struct buf *buf, size_t more) {
    if (buf->failed)
        return false;
    if (more < buf->cap - buf->len)
        return true;
    size_t cap = buf->cap ? buf->cap : 256;
    while (cap - buf->len <= more) {
        if (cap > SIZE_MAX / 4) {
            buf->failed = true;
            return false;
        }
        cap *= 2;
    }
    bool granted = budget_take(buf->budget, cap - buf->cap);
    char *data = granted ? realloc(buf->data, cap) : NULL;
    if (!data) {
        if (granted)
            budget_give(buf->budget, cap - buf->cap);
        buf->failed = true;
        return false;
    }
    buf->data = data;
    buf->cap = cap;
    return true;
}

void buf_puts(struct buf *buf, const char *text) {
    buf_append(buf, text, strlen(text));
}

void buf_printf(struct buf *buf, const char *fmt, ...) {
    va_list ap, again;
    va_start(ap, fmt);
    va_copy(again, ap);
    int n = vsnprintf(NULL, 0, fmt, ap);
    va_end(ap);
    if (n >= 0 && buf_grow(buf, (size_t)n)) {
        vsnprintf(buf->data + buf->len, (size_t)n + 1, fmt, again);
        buf->len += (size_t)n;
    }
    va_end(again);
}

struct short_text grouped(u64 n) {
    struct short_text out = {0};
    char digits[sizeof out.text];
    u32 len = (u32)snprintf(digits, sizeof digits, "%llu", (unsigned long long)n), k = 0;
    for (u32 i = 0; i < len; i++) {
        if (i && (len - i) % 3 == 0)
            out.text[k++] = ',';
        out.text[k++] = digits[i];
    }
    return out;
}

void buf_u16(struct buf *buf, u16 v) {
    u8 bytes[2] = {(u8)v, (u8)(v >> 8)};
    buf_append(buf, bytes, sizeof bytes);
}

void buf_u32(struct buf *buf, u32 v) {
    buf_u16(buf, (u16)v);
    buf_u16(buf, (u16)(v >> 16));
}

void buf_u64(struct buf *buf, u64 v) {
    buf_u32(buf, (u32)v);
    buf_u32(buf, (u32)(v >> 32));
}

void *buf_push(struct buf *buf, size_t size) {
    if (!buf_grow(buf, size))
        return NULL;
    void *element = buf->data + buf->len;
    memset(element, 0, size);
    buf->len += size;
    buf->data[buf->len] = 0;
    return element;
}

void buf_free(struct buf *buf) {
    budget_give(buf->budget, buf->cap);
    free(buf->data);
    *buf = (struct buf){.budget = buf->budget};
}
