/* Named buffers: the global memory of a context. */
#include "sim/api/context.h"

#include <string.h>

#include "sim/api/scalar.h"
#include "sim/api/npy.h"

const struct content_row content_rows[CONTENT_COUNT] = {
#define CONTENT(id, written, doc) {written, doc},
#include "sim/api/contents.def"
};

static const struct {
    enum content content;
    const char *where, *how;
} ways[] = {
#define WAY(content, where, how) {CONTENT_##content, where, how},
#include "sim/api/contents.def"
};

bool heddle_content(uint32_t index, const char **where, const char **how, const char **doc, bool *written) {
    if (index >= COUNT_OF(ways))
        return false;
    *where = ways[index].where;
    *how = ways[index].how;
    *doc = content_rows[ways[index].content].doc;
    *written = content_rows[ways[index].content].written;
    return true;
}

static struct buffer **list(const struct heddle *h) {
    return (struct buffer **)(void *)h->buffers.data;
}

uint32_t heddle_buffer_count(const struct heddle *h) {
    return (uint32_t)(h->buffers.len / sizeof(struct buffer *));
}

const char *heddle_buffer_name(const struct heddle *h, uint32_t index) {
    return index < heddle_buffer_count(h) ? list(h)[index]->name : NULL;
}

struct buffer *context_buffer(const struct heddle *h, const char *name) {
    for (u32 i = 0; i < heddle_buffer_count(h); i++)
        if (strcmp(list(h)[i]->name, name) == 0)
            return list(h)[i];
    return NULL;
}

static const char *nth_name(const void *ctx, size_t i) {
    return heddle_buffer_name(ctx, (u32)i);
}

const char *context_nearest_buffer(const struct heddle *h, const char *name) {
    return nearest_name(name, heddle_buffer_count(h), nth_name, h);
}

static bool no_buffer(struct heddle *h, const char *name) {
    return context_fail(h, "heddle", "there is no buffer '%s'%s", name, suggest(context_nearest_buffer(h, name)).text);
}

static void buffer_free(struct buffer *b) {
    struct arena arena = b->arena; /* the buffer itself is in its arena */
    arena_free(&arena);
}

/* Makes a buffer that is not in the context's list yet. */
static struct buffer *buffer_new(struct heddle *h, const char *name, u64 bytes) {
    struct arena arena = {.budget = &h->budget};
    struct buffer *b = arena_alloc(&arena, sizeof *b);
    if (b) {
        b->name = arena_strndup(&arena, name, strlen(name));
        b->data = bytes > SIZE_MAX / 2 ? NULL : arena_alloc(&arena, bytes); /* hosts have 32 bits, too */
        b->bytes = bytes;
        b->arena = arena;
        if (b->name && b->data)
            return b;
    }
    arena_free(&arena);
    return NULL;
}

/* Assigns the buffer an address and a place in the list: those of `old`, which is freed, or new ones. */
static bool buffer_enter(struct heddle *h, struct buffer *b, struct buffer *old) {
    u32 place = 0, n = heddle_buffer_count(h);
    if (!old && !buf_push(&h->buffers, sizeof b)) {
        h->buffers.failed = false;
        return false;
    }
    b->address = memory_add(&h->memory, b->name, b->data, b->bytes);
    if (!b->address) {
        h->buffers.len = n * sizeof b;
        return false;
    }
    while (place < n && list(h)[place] != old)
        place++;
    list(h)[place] = b;
    if (old) {
        memory_remove(&h->memory, old->address);
        buffer_free(old);
    }
    return true;
}

/* Creates, replaces or clears the buffer of that name. A buffer of the same size keeps its address. */
static struct buffer *buffer_make(struct heddle *h, const char *name, u64 bytes) {
    struct buffer *old = context_buffer(h, name);
    if (old && old->bytes == bytes) {
        memset(old->data, 0, bytes);
        return old;
    }
    if (bytes >= WINDOW_SHARED) {
        context_fail(h, "heddle", "buffer '%s' of %s bytes is larger than the global memory of 2^40 bytes", name,
                     grouped(bytes).text);
        return NULL;
    }
    struct buffer *b = buffer_new(h, name, bytes);
    if (!b) {
        struct buf what = {0};
        buf_printf(&what, "buffer '%s' of %s bytes", name, grouped(bytes).text);
        context_no_memory(h, what.failed ? "a buffer" : what.data);
        buf_free(&what);
        return NULL;
    }
    if (!buffer_enter(h, b, old)) {
        context_fail(h, "heddle", "out of memory: no room in the global memory for buffer '%s' of %s bytes", name,
                     grouped(bytes).text);
        buffer_free(b);
        return NULL;
    }
    return b;
}

static bool buffer_shape(struct heddle *h, const char *name, const struct npy *t) {
    if (!*name)
        return context_fail(h, "heddle", "a buffer needs a name");
    struct buffer *b = buffer_make(h, name, t->bytes);
    if (!b)
        return false;
    b->type = t->type;
    b->ndim = t->ndim;
    b->count = t->count;
    memcpy(b->shape, t->shape, sizeof b->shape);
    b->content = t->data ? CONTENT_READ : CONTENT_MADE;
    if (t->data && t->bytes)
        npy_copy(t, b->data);
    return true;
}

static const char *nth_type(const void *ctx, size_t i) {
    (void)ctx;
    return etypes[i].name;
}

bool heddle_buffer(struct heddle *h, const char *name, const char *type, uint32_t ndim, const uint64_t *shape) {
    struct npy t = {.type = etype_find(type, strlen(type)), .ndim = ndim};
    context_begin(h);
    if (t.type == ET_COUNT)
        return context_fail(h, "heddle", "buffer '%s': unknown type '%s'%s", name, type,
                            suggest(nearest_name(type, ET_COUNT, nth_type, NULL)).text);
    if (ndim > HEDDLE_DIMS_MAX)
        return context_fail(h, "heddle", "buffer '%s': %u dimensions; at most %d", name, ndim, HEDDLE_DIMS_MAX);
    if (ndim)
        memcpy(t.shape, shape, ndim * sizeof *shape);
    if (!shape_size(t.type, ndim, t.shape, &t.count, &t.bytes))
        return context_fail(h, "heddle", "buffer '%s': the shape is larger than any memory", name);
    return buffer_shape(h, name, &t);
}

bool heddle_buffer_get(struct heddle *h, const char *name, struct heddle_tensor *t) {
    struct buffer *b = context_buffer(h, name);
    if (b)
        b->content = CONTENT_HANDED;
    return heddle_buffer_look(h, name, t);
}

bool heddle_buffer_look(struct heddle *h, const char *name, struct heddle_tensor *t) {
    context_begin(h);
    const struct buffer *b = context_buffer(h, name);
    *t = (struct heddle_tensor){0};
    if (!b)
        return no_buffer(h, name);
    t->type = etypes[b->type].name;
    t->ndim = b->ndim;
    memcpy(t->shape, b->shape, sizeof t->shape);
    t->count = b->count;
    t->bytes = b->bytes;
    t->data = b->data;
    t->address = b->address;
    t->written = content_rows[b->content].written;
    return true;
}

bool heddle_buffer_drop(struct heddle *h, const char *name) {
    context_begin(h);
    struct buffer *b = context_buffer(h, name);
    if (!b)
        return no_buffer(h, name);
    u32 n = heddle_buffer_count(h), i = 0;
    while (list(h)[i] != b)
        i++;
    memmove(&list(h)[i], &list(h)[i + 1], (n - i - 1) * sizeof(struct buffer *));
    h->buffers.len -= sizeof(struct buffer *);
    memory_remove(&h->memory, b->address);
    buffer_free(b);
    return true;
}

bool heddle_buffer_fill(struct heddle *h, const char *name, const char *fill) {
    context_begin(h);
    struct buffer *b = context_buffer(h, name);
    struct reason why;
    if (!b)
        return no_buffer(h, name);
    bool zeros = b->content == CONTENT_MADE && strcmp(fill, "zeros") == 0; /* of a size that may exceed the memory */
    b->content = CONTENT_FILLED;
    return zeros || fill_elements(fill, b->type, b->data, b->count, &why) ||
           context_fail(h, "heddle", "buffer '%s': %s", name, why.text);
}

bool heddle_npy_read(struct heddle *h, const char *name, const char *file, const void *bytes, size_t len) {
    struct diag diag = {.file = file};
    struct npy t;
    context_begin(h);
    if (!npy_read(bytes, len, &t, &diag))
        return context_fail_diag(h, &diag);
    if (npy_note(&t))
        context_note(h, file, "%s", npy_note(&t));
    if (!t.count)
        context_note(h, file, NO_ELEMENTS);
    return buffer_shape(h, name, &t);
}

char *heddle_npy_write(struct heddle *h, const char *name, size_t *len) {
    context_begin(h);
    const struct buffer *b = context_buffer(h, name);
    if (!b) {
        no_buffer(h, name);
        return NULL;
    }
    struct npy t = {.type = b->type, .ndim = b->ndim, .count = b->count, .bytes = b->bytes, .data = b->data};
    struct buf out = {0};
    memcpy(t.shape, b->shape, sizeof t.shape);
    npy_write(&t, &out);
    if (out.failed) {
        buf_free(&out);
        context_no_memory(h, "a .npy file");
        return NULL;
    }
    *len = out.len;
    return out.data;
}
