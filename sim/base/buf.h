/*
 * Buf: a growing run of bytes, used for text that is being printed, for files that are being written, and as
 * the store of growing arrays. A failed growth sets `failed` and every later append does nothing, so that a
 * writer checks once, at the end.
 */
#ifndef HEDDLE_BASE_BUF_H
#define HEDDLE_BASE_BUF_H

#include <string.h>

#include "sim/base/budget.h"

struct buf {
    char *data;            /* NUL-terminated after every append; NULL before the first */
    size_t len;            /* bytes used, without the NUL */
    size_t cap;            /* bytes owned */
    bool failed;           /* memory ran out; `data` holds what fitted */
    struct budget *budget; /* bounds its memory; NULL: no bound */
};

/* Makes room for `more` bytes and the NUL; false when out of memory. */
bool buf_grow(struct buf *buf, size_t more);

/* Inline, as buf_putc: calls for each digit were half of the cost of a recording. */
static inline void buf_append(struct buf *buf, const void *bytes, size_t len) {
    if (UNLIKELY(buf->failed || len >= buf->cap - buf->len) && !buf_grow(buf, len))
        return;
    if (len)
        memcpy(buf->data + buf->len, bytes, len);
    buf->len += len;
    buf->data[buf->len] = 0;
}

static inline void buf_putc(struct buf *buf, char c) {
    buf_append(buf, &c, 1);
}

void buf_puts(struct buf *buf, const char *text);
void buf_printf(struct buf *buf, const char *fmt, ...) PRINTF_LIKE(2, 3);

/* A short text by value, so that it can stand in the arguments of printf. */
struct short_text {
    char text[48];
};

/* 1234567 as "1,234,567" */
struct short_text grouped(u64 n);

/* Little-endian integers, for file formats. */
void buf_u16(struct buf *buf, u16 v);
void buf_u32(struct buf *buf, u32 v);
void buf_u64(struct buf *buf, u64 v);

/* Grows by one element of `size` bytes, zeroed, and returns it; NULL when out of memory. */
void *buf_push(struct buf *buf, size_t size);

/* Grows as buf_push does; the caller writes the element's content. */
static inline void *buf_take(struct buf *buf, size_t size) {
    if (UNLIKELY(buf->cap - buf->len <= size))
        return buf_push(buf, size);
    void *element = buf->data + buf->len;
    buf->len += size;
    return element;
}

void buf_free(struct buf *buf);

/* Functions NAME_count and NAME_at of the elements, of `type`, in the member `list` of a structure `owner`. */
#define BUF_LIST(name, owner, list, type) \
    static inline UNUSED u32 name##_count(const owner *o) { \
        return (u32)(o->list.len / sizeof(type)); \
    } \
    static inline UNUSED type *name##_at(const owner *o, size_t i) { \
        return &((type *)(void *)o->list.data)[i]; \
    }

#endif
